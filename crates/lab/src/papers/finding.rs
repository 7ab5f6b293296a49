//! A published number beside ours.

use std::fmt;

use serde::Serialize;

use super::exhibit::{Correction, Published, Row};

/// What a published number comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is the same, within the margin.
    Supported,
    /// Ours is another, beyond the margin.
    Refuted,
    /// The games played do not tell.
    Undecided {
        /// How many games would, if that can be said.
        needs: Option<u64>,
    },
    /// What is to be run is not there yet.
    Missing {
        /// What is not there.
        reason: String,
    },
    /// Not judged.
    Information {
        /// Why it cannot be.
        reason: String,
    },
}

impl Verdict {
    /// Its name, as records have it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Undecided { .. } => "undecided",
            Self::Missing { .. } => "missing",
            Self::Information { .. } => "not judged",
        }
    }

    pub(super) fn information(reason: impl Into<String>) -> Self {
        Self::Information { reason: reason.into() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Supported | Self::Refuted | Self::Undecided { needs: None } => Ok(()),
            Self::Undecided { needs: Some(games) } => write!(f, ": needs {games} games"),
            Self::Missing { reason } | Self::Information { reason } => write!(f, ": {reason}"),
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
    /// The number that is held to be right, where the paper errs, and why: it is judged instead.
    pub correction: Option<Correction>,
    /// Ours, with at least the printed digits.
    pub ours: Option<String>,
    /// The 95 % interval of ours; none where nothing is left to luck.
    pub interval: Option<[f64; 2]>,
    /// How far ours may be off to be the same, where that is a number.
    pub margin: Option<f64>,
    /// Where the margin comes from, or how else it is judged.
    pub window: Option<String>,
    /// How many games we played.
    pub games: Option<u64>,
    /// Why it is refuted, where that is known.
    pub cause: Option<String>,
    /// What it comes to.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Finding {
    /// A published number that nothing of ours stands beside.
    pub(super) fn beside(published: &Published, row: &Row, verdict: Verdict) -> Self {
        Self {
            rules: Some(row.rules.to_string()),
            strategy: row.strategy.as_ref().ok().cloned(),
            published: Some(published.printed.to_string()),
            correction: published.correction.clone(),
            cause: published.cause.clone(),
            ..Self::blank(&row.label, &published.measure.to_string(), verdict)
        }
    }

    /// A finding with nothing but its name.
    pub(super) fn blank(row: &str, measure: &str, verdict: Verdict) -> Self {
        Self {
            row: row.to_owned(),
            rules: None,
            strategy: None,
            measure: measure.to_owned(),
            published: None,
            correction: None,
            ours: None,
            interval: None,
            margin: None,
            window: None,
            games: None,
            cause: None,
            verdict,
        }
    }
}

/// What is said of several rows together, beside what ours say.
#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    /// What the paper says.
    pub says: String,
    /// What is compared.
    pub measure: String,
    /// The rows, the least first.
    pub rows: Vec<String>,
    /// Ours, row by row, as far as they were run.
    pub ours: Vec<f64>,
    /// Why it is refuted, where that is known.
    pub cause: Option<String>,
    /// What it comes to.
    #[serde(flatten)]
    pub verdict: Verdict,
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
    /// What is said of its rows together.
    pub claims: Vec<Claim>,
}

impl Report {
    /// What all its numbers and claims come to.
    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        let of_findings = self.findings.iter().map(|finding| &finding.verdict);
        of_findings.chain(self.claims.iter().map(|claim| &claim.verdict))
    }

    /// What is refuted, and why where that is known: row and measure, or what is said.
    pub fn refuted(&self) -> impl Iterator<Item = (String, Option<&str>)> {
        let refuted = |verdict: &Verdict| *verdict == Verdict::Refuted;
        let findings = self.findings.iter().filter(move |finding| refuted(&finding.verdict));
        let findings =
            findings.map(|finding| (format!("{}, {}", finding.row, finding.measure), finding.cause.as_deref()));
        let claims = self.claims.iter().filter(move |claim| refuted(&claim.verdict));
        findings.chain(claims.map(|claim| (claim.says.clone(), claim.cause.as_deref())))
    }
}
