//! Constructive strategies of Singley: fixed procedures that determine the code piece by piece.
//!
//! A `Procedure` is played by `ProcedurePlayer`.

pub(crate) mod counting;
mod greedy;
mod two_swap;

use pegwise_game::{Code, FeedbackKind, History, HistoryTracker, Mark, Rules};

use pegwise_search::candidates;
use pegwise_search::candidates::backtrack::is_contradictory;
use pegwise_search::row::{Capability, Row, always};
use pegwise_search::{Basis, Built, Proposal, Proposed, Search, Strategy, StrategyError};

/// The thesis that describes these strategies.
pub const SINGLEY: &str = "A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis, University of Florida, 2005";

const GREEDY: Row = Row {
    name: "greedy-1",
    title: "Greedy 1",
    family: "constructive",
    paper: SINGLEY,
    about: "determines one cell after the other by trying every color",
    plays: "rows with repeats, of any size, whose feedback has black pegs",
    parameters: &[],
    capabilities: &[(Capability::Deterministic, always)],
    can_play: reports_black,
    build: |_, rules, _| play(greedy::Greedy1::new(rules)),
    ..Row::BLANK
};

const COUNTING: Row = Row {
    plays: "rows with repeats, of any size, answered in black and white pegs",
    parameters: &[counting::PREPROCESSING],
    can_play: counts_colors,
    ..GREEDY
};

/// Catalog rows of this family.
pub const ROWS: &[Row] = &[
    GREEDY,
    Row {
        name: "greedy-2",
        title: "Greedy 2",
        about: "determines one cell after the other, without redundant guesses",
        build: |_, rules, _| play(greedy::Greedy2::new(rules)),
        ..GREEDY
    },
    Row {
        name: "greedy-3",
        title: "Greedy 3",
        about: "counts the colors, then determines one cell after the other",
        parameters: greedy::GREEDY_3_PARAMETERS,
        build: |_, rules, arguments| play(greedy::Greedy3::new(rules, arguments)),
        ..COUNTING
    },
    Row {
        name: "two-swap",
        title: "2-swap local search",
        about: "counts the colors, then swaps pairs of cells and keeps each improvement",
        build: |_, rules, arguments| play(two_swap::TwoSwap::new(rules, arguments)),
        ..COUNTING
    },
];

fn play(procedure: impl Procedure + 'static) -> Built {
    Ok(Box::new(ProcedurePlayer::new(procedure)))
}

fn reports_black(rules: &Rules) -> bool {
    let kinds = [FeedbackKind::BlackWhite, FeedbackKind::BlackOnly, FeedbackKind::HigherLower];
    rules.board().is_row() && rules.repeats() && kinds.contains(&rules.feedback())
}

/// Returns true if the total number of pegs counts colors.
pub fn counts_colors(rules: &Rules) -> bool {
    rules.board().is_row() && rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProcedureStep {
    Ask(Code),
    Deduced(Code),
}

impl ProcedureStep {
    fn guess(&self) -> &Code {
        let (Self::Ask(code) | Self::Deduced(code)) = self;
        code
    }
}

/// The feedback to a question is impossible after the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImpossibleFeedback;

/// A procedure whose next guess follows from the feedbacks to its earlier ones.
pub(crate) trait Procedure: Clone + Send {
    fn step(&self) -> ProcedureStep;

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback>;

    /// Number of questions that the published program still asks if the next guess wins.
    fn questions_after_win(&self) -> usize {
        0
    }
}

pub(crate) fn black(mark: Mark) -> Result<u16, ImpossibleFeedback> {
    mark.black().map(|black| black as u16).ok_or(ImpossibleFeedback)
}

/// Player of a procedure.
///
/// Each turn costs one step of the procedure and a comparison with the earlier turns. If the history deviates from the
/// procedure or is impossible for it, a consistent code found by backtracking is played. If more than one turn is new,
/// backtracking first checks that some code is consistent.
pub(crate) struct ProcedurePlayer<P> {
    start: P,
    /// State of the procedure; `None` after a deviation.
    procedure: Option<P>,
    tracker: HistoryTracker,
}

/// Maximum number of backtracking steps of the consistency check.
const CHECK_STEPS: u64 = 1_000_000;

impl<P: Procedure> ProcedurePlayer<P> {
    pub(crate) fn new(start: P) -> Self {
        Self { procedure: Some(start.clone()), start, tracker: HistoryTracker::default() }
    }

    fn follow(&mut self, history: &History) -> usize {
        let change = self.tracker.update(history);
        if !change.is_extension() {
            self.procedure = Some(self.start.clone());
        }
        let new = &history.turns()[change.known()..];
        for turn in new {
            let follows = self.procedure.as_mut().is_some_and(|procedure| {
                *procedure.step().guess() == turn.guess
                    && turn.feedback.marks().iter().all(|&mark| procedure.learn(mark).is_ok())
            });
            if !follows {
                self.procedure = None;
            }
        }
        new.len()
    }
}

impl<P: Procedure> Strategy for ProcedurePlayer<P> {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let new = self.follow(history);
        let Some(procedure) = &self.procedure else { return candidates::draw(history, search) };
        if new > 1 && is_contradictory(history, CHECK_STEPS, search) {
            return Err(StrategyError::NO_CODE_FITS);
        }
        match procedure.step() {
            ProcedureStep::Ask(guess) => {
                search.step(1);
                Ok(Proposal::new(guess, Basis::Planned))
            }
            ProcedureStep::Deduced(guess) => {
                search.examine(1);
                if !history.is_consistent(&guess) {
                    return candidates::draw(history, search);
                }
                Ok(Proposal::new(guess, Basis::Proven))
            }
        }
    }

    fn after_win(&mut self, search: &mut Search<'_>) {
        search.step(self.procedure.as_ref().map_or(0, |procedure| procedure.questions_after_win() as u64));
    }
}
