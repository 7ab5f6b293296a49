//! Every constant of the adaptive strategy.
//!
//! The most important ones are parameters of the strategy, which `lab` can sweep; the files `experiments/adaptive-*.toml`
//! vary them, and `docs/adaptive.md` describes the results.

use std::{ops::RangeInclusive, time::Duration};

use pegwise_game::Rules;

use super::{bits, entropy::Climber};
use pegwise_sampling::tempering::TemperingConfig;
use pegwise_search::{one_step::CONSISTENT_BONUS_BITS, row::Arguments};

// Scoring a pool of guesses (`scoring`).

/// Number of (guess, code) pairs scored per turn, with a feedback kernel.
pub(super) const PAIRS: usize = 6_000_000;
/// Number of cells visited per guess without a kernel, on a row.
pub(super) const VISITS_WITHOUT_KERNEL: usize = 1_000_000;
/// Number of cells visited per guess without a kernel, on other boards.
pub(super) const VISITS_OF_LINES: usize = 100_000;
/// Maximum number of guesses compared.
pub(super) const MAX_GUESSES: usize = 12_000;
/// Maximum number of guesses that are compared by a sample and then by all codes.
pub(super) const MAX_FINALISTS: usize = 1000;
/// Maximum sample size with a kernel.
pub(super) const SAMPLE_SIZE: usize = 2_000;
/// Maximum sample size without a kernel, on a row.
pub(super) const SAMPLE_SIZE_WITHOUT_KERNEL: usize = 150;
/// Maximum sample size on boards of several lines, whose answers are more diverse.
pub(super) const SAMPLE_SIZE_OF_LINES: usize = 40;
/// Maximum number of codes of a space that are listed as guesses, without a time limit.
pub(super) const MAX_LISTED: u128 = 1 << 25;
/// Maximum number of codes of a space that are listed as guesses, with a time limit.
pub(super) const MAX_LISTED_IN_TIME: u128 = 1 << 21;
/// Maximum number of pairs for comparing every code of a listed space.
pub(super) const PAIRS_OF_ALL: usize = 16_000_000;
/// Sample size from which boards without a kernel are scored line by line.
pub(super) const MIN_CODES_BY_LINE: usize = 24;
/// Maximum number of counters per line.
pub(super) const MAX_COUNTERS: usize = 1 << 16;
/// Maximum number of openings compared.
pub(super) const MAX_OPENINGS: usize = 24;
/// Maximum number of cells for which openings are compared: on larger boards a random code is as good.
pub(super) const MAX_OPENING_CELLS: usize = 40;

// Guesses by marginal probabilities (`belief_player`).

/// Number of guesses compared.
pub(super) const BELIEF_GUESSES: usize = 10;
/// Maximum exponent of the marginals when a guess is drawn.
pub(super) const MAX_SHARPNESS: f64 = 1.8;
/// Number of cells per color in a guess of few colors.
pub(super) const CELLS_PER_COLOR: RangeInclusive<usize> = 2..=5;
/// Probability of absence from which a color is considered absent.
pub(super) const ABSENT: f64 = 0.98;
/// Reciprocal of the probability that a color considered absent is shown, as a blank.
pub(super) const ABSENT_ONE_IN: u64 = 10;
/// Lower bound of the probability of a color in a cell.
pub(super) const MIN_PROBABILITY: f64 = 1e-9;
/// Variance below which an answer is hardly informative.
pub(super) const MIN_INFORMATIVE_VARIANCE: f64 = 0.3;
/// Variance of an answer that the model does not explain; it also keeps the covariance matrix of equal guesses regular.
pub(super) const NOISE: f64 = 0.05;
/// Lower bound of variances against rounding errors.
pub(super) const MIN_VARIANCE: f64 = 1e-6;

// Guesses by a sample (`sampling_player`).

/// Maximum factor by which a long time limit raises the square of the sample size.
pub(super) const MAX_SAMPLE_WORK: f64 = 16.0;
/// Maximum factor by which a long time limit raises the number of steps of a climb.
pub(super) const MAX_CLIMB_WORK: f64 = 10.0;
/// Number of steps of a climb between checks of the clock.
pub(super) const STEPS_PER_CLOCK_CHECK: usize = 256;

