//! Every constant of the adaptive strategy, in one place.
//!
//! Each says what it does. Those that matter most are parameters of the strategy, which `lab` can sweep; the files
//! `experiments/adaptive-*.toml` vary them, and `docs/any-size.md` says which is about what.

use std::time::Duration;

use pegwise_game::Rules;

use super::{climb::Climber, player::bits};
use crate::{candidates::anneal::Tempering, spec::Arguments};

/// What the adaptive strategy goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settings {
    /// How walks through codes are led.
    pub(super) walks: Tempering,
    /// How walks through counts of colors are led.
    pub(super) counting: Tempering,
    /// Codes of a sample.
    pub(super) codes: usize,
    /// Moves of all walks for a guess.
    pub(super) moves: u64,
    /// How many times as many moves when walks begin in the middle of a game.
    pub(super) late_start: f64,
    /// Moves for the counts of colors; none where the totals of a mark do not tell them.
    pub(super) counting_moves: u64,
    /// With fewer codes found than this, codes that nearly fit stand for the others.
    pub(super) few: usize,
    /// Codes of the sample that are looked at as guesses, to climb from the best.
    pub(super) starts: usize,
    /// Guesses that are climbed to.
    pub(super) climbs: usize,
    /// Changes that are tried in a climb, for each cell.
    pub(super) steps_a_cell: usize,
    /// What a guess that can be the code is let off, in bits over all codes.
    pub(super) bonus_bits: f64,
    /// How games end where all codes that fit are known.
    pub(super) ending: Ending,
    /// How much what black pegs alone tell counts beside what a whole mark tells.
    pub(super) first_alone: f64,
    /// Colors whose counts are asked about at a time.
    pub(super) color_window: usize,
    /// Cells whose colors are asked about at a time.
    pub(super) cell_window: usize,
    /// Whether these are all cells of some colors, wherever they are, instead of some cells.
    pub(super) ask_for_places: bool,
    /// A window is used where this many times as much is open as it holds.
    pub(super) window_slack: f64,
    /// A count or a cell is settled when this share of the sample agrees on it.
    pub(super) settled: f64,
    /// What a move takes about, in seconds, and a code that a guess is compared by: a time limit that is longer than what
    /// the usual counts take stretches them. One that is shorter ends the work where it is.
    pub(super) seconds_a_move: f64,
    /// See `seconds_a_move`.
    pub(super) seconds_a_pair: f64,
    /// The most that a long time limit stretches the counts.
    pub(super) most_stretch: f64,
    /// The share of the time that goes into finding codes; the rest is for scoring them.
    pub(super) search_share: f64,
    /// The share of the time that goes into finding how often each color is there, at most.
    pub(super) counting_share: f64,
    /// The time limit, in seconds, from which on listed codes are compared, and beliefs settled, as without one.
    pub(super) unhurried_seconds: f64,
    /// Up to this many bits in the space, a game is played by walks; beyond, by beliefs.
    pub(super) bits_to_walk: f64,
    /// How games are played by beliefs.
    pub(super) beliefs: Believing,
    /// Up to this many bits in the space, backtracking has a chance to prove that no code fits.
    pub(super) bits_to_prove: f64,
    /// Steps of backtracking that may prove it.
    pub(super) steps_to_prove: u64,
}

/// How games end where all codes that fit are known and few, or few are found on boards of several lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ending {
    /// The most codes of which guesses are compared by the guesses that they leave; none where answers may be lies.
    pub(super) codes: usize,
    /// Guesses beside the codes themselves: variations of them, and those that are climbed to.
    pub(super) others: usize,
    /// See `others`.
    pub(super) climbs: usize,
    /// Guesses that are compared two steps ahead.
    pub(super) wide: usize,
    /// The guesses that a bit takes when few codes are left.
    pub(super) guesses_a_bit: f64,
}

impl Ending {
    /// With so many times the usual work, which grows by the square of the codes and more.
    pub(super) fn stretched(self, stretch: f64) -> Self {
        let times = stretch.min(16.0).sqrt();
        let stretched = |count: usize| (count as f64 * times) as usize;
        Self { codes: stretched(self.codes), others: stretched(self.others), wide: stretched(self.wide), ..self }
    }
}

/// How games are played by the chances of each color in each cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Believing {
    /// Rounds in which beliefs may settle. More make them too sure of themselves.
    pub(super) rounds: f64,
    /// Beliefs are firm when they expect this share of the cells to be right: then a consistent code is looked for.
    pub(super) firm: f64,
    /// Moves times cells cubed for that: on larger boards beliefs find the code themselves.
    pub(super) cubes_when_firm: u64,
    /// Beliefs that expect fewer wrong cells than this are played as they are, with likely colors favored by this power.
    pub(super) all_but_sure: f64,
    /// See `all_but_sure`.
    pub(super) surely: f64,
    /// Draws from beliefs before a code that was played already is given up.
    pub(super) draws: usize,
}

