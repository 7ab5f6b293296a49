//! One game of a strategy against a codemaker, as `solve` and the welcome show it: what is still possible is told after
//! each turn.

use std::{io, ops::ControlFlow, sync::Arc};

use anyhow::bail;
use pegwise_game::{Code, Count, Feedback, History, Rules, Turn};
use pegwise_solve::{
    Basis, GameTurn, Limits, Rng, Search, Spec, Strategy,
    candidates::Remaining,
    codemaker::{Codemaker, Fixed},
    play,
    secrets::SecretList,
    tree::{TreeFile, TreePlayer},
};
use serde::Serialize;

use crate::{arguments, tree::file::Source};

/// A game about to be played.
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) strategy: Spec,
    /// The tree that is played from while the game is in it.
    pub(crate) tree: Option<Source>,
    /// The codes that can be the secret, where they are listed.
    pub(crate) secrets: Option<Arc<SecretList>>,
    pub(crate) seed: u64,
    /// Who hides the code, if that is somebody else than one who hides a single code and tells the truth.
    pub(crate) against: Option<String>,
    codemaker: Box<dyn Codemaker>,
    limits: Limits,
    player: Box<dyn Strategy>,
}

/// A played game.
#[derive(Debug, Serialize)]
pub(crate) struct Record {
    pub(crate) rules: Rules,
    pub(crate) strategy: Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tree: Option<Source>,
    /// How many codes could be the secret, where they were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) listed: Option<usize>,
    pub(crate) seed: u64,
    #[serde(rename = "codemaker", skip_serializing_if = "Option::is_none")]
    pub(crate) against: Option<String>,
    /// A code that fits every answer: the one that was hidden, where one was. Only another program may know it.
    pub(crate) secret: Option<Code>,
    pub(crate) solved: bool,
    /// What a strategy that is another program did instead of guessing, where that lost the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
    pub(crate) guesses: usize,
    pub(crate) examined: u64,
    pub(crate) scored: u64,
    pub(crate) seconds: f64,
    turns: Vec<RecordedTurn>,
}

#[derive(Debug, Serialize)]
struct RecordedTurn {
    guess: Code,
    feedback: Feedback,
    /// Codes still possible after the turn, where they were counted.
    remaining: Option<Count>,
    basis: Basis,
}

/// What happens in a game, as it happens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event<'a> {
    /// A guess was answered.
    Turn(&'a GameTurn),
    /// How many codes are still possible after that turn, where somebody counts. Comes once after each turn, and before
    /// the next.
    Remaining(Option<Count>),
}

impl Setup {
    /// Prepares a game; the secret is drawn from the seed when none is given. An error when the strategy cannot play
    /// it.
    pub(crate) fn new(
        rules: Rules,
        strategy: Spec,
        secret: Option<Code>,
        secrets: Option<Arc<SecretList>>,
        seed: u64,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let player = arguments::build_for(&strategy, &rules, secrets.as_ref())?;
        // A stream of its own: the strategy draws the same numbers whether the secret was given or not.
        let mut rng = Rng::for_path(seed, [&b"secret"[..]]);
        let secret = match (secret, &secrets) {
            (Some(secret), Some(secrets)) if secrets.weight(&secret) == 0.0 => {
                bail!("--secret: {} is not one of the codes in --secrets", secret.notation(rules.palette()))
            }
            (Some(secret), _) => secret,
            (None, Some(secrets)) => secrets.draw(&mut rng).clone(),
            (None, None) => rng.code(&rules),
        };
        let codemaker = Box::new(Fixed::new(&rules, secret)?.with_seed(seed));
        Ok(Self { rules, strategy, tree: None, secrets, seed, against: None, codemaker, limits, player })
    }

    /// The same game against another codemaker.
    pub(crate) fn against(mut self, name: String, codemaker: Box<dyn Codemaker>) -> Self {
        self.against = Some(name);
        self.codemaker = codemaker;
        self
    }

    /// The same game, played from a tree of its rules; the strategy plays where the tree has no guess.
    pub(crate) fn with_tree(mut self, source: Source, file: TreeFile) -> Self {
        self.tree = Some(source);
        self.player = Box::new(TreePlayer::new(file, self.player));
        self
    }