/// Settings that depend on the board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settings {
    /// Parallel tempering on codes.
    pub(super) tempering: TemperingConfig,
    /// Parallel tempering on color counts.
    pub(super) count_tempering: TemperingConfig,
    /// Sample size.
    pub(super) codes: usize,
    /// Number of moves of all replicas per guess.
    pub(super) moves: u64,
    /// Factor of the work if sampling starts in the middle of a game.
    pub(super) late_start_factor: f64,
    /// Number of moves for the color counts; zero if the marks do not determine them.
    pub(super) count_moves: u64,
    /// Number of consistent codes below which nearly consistent ones complete the sample.
    pub(super) min_consistent: usize,
    /// Number of sampled codes that are scored as guesses, to start climbs from the best.
    pub(super) starts: usize,
    /// Number of hill climbs.
    pub(super) climbs: usize,
    /// Number of changes tried per climb and cell.
    pub(super) steps_per_cell: usize,
    /// Bonus of a consistent guess, in bits summed over all codes.
    pub(super) bonus_bits: f64,
    /// The endgame, when all candidates are known.
    pub(super) endgame: EndgameSettings,
    /// Weight of the black-peg entropy relative to the full feedback entropy.
    pub(super) black_weight: f64,
    /// Number of colors whose counts are asked about at a time.
    pub(super) color_window: usize,
    /// Number of cells whose colors are asked about at a time.
    pub(super) cell_window: usize,
    /// True if a cell window consists of colors that fill as many cells, instead of cells.
    pub(super) window_by_color: bool,
    /// Minimum ratio of the number of open colors or cells to the size of a window for which a window is used.
    pub(super) window_slack: f64,
    /// Share of the sample that must agree on a color count or a cell for it to be settled.
    pub(super) agreement: f64,
    /// Approximate duration of a move. A time limit beyond the default work extends it; a shorter one ends the work early.
    pub(super) seconds_per_move: f64,
    /// Approximate duration of comparing a guess with a code.
    pub(super) seconds_per_pair: f64,
    /// Maximum factor by which a long time limit extends the work.
    pub(super) max_work: f64,
    /// Share of the time for sampling codes; the rest is for scoring.
    pub(super) sampling_share: f64,
    /// Maximum share of the time for sampling color counts.
    pub(super) count_share: f64,
    /// Time limit, in seconds, from which scoring of listed codes and belief propagation do their full work.
    pub(super) full_work_seconds: f64,
    /// Size of the space, in bits, up to which codes are sampled; belief propagation plays larger spaces.
    pub(super) max_sampling_bits: f64,
    /// Guesses by marginal probabilities.
    pub(super) beliefs: BeliefSettings,
    /// Size of the space, in bits, up to which backtracking tries to prove that no code is consistent.
    pub(super) max_proof_bits: f64,
    /// Maximum number of backtracking steps to prove that no code is consistent.
    pub(super) max_proof_steps: u64,
}

/// Settings of the endgame: all candidates are known and few, or few are found on a board of several lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EndgameSettings {
    /// Maximum number of candidates; zero if the rules allow lies.
    pub(super) max_codes: usize,
    /// Maximum number of sampled candidates and variations of them that are compared along with the candidates; at most half
    /// (rounded up) are sampled candidates.
    pub(super) variations: usize,
    /// Number of hill climbs whose results are compared as well.
    pub(super) climbs: usize,
    /// Number of guesses that are compared two steps ahead.
    pub(super) two_step_guesses: usize,
    /// Approximate number of guesses per bit when few candidates are left.
    pub(super) guesses_per_bit: f64,
}

impl EndgameSettings {
    /// Extends the settings to `work` times the default work, which grows at least with the square of the candidates.
    pub(super) fn extended(self, work: f64) -> Self {
        let factor = work.min(MAX_SAMPLE_WORK).sqrt();
        let scaled = |count: usize| (count as f64 * factor) as usize;
        Self {
            max_codes: scaled(self.max_codes),
            variations: scaled(self.variations),
            two_step_guesses: scaled(self.two_step_guesses),
            ..self
        }
    }
}

/// Settings of guesses by marginal probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BeliefSettings {
    /// Number of rounds of belief propagation. More rounds make the marginals overconfident.
    pub(super) rounds: f64,
    /// Expected share of correct cells from which a consistent code is searched for.
    pub(super) min_correct: f64,
    /// Number of moves of that search times the cube of the cells: on larger boards the marginals determine the code.
    pub(super) moves_times_cubed_cells: u64,
    /// Expected number of wrong cells below which the marginals are played directly, with exponent `final_sharpness`.
    pub(super) max_wrong: f64,
    /// Exponent of the marginals below `max_wrong`.
    pub(super) final_sharpness: f64,
    /// Maximum number of draws of a code that was not played before; after that, a random code is played.
    pub(super) max_draws: usize,
}

