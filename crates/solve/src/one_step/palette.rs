//! Colors that are known to be absent are as good as each other.
//!
//! Once no code still possible shows a color, a guess may show it only as a blank. One absent color is enough for that, so
//! guesses are looked for among codes in the colors still possible and one blank. Colors keep their order, so the guess
//! with the lowest number among those is the one with the lowest number among all. Where feedback tells higher from lower, an
//! absent color still says on which side of it a color is, so every color is kept.

use pegwise_game::{Code, Rules, Table};

/// The colors worth playing, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActiveColors {
    kept: Vec<u8>,
}

impl ActiveColors {
    /// The palette for these codes.
    pub(crate) fn of(rules: &Rules, codes: &Table) -> Self {
        let names_matter = !rules.feedback().terms().ignores_color_order();
        let shown: Vec<bool> = (0..codes.colors()).map(|color| names_matter || codes.shows(color)).collect();
        // Without repeats every blank must be another color.
        let mut blanks = if rules.repeats() { 1 } else { rules.cells() };
        let keep = |&color: &usize| {
            let blank = !shown[color] && blanks > 0;
            blanks -= usize::from(blank);
            shown[color] || blank
        };
        Self { kept: (0..codes.colors()).filter(keep).map(|color| color as u8).collect() }
    }

    /// How many colors are worth playing.
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The codes with colors renumbered from zero, for rules with [`ActiveColors::len`] colors.
    pub(crate) fn shrink(&self, small_rules: &Rules, codes: &Table) -> Option<Table> {
        let renumbered = |color: u8| self.kept.binary_search(&color).unwrap_or(0) as u16;
        let mut shrunk = Table::new(small_rules).ok()?;
        for row in 0..codes.len() {
            shrunk.push(&Code::from_indices((0..codes.cells()).map(|cell| renumbered(codes.peg(row, cell)))));
        }
        Some(shrunk)
    }

    /// A guess in the small rules, in its real colors.
    pub(crate) fn expand(&self, guess: &Code) -> Code {
        Code::from_indices(guess.iter().map(|color| self.kept[color.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_colors_become_one_blank() {
        let rules: Rules = "3x6".parse().unwrap();
        let codes: Vec<Code> = ["255", "552", "525"].iter().map(|code| rules.parse_code(code).unwrap()).collect();
        let table = Table::from_codes(&rules, &codes).unwrap();
        let palette = ActiveColors::of(&rules, &table);
        assert_eq!(palette.kept, [0, 1, 4]);
        let small: Rules = "3x3".parse().unwrap();
        let shrunk = palette.shrink(&small, &table).unwrap();
        let shown: Vec<String> = shrunk.codes().map(|code| code.notation(3).to_string()).collect();
        assert_eq!(shown, ["233", "332", "323"]);
        assert_eq!(palette.expand(&small.parse_code("123").unwrap()).notation(6).to_string(), "125");
    }

    #[test]
    fn without_repeats_blanks_differ() {
        let rules: Rules = "2x6:no-repeats".parse().unwrap();
        let code = rules.parse_code("34").unwrap();
        let table = Table::from_codes(&rules, [&code]).unwrap();
        assert_eq!(ActiveColors::of(&rules, &table).kept, [0, 1, 2, 3]);
    }
}
