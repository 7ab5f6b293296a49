//! The date and time of now, as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, as in `2026-11-16T01:50:03Z`.
pub(super) fn now() -> String {
    // A clock before 1970 is wrong anyway.
    written(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// The moment so many seconds after 1970 began.
fn written(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let (days, time) = (seconds / DAY, seconds % DAY);
    let (mut year, mut day) = (1970, days);
    while day >= length_of(year) {
        day -= length_of(year);
        year += 1;
    }
    let february = if length_of(year) == 366 { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

/// Days of a year.
fn length_of(year: u64) -> u64 {
    let leaps = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leaps { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_the_date_command() {
        // date -u -d @N +%FT%TZ
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_794_793_803, "2026-11-16T01:50:03Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(written(seconds), expected);
        }
    }
}
