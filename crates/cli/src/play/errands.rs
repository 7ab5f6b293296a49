//! Where the thinking is done: a thread for each job, so that the game never waits.
//!
//! A strategy keeps its tables from one guess to the next: it goes along with a job and comes back with the answer. One
//! whose job was dropped is lost with it, and the next job builds another.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

use pegwise_coach::{HintError, Notes, analyze, best_hint, hint, mend, remaining};
use pegwise_game::{History, Rules};
use pegwise_solve::{Limits, Meter, Rng, Search, Spec, Strategy};

use super::model::event::{Job, NoGuess, Outcome, Ticket};
use crate::arguments;

/// How many alternatives the computer tells.
const ALTERNATIVES: usize = 4;
/// The longest to count codes: the game goes on without.
const COUNTING: Duration = Duration::from_secs(10);
/// More jobs at once than a player can be waiting for; those that do not listen are too many already.
const MOST_JOBS: usize = 12;

/// What a thread sends back.
pub(super) enum Done {
    /// The answer.
    Job(Answer),
    /// A mistake of the program.
    Panicked(Box<dyn Any + Send>),
}

pub(super) struct Answer {
    ticket: Ticket,
    outcome: Outcome,
    player: Option<Player>,
}

/// A strategy at work in a game.
pub(super) struct Player {
    spec: Spec,
    rules: Rules,
    strategy: Box<dyn Strategy>,
}

/// The jobs that are being done.
pub(super) struct Errands<M> {
    time: Option<Duration>,
    player: Option<Player>,
    jobs: Vec<Running>,
    done: Sender<M>,
}

struct Running {
    ticket: Ticket,
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    /// Whether nobody waits for the answer.
    dropped: bool,
}

impl<M: From<Done> + Send + 'static> Errands<M> {
    pub(super) fn new(time: Option<Duration>, done: Sender<M>) -> Self {
        Self { time, player: None, jobs: Vec::new(), done }
    }

    /// Starts a job on a thread of its own.
    pub(super) fn ask(&mut self, ticket: Ticket, job: Job) -> std::io::Result<()> {
        if self.jobs.len() >= MOST_JOBS {
            return Err(std::io::Error::other("too many computations that do not come to an end; wait a moment"));
        }
        let (cancel, meter) = (Arc::new(AtomicBool::new(false)), Arc::new(Meter::default()));
        let running = Running { ticket, cancel: Arc::clone(&cancel), meter: Arc::clone(&meter), dropped: false };
        let player = if matches!(job, Job::Guess { .. }) { self.player.take() } else { None };
        let (time, done) = (self.time, self.done.clone());
        thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            let work = AssertUnwindSafe(|| perform(job, player, time, &cancel, &meter));
            let answer = match catch_unwind(work) {
                Ok((outcome, player)) => Done::Job(Answer { ticket, outcome, player }),
                Err(panic) => Done::Panicked(panic),
            };
            // Nobody waits once the game has ended.
            let _ = done.send(answer.into());
        })?;
        self.jobs.push(running);
        Ok(())
    }

    /// The job should come to an end with what it has.
    pub(super) fn hurry(&self, ticket: Ticket) {
        for job in self.jobs.iter().filter(|job| job.ticket == ticket) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Nobody waits for the answer any more.
    pub(super) fn drop(&mut self, ticket: Ticket) {
        self.hurry(ticket);
        for job in self.jobs.iter_mut().filter(|job| job.ticket == ticket) {
            job.dropped = true;
        }
    }

    /// Takes what a thread sent: the answer, where somebody still waits for it.
    pub(super) fn take(&mut self, done: Answer) -> Option<(Ticket, Outcome)> {
        let job = self.jobs.iter().position(|job| job.ticket == done.ticket)?;
        let job = self.jobs.swap_remove(job);
        if done.player.is_some() {
            self.player = done.player;
        }
        (!job.dropped).then_some((done.ticket, done.outcome))
    }

    /// How far the jobs are that somebody waits for.
    pub(super) fn progress(&self) -> impl Iterator<Item = (Ticket, u64)> {
        self.jobs.iter().filter(|job| !job.dropped).map(|job| (job.ticket, job.meter.examined()))
    }
}

/// Does a job, from its start to its end.
pub(super) fn perform(
    job: Job,
    player: Option<Player>,
    time: Option<Duration>,
    cancel: &AtomicBool,
    meter: &Meter,
) -> (Outcome, Option<Player>) {
    let limits = |time: Option<Duration>| Limits { time, ..Limits::default() };
    let search = |rng: Rng| Search::with_rng(rng).with_limits(limits(time)).with_cancel(cancel).with_meter(meter);
    match job {
        Job::Count { history, first } => {
            let mut search = search(Rng::new(0)).with_limits(limits(Some(COUNTING)));
            let counts = (first..=history.len()).map(|turns| {
                search.begin_guess();
                remaining(&notes(&history, turns), &mut search)
            });
            (Outcome::Count(counts.collect()), None)
        }
        Job::Mend(history) => (Outcome::Mend(mend(&notes(&history, history.len()), &mut search(Rng::new(0)))), None),
        Job::Analyze { history, secret } => {
            let analysis = analyze(&Notes::from(&history), secret.as_ref(), &mut search(Rng::new(0)));
            (Outcome::Analysis(analysis.map(Box::new).map_err(|error| error.to_string())), None)
        }
        Job::Guess { history, spec, seed } => match Player::again(player, &spec, history.rules()) {
            Ok(mut player) => {
                let mut search = search(stream(seed, &history));
                search.alternatives = ALTERNATIVES;
                let notes = notes(&history, history.len());
                // The default strategy is the best there is, and so are its hints.
                let best = spec.row().name == arguments::DEFAULT_STRATEGY;
                let advise = if best { best_hint } else { hint };
                let hint = advise(&notes, &mut *player.strategy, &mut search);
                let guess = hint.map(Box::new).map_err(|error| match error {
                    HintError::Contradiction(contradiction) => NoGuess::Contradiction(Box::new(contradiction)),
                    error => NoGuess::Other(error.to_string()),
                });
                (Outcome::Guess(guess), Some(player))
            }
            Err(why) => (Outcome::Guess(Err(NoGuess::Other(why))), None),
        },
    }
}

impl Player {
    /// The player that was there, if it is the one that is asked for; else a new one.
    fn again(before: Option<Self>, spec: &Spec, rules: &Rules) -> Result<Self, String> {
        match before.filter(|player| player.spec == *spec && player.rules == *rules) {
            Some(player) => Ok(player),
            None => {
                let strategy = arguments::build(spec, rules).map_err(|error| error.to_string())?;
                Ok(Self { spec: spec.clone(), rules: rules.clone(), strategy })
            }
        }
    }
}

/// The random numbers of a guess: the same for the same seed and turn, whatever was undone in between.
fn stream(seed: u64, history: &History) -> Rng {
    Rng::for_path(seed, [&b"guess"[..], &(history.len() as u64).to_le_bytes()])
}

/// The first turns of a game, as the coach reads them.
fn notes(history: &History, turns: usize) -> Notes {
    let mut notes = Notes::new(history.rules().clone());
    for turn in &history.turns()[..turns] {
        // Turns of a history fit its rules.
        let _ = notes.push(turn.clone().into());
    }
    notes
}
