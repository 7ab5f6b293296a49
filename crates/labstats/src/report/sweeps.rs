//! Finding the parameter that an experiment varied.

use std::collections::BTreeMap;

/// One parameter of a strategy, and the values that were tried.
#[derive(Debug, PartialEq)]
pub(super) struct Sweep {
    pub(super) strategy: String,
    pub(super) parameter: String,
    /// For each setting of the other parameters, the values and the places of their strategies in the list.
    pub(super) curves: BTreeMap<String, Vec<(f64, usize)>>,
}

/// A strategy as it is written, and the values of the parameters that go without saying.
pub(super) type Written<'a> = (&'a str, &'a [(String, String)]);

/// The sweeps among strategies written as `name(parameter=value,…)`: a parameter with three values or more, while the
/// others stay.
pub(super) fn sweeps(strategies: &[Written<'_>]) -> Vec<Sweep> {
    let mut found = BTreeMap::<(&str, &str), BTreeMap<String, Vec<(f64, usize)>>>::new();
    for (place, &(strategy, defaults)) in strategies.iter().enumerate() {
        let Some((name, parameters)) = split(strategy) else { continue };
        let is_written = |default: &str| parameters.iter().any(|(parameter, _)| *parameter == default);
        let unwritten = defaults.iter().map(|(parameter, value)| (parameter.as_str(), value.as_str()));
        let unwritten = unwritten.filter(|(parameter, _)| !is_written(parameter));
        for (parameter, value) in parameters.iter().copied().chain(unwritten) {
            let Ok(value) = value.parse::<f64>() else { continue };
            let others = parameters.iter().filter(|(other, _)| *other != parameter);
            let others: Vec<String> = others.map(|(other, value)| format!("{other}={value}")).collect();
            let setting = if others.is_empty() { name.to_owned() } else { format!("{name}({})", others.join(",")) };
            found.entry((name, parameter)).or_default().entry(setting).or_default().push((value, place));
        }
    }
    let mut sweeps = Vec::new();
    for ((strategy, parameter), mut curves) in found {
        curves.retain(|_, values| values.len() >= 3);
        for values in curves.values_mut() {
            values.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        if !curves.is_empty() {
            sweeps.push(Sweep { strategy: strategy.to_owned(), parameter: parameter.to_owned(), curves });
        }
    }
    sweeps
}

/// The name of a strategy and its parameters.
fn split(strategy: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let Some((name, rest)) = strategy.split_once('(') else { return Some((strategy, Vec::new())) };
    let parameters = rest.strip_suffix(')')?.split(',');
    let parameters: Option<Vec<_>> = parameters.map(|parameter| parameter.trim().split_once('=')).collect();
    Some((name, parameters?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_varies_one_parameter() {
        let strategies =
            ["knuth", "er(p=64,r=0.5)", "er(p=128,r=0.5)", "er(p=256,r=0.5)", "er(p=128,r=0.25)", "er(p=x)"];
        let sweeps = sweeps(&strategies.map(|strategy| (strategy, &[][..])));
        assert_eq!(sweeps.len(), 1);
        assert_eq!((sweeps[0].strategy.as_str(), sweeps[0].parameter.as_str()), ("er", "p"));
        assert_eq!(sweeps[0].curves["er(r=0.5)"], [(64.0, 1), (128.0, 2), (256.0, 3)]);
    }

    #[test]
    fn a_value_that_goes_without_saying_is_a_value() {
        let defaults = [("bonus".to_owned(), "2".to_owned()), ("ties".to_owned(), "first".to_owned())];
        let strategies = ["entropy(bonus=4)", "entropy", "entropy(bonus=0)"].map(|strategy| (strategy, &defaults[..]));
        let sweeps = sweeps(&strategies);
        assert_eq!((sweeps.len(), sweeps[0].parameter.as_str()), (1, "bonus"));
        assert_eq!(sweeps[0].curves["entropy"], [(0.0, 2), (2.0, 1), (4.0, 0)]);
    }
}
