//! Plays each row of a grid as a separate game.
//!
//! The feedback of the columns is ignored: a baseline for strategies that use it. The game is as long as that of its
//! slowest row. A turn costs one guess of the row strategy for each row that is not solved.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's
//! thesis, University of Florida, 2005, chapter 5.

use pegwise_game::{Code, Feedback, History, Rules, Shape, Table, Turn};

use crate::{catalog, spec::Spec};
use pegwise_search::row::{Arguments, Capability, Row};
use pegwise_search::{Basis, Built, Parameter, ParameterKind, Proposal, Search, Strategy, StrategyError};
use pegwise_strategies::constructive::{SINGLEY, counts_colors};

const STRATEGY: Parameter = Parameter {
    name: "strategy",
    kind: ParameterKind::Choice(&["random-consistent", "tabu", "greedy-2", "greedy-3", "two-swap"]),
    default: "random-consistent",
    about: "strategy for the rows",
};

/// Catalog row.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "row-by-row",
    family: "constructive",
    paper: SINGLEY,
    title: "Row by row",
    about: "plays each row of a grid as a separate game, and ignores the columns",
    plays: "grids with repeats, answered in black and white, of up to 255 columns and 255 colors",
    parameters: &[STRATEGY],
    capabilities: &[(Capability::Deterministic, is_deterministic)],
    can_play,
    build,
    ..Row::BLANK
}];

struct RowByRow {
    row_rules: Rules,
    /// One strategy per row.
    players: Vec<Box<dyn Strategy>>,
}

/// Returns the rules of one row of a grid; `None` for other boards.
fn row_rules(rules: &Rules) -> Option<Rules> {
    let &Shape::Grid { columns, .. } = rules.board().shape() else { return None };
    Rules::classic(columns, rules.colors()).ok()?.with_feedback(rules.feedback()).ok()
}

fn can_play(rules: &Rules) -> bool {
    // Without repeats the rows are not independent.
    rules.repeats() && row_rules(rules).is_some_and(|row| counts_colors(&row) && Table::new(&row).is_ok())
}

/// Returns true if the row strategy is deterministic.
fn is_deterministic(rules: &Rules, arguments: &Arguments) -> bool {
    let player = arguments.text(STRATEGY.name).parse::<Spec>();
    let row = row_rules(rules);
    player.is_ok_and(|player| row.is_some_and(|row| player.can(Capability::Deterministic, &row)))
}

fn build(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let no_grid = || StrategyError::unplayable(name, rules, &"it plays grids");
    let row_rules = row_rules(rules).ok_or_else(no_grid)?;
    let player = arguments.text(STRATEGY.name);
    let player = |_| catalog::strategy(player, &row_rules).map_err(|error| error.of(name, rules));
    let players = (0..rules.cells() / row_rules.cells()).map(player).collect::<Result<_, _>>()?;
    Ok(Box::new(RowByRow { row_rules, players }))
}

impl RowByRow {
    /// Returns the history of a row, up to the turn that solved it.
    fn row_history(&self, row: usize, history: &History) -> History {
        let columns = self.row_rules.cells();
        let mut own = History::new(self.row_rules.clone());
        for turn in history.turns() {
            let guess = Code::new(&turn.guess[row * columns..][..columns]);
            let feedback = Feedback::new([turn.feedback.marks()[row]]);
            // Rows of a valid turn are valid turns.
            let _ = own.push(Turn { guess, feedback });
            if own.is_solved() {
                break;
            }
        }
        own
    }
}

impl Strategy for RowByRow {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let (mut guess, mut effort) = (Vec::with_capacity(history.rules().cells()), None);
        for row in 0..self.players.len() {
            let own = self.row_history(row, history);
            match own.turns().last() {
                Some(last) if own.is_solved() => guess.extend_from_slice(&last.guess),
                _ => {
                    let proposal = self.players[row].next_guess(&own, search).map_err(|error| match error {
                        // The catalog wrapper finds the contradicting turns of the grid.
                        StrategyError::Contradiction { .. } => StrategyError::NO_CODE_FITS,
                        other => other,
                    })?;
                    guess.extend_from_slice(&proposal.guess);
                    effort = effort.or(Some(proposal.basis).filter(|basis| matches!(basis, Basis::BestEffort(_))));
                }
            }
        }
        Ok(Proposal::new(Code::new(guess), effort.unwrap_or(Basis::Planned)))
    }
}