impl Settings {
    /// What suits a game.
    pub(super) fn new(rules: &Rules) -> Self {
        let (cells, row) = (rules.cells() as u64, rules.board().is_row());
        // Where cells lie on several lines each, few turns leave few codes, and walks take long to find one.
        let most_moves = if row { 12_000_000 } else { (40_000 * cells).max(1_000_000) };
        let counted = row && rules.feedback().terms().is_classic() && rules.repeats() && rules.lies() == 0;
        let large = cells > 40;
        let many_colors = 2 * u64::from(rules.colors()) >= cells;
        Self {
            walks: Tempering::new(rules),
            counting: Tempering::of_counts(rules),
            codes: if !Climber::can(rules) {
                if row { 150 } else { 40 }
            } else if !row {
                300
            } else if large {
                600
            } else {
                2_000
            },
            // Large boards have many turns, and a move there is judged against all of them.
            moves: (2_500 * cells.pow(3)).min((1.7e9 / bits(rules)) as u64).clamp(1_000_000, most_moves),
            late_start: 4.0,
            counting_moves: if counted && cells >= 16 { 1_500_000 } else { 0 },
            // On large boards of many colors a few hundred codes that fit lie close together, far from the code itself.
            few: if large && many_colors && counted { 300 } else { 40 },
            starts: 100,
            climbs: 2,
            steps_a_cell: 200,
            bonus_bits: crate::one_step::CONSISTENT_BONUS_BITS as f64,
            ending: Ending {
                codes: match row {
                    _ if rules.lies() > 0 => 0,
                    true => 150,
                    false => 100,
                },
                others: if row { 100 } else { 0 },
                climbs: if row { 8 } else { 2 },
                wide: 60,
                guesses_a_bit: 0.36,
            },
            // Where colors are few, how often they are there is told soon enough, and the places take long to find out. With
            // more colors than cells, most of what is to be found out is which colors there are.
            first_alone: if counted && u64::from(rules.colors()) <= cells { 1.0 } else { 0.0 },
            color_window: if counted { 20 } else { usize::MAX },
            // Without repeats, cells cannot be changed without others.
            cell_window: match cells {
                _ if !row || !rules.repeats() => usize::MAX,
                61.. if many_colors && counted => 35,
                36.. if many_colors && !counted => 28,
                36.. if !many_colors => 18,
                _ => usize::MAX,
            },
            ask_for_places: many_colors && counted,
            window_slack: 1.25,
            settled: 0.9,
            seconds_a_move: 5e-8,
            seconds_a_pair: 2e-9,
            most_stretch: 1000.0,
            search_share: 0.6,
            counting_share: 0.2,
            unhurried_seconds: 0.25,
            bits_to_walk: match row {
                // Beliefs take every answer for true.
                _ if rules.lies() > 0 => f64::INFINITY,
                true => 700.0,
                false => 400.0,
            },
            beliefs: Believing {
                rounds: 12.0,
                firm: 0.2,
                cubes_when_firm: 54_000_000_000,
                all_but_sure: 0.5,
                surely: 2.0,
                draws: 20,
            },
            bits_to_prove: 60.0,
            steps_to_prove: 2_000_000,
        }
    }

    /// By how much a time limit stretches what is counted: not at all where it is shorter than what that takes.
    pub(super) fn stretch(&self, limit: Option<Duration>, cells: usize) -> f64 {
        let pairs = self.codes * self.steps_a_cell * cells * self.climbs;
        let usual = self.seconds_a_move * self.moves as f64 + self.seconds_a_pair * pairs as f64;
        limit.map_or(1.0, |limit| (limit.as_secs_f64() / usual).clamp(1.0, self.most_stretch))
    }

    /// The settings of a game with what was set by hand; zero leaves a parameter to the board.
    pub(super) fn with(rules: &Rules, arguments: &Arguments) -> Self {
        let mut own = Self::new(rules);
        let set = |name: &str| Some(arguments.integer(name)).filter(|&value| value > 0);
        let size = |name: &str, own: &mut usize| {
            if let Some(value) = set(name) {
                *own = value as usize;
            }
        };
        size("codes", &mut own.codes);
        size("steps", &mut own.steps_a_cell);
        size("climbs", &mut own.climbs);
        size("color-window", &mut own.color_window);
        size("cell-window", &mut own.cell_window);
        size("rungs", &mut own.walks.rungs);
        size("ladders", &mut own.walks.ladders);
        if let Some(moves) = set("moves") {
            own.moves = moves;
        }
        if let Some(percent) = set("black") {
            own.first_alone = percent as f64 / 100.0;
        }
        match arguments.text("method") {
            "walks" => own.bits_to_walk = f64::INFINITY,
            "beliefs" => own.bits_to_walk = 0.0,
            _ => {}
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit that is short is kept by the clock alone: whoever has more time than the usual counts take never does less.
    #[test]
    fn a_time_limit_never_cuts_what_is_counted() {
        for text in ["8x12", "15x15", "20x20", "100x100", "100x5", "grid:10x10x8", "20x20:distance"] {
            let rules: Rules = text.parse().unwrap();
            let settings = Settings::new(&rules);
            let stretch = |seconds: f64| settings.stretch(Some(Duration::from_secs_f64(seconds)), rules.cells());
            assert_eq!((settings.stretch(None, rules.cells()), stretch(0.001)), (1.0, 1.0), "{text}");
            assert!(stretch(60.0) >= 10.0 && stretch(60.0) <= settings.most_stretch, "{text}: {}", stretch(60.0));
            assert!([0.01, 0.1, 1.0, 10.0, 60.0].map(stretch).is_sorted(), "{text}");
        }
    }
}
