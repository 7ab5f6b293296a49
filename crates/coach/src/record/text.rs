//! A game as a file that people can read.

use std::fmt::Write as _;

use serde::Deserialize;

use super::{Parts, Record, RecordError, VERSION, Written, shorten};

/// What every version of the file holds.
#[derive(Deserialize)]
struct Version {
    pegwise: u32,
}

/// What the file may hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The version, which was looked at before.
    #[serde(rename = "pegwise")]
    _version: u32,
    mode: Option<String>,
    rules: String,
    strategy: Option<String>,
    seed: Option<Seed>,
    secret: Option<String>,
    sealed: Option<String>,
    turns: Vec<String>,
}

/// TOML's whole numbers end before ours do; larger seeds are text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seed {
    Number(u64),
    Text(String),
}

impl Record {
    /// The game as a file. The turns come last and are never left away, so that a file that was cut off is no game.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = "# A game of Pegwise: `pegwise play --load` with this file goes on with it.\n".to_owned();
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = {value}");
        };
        let quoted = |value: &dyn std::fmt::Display| format!("\"{value}\"");
        line("pegwise", &VERSION);
        line("mode", &quoted(&self.mode));
        line("rules", &quoted(&self.rules));
        if let Some(strategy) = &self.strategy {
            line("strategy", &quoted(strategy));
        }
        match self.seed {
            Some(seed) if i64::try_from(seed).is_ok() => line("seed", &seed),
            Some(seed) => line("seed", &quoted(&seed)),
            None => {}
        }
        match self.written_secret() {
            Some(Written::Open(code)) => line("secret", &quoted(&code)),
            Some(Written::Sealed(seal)) => line("sealed", &quoted(&seal)),
            None => {}
        }
        let rules = self.plain_rules();
        let turns = self.turns.iter().map(|turn| format!("  \"{}\",\n", turn.notation(&rules)));
        let turns: String = turns.collect();
        line("turns", &if turns.is_empty() { "[]".to_owned() } else { format!("[\n{turns}]") });
        text
    }

    /// Reads a game from a file.
    pub fn from_text(text: &str) -> Result<Self, RecordError> {
        let wrong = |error: toml::de::Error| RecordError::Text(error.to_string().trim().to_owned());
        // The version first: a file of another one may hold anything else.
        let Version { pegwise } = toml::from_str(text).map_err(wrong)?;
        if pegwise != VERSION {
            return Err(RecordError::Version { found: pegwise.to_string() });
        }
        let file: File = toml::from_str(text).map_err(wrong)?;
        let seed = match &file.seed {
            Some(Seed::Number(seed)) => Some(*seed),
            Some(Seed::Text(text)) => Some(text.parse().map_err(|_| RecordError::Seed { text: shorten(text) })?),
            None => None,
        };
        let parts = Parts {
            mode: file.mode.as_deref(),
            rules: &file.rules,
            turns: file.turns.iter().map(String::as_str).collect(),
            secret: file.secret.as_deref(),
            sealed: file.sealed.as_deref(),
            strategy: file.strategy.as_deref(),
            seed,
        };
        parts.record()
    }
}
