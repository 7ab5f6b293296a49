//! A codemaker that hides one code, and answers truthfully but for the lies that the rules allow.

use pegwise_game::{Code, CodeErrorReason, Feedback, History, Judge, Rules, Turn};

use super::{Codemaker, CodemakerError};
use crate::rng::Rng;

/// Hides one code. Where the rules allow lies, it lies now and then by a seed: what it answers depends on the code, the
/// seed and the turns so far, and on nothing else.
///
/// ```
/// use pegwise_solve::codemaker::{Codemaker, Fixed};
/// let rules: pegwise_game::Rules = "4x6".parse().unwrap();
/// let mut codemaker = Fixed::new(&rules, rules.parse_code("3632").unwrap()).unwrap();
/// let reply = codemaker.reply(&rules.parse_code("1122").unwrap()).unwrap();
/// assert_eq!(reply.to_string(), "1,0");
///
/// let rules: pegwise_game::Rules = "4x6:lies=1".parse().unwrap();
/// let mut liar = Fixed::new(&rules, rules.parse_code("3632").unwrap()).unwrap().with_seed(7);
/// let mut reply = |guess| liar.reply(&rules.parse_code(guess).unwrap()).unwrap().to_string();
/// let told: Vec<String> = (0..9).map(|_| reply("1122")).collect();
/// assert_eq!(told.iter().filter(|told| *told != "1,0").count(), 1);
/// assert_eq!(reply("3632"), "4,0");
/// ```
#[derive(Debug, Clone)]
pub struct Fixed {
    judge: Judge,
    secret: Code,
    seed: u64,
    /// The turns so far, where some may be lies.
    history: History,
}

/// Of so many answers one is a lie, as long as lies are left.
const ONE_OF: u64 = 3;
/// Codes whose answer is looked at for a lie.
const TRIES: usize = 100;

impl Fixed {
    /// Hides this code.
    pub fn new(rules: &Rules, secret: Code) -> Result<Self, CodeErrorReason> {
        rules.check_code(&secret)?;
        Ok(Self { judge: Judge::new(rules), secret, seed: 0, history: History::new(rules.clone()) })
    }

    /// Hides a random code.
    #[must_use]
    pub fn random(rules: &Rules, rng: &mut Rng) -> Self {
        Self { judge: Judge::new(rules), secret: rng.code(rules), seed: 0, history: History::new(rules.clone()) }
    }

    /// The same codemaker with this seed for its lies.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Hides another code, for the next game, with this seed for its lies.
    pub fn hide(&mut self, secret: Code, seed: u64) -> Result<(), CodeErrorReason> {
        self.judge.rules().check_code(&secret)?;
        (self.secret, self.seed) = (secret, seed);
        self.history = History::new(self.judge.rules().clone());
        Ok(())
    }

    /// What is answered to a guess after these turns.
    #[must_use]
    pub fn answer(&mut self, history: &History, guess: &Code) -> Feedback {
        let rules = history.rules();
        let truth = self.judge.feedback(guess, &self.secret);
        if rules.lies() == 0 || truth.is_winning(rules) {
            return truth;
        }
        let told = history.turns().iter().filter(|turn| !self.judge.agrees(turn, &self.secret)).count();
        let mut rng = Rng::for_path(self.seed, [&b"lie"[..], &(history.len() as u64).to_le_bytes()]);
        if told >= usize::from(rules.lies()) || rng.below(ONE_OF) > 0 {
            return truth;
        }
        // What another code would answer can be true, as far as the codebreaker knows.
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
