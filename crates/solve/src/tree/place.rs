//! Where in a tree something is: the turns that lead there.

use std::fmt;

use pegwise_game::{Rules, Turn};
use serde::{Serialize, Serializer};

/// A position, named by the turns that lead to it.
///
/// ```
/// use pegwise_game::{Rules, Turn};
/// use pegwise_solve::tree::Place;
/// let rules: Rules = "4x6".parse()?;
/// assert_eq!(Place::new(&rules, Vec::new()).to_string(), "at the start");
/// let place = Place::new(&rules, vec![Turn::parse(&rules, "1122=1,0")?]);
/// assert_eq!(place.to_string(), "after 1122=1,0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    turns: Vec<Turn>,
    rules: Rules,
}

impl Place {
    /// The position after these turns.
    #[must_use]
    pub fn new(rules: &Rules, turns: Vec<Turn>) -> Self {
        Self { turns, rules: rules.clone() }
    }

    /// The turns that lead there.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns.is_empty() {
            return f.write_str("at the start");
        }
        f.write_str("after")?;
        self.turns.iter().try_for_each(|turn| write!(f, " {}", turn.notation(&self.rules)))
    }
}

/// The list of turns.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.turns.serialize(serializer)
    }
}
