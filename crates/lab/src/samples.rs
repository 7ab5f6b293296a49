//! The games of a store, as reports and plots take them.

use pegwise_game::Space;
use pegwise_labstats::report::{Sample, Trial};
use pegwise_solve::Spec;

use crate::store::{Ending, Store, StoreError};

/// The games of a store, by rules and strategy.
pub fn samples(store: &Store) -> Result<Vec<Sample>, StoreError> {
    let mut samples: Vec<Sample> = Vec::new();
    store.each_trial::<StoreError>(|text, strategy, rules, trial| {
        if samples.last().is_none_or(|last| !last.is_of(text, strategy)) {
            let codes = 10f64.powf(Space::new(rules).count().log10());
            // A strategy that this program does not know any more has no defaults to tell.
            let parameters = strategy.parse::<Spec>().map_or(&[][..], |spec| spec.row().parameters);
            let defaults = parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.default.to_owned()));
            samples.push(Sample::new(text, strategy).with_codes(codes).with_defaults(defaults));
        }
        if let Some(sample) = samples.last_mut() {
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
    Ok(samples)
}
