//! A published number beside ours.

use std::fmt;

use serde::Serialize;

use super::exhibit::{Published, Row};

/// What a published number comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is the same but for luck and rounding.
    Agrees,
    /// Ours is another.
    Disagrees,
    /// The paper errs.
    PaperErrs(String),
    /// What is to be run is not there yet.
    Missing(String),
    /// Shown, not judged.
    Information(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("agrees"),
            Self::Disagrees => f.write_str("DISAGREES"),
            Self::PaperErrs(reason) => write!(f, "paper errs: {reason}"),
            Self::Missing(reason) => write!(f, "missing: {reason}"),
            Self::Information(reason) => write!(f, "information: {reason}"),
        }
    }
}

/// A published number beside ours.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The row of the table.
    pub row: String,
    /// The rules, where games are played.
    pub rules: Option<String>,
    /// The strategy, where games are played.
    pub strategy: Option<String>,
    /// What is measured.
    pub measure: String,
    /// What was printed; nothing where a figure shows it without numbers.
    pub published: Option<String>,
    /// Ours, with at least the printed digits.
    pub ours: Option<String>,
    /// How many games we played.
    pub games: Option<u64>,
    /// How far ours is from the printed number, rounding granted, in standard errors; none where luck has no part in it.
    pub standard_errors: Option<f64>,
    /// What it comes to.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Finding {
    /// A published number that nothing of ours stands beside, for this reason.
    pub(super) fn missing(published: &Published, row: &Row, reason: String) -> Self {
        Self {
            row: row.label.clone(),
            rules: Some(row.rules.to_string()),
            strategy: row.strategy.as_ref().ok().cloned(),
            measure: published.measure.to_string(),
            published: Some(published.printed.to_string()),
            ours: None,
            games: None,
            standard_errors: None,
            verdict: Verdict::Missing(reason),
        }
    }
}

/// All numbers of one table or figure.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Its id.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Where it stands.
    pub source: String,
    /// How it was read.
    pub note: Option<String>,
    /// Its numbers.
    pub findings: Vec<Finding>,
}

impl Report {
    /// How many numbers disagree.
    #[must_use]
    pub fn disagreements(&self) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == Verdict::Disagrees).count()
    }
}
