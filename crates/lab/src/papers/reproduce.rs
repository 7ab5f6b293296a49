//! Runs what a table or figure shows, and judges it.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use pegwise_solve::Limits;

use super::{
    digest::Digest,
    exhibit::{Content, Exhibit, Order, Row},
    finding::{Claim, Finding, Report, Verdict},
    judge,
    run::{self, Level},
};
use crate::{
    experiment::{Description, ExperimentError},
    runner::{Progress, RunError},
    store::{Mixing, StoreError},
};

/// How tables are reproduced.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many games are played: with fewer the intervals are wider, and the verdicts as honest.
    pub level: Level,
    /// Decides all that is random.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
    /// What a strategy may spend on a guess.
    pub limits: Limits,
    /// Where finished games are kept, so that another time goes on from there.
    pub keep: Option<PathBuf>,
    /// Whether kept games of a program that behaves otherwise are taken.
    pub mixing: Mixing,
    /// Ends the work when it is raised.
    pub cancel: Arc<AtomicBool>,
    /// How many games are done.
    pub progress: Arc<Progress>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: Level::Full,
            seed: 0,
            threads: 1,
            limits: Limits::default(),
            keep: None,
            mixing: Mixing::Refused,
            cancel: Arc::default(),
            progress: Arc::default(),
        }
    }
}

/// Why a table could not be reproduced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The games could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The games could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games cannot be played at all.
    #[error("{id}, {row}: {error}")]
    Experiment {
        /// The table.
        id: String,
        /// Its row.
        row: String,
        /// Why.
        error: Box<ExperimentError>,
    },
    /// Somebody raised the flag.
    #[error("interrupted")]
    Cancelled,
}

/// Reproduces tables and figures. Games that several of them show are played once.
#[derive(Debug)]
pub struct Reproducer {
    options: Options,
    /// By what was played.
    played: HashMap<String, Arc<Digest>>,
}

impl Reproducer {
    /// One that has played nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, played: HashMap::new() }
    }

    /// How many games all of these take, those that several share counted once.
    #[must_use]
    pub fn games(&self, exhibits: &[&Exhibit]) -> u64 {
        let rows = exhibits.iter().flat_map(|exhibit| exhibit.rows());
        let counted = rows.filter_map(|row| {
            let spec = row.spec().ok()?;
            let share = run::Share::of(row, self.options.level);
            let key = format!("{} {spec} {share:?}", row.rules);
            Some((key, share.count(row)))
        });
        let distinct: HashMap<String, u64> = counted.collect();
        distinct.values().fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// Plays what an exhibit shows, and sets its numbers beside ours.
    pub fn reproduce(&mut self, exhibit: &Exhibit) -> Result<Report, ReproduceError> {
        let (findings, claims) = match &exhibit.content {
            Content::Games { rows, orders } => self.games_of(exhibit, rows, orders)?,
            Content::Partitions(partitions) => (partitions.findings(), Vec::new()),
            Content::Transcript(transcript) => (transcript.findings(), Vec::new()),
            Content::Responses(responses) => (responses.findings(), Vec::new()),
            Content::Described(reason) => (vec![described(exhibit, reason)], Vec::new()),
        };
        let Exhibit { id, title, source, note, .. } = exhibit.clone();
        Ok(Report { id, title, source, note, findings, claims })
    }

    fn games_of(
        &mut self,
        exhibit: &Exhibit,
        rows: &[Row],
        orders: &[Order],
    ) -> Result<(Vec<Finding>, Vec<Claim>), ReproduceError> {
        let mut findings = Vec::new();
        let mut digests = Vec::new();
        for row in rows {
            let digest = self.digest(exhibit, row)?;
            match &digest {
                Ok(digest) if row.published.is_empty() => findings.push(unpublished(row, digest)),
                Ok(digest) => {
                    findings.extend(row.published.iter().map(|published| judge::judge(published, row, digest)));
                }
                Err(verdict) => findings.extend(without_games(row, verdict)),
            }
            digests.push(digest.ok());
        }
        let played: Vec<(&Row, Option<&Digest>)> =
            rows.iter().zip(&digests).map(|(row, digest)| (row, digest.as_deref())).collect();
        Ok((findings, orders.iter().map(|order| judge::judge_order(order, &played)).collect()))
    }

    /// The games of a row, or why there are none.
    fn digest(&mut self, exhibit: &Exhibit, row: &Row) -> Result<Result<Arc<Digest>, Verdict>, ReproduceError> {
        if let Err(reason) = &row.strategy {
            return Ok(Err(Verdict::information(reason.clone())));
        }
        let spec = match row.spec() {
            Ok(spec) => spec,
            Err(reason) => return Ok(Err(Verdict::Missing { reason })),
        };
        let failed = |error| ReproduceError::Experiment {
            id: exhibit.id.clone(),
            row: row.label.clone(),
            error: Box::new(error),
        };
        let experiment = run::experiment(row, spec, &self.options).map_err(failed)?;
        // Rows of other tables may measure other things of the same games.
        let measured: Vec<&str> = row.published.iter().map(|published| published.measure.quantity.name()).collect();
        let key = format!("{:?} {}", Description::of(&experiment), measured.contains(&"identified"));
        if let Some(digest) = self.played.get(&key) {
            return Ok(Ok(Arc::clone(digest)));
        }
        let digest = Arc::new(run::play(row, &experiment, &self.options)?);
        self.played.insert(key, Arc::clone(&digest));
        Ok(Ok(digest))
    }
}

/// The numbers of a row that is not run.
fn without_games(row: &Row, verdict: &Verdict) -> Vec<Finding> {
    if row.published.is_empty() {
        return vec![Finding::blank(&row.label, "games", verdict.clone())];
    }
    row.published.iter().map(|published| Finding::beside(published, row, verdict.clone())).collect()
}

/// What we measured where a figure shows no numbers.
fn unpublished(row: &Row, digest: &Digest) -> Finding {
    let means = digest.columns.iter().filter(|(quantity, _)| quantity.name() != "milliseconds");
    let means = means.map(|(quantity, column)| {
        let spread =
            column.summary.sd.filter(|_| row.tried.is_some()).map_or(String::new(), |sd| format!(" (sd {sd:.3})"));
        format!("{} {:.3}{spread}", quantity.name(), column.summary.mean)
    });
    let reason = match &row.tried {
        Some(reading) => format!("another reading, tried: {reading}"),
        None => "the figure shows it without numbers".to_owned(),
    };
    Finding {
        rules: Some(row.rules.to_string()),
        strategy: row.strategy.clone().ok(),
        ours: Some(means.collect::<Vec<_>>().join(", ")),
        games: Some(digest.games),
        ..Finding::blank(&row.label, "means", Verdict::information(reason))
    }
}

fn described(exhibit: &Exhibit, reason: &str) -> Finding {
    Finding::blank(&exhibit.title, "", Verdict::information(reason))
}
