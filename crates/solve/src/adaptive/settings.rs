//! Every constant of the adaptive strategy, in one place.
//!
//! Each says what it does. Those that matter most are parameters of the strategy, which `lab` can sweep; the files
//! `experiments/adaptive-*.toml` vary them, and `docs/any-size.md` says which is about what.

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
    /// The time that the usual counts take about, in seconds; other time limits stretch or cut the counts.
    pub(super) usual_seconds: f64,
    /// The most that a long time limit stretches the counts.
    pub(super) most_stretch: f64,
    /// The share of the time that goes into finding codes; the rest is for scoring them.
    pub(super) search_share: f64,
    /// Up to this many bits in the space, a game is played by walks; beyond, by beliefs.
    pub(super) bits_to_walk: f64,
    /// How games are played by beliefs.
    pub(super) beliefs: Believing,
    /// Up to this many bits in the space, backtracking has a chance to prove that no code fits.
    pub(super) bits_to_prove: f64,
    /// Steps of backtracking that may prove it.
    pub(super) steps_to_prove: u64,
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
        let most_moves = if row { 8_000_000 } else { 2_000_000 };
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
            moves: (1_500 * cells.pow(3)).min((1.3e9 / bits(rules)) as u64).clamp(1_000_000, most_moves),
            late_start: 4.0,
            counting_moves: if counted && cells >= 16 { 1_500_000 } else { 0 },
            few: 40,
            starts: 100,
            climbs: 2,
            steps_a_cell: 200,
            bonus_bits: 2.0,
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
            usual_seconds: 0.25,
            most_stretch: 1000.0,
            search_share: 0.6,
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
        match arguments.text("method") {
            "walks" => own.bits_to_walk = f64::INFINITY,
            "beliefs" => own.bits_to_walk = 0.0,
            _ => {}
        }
        own
    }
}
