//! The first guess.

use pegwise_game::{Code, Rules};

/// The opening of Berghman, Goossens and Leus: colors in pairs, and the last cells apart: 1123, 112234, 11223345. An odd
/// number of cells ends in one cell apart: 11223. Colors that run out begin again; where colors must differ, all do.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::evolutionary::opening;
/// for (rules, code) in [("4x6", "1123"), ("5x8", "11223"), ("6x9", "112234"), ("4x6:no-repeats", "1234")] {
///     let rules: Rules = rules.parse().unwrap();
///     assert_eq!(opening(&rules), rules.parse_code(code).unwrap());
/// }
/// ```
#[must_use]
pub fn opening(rules: &Rules) -> Code {
    let last = rules.cells() - 1;
    Code::from_indices((0..=last).map(|cell| {
        let color = match rules.repeats() {
            // The last of an even number of cells does not complete its pair.
            true => cell / 2 + usize::from(cell == last && cell % 2 == 1),
            false => cell,
        };
        (color % usize::from(rules.colors())) as u16
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_fit_every_rules() {
        for (rules, code) in [
            ("1x1", "1"),
            ("1x6", "1"),
            ("2x6", "12"),
            ("3x6", "112"),
            ("8x12", "AABBCCDE"),
            ("6x2", "112212"),
            ("4x1", "1111"),
            ("4x4:no-repeats", "1234"),
            ("grid:2x2x6", "1123"),
        ] {
            let rules: Rules = rules.parse().unwrap();
            assert_eq!(opening(&rules).notation(rules.colors()).to_string(), code, "{rules}");
            rules.check_code(&opening(&rules)).unwrap();
        }
    }
}