    /// Plays the game to its end, or until what happens can no longer be told.
    pub(crate) fn play(self, happened: impl FnMut(Event<'_>) -> io::Result<()>) -> anyhow::Result<Record> {
        let Self { rules, strategy, tree, secrets, seed, against, mut codemaker, limits, mut player } = self;
        let mut search = Search::new(seed).with_limits(limits);
        let mut story = Story {
            history: History::new(rules.clone()),
            counter: Counter::new(&rules, secrets.as_ref()),
            remaining: Vec::new(),
            happened,
            trouble: Ok(()),
        };
        let game = play(&rules, &mut *player, &mut *codemaker, &mut search, |turn| story.turn(turn))?;
        let remaining = story.end()?;

        let (solved, guesses) = (game.is_solved(), game.guesses());
        let recorded = |(turn, remaining): (GameTurn, Option<Count>)| {
            let GameTurn { guess, feedback, basis, .. } = turn;
            RecordedTurn { guess, feedback, remaining, basis }
        };
        Ok(Record {
            rules,
            strategy,
            tree,
            listed: secrets.map(|secrets| secrets.len()),
            seed,
            against,
            secret: codemaker.reveal(),
            solved,
            failure: game.failure,
            guesses,
            examined: game.counts.examined,
            scored: game.counts.scored,
            seconds: game.seconds,
            turns: game.turns.into_iter().zip(remaining).map(recorded).collect(),
        })
    }
}

/// Follows a game and tells its events in order.
struct Story<H> {
    history: History,
    counter: Counter,
    /// One for each turn, but for the last where it is not known yet.
    remaining: Vec<Option<Count>>,
    happened: H,
    /// Why the story can no longer be told, if it cannot.
    trouble: io::Result<()>,
}

impl<H: FnMut(Event<'_>) -> io::Result<()>> Story<H> {
    fn turn(&mut self, turn: &GameTurn) -> ControlFlow<()> {
        if self.remaining.len() < self.history.len() {
            // Where the space is too large to list, the strategy's next guess comes with what it counted.
            self.count(turn.before);
        }
        self.tell(Event::Turn(turn));
        // The codemaker has checked the guess against the rules.
        let _ = self.history.push(Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() });
        let count = self.counter.after(&self.history);
        if count.is_some() {
            self.count(count);
        }
        if self.trouble.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn count(&mut self, count: Option<Count>) {
        self.remaining.push(count);
        self.tell(Event::Remaining(count));
    }

    fn tell(&mut self, event: Event<'_>) {
        if self.trouble.is_ok() {
            self.trouble = (self.happened)(event);
        }
    }

    fn end(mut self) -> io::Result<Vec<Option<Count>>> {
        if self.remaining.len() < self.history.len() {
            self.count(None);
        }
        self.trouble.map(|()| self.remaining)
    }
}

/// Counts the codes still possible, whatever the strategy knows of them, where they are listed or the space is small enough
/// to list.
pub(crate) enum Counter {
    Listed(Arc<SecretList>),
    Space(Option<Box<Remaining>>),
}

impl Counter {
    pub(crate) fn new(rules: &Rules, secrets: Option<&Arc<SecretList>>) -> Self {
        match secrets {
            Some(secrets) => Self::Listed(Arc::clone(secrets)),
            None => Self::Space(Remaining::new(rules).ok().filter(|remaining| remaining.all().is_some()).map(Box::new)),
        }
    }

    /// How many codes fit the history; `None` where that is too much to count, or where none does.
    pub(crate) fn after(&mut self, history: &History) -> Option<Count> {
        if history.is_solved() {
            return Some(Count::Exact(1));
        }
        match self {
            Self::Listed(secrets) => Some(secrets.count_consistent(history)),
            Self::Space(remaining) => remaining.as_mut()?.after(history, &mut Search::new(0)).ok()?.count,
        }
    }
}

/// A seed for a game that nobody gave one: short, so that it is easily typed again.
pub(crate) fn draw_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()) ^ now.as_secs()) % 1_000_000
}
