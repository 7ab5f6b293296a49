//! Parameter sweeps, written as `name(parameter=[value|value])`.

use pegwise_solve::{Spec, SpecError};

/// Maximum number of variants of a text.
const MAX_VARIANTS: usize = 4096;

/// Expands a text to one strategy per combination of list values. A list may contain ranges of integers.
///
/// ```
/// use pegwise_lab::sweep;
/// let specs = sweep::expand("random-consistent(first=[1122|1123])").unwrap();
/// let texts: Vec<String> = specs.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["random-consistent(first=1122)", "random-consistent(first=1123)"]);
/// assert_eq!(sweep::expand("entropy(guesses=[all|consistent],bonus=[0..4])").unwrap().len(), 10);
/// ```
pub fn expand(text: &str) -> Result<Vec<Spec>, SpecError> {
    let variants = variants(text).ok_or_else(|| SpecError::Malformed(text.to_owned()))?;
    variants.iter().map(|variant| variant.text.parse()).collect()
}

/// One expansion of a text with lists.
#[derive(Debug, Clone)]
pub(crate) struct SweepVariant {
    pub(crate) text: String,
    /// Values taken from the lists.
    pub(crate) values: Vec<String>,
}

/// Expands a text with lists, whether or not the results are valid strategies. Returns `None` if a list is malformed or
/// there are too many variants.
pub(crate) fn variants(text: &str) -> Option<Vec<SweepVariant>> {
    let Some((before, rest)) = text.split_once('[') else {
        return Some(vec![SweepVariant { text: text.to_owned(), values: Vec::new() }]);
    };
    let (list, after) = rest.split_once(']')?;
    let mut expanded = Vec::new();
    for item in list.split('|') {
        for value in values(item.trim())? {
            let more = variants(&format!("{before}{value}{after}"))?;
            let with_value = |variant: SweepVariant| SweepVariant {
                values: [vec![value.clone()], variant.values].concat(),
                ..variant
            };
            expanded.extend(more.into_iter().map(with_value));
            if expanded.len() > MAX_VARIANTS {
                return None;
            }
        }
    }
    Some(expanded)
}

/// Returns the values of a list item: the item itself, or the integers of a range.
fn values(item: &str) -> Option<Vec<String>> {
    let bounds = item.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match bounds {
        None => Some(vec![item.to_owned()]),
        Some((first, last)) => {
            let range: std::ops::RangeInclusive<u64> = first..=last;
            let sensible = first <= last && last - first < MAX_VARIANTS as u64;
            sensible.then(|| range.map(|number| number.to_string()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_values_and_brackets_are_reported() {
        let error = |text: &str| expand(text).unwrap_err().to_string();
        assert!(error("entropy(bonus=[0|x])").contains("bonus of entropy cannot be 'x'"));
        assert!(error("entropy(bonus=[0|2)").contains("is not written as"));
        assert!(error("entropy(bonus=[2..0])").contains("is not written as"));
        assert!(error("entropy(bonus=[0..99999999999])").contains("is not written as"));
    }
}
