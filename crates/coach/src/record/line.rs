//! A game as one line of text.

use super::{Parts, Record, RecordError, VERSION, Written, shorten};

impl Record {
    /// The game as a line of text: words parted by single spaces, safe between single quotes in a shell.
    #[must_use]
    pub fn line(&self) -> String {
        let rules = self.plain_rules();
        let mut words = vec![format!("pegwise/{VERSION}"), self.mode.to_string(), self.rules.to_string()];
        words.extend(self.turns.iter().map(|turn| turn.notation(&rules).to_string()));
        words.extend(self.seed.map(|seed| format!("seed:{seed}")));
        words.extend(self.strategy.as_ref().map(|strategy| format!("by:{strategy}")));
        words.extend(self.written_secret().map(|secret| match secret {
            Written::Open(code) => format!("secret:{code}"),
            Written::Sealed(seal) => format!("sealed:{seal}"),
        }));
        words.join(" ")
    }

    /// Reads a game from its line.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        let no_line = || RecordError::Line { text: shorten(line.trim()) };
        let mut words = line.split_whitespace();
        let version = words.next().and_then(|word| word.strip_prefix("pegwise/")).ok_or_else(no_line)?;
        if version != VERSION.to_string() {
            return Err(RecordError::Version { found: shorten(version) });
        }
        let (Some(mode), Some(rules)) = (words.next(), words.next()) else { return Err(no_line()) };
        let mut parts = Parts { mode: Some(mode), rules, ..Parts::default() };
        for word in words {
            let (place, name, value) = match word.split_once(':') {
                // Strategies have parameters with an equals sign too, but those come after a colon.
                None if word.contains('=') => {
                    parts.turns.push(word);
                    continue;
                }
                Some(("seed", value)) => {
                    let seed = value.parse().map_err(|_| RecordError::Seed { text: shorten(value) })?;
                    if parts.seed.replace(seed).is_some() {
                        return Err(RecordError::Twice { name: "seed" });
                    }
                    continue;
                }
                Some(("by", value)) => (&mut parts.strategy, "by", value),
                Some(("secret", value)) => (&mut parts.secret, "secret", value),
                Some(("sealed", value)) => (&mut parts.sealed, "sealed", value),
                _ => return Err(RecordError::Word { word: shorten(word) }),
            };
            if place.replace(value).is_some() {
                return Err(RecordError::Twice { name });
            }
        }
        parts.record()
    }
}