impl Settings {
    /// Returns the default settings for a board.
    pub(super) fn new(rules: &Rules) -> Self {
        let (cells, row) = (rules.cells() as u64, rules.board().is_row());
        // If each cell is on several lines, a few turns leave few candidates, which take long to find.
        let max_moves = if row { 12_000_000 } else { (40_000 * cells).max(1_000_000) };
        let counted = row && rules.feedback().model().is_classic() && rules.repeats() && rules.lies() == 0;
        let large = cells > 40;
        let many_colors = 2 * u64::from(rules.colors()) >= cells;
        Self {
            tempering: TemperingConfig::new(rules),
            count_tempering: TemperingConfig::of_counts(rules),
            codes: if !Climber::supports(rules) {
                if row { 150 } else { 40 }
            } else if !row {
                300
            } else if large {
                600
            } else {
                2_000
            },
            // Large boards have many turns, and a move is compared with all of them.
            moves: (2_500 * cells.pow(3)).min((1.7e9 / bits(rules)) as u64).clamp(1_000_000, max_moves),
            late_start_factor: 4.0,
            count_moves: if counted && cells >= 16 { 1_500_000 } else { 0 },
            // On large boards with many colors, a few hundred consistent codes are close together and far from the secret.
            min_consistent: if large && many_colors && counted { 300 } else { 40 },
            starts: 100,
            climbs: 2,
            steps_per_cell: 200,
            bonus_bits: CONSISTENT_BONUS_BITS as f64,
            endgame: EndgameSettings {
                max_codes: match row {
                    _ if rules.lies() > 0 => 0,
                    true => 150,
                    false => 100,
                },
                variations: if row { 100 } else { 0 },
                climbs: if row { 8 } else { 2 },
                two_step_guesses: 60,
                guesses_per_bit: 0.36,
            },
            // Few colors are counted early, and the places take long. With more colors than cells, most of the information
            // is which colors are present.
            black_weight: if counted && u64::from(rules.colors()) <= cells { 1.0 } else { 0.0 },
            color_window: if counted { 20 } else { usize::MAX },
            // Without repeats, cells cannot be changed independently.
            cell_window: match cells {
                _ if !row || !rules.repeats() => usize::MAX,
                61.. if many_colors && counted => 35,
                36.. if many_colors && !counted => 28,
                36.. if !many_colors => 18,
                _ => usize::MAX,
            },
            window_by_color: many_colors && counted,
            window_slack: 1.25,
            agreement: 0.9,
            seconds_per_move: 5e-8,
            seconds_per_pair: 2e-9,
            max_work: 1000.0,
            sampling_share: 0.6,
            count_share: 0.2,
            full_work_seconds: 0.25,
            max_sampling_bits: match row {
                // Belief propagation does not model lies.
                _ if rules.lies() > 0 => f64::INFINITY,
                true => 700.0,
                false => 400.0,
            },
            beliefs: BeliefSettings {
                rounds: 12.0,
                min_correct: 0.2,
                moves_times_cubed_cells: 54_000_000_000,
                max_wrong: 0.5,
                final_sharpness: 2.0,
                max_draws: 20,
            },
            max_proof_bits: 60.0,
            max_proof_steps: 2_000_000,
        }
    }

    /// Returns the factor by which a time limit extends the default work: one if the limit is shorter than that.
    pub(super) fn work_factor(&self, limit: Option<Duration>, cells: usize) -> f64 {
        let pairs = self.codes * self.steps_per_cell * cells * self.climbs;
        let default = self.seconds_per_move * self.moves as f64 + self.seconds_per_pair * pairs as f64;
        limit.map_or(1.0, |limit| (limit.as_secs_f64() / default).clamp(1.0, self.max_work))
    }

    /// Returns the settings for a board with the parameters of the strategy; zero keeps the default.
    pub(super) fn with(rules: &Rules, arguments: &Arguments) -> Self {
        let mut own = Self::new(rules);
        let set = |name: &str| Some(arguments.integer(name)).filter(|&value| value > 0);
        let size = |name: &str, own: &mut usize| {
            if let Some(value) = set(name) {
                *own = value as usize;
            }
        };
        size("codes", &mut own.codes);
        size("steps", &mut own.steps_per_cell);
        size("climbs", &mut own.climbs);
        size("color-window", &mut own.color_window);
        size("cell-window", &mut own.cell_window);
        size("rungs", &mut own.tempering.replicas);
        size("ladders", &mut own.tempering.replica_sets);
        if let Some(moves) = set("moves") {
            own.moves = moves;
        }
        if let Some(percent) = set("black") {
            own.black_weight = percent as f64 / 100.0;
        }
        match arguments.text("method") {
            "walks" => own.max_sampling_bits = f64::INFINITY,
            "beliefs" => own.max_sampling_bits = 0.0,
            _ => {}
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short limit is enforced by the clock alone: more time than the default work takes never means less work.
    #[test]
    fn a_time_limit_never_reduces_the_work() {
        for text in ["8x12", "15x15", "20x20", "100x100", "100x5", "grid:10x10x8", "20x20:distance"] {
            let rules: Rules = text.parse().unwrap();
            let settings = Settings::new(&rules);
            let factor = |seconds: f64| settings.work_factor(Some(Duration::from_secs_f64(seconds)), rules.cells());
            assert_eq!((settings.work_factor(None, rules.cells()), factor(0.001)), (1.0, 1.0), "{text}");
            assert!(factor(60.0) >= 10.0 && factor(60.0) <= settings.max_work, "{text}: {}", factor(60.0));
            assert!([0.01, 0.1, 1.0, 10.0, 60.0].map(factor).is_sorted(), "{text}");
        }
    }
}
