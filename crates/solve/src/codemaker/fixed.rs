//! A codemaker that hides one code and answers truthfully.

use pegwise_game::{Code, CodeErrorReason, Feedback, Judge, Rules};

use super::{Codemaker, CodemakerError};
use crate::rng::Rng;

/// Hides one code.
///
/// ```
/// use pegwise_solve::codemaker::{Codemaker, Fixed};
/// let rules: pegwise_game::Rules = "4x6".parse().unwrap();
/// let mut codemaker = Fixed::new(&rules, rules.parse_code("3632").unwrap()).unwrap();
/// let reply = codemaker.reply(&rules.parse_code("1122").unwrap()).unwrap();
/// assert_eq!(reply.to_string(), "1,0");
/// ```
#[derive(Debug, Clone)]
pub struct Fixed {
    judge: Judge,
    secret: Code,
}

impl Fixed {
    /// Hides this code.
    pub fn new(rules: &Rules, secret: Code) -> Result<Self, CodeErrorReason> {
        rules.check_code(&secret)?;
        Ok(Self { judge: Judge::new(rules), secret })
    }

    /// Hides another code, for the next game.
    pub fn hide(&mut self, secret: Code) -> Result<(), CodeErrorReason> {
        self.judge.rules().check_code(&secret)?;
        self.secret = secret;
        Ok(())
    }

    /// Hides a random code.
    #[must_use]
    pub fn random(rules: &Rules, rng: &mut Rng) -> Self {
        Self { judge: Judge::new(rules), secret: rng.code(rules) }
    }
}

impl Codemaker for Fixed {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        self.judge.rules().check_code(guess)?;
        Ok(self.judge.feedback(guess, &self.secret))
    }

    fn reveal(&self) -> Option<Code> {
        Some(self.secret.clone())
    }
}
