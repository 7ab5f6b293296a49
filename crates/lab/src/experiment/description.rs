//! An experiment as a store remembers it: enough to tell whether another one is the same, and where it differs.

use pegwise_solve::Limits;
use serde::{Deserialize, Serialize};

use super::{Deck, Experiment, Secrets};
use crate::fingerprint::Fingerprint;

/// What an experiment is, in words and numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The rules.
    pub rules: Vec<String>,
    /// The strategies with their parameters.
    pub strategies: Vec<String>,
    /// Where the secrets come from.
    pub secrets: String,
    /// How many secrets there are at each of the rules.
    pub counts: Vec<u64>,
    /// How often each secret is played.
    pub repeats: u32,
    /// The seed.
    pub seed: u64,
    /// The limits on each guess.
    pub limits: String,
}

impl Description {
    /// Describes an experiment.
    #[must_use]
    pub fn of(experiment: &Experiment) -> Self {
        Self {
            rules: experiment.rules.iter().map(ToString::to_string).collect(),
            strategies: experiment.strategies.iter().map(ToString::to_string).collect(),
            secrets: secrets(&experiment.secrets),
            counts: experiment.decks.iter().map(Deck::len).collect(),
            repeats: experiment.repeats.get(),
            seed: experiment.seed,
            limits: limits(experiment.limits),
        }
    }

    /// What differs from another experiment, in a sentence; `None` where nothing does.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let list = |texts: &[String]| texts.join(", ");
        let pairs = [
            ("rules", list(&self.rules), list(&other.rules)),
            ("strategies", list(&self.strategies), list(&other.strategies)),
            ("secrets", self.secrets.clone(), other.secrets.clone()),
            ("repeats", self.repeats.to_string(), other.repeats.to_string()),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            ("limits", self.limits.clone(), other.limits.clone()),
        ];
        let changed = pairs.into_iter().filter(|(_, ours, theirs)| ours != theirs);
        let changed: Vec<String> =
            changed.map(|(what, ours, theirs)| format!("{what}: {ours} there, {theirs} here")).collect();
        if changed.is_empty() { None } else { Some(changed.join("; ")) }
    }
}

fn secrets(secrets: &Secrets) -> String {
    match secrets {
        Secrets::All => "all".to_owned(),
        Secrets::Drawn(count) => format!("{count} drawn"),
        Secrets::DrawnEach(counts) => {
            let mut counts: Vec<String> = counts.iter().map(|(rules, count)| format!("{rules} {count}")).collect();
            counts.sort_unstable();
            format!("drawn: {}", counts.join(", "))
        }
        Secrets::Listed(codes) => {
            let list = Fingerprint::of((codes.join("\n") + "\n").as_bytes());
            format!("{} listed ({list:016x})", codes.len())
        }
        Secrets::Each(list) => format!("each of a list ({:016x})", Fingerprint::of(list.as_bytes())),
        Secrets::Weighted { list, games } => {
            format!("{games} drawn by weight ({:016x})", Fingerprint::of(list.as_bytes()))
        }
    }
}

fn limits(limits: Limits) -> String {
    let Limits { examined, nodes, time } = limits;
    let texts = [
        examined.map(|examined| format!("examined {examined}")),
        nodes.map(|nodes| format!("nodes {nodes}")),
        time.map(|time| format!("time {time:?}")),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}
