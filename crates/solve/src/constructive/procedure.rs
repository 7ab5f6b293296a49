//! A fixed plan: what is asked next follows from the questions before and their answers, and from nothing else.

use pegwise_game::{Code, History, Mark, Trail};

use crate::{
    candidates::{
        self,
        backtrack::{Backtrack, End, Order},
    },
    search::Search,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

/// What a plan does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// It has a question.
    Ask(Code),
    /// It knows the code.
    Deduced(Code),
}

impl Step {
    fn guess(&self) -> &Code {
        let (Self::Ask(code) | Self::Deduced(code)) = self;
        code
    }
}

/// An answer that no code gives to the questions of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unforeseen;

/// A procedure that finds any code by asking about it.
pub(crate) trait Procedure: Clone + Send {
    /// The next step.
    fn step(&self) -> Step;

    /// Takes the answer to that step.
    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen>;
}

/// The black pegs of a mark.
pub(crate) fn black(mark: Mark) -> Result<u16, Unforeseen> {
    mark.black().map(|black| black as u16).ok_or(Unforeseen)
}

/// Plays a plan.
///
/// The answers of the game are taken in one by one, so a turn costs one step of the plan and a look at the turns before.
/// A history that leaves the plan, and one whose answers the plan knows to be impossible, gets a consistent code by
/// backtracking instead. Of a history that is new as a whole, backtracking first makes sure that some code fits.
pub(crate) struct Follower<P> {
    start: P,
    /// Where the plan stands; nothing once the game has left it.
    plan: Option<P>,
    trail: Trail,
}

/// The most steps spent on making sure that some code fits.
const MAX_STEPS: u64 = 1_000_000;

impl<P: Procedure> Follower<P> {
    pub(crate) fn new(start: P) -> Self {
        Self { plan: Some(start.clone()), start, trail: Trail::default() }
    }

    /// Takes in the turns that are new, and tells how many there were.
    fn follow(&mut self, history: &History) -> usize {
        let course = self.trail.follow(history);
        if !course.goes_on() {
            self.plan = Some(self.start.clone());
        }
        let new = &history.turns()[course.known()..];
        for turn in new {
            let on_plan = self.plan.as_mut().is_some_and(|plan| {
                *plan.step().guess() == turn.guess && turn.feedback.marks().iter().all(|&mark| plan.learn(mark).is_ok())
            });
            if !on_plan {
                self.plan = None;
            }
        }
        new.len()
    }
}

impl<P: Procedure> Strategy for Follower<P> {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let new = self.follow(history);
        let Some(plan) = &self.plan else { return candidates::draw(history, search) };
        if new > 1 {
            let (_, end) = Backtrack::new(history).first(Order::AscendingFrom(None), MAX_STEPS, search);
            if end == End::NoMore {
                return Err(StrategyError::NO_CODE_FITS);
            }
        }
        match plan.step() {
            Step::Ask(guess) => {
                search.step(1);
                Ok(Proposal::new(guess, Basis::Planned))
            }
            Step::Deduced(guess) => {
                search.examine(1);
                if !history.is_consistent(&guess) {
                    return candidates::draw(history, search);
                }
                Ok(Proposal::new(guess, Basis::Proven))
            }
        }
    }
}
