//! How walks are led: the constants of parallel tempering.

use pegwise_game::Rules;

/// How walks are led.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempering {
    /// Ladders that stand side by side, on any number of cores.
    pub ladders: usize,
    /// Walks on each ladder.
    pub rungs: usize,
    /// The temperature of the lowest rung, in pegs or squares of pegs; distances scale it.
    pub cold: f64,
    /// The least temperature of the highest rung; those between rise by equal factors.
    pub hot: f64,
    /// The highest rung is heated until it accepts this share of its moves: where turns are many, walks that are too cold
    /// never leave the basin they are in.
    pub lively: f64,
    /// The most that it is heated.
    pub hottest: f64,
    /// Whether gaps count by their squares instead of their sizes. Under sizes, a code that is one off in many turns costs
    /// as much as one that is far off in a few, and on large boards all walks end up in such wrong basins.
    pub squares: bool,
    /// Moves for each cell that a walk tries before neighbors may exchange places.
    pub moves_a_cell: u64,
    /// Of 256 tried colors, how many are any that the marks allow; the others come from the cell's marginal.
    pub uniform: u64,
    /// Of 256 moves, how many exchange two cells; the others recolor one.
    pub swaps: u64,
    /// Moves for each cell between two codes of a walk that count as seen independently.
    pub spacing: u64,
    /// Rungs whose codes stand for codes that fit where too few of those are found.
    pub near_rungs: usize,
    /// What walks were seen with counts less by this factor after each stretch.
    pub memory: f32,
    /// When codes were seen this many times more often than it takes to see all of so many once, on average, there are taken
    /// to be no others.
    pub sightings: f64,
    /// At least this share of the moves is tried before there are taken to be no other codes, or so many where that is less.
    pub least_share: f64,
    /// See `least_share`.
    pub least_moves: u64,
}

/// Cells of a line up to which gaps count by their sizes.
const LONGEST_BY_SIZE: usize = 34;

impl Tempering {
    /// What suits the walks through the codes of a game, by its size.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let squares = longest > LONGEST_BY_SIZE;
        let (rungs, cold, hot) = match (squares, rules.board().is_row()) {
            (true, _) => (8, 0.4, 4.0),
            (false, true) => (6, 0.28, 0.8),
            // A cell lies on several lines, so a move costs more.
            (false, false) => (6, 0.35, 1.0),
        };
        Self {
            ladders: 2,
            rungs,
            cold,
            hot,
            lively: 0.1,
            hottest: 40.0 * hot,
            squares,
            moves_a_cell: 5,
            uniform: 40,
            swaps: 128,
            spacing: 10,
            near_rungs: 2,
            memory: 0.7,
            sightings: 3.0,
            least_share: 0.125,
            least_moves: 1_000_000,
        }
    }

    /// What suits walks that look at nothing but how often each color is there.
    #[must_use]
    pub fn of_counts(rules: &Rules) -> Self {
        Self { rungs: 8, cold: 0.3, hot: 1.5, lively: 0.0, squares: false, swaps: 0, ..Self::new(rules) }
    }
}
