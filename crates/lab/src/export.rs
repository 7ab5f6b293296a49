//! Games of a store for other programs: CSV, JSON lines, and samples for statistics.
//!
//! Rows are sorted by rules, strategy and game, so two stores with the same games give the same bytes, except for times.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use pegwise_game::{Code, Rules, Space, Turn};
use pegwise_labstats::Scope;
use pegwise_labstats::report::{ExperimentReport, TrialOutcome, TrialResult, TrialSample, csv_field};
use pegwise_solve::{Counts, Spec, catalog};
use serde::Serialize;

use crate::experiment::{ExperimentDescription, PlannedCell};
use crate::store::{Store, StoreError, Trial};

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameFormat {
    /// CSV with a header, one line per game.
    Csv,
    /// CSV with codes in letters, since spreadsheets read `1122` as a number.
    Letters,
    /// JSON lines, one object per game.
    JsonLines,
}

/// Error of an export.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// JSON object of a game.
#[derive(Serialize)]
struct GameLine<'a> {
    rules: &'a str,
    strategy: &'a str,
    game: u64,
    repeat: u64,
    secret: &'a Code,
    solved: bool,
    guesses: usize,
    examined: u64,
    consistent: u64,
    scored: u64,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    stop: TrialOutcome,
    turns: &'a [Turn],
}

