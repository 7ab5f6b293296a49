//! Provenance of games: program, build, machine, date, and the behavior of each strategy.
//!
//! Version and commit identify a program, but do not show whether two programs play alike. A [behavior](behavior_of) does:
//! it is a hash of the games of a strategy on a few small boards. Games with different behaviors belong to different
//! strategies of the same name, so a store does not mix them unless the caller allows it.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fmt, fs, thread};

use pegwise_game::Rules;
use pegwise_solve::{Fnv1a, Game, Limits, ParameterKind, Spec, catalog};
use serde::Serialize;

use crate::experiment::{Experiment, Secrets};
use crate::runner::CellPlayer;

/// Program, build, machine and date of some games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// Program and version.
    pub program: String,
    /// Commit of the build, with a `+` if files differed from it.
    pub commit: String,
    /// Compiler and target.
    pub compiler: String,
    /// Processor, number of cores and operating system.
    pub machine: String,
    /// Number of threads.
    pub threads: u32,
    /// Date and time of the first game, UTC.
    pub date: String,
}

impl Origin {
    /// Returns this program on this machine at this time.
    pub fn current(threads: usize) -> Self {
        Self {
            program: concat!("pegwise ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: env!("PEGWISE_COMMIT").to_owned(),
            compiler: concat!(env!("PEGWISE_COMPILER"), ", ", env!("PEGWISE_TARGET")).to_owned(),
            machine: machine(),
            threads: threads.try_into().unwrap_or(u32::MAX),
            date: now(),
        }
    }
}

/// Returns the processor, number of cores and operating system.
fn machine() -> String {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = named.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!("{processor}, {cores} cores, {}", std::env::consts::OS)
}

/// Boards of each kind that strategies may treat differently, small enough to take milliseconds.
const BOARDS: [&str; 4] = ["3x4", "4x5:no-repeats", "3x4:black-only", "grid:2x2x3"];
/// A large board for strategies of any size, which may treat it differently. Only the first guesses are played.
const LARGE: &str = "10x10:max-guesses=2";
/// A board that only strategies of any size can play.
const HUGE: &str = "60x60";
/// Board for strategies that can play none of the above.
const CLASSIC: &str = "4x6";
/// Number of games per board.
const GAMES: u64 = 3;
const SEED: u64 = 1;
/// Limits on the work. Counts, unlike time, do not depend on the machine.
const LIMITS: Limits = Limits { examined: Some(500), nodes: Some(500), time: None };

/// Behavior of a strategy: a hash of the guesses and counts of its games on a few small boards. Strategies that differ only
/// on other boards may have the same hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Behavior(u64);

/// Returns the behavior of a strategy.
///
/// ```
/// use pegwise_lab::behavior_of;
/// let (knuth, entropy) = (behavior_of(&"knuth".parse()?), behavior_of(&"entropy".parse()?));
/// assert_eq!(knuth, behavior_of(&"knuth".parse()?));
/// assert_ne!(knuth, entropy);
/// assert_eq!(knuth.to_string().parse(), Ok(knuth));
/// # Ok::<(), pegwise_solve::SpecError>(())
/// ```
pub fn behavior_of(spec: &Spec) -> Behavior {
    // An external program may play differently each time, so it is identified by its files.
    if let Some(fingerprint) = catalog::fingerprint_of(spec.row()) {
        return Behavior(fingerprint);
    }
    let mut fingerprint = Fnv1a::default();
    play_boards(spec, &mut fingerprint);
    Behavior(fingerprint.value())
}

/// Adds the games of a strategy to `fingerprint`, and returns their work: codes examined, feedbacks computed and nodes.
fn play_boards(spec: &Spec, fingerprint: &mut Fnv1a) -> u64 {
    let mut add = |board, count| add_board(fingerprint, spec, board, count);
    let small: Vec<u64> = BOARDS.iter().filter_map(|board| add(board, GAMES)).collect();
    let any_size = HUGE.parse().is_ok_and(|huge| spec.row().can_play(&huge));
    let large = if any_size { add(LARGE, 1) } else { None };
    let classic = if small.is_empty() { add(CLASSIC, GAMES) } else { None };
    small.into_iter().chain(large).chain(classic).sum()
}

/// Adds the games on a board to `fingerprint`, and returns their work; `None` if the strategy cannot play it.
fn add_board(fingerprint: &mut Fnv1a, spec: &Spec, board: &str, count: u64) -> Option<u64> {
    let rules = board.parse::<Rules>().ok()?;
    let spec = valid_on(spec, &rules)?;
    fingerprint.add(board.as_bytes());
    // Giving up is part of the behavior.
    let games = play_games(&rules, spec, count).unwrap_or_default();
    games.iter().for_each(|game| add_game(fingerprint, game));
    Some(games.iter().map(|game| game.counts).map(|counts| counts.examined + counts.scored + counts.nodes).sum())
}

/// Returns the strategy with those parameters that are valid on this board: codes of other boards are omitted.
fn valid_on(spec: &Spec, rules: &Rules) -> Option<Spec> {
    if catalog::build(spec, rules).is_ok() {
        return Some(spec.clone());
    }
    let row = spec.row();
    let kept = row.parameters.iter().filter(|parameter| !matches!(parameter.kind, ParameterKind::CodeOr(_)));
    let kept = kept.map(|parameter| format!("{}={}", parameter.name, spec.arguments().text(parameter.name)));
    let spec: Spec = format!("{}({})", row.name, kept.collect::<Vec<_>>().join(",")).parse().ok()?;
    catalog::build(&spec, rules).is_ok().then_some(spec)
}

fn play_games(rules: &Rules, spec: Spec, count: u64) -> Option<Vec<Game>> {
    let experiment = Experiment::new(vec![rules.clone()], vec![spec], Secrets::Drawn(count)).ok()?.with_seed(SEED);
    let cell = experiment.cells().into_iter().next()?;
    let mut player = CellPlayer::new(cell, SEED, LIMITS).ok()?;
    let never = AtomicBool::new(false);
    (0..count).map(|number| player.play(number, &never).ok().map(|played| played.game)).collect()
}

fn add_game(fingerprint: &mut Fnv1a, game: &Game) {
    for turn in &game.turns {
        turn.guess.iter().for_each(|color| fingerprint.add(&(color.index() as u16).to_le_bytes()));
    }
    let counts = game.counts;
    for count in [counts.examined, counts.consistent, counts.scored, counts.nodes] {
        fingerprint.add(&count.to_le_bytes());
    }
}

impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Behavior {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

impl Serialize for Behavior {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the current time as in `2026-11-16T01:50:03Z`.
fn now() -> String {
    // Times before 1970 are treated as 1970.
    format_date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// Formats a Unix time, by the algorithm of H. Hinnant, *chrono-compatible low-level date algorithms*.
fn format_date(seconds: u64) -> String {
    // Years begin in March, so that the leap day is the last day; day 719,468 of era 0 is 1 January 1970.
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", 400 * era + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviors_are_reproducible() {
        for row in catalog::rows() {
            let spec = Spec::of(row);
            let behavior = behavior_of(&spec);
            assert_eq!(behavior, behavior_of(&spec), "{}", row.name);
            assert_ne!(behavior, Behavior(Fnv1a::default().value()), "{} plays none of the boards", row.name);
        }
    }

    #[test]
    fn behavior_takes_little_work() {
        for row in catalog::rows() {
            let work = play_boards(&Spec::of(row), &mut Fnv1a::default());
            assert!(work < 1_000_000, "{}: {work}", row.name);
        }
    }

    #[test]
    fn parameters_change_the_behavior_except_codes_of_other_boards() {
        let behavior = |text: &str| behavior_of(&text.parse().unwrap());
        assert_ne!(behavior("entropy"), behavior("entropy(guesses=consistent)"));
        assert_eq!(behavior("knuth(first=112233)"), behavior("knuth"));
    }

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
            assert_eq!(format_date(seconds), expected);
        }
    }
}
