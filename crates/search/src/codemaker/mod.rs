//! Codemakers: they hide a code and answer guesses.

mod adversary;

pub use adversary::Adversary;

use pegwise_game::{Code, CodeErrorReason, Feedback, History, Judge, Rules, Turn};

use crate::rng::Rng;

/// A codemaker.
pub trait Codemaker: Send {
    /// Answers a guess.
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError>;

    /// Returns the secret, or a code that is consistent with all answers; `None` if unknown.
    fn reveal(&self) -> Option<Code>;
}

/// Error of a codemaker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodemakerError {
    /// The guess is not a valid code.
    #[error("the guess does not fit the rules: {0}")]
    Guess(#[from] CodeErrorReason),
    /// The answer is not a valid feedback.
    #[error("the answer does not fit the rules: {0}")]
    Turn(Box<pegwise_game::TurnError>),
    /// An external codemaker failed, timed out, or contradicted itself.
    #[error("{0}")]
    Peer(String),
}

impl From<pegwise_game::TurnError> for CodemakerError {
    fn from(error: pegwise_game::TurnError) -> Self {
        Self::Turn(Box::new(error))
    }
}

/// Codemaker with a fixed code. If the rules allow lies, some answers are false, at random: its answers are determined
/// by the code, the seed and the turns so far.
///
/// ```
/// use pegwise_search::codemaker::{Codemaker, Fixed};
/// let rules: pegwise_game::Rules = "4x6".parse().unwrap();
/// let mut codemaker = Fixed::new(&rules, rules.parse_code("3632").unwrap()).unwrap();
/// let reply = codemaker.reply(&rules.parse_code("1122").unwrap()).unwrap();
/// assert_eq!(reply.to_string(), "1,0");
///
/// let rules: pegwise_game::Rules = "4x6:lies=1".parse().unwrap();
/// let mut liar = Fixed::new(&rules, rules.parse_code("3632").unwrap()).unwrap().with_seed(7);
/// let mut reply = |guess| liar.reply(&rules.parse_code(guess).unwrap()).unwrap().to_string();
/// let replies: Vec<String> = (0..9).map(|_| reply("1122")).collect();
/// assert_eq!(replies.iter().filter(|reply| *reply != "1,0").count(), 1);
/// assert_eq!(reply("3632"), "4,0");
/// ```
#[derive(Debug, Clone)]
pub struct Fixed {
    judge: Judge,
    secret: Code,
    seed: u64,
    /// The turns so far, if the rules allow lies.
    history: History,
}

/// Reciprocal of the probability of a lie, while lies are left.
const ANSWERS_PER_LIE: u64 = 3;
/// Number of random codes whose feedback is tried as a lie.
const TRIES: usize = 100;

impl Fixed {
    /// Creates a codemaker with a secret.
    pub fn new(rules: &Rules, secret: Code) -> Result<Self, CodeErrorReason> {
        rules.check_code(&secret)?;
        Ok(Self { judge: Judge::new(rules), secret, seed: 0, history: History::new(rules.clone()) })
    }

    /// Creates a codemaker with a random secret.
    pub fn random(rules: &Rules, rng: &mut Rng) -> Self {
        Self { judge: Judge::new(rules), secret: rng.code(rules), seed: 0, history: History::new(rules.clone()) }
    }

    /// Sets the seed of the lies.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Starts a new game with another secret and seed of the lies.
    pub fn hide(&mut self, secret: Code, seed: u64) -> Result<(), CodeErrorReason> {
        self.judge.rules().check_code(&secret)?;
        (self.secret, self.seed) = (secret, seed);
        self.history = History::new(self.judge.rules().clone());
        Ok(())
    }

    /// Returns the answer to a guess after these turns.
    pub fn answer(&mut self, history: &History, guess: &Code) -> Feedback {
        let rules = history.rules();
        let truth = self.judge.feedback(guess, &self.secret);
        if rules.lies() == 0 || truth.is_winning(rules) {
            return truth;
        }
        let lies = history.turns().iter().filter(|turn| !self.judge.agrees(turn, &self.secret)).count();
        let mut rng = Rng::for_path(self.seed, [&b"lie"[..], &(history.len() as u64).to_le_bytes()]);
        if lies >= usize::from(rules.lies()) || rng.below(ANSWERS_PER_LIE) > 0 {
            return truth;
        }
        // The true feedback of another code, which the codebreaker cannot recognize as a lie.
        let mut answers = (0..TRIES).map(|_| self.judge.feedback(guess, &rng.code(rules)));
        let lie = answers.find(|answer| *answer != truth && !answer.is_winning(rules));
        lie.unwrap_or(truth)
    }
}

impl Codemaker for Fixed {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        self.judge.rules().check_code(guess)?;
        if self.judge.rules().lies() == 0 {
            return Ok(self.judge.feedback(guess, &self.secret));
        }
        let mut history = std::mem::replace(&mut self.history, History::new(self.judge.rules().clone()));
        let feedback = self.answer(&history, guess);
        let pushed = history.push(Turn { guess: guess.clone(), feedback: feedback.clone() });
        self.history = history;
        pushed.map_err(|error| CodemakerError::Peer(error.to_string()))?;
        Ok(feedback)
    }

    fn reveal(&self) -> Option<Code> {
        Some(self.secret.clone())
    }
}
