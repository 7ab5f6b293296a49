//! Strategies that are not this program's: other programs, and functions of other languages.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use pegwise_game::Rules;

use super::{Capability, RegisterError, Row, always, register, row};
use crate::{
    spec::{Arguments, Spec},
    strategy::{Built, StrategyError},
};

/// A strategy that is not this program's. It plays like those of the catalog; what it does wrong loses the game it plays, and
/// nothing else.
#[derive(Clone)]
pub struct Outside {
    /// The name it is asked for by: small letters, digits and hyphens.
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// A number for the file that it is in: games of other files are games of other strategies.
    pub fingerprint: u64,
    /// Makes a player; its mistakes are [`StrategyError::Failed`].
    pub make: Arc<dyn Fn(&Rules) -> Built + Send + Sync>,
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").field("name", &self.name).field("fingerprint", &self.fingerprint).finish()
    }
}

static ADMITTED: LazyLock<RwLock<HashMap<String, Outside>>> = LazyLock::new(RwLock::default);

/// Lists a strategy that is not this program's. One that was admitted under the same name before is played no more.
///
/// ```
/// use std::sync::Arc;
/// use pegwise_solve::catalog::{self, Outside};
/// let knuth = |rules: &_| Ok(catalog::strategy("knuth", rules).expect("there is one"));
/// let outside = Outside { name: "guest".into(), about: "a guest".into(), fingerprint: 7, make: Arc::new(knuth) };
/// let spec = catalog::admit(outside)?;
/// assert_eq!((spec.to_string().as_str(), catalog::fingerprint_of(spec.row())), ("guest", Some(7)));
/// assert!(catalog::build(&spec, &"4x6".parse()?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn admit(outside: Outside) -> Result<Spec, RegisterError> {
    let name = outside.name.clone();
    let known = ADMITTED.read().unwrap_or_else(PoisonError::into_inner).contains_key(&name);
    if !known {
        let (name, about): (&str, &str) = (name.clone().leak(), outside.about.clone().leak());
        let capabilities: &[(Capability, super::When)] = &[(Capability::Lies, always)];
        register(Row { name, title: name, family: "outside", paper: "-", about, capabilities, build, ..Row::BLANK })?;
    }
    ADMITTED.write().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), outside);
    match row(&name) {
        Some(row) => Ok(row.spec()),
        None => Err(RegisterError::BadName { name: name.leak() }),
    }
}

/// The number of the file that a strategy is in, where it is not this program's.
#[must_use]
pub fn fingerprint_of(row: &Row) -> Option<u64> {
    ADMITTED.read().unwrap_or_else(PoisonError::into_inner).get(row.name).map(|outside| outside.fingerprint)
}

fn build(name: &'static str, rules: &Rules, _: &Arguments) -> Built {
    let admitted = ADMITTED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    match admitted {
        Some(outside) => (outside.make)(rules),
        None => Err(StrategyError::unplayable(name, rules, &"nobody admitted it")),
    }
}
