//! Sweeps: one strategy with several values of a parameter, written as `name(parameter=[value|value])`.

use pegwise_solve::{Spec, SpecError};

/// Every strategy that a text stands for: one, or one for each value of each list.
///
/// ```
/// use pegwise_lab::sweep;
/// let specs = sweep::expand("random-consistent(first=[1122|1123])").unwrap();
/// let texts: Vec<String> = specs.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["random-consistent(first=1122)", "random-consistent(first=1123)"]);
/// assert_eq!(sweep::expand("entropy(guesses=[all|consistent],bonus=[0|2|4])").unwrap().len(), 6);
/// ```
pub fn expand(text: &str) -> Result<Vec<Spec>, SpecError> {
    /// Bounds what a short text can ask for.
    const MOST: usize = 4096;
    let malformed = || SpecError::Malformed { text: text.to_owned() };
    let Some((before, rest)) = text.split_once('[') else { return Ok(vec![text.parse()?]) };
    let (values, after) = rest.split_once(']').ok_or_else(malformed)?;
    let mut specs = Vec::new();
    for value in values.split('|') {
        specs.extend(expand(&format!("{before}{}{after}", value.trim()))?);
        if specs.len() > MOST {
            return Err(malformed());
        }
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_or_bracket_is_named() {
        let error = |text: &str| expand(text).unwrap_err().to_string();
        assert!(error("entropy(bonus=[0|x])").contains("bonus of entropy cannot be 'x'"));
        assert!(error("entropy(bonus=[0|2)").contains("is not written as"));
    }
}