/// Writes every game of a store.
pub fn export(store: &Store, format: GameFormat, times: bool, out: impl Write) -> Result<(), GameExportError> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    if format != GameFormat::JsonLines {
        let seconds = if times { "seconds," } else { "" };
        writeln!(
            out,
            "rules,strategy,game,repeat,secret,solved,guesses,examined,consistent,scored,nodes,{seconds}stop,turns"
        )?;
    }
    store.for_each_trial::<GameExportError>(|rules_text, strategy, rules, trial| {
        match format {
            GameFormat::Csv | GameFormat::Letters => {
                write_csv(&mut out, rules_text, strategy, rules, trial, times, format == GameFormat::Letters)?;
            }
            GameFormat::JsonLines => {
                let line = GameLine {
                    rules: rules_text,
                    strategy,
                    game: trial.game,
                    repeat: trial.repeat,
                    secret: &trial.secret,
                    solved: trial.outcome == TrialOutcome::Solved,
                    guesses: trial.turns.len(),
                    examined: trial.counts.examined,
                    consistent: trial.counts.consistent,
                    scored: trial.counts.scored,
                    nodes: trial.counts.nodes,
                    seconds: times.then_some(trial.seconds),
                    stop: trial.outcome,
                    turns: &trial.turns,
                };
                serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(())
}

fn write_csv(
    out: &mut impl Write,
    rules_text: &str,
    strategy: &str,
    rules: &Rules,
    trial: &Trial,
    times: bool,
    letters: bool,
) -> io::Result<()> {
    let Trial { game, repeat, secret, turns, outcome, counts, seconds, .. } = trial;
    let (rules_text, strategy) = (csv_field(rules_text), csv_field(strategy));
    let written = |code: &Code| match letters && rules.colors() <= 26 {
        true => code.iter().map(|color| char::from(b'A' + color.index() as u8)).collect(),
        false => code.notation(rules.colors()).to_string(),
    };
    let secret = csv_field(&written(secret));
    let (solved, guesses) = (*outcome == TrialOutcome::Solved, turns.len());
    write!(out, "{rules_text},{strategy},{game},{repeat},{secret},{solved},{guesses},")?;
    let Counts { examined, consistent, scored, nodes } = counts;
    write!(out, "{examined},{consistent},{scored},{nodes},")?;
    if times {
        write!(out, "{seconds},")?;
    }
    let turn = |turn: &Turn| match letters {
        true => format!("{}={}", written(&turn.guess), turn.feedback),
        false => turn.notation(rules).to_string(),
    };
    let turns: Vec<String> = turns.iter().map(turn).collect();
    writeln!(out, "{},{}", outcome.name(), csv_field(&turns.join(" ")))
}

/// Returns the games of a store by rules and strategy, for reports and plots.
fn samples(store: &Store, cancel: &AtomicBool) -> Result<Vec<TrialSample>, StoreError> {
    let mut samples: Vec<(TrialSample, SampleInfo)> = Vec::new();
    store.for_each_trial::<StoreError>(|text, strategy, rules, trial| {
        if cancel.load(Ordering::Relaxed) {
            return Err(StoreError::Cancelled);
        }
        if samples.last().is_none_or(|(last, _)| !last.is_of(text, strategy)) {
            let codes = 10f64.powf(Space::new(rules).count().log10());
            // A strategy that is no longer in the catalog has no known defaults.
            let spec = strategy.parse::<Spec>().ok();
            let parameters = spec.as_ref().map_or(&[][..], |spec| spec.row().parameters);
            let defaults = parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.default.to_owned()));
            let mut sample = TrialSample::new(text, strategy);
            (sample.codes, sample.defaults) = (Some(codes), defaults.collect());
            let found = SampleInfo {
                rules: text.to_owned(),
                strategy: strategy.to_owned(),
                draws: spec.is_none_or(|spec| may_draw(&spec, rules)),
                random: false,
            };
            samples.push((sample, found));
        }
        if let Some((sample, found)) = samples.last_mut() {
            found.random |= trial.random.unwrap_or(found.draws);
            sample.push(TrialResult {
                run: trial.repeat as u32,
                game: trial.game,
                outcome: trial.outcome,
                guesses: trial.turns.len() as u32,
                examined: trial.counts.examined,
                consistent: trial.counts.consistent,
                seconds: trial.seconds,
            });
        }
        Ok(())
    })?;
    let (description, failures) = (store.description(), store.failures()?);
    let scoped = |(mut sample, found): (TrialSample, SampleInfo)| {
        let planned = store.planned(&found.rules, &found.strategy).map(PlannedCell::games);
        let census = description.is_census() && planned == Some(sample.games() as u64);
        let failure = failures.iter().find(|failure| sample.is_of(&failure.rules, &failure.strategy));
        sample.failure = failure.map(|failure| failure.reason.clone());
        sample.scope = Scope { census, random: found.random };
        sample
    };
    Ok(samples.into_iter().map(scoped).collect())
}

/// Returns the report on the games of a store.
pub fn report(store: &Store) -> Result<ExperimentReport, StoreError> {
    report_unless(store, &AtomicBool::new(false))
}

/// Returns the report on the games of a store, or an error if `cancel` is set before all of them are read.
pub fn report_unless(store: &Store, cancel: &AtomicBool) -> Result<ExperimentReport, StoreError> {
    Ok(ExperimentReport::new(&samples(store, cancel)?).with_planned(store.planned_games()))
}

/// Properties of a sample that follow from its games.
struct SampleInfo {
    rules: String,
    strategy: String,
    /// True if the strategy may draw random numbers; used for games that do not record it.
    draws: bool,
    random: bool,
}

/// Returns true if a strategy may draw random numbers. A strategy that depends only on the position does not.
fn may_draw(spec: &Spec, rules: &Rules) -> bool {
    catalog::build(spec, rules).map_or(true, |strategy| strategy.position_strategy().is_none())
}

impl ExperimentDescription {
    /// Returns true if the secrets are a complete population: every code, or every code of a list.
    pub(crate) fn is_census(&self) -> bool {
        self.secrets == "all" || self.secrets.contains(" listed ") || self.secrets.starts_with("each of a list ")
    }
}

#[cfg(test)]
mod tests {
    use pegwise_labstats::{ErrorBasis, report::ExperimentReport};

    use super::*;
    use crate::{Experiment, RunProgress, Runner, Secrets};

    fn report(secrets: Secrets, strategies: &[&str], repeats: u32) -> ExperimentReport {
        let strategies = strategies.iter().map(|strategy| strategy.parse().unwrap()).collect();
        let experiment = Experiment::new(vec!["4x6".parse().unwrap()], strategies, secrets).unwrap();
        let experiment = experiment.with_repeats(repeats.try_into().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(&folder.path().join("games.db"), &experiment).unwrap();
        Runner::new(&experiment).run(&mut store, &RunProgress::default()).unwrap();
        super::report(&store).unwrap()
    }

    #[test]
    fn over_all_codes_totals_are_exact() {
        let report = report(Secrets::All, &["knuth", "entropy"], 1);
        let totals: Vec<_> = report.boards[0].rows.iter().map(|row| (row.strategy.as_str(), row.total)).collect();
        assert_eq!(totals, [("entropy", Some(5719)), ("knuth", Some(5801))]);
        assert!(report.boards[0].differences.iter().all(|difference| difference.p.is_none()));
    }

    #[test]
    fn the_basis_follows_from_the_games() {
        let basis = |secrets, strategy, repeats| report(secrets, &[strategy], repeats).rows[0].basis;
        assert_eq!(basis(Secrets::Drawn(50), "knuth", 1), ErrorBasis::Sample);
        assert_eq!(basis(Secrets::All, "random-consistent", 1), ErrorBasis::Sample);
        assert_eq!(basis(Secrets::All, "random-consistent", 2), ErrorBasis::Census);
        assert_eq!(basis(Secrets::All, "greedy-1", 1), ErrorBasis::Exact);
        assert_eq!(basis(Secrets::Listed(vec!["1122".to_owned(), "1234".to_owned()]), "knuth", 1), ErrorBasis::Exact);
        assert_eq!(basis(Secrets::Each("1122\n1234\n".into()), "entropy", 1), ErrorBasis::Exact);
    }
}
