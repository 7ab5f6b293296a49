//! The games of a store, as reports and plots take them.

use pegwise_game::{Rules, Space};
use pegwise_labstats::{
    Scope,
    report::{Sample, Trial},
};
use pegwise_solve::{Spec, catalog};

use crate::{
    experiment::Description,
    store::{Ending, Store, StoreError},
};

/// The games of a store, by rules and strategy.
pub fn samples(store: &Store) -> Result<Vec<Sample>, StoreError> {
    let mut samples: Vec<(Sample, Found)> = Vec::new();
    store.each_trial::<StoreError>(|text, strategy, rules, trial| {
        if samples.last().is_none_or(|(last, _)| !last.is_of(text, strategy)) {
            let codes = 10f64.powf(Space::new(rules).count().log10());
            // A strategy that this program does not know any more has no defaults to tell.
            let spec = strategy.parse::<Spec>().ok();
            let parameters = spec.as_ref().map_or(&[][..], |spec| spec.row().parameters);
            let defaults = parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.default.to_owned()));
            let sample = Sample::new(text, strategy).with_codes(codes).with_defaults(defaults);
            let found =
                Found { rules: text.to_owned(), draws: spec.is_none_or(|spec| draws(&spec, rules)), random: false };
            samples.push((sample, found));
        }
        if let Some((sample, found)) = samples.last_mut() {
            found.random |= trial.random.unwrap_or(found.draws);
            sample.push(Trial {
                run: trial.repeat as u32,
                game: trial.game,
                solved: trial.ending == Ending::Solved,
                guesses: trial.turns.len() as u32,
                examined: trial.counts.examined,
                consistent: trial.counts.consistent,
                seconds: trial.seconds,
            });
        }
        Ok(())
    })?;
    let description = store.description();
    let scoped = |(sample, found): (Sample, Found)| {
        let census = description.is_census() && sample.games() as u64 == description.games_at(&found.rules);
        sample.with_scope(Scope { census, random: found.random })
    };
    Ok(samples.into_iter().map(scoped).collect())
}

/// What the games of a sample say of themselves.
struct Found {
    rules: String,
    /// Whether the strategy may draw at random, where its games do not say it.
    draws: bool,
    random: bool,
}

/// Whether a strategy may draw at random: not one that depends on the position alone.
fn draws(spec: &Spec, rules: &Rules) -> bool {
    catalog::build(spec, rules).map_or(true, |strategy| strategy.position_strategy().is_none())
}

impl Description {
    /// Whether the secrets are all that the numbers are about, and no sample: every code, or every code of a list.
    fn is_census(&self) -> bool {
        self.secrets == "all" || self.secrets.contains(" listed ") || self.secrets.starts_with("each of a list ")
    }

    /// How many games each strategy plays at these rules.
    fn games_at(&self, rules: &str) -> u64 {
        let counts = self.rules.iter().zip(&self.counts).find(|(other, _)| *other == rules);
        counts.map_or(0, |(_, &count)| count * u64::from(self.repeats))
    }
}

#[cfg(test)]
mod tests {
    use pegwise_labstats::{Basis, report::Report};

    use super::*;
    use crate::{Experiment, Progress, Runner, Secrets};

    fn report(secrets: Secrets, strategies: &[&str], repeats: u32) -> Report {
        let strategies = strategies.iter().map(|strategy| strategy.parse().unwrap()).collect();
        let experiment = Experiment::new(vec!["4x6".parse().unwrap()], strategies, secrets).unwrap();
        let experiment = experiment.with_repeats(repeats.try_into().unwrap()).unwrap();
        let mut store = Store::in_memory(&experiment).unwrap();
        Runner::new(&experiment).run(&mut store, &Progress::default()).unwrap();
        Report::new(&samples(&store).unwrap())
    }

    #[test]
    fn over_all_codes_totals_are_exact() {
        let report = report(Secrets::All, &["knuth", "entropy"], 1);
        let totals: Vec<_> = report.boards[0].rows.iter().map(|row| (row.strategy.as_str(), row.total)).collect();
        assert_eq!(totals, [("entropy", Some(5719)), ("knuth", Some(5801))]);
        assert!(report.boards[0].differences.iter().all(|difference| difference.p.is_none()));
    }

    #[test]
    fn what_is_left_to_luck_follows_from_what_was_played() {
        let basis = |secrets, strategy, repeats| report(secrets, &[strategy], repeats).rows[0].basis;
        assert_eq!(basis(Secrets::Drawn(50), "knuth", 1), Basis::Sample);
        assert_eq!(basis(Secrets::All, "random-consistent", 1), Basis::Sample);
        assert_eq!(basis(Secrets::All, "random-consistent", 2), Basis::Census);
        assert_eq!(basis(Secrets::All, "greedy-1", 1), Basis::Exact);
        assert_eq!(basis(Secrets::Listed(vec!["1122".to_owned(), "1234".to_owned()]), "knuth", 1), Basis::Exact);
        assert_eq!(basis(Secrets::Each("1122\n1234\n".into()), "entropy", 1), Basis::Exact);
    }
}
