//! What a guess may ask about on boards that are too large to be asked about at once.
//!
//! Answers soon determine a code that no walk finds. To keep walks out of that phase, guesses ask about a part of the board
//! at a time: first about the counts of some colors, others than these and the settled ones being left out; then about the
//! places of some colors, or the colors of some cells. What was asked before becomes readable as the window moves on.
//!
//! Where colors are few, some cells change, and all others keep the color of the last guess, so that their black pegs cancel
//! between turns. Where colors are many, a few cells have next to no black peg among them, and tell little; so guesses show
//! the colors alone that fill some cells, the most frequent first, and each cell may have any of them.

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
        let agreed = self.agreed(codes, settings.settled);
        let open_cells: Vec<usize> = self.cells.iter().copied().filter(|&cell| agreed[cell].is_none()).collect();
        match last {
            Some(_) if many(open_cells.len(), settings.cell_window) && settings.ask_for_places => {
                let colors = self.unplaced(counts, &agreed, settings.cell_window);
                View { cells: all_cells, instead: colors.clone(), colors, rest: None }
            }
            Some(last) if many(open_cells.len(), settings.cell_window) => {
                let cells = open_cells[..settings.cell_window].to_vec();
                View { cells, colors, rest: Some(last.guess.clone()), instead: Vec::new() }
            }
            _ => View { cells: all_cells, colors, rest: None, instead: Vec::new() },
        }
    }

    /// Colors that fill so many cells which codes do not agree on, by how often codes show them.
    fn unplaced(&self, counts: &[Code], agreed: &[Option<u16>], window: usize) -> Vec<u16> {
        let mut held = vec![0usize; self.colors.len()];
        counts.iter().flat_map(|code| code.iter()).for_each(|color| held[color.index()] += 1);
        let mut placed = vec![0; self.colors.len()];
        agreed.iter().flatten().for_each(|&color| placed[usize::from(color)] += counts.len());
        let mut order = self.colors.clone();
        order.sort_by_key(|&color| std::cmp::Reverse(held[usize::from(color)]));
        let (mut filled, mut unplaced) = (0, Vec::new());
        for color in order {
            let left = held[usize::from(color)].saturating_sub(placed[usize::from(color)]);
            if 2 * left >= counts.len() && filled < window * counts.len() {
                filled += left;
                unplaced.push(color);
            }
        }
        unplaced
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

    /// For each cell the color that codes agree on, if they do.
    fn agreed(&self, codes: &[Code], settled: f64) -> Vec<Option<u16>> {
        let colors = self.colors.len();
        let mut times = vec![0u32; self.cells.len() * colors];
        for code in codes {
            for (cell, color) in code.iter().enumerate() {
                times[cell * colors + color.index()] += 1;
            }
        }
        let agreed = |times: &[u32]| {
            let most = (0..).zip(times).max_by_key(|(_, times)| **times).map(|(color, _)| color);
            most.filter(|_| !is_open(times, codes, settled))
        };
        times.chunks(colors).map(agreed).collect()
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
        Settings { color_window: 3, cell_window: 2, ask_for_places: false, ..Settings::new(rules) }
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
    #[test]
    fn the_most_frequent_colors_without_a_place_are_asked_about() {
        let rules: Rules = "9x8".parse().unwrap();
        let mut rng = Rng::new(1);
        let settings = Settings { cell_window: 3, ask_for_places: true, ..settings(&rules) };
        let windows = Windows::new(&rules, &mut rng);
        let code = |text: &str| Code::from_indices(text.bytes().map(|digit| u16::from(digit - b'0')));
        let last = Turn::parse(&rules, "888888888=0,0").unwrap();
        // Four of the first color and two of the second, all in place but one of each; and three of the third, in none.
        let codes: Vec<Code> = ["000112202", "000120221", "000122120"].map(code).to_vec();
        let wide = windows.view(&settings, &codes, &codes, Some(&last));
        assert_eq!(wide.colors, [0, 2]);
        assert_eq!(wide.cells.len(), 9);
        let seen = wide.through(&codes[0], &mut rng);
        assert!(seen.iter().all(|color| [0, 2].contains(&color.index())));
        let narrow = Settings { cell_window: 1, ..settings };
        assert_eq!(windows.view(&narrow, &codes, &codes, Some(&last)).colors, [0]);
        // With all that is open in view, nothing is left out.
        let all = Settings { cell_window: 4, ..settings };
        assert_eq!(windows.view(&all, &codes, &codes, Some(&last)).colors.len(), 8);
    }
}
