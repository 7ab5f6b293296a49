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

/// The sweeps among strategies written as `name(parameter=value,…)`: a parameter with three values or more, while the
/// others stay.
pub(super) fn sweeps(strategies: &[&str]) -> Vec<Sweep> {
    let mut found = BTreeMap::<(&str, &str), BTreeMap<String, Vec<(f64, usize)>>>::new();
    for (place, strategy) in strategies.iter().enumerate() {
        let Some((name, parameters)) = split(strategy) else { continue };
        for &(parameter, value) in &parameters {
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
        if !curves.is_empty() {
            sweeps.push(Sweep { strategy: strategy.to_owned(), parameter: parameter.to_owned(), curves });
        }
    }
    sweeps
}

/// The name of a strategy and its parameters.
fn split(strategy: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (name, rest) = strategy.split_once('(')?;
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
        let sweeps = sweeps(&strategies);
        assert_eq!(sweeps.len(), 1);
        assert_eq!((sweeps[0].strategy.as_str(), sweeps[0].parameter.as_str()), ("er", "p"));
        assert_eq!(sweeps[0].curves["er(r=0.5)"], [(64.0, 1), (128.0, 2), (256.0, 3)]);
    }
}
