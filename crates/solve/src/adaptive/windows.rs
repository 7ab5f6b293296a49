//! What a guess may ask about on boards that are too large to be asked about at once.
//!
//! Answers soon determine a code that no walk finds. To keep walks out of that phase, guesses ask about a part of the board
//! at a time: first about the counts of some colors, others than these and the settled ones being left out; then about the
//! colors of some cells, all others keeping the color of the last guess, so that their black pegs cancel between turns. What
//! was asked before becomes readable as the window moves on.

use pegwise_game::{Code, Color, Rules, Turn};

use super::settings::Settings;
use crate::rng::Rng;

/// The order in which colors and cells come into a window, the same for a whole game.
#[derive(Debug, Clone)]
pub(super) struct Windows {
    colors: Vec<u16>,
    cells: Vec<usize>,
}

/// The cells of a guess that may change, and the colors that it may show.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) cells: Vec<usize>,
    pub(super) colors: Vec<u16>,
    /// What a guess shows outside of the cells.
    rest: Option<Code>,
    /// Colors to show instead of those left out.
    instead: Vec<u16>,
}

impl Windows {
    pub(super) fn new(rules: &Rules, rng: &mut Rng) -> Self {
        let (mut colors, mut cells): (Vec<u16>, Vec<usize>) =
            ((0..rules.colors()).collect(), (0..rules.cells()).collect());
        rng.shuffle(&mut colors);
        rng.shuffle(&mut cells);
        Self { colors, cells }
    }

    /// What to ask about. `counts` are codes whose colors fit, `codes` codes that fit or nearly do.
    pub(super) fn view(&self, settings: &Settings, counts: &[Code], codes: &[Code], last: Option<&Turn>) -> View {
        let all_cells = (0..self.cells.len()).collect();
        let mut colors: Vec<u16> = (0..self.colors.len() as u16).collect();
        let many = |open: usize, window: usize| open as f64 > settings.window_slack * window as f64;
        let open_colors = self.open_colors(counts, settings.settled);
        if many(open_colors.len(), settings.color_window) {
            let (instead, left_out) = open_colors.split_at(settings.color_window);
            colors.retain(|color| !left_out.contains(color));
            return View { cells: all_cells, colors, rest: None, instead: instead.to_vec() };
        }
        let open_cells = self.open_cells(codes, settings.settled);
        match last {
            Some(last) if many(open_cells.len(), settings.cell_window) => {
                let cells = open_cells[..settings.cell_window].to_vec();
                View { cells, colors, rest: Some(last.guess.clone()), instead: Vec::new() }
            }
            _ => View { cells: all_cells, colors, rest: None, instead: Vec::new() },
        }
    }

    /// The colors that some codes do not agree on how often they show.
    fn open_colors(&self, codes: &[Code], settled: f64) -> Vec<u16> {
        let (cells, colors) = (self.cells.len(), self.colors.len());
        let mut times = vec![0u32; colors * (cells + 1)];
        let mut held = vec![0usize; colors];
        for code in codes {
            held.fill(0);
            code.iter().for_each(|color| held[color.index()] += 1);
            for (color, &held) in held.iter().enumerate() {
                times[color * (cells + 1) + held] += 1;
            }
        }
        let is_open = |&color: &u16| is_open(&times[usize::from(color) * (cells + 1)..][..=cells], codes, settled);
        self.colors.iter().copied().filter(is_open).collect()
    }

    /// The cells whose color some codes do not agree on.
    fn open_cells(&self, codes: &[Code], settled: f64) -> Vec<usize> {
        let colors = self.colors.len();
        let mut times = vec![0u32; self.cells.len() * colors];
        for code in codes {
            for (cell, color) in code.iter().enumerate() {
                times[cell * colors + color.index()] += 1;
            }
        }
        let is_open = |&cell: &usize| is_open(&times[cell * colors..][..colors], codes, settled);
        self.cells.iter().copied().filter(is_open).collect()
    }
}

/// Whether too few codes agree.
fn is_open(times: &[u32], codes: &[Code], settled: f64) -> bool {
    f64::from(times.iter().copied().max().unwrap_or(0)) < settled * codes.len() as f64
}

impl View {
    /// A code as a guess that asks about no more than the window shows.
    pub(super) fn through(&self, code: &Code, rng: &mut Rng) -> Code {
        let mut seen = self.rest.clone().unwrap_or_else(|| code.clone());
        for &cell in &self.cells {
            let color = code[cell];
            let shown = self.instead.is_empty() || self.colors.contains(&(color.index() as u16));
            seen.colors_mut()[cell] =
                if shown { color } else { Color::new(self.instead[rng.index(self.instead.len())]) };
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(rules: &Rules) -> Settings {
        Settings { color_window: 3, cell_window: 2, ..Settings::new(rules) }
    }

    #[test]
    fn colors_come_first_then_cells_then_all() {
        let rules: Rules = "6x8".parse().unwrap();
        let mut rng = Rng::new(1);
        let (settings, windows) = (settings(&rules), Windows::new(&rules, &mut rng));
        let code = |text: &str| Code::from_indices(text.bytes().map(|digit| u16::from(digit - b'0')));
        let last = Turn::parse(&rules, "888888=0,0").unwrap();
        // Every color but the last is there or not: three of them are asked about, and the settled one.
        let different: Vec<Code> =
            ["000000", "111111", "222222", "333333", "444444", "555555", "666666"].map(code).to_vec();
        let view = windows.view(&settings, &different, &different, Some(&last));
        assert_eq!((view.cells.len(), view.colors.len()), (6, 4));
        for code in &different {
            assert!(view.through(code, &mut rng).iter().all(|color| view.colors.contains(&(color.index() as u16))));
        }
        // The same colors in other places: two cells change, the others are as in the last guess.
        let arranged: Vec<Code> = ["012345", "123450", "234501"].map(code).to_vec();
        let view = windows.view(&settings, &arranged, &arranged, Some(&last));
        assert_eq!((view.cells.len(), view.colors.len()), (2, 8));
        let seen = view.through(&arranged[0], &mut rng);
        let changed: Vec<usize> = (0..6).filter(|&cell| seen[cell] != last.guess[cell]).collect();
        assert_eq!(changed.len(), 2);
        assert!(changed.iter().all(|cell| view.cells.contains(cell) && seen[*cell] == arranged[0][*cell]));
        // Before the first guess, and when little is open, all of it is asked about.
        assert_eq!(windows.view(&settings, &arranged, &arranged, None).cells.len(), 6);
        let nearly = [code("012345"), code("012354")];
        assert_eq!(windows.view(&settings, &nearly, &nearly, Some(&last)).through(&nearly[0], &mut rng), nearly[0]);
    }
}
