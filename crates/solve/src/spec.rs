//! Names of strategies with parameters: `knuth`, `entropy(guesses=consistent,ties=random)`.

use std::{fmt, str::FromStr};

use pegwise_game::Rules;

use crate::catalog;
use pegwise_search::row::{Arguments, Capability, Row};
use pegwise_search::{Parameter, ParameterKind, Value};

/// Name of a strategy with its parameters. The printed form is canonical: parameters in the order of the catalog,
/// without those at their default, and the colors of a code separated by spaces if at all.
///
/// ```
/// use pegwise_solve::Spec;
/// let spec: Spec = "entropy( ties=random , guesses=all )".parse().unwrap();
/// assert_eq!(spec.to_string(), "entropy(ties=random)");
/// let spec: Spec = "entropy(ties=random,first=1,12,3,4)".parse().unwrap();
/// assert_eq!(spec.to_string(), "entropy(first=1 12 3 4,ties=random)");
/// ```
#[derive(Debug, Clone)]
pub struct Spec {
    row: &'static Row,
    arguments: Arguments,
}

/// Error in the name or the parameters of a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No strategy of this name, and a strategy with a similar name.
    #[error("'{0}' is not a strategy; {hint}`pegwise strategies` lists them all", hint = did_you_mean(*.1))]
    UnknownStrategy(String, Option<&'static str>),
    /// The text is not of the form `name(parameter=value,…)`.
    #[error("'{0}' is not written as name(parameter=value,parameter=value)")]
    Malformed(String),
    /// No such parameter: the strategy, the parameter given, and the parameters of the strategy.
    #[error("{0} has no parameter '{1}'; it has {2}")]
    UnknownParameter(&'static str, String, String),
    /// A parameter is set twice: strategy and parameter.
    #[error("{1} of {0} is set twice")]
    SetTwice(&'static str, &'static str),
    /// A value is not allowed: strategy, parameter, value, and the allowed values.
    #[error("{1} of {0} cannot be '{2}': {3}")]
    BadValue(&'static str, &'static str, String, String),
}

/// Returns the part of an error message that proposes the name `nearest`, followed by a space.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("did you mean {name}? "))
}

impl Spec {
    /// Creates the spec of a row with every parameter at its default.
    pub fn of(row: &'static Row) -> Self {
        Self { row, arguments: Arguments::defaults(row) }
    }

    /// Returns the catalog row of the strategy.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// Returns the values of the parameters.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Returns true if the strategy can play `rules` and has a capability there. Does not build the strategy.
    pub fn can(&self, capability: Capability, rules: &Rules) -> bool {
        self.row.can(capability, rules, &self.arguments)
    }

    /// Checks the values that depend on the rules.
    pub(crate) fn check_for(&self, rules: &Rules) -> Result<(), SpecError> {
        for parameter in self.row.parameters {
            if let (ParameterKind::CodeOr(words), Value::Code(code)) =
                (parameter.kind, self.arguments.value(parameter.name))
                && let Err(error) = rules.parse_code(code)
            {
                let expected = format!("use {} or a code: {}", words.join(", "), error.reason);
                return Err(self.bad_value(parameter, code, expected));
            }
        }
        Ok(())
    }

    fn bad_value(&self, parameter: &Parameter, value: &str, expected: String) -> SpecError {
        SpecError::BadValue(self.row.name, parameter.name, value.to_owned(), expected)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, list) = match text.split_once('(') {
            Some((name, rest)) => {
                let malformed = || SpecError::Malformed(text.to_owned());
                (name.trim(), rest.strip_suffix(')').ok_or_else(malformed)?)
            }
            None => (text, ""),
        };
        let row =
            catalog::row(name).ok_or_else(|| SpecError::UnknownStrategy(name.to_owned(), catalog::nearest(name)))?;
        let mut spec = Self::of(row);
        let mut settings: Vec<(&Parameter, String)> = Vec::new();
        for setting in list.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                // A comma inside a code: the next color follows.
                match settings.last_mut() {
                    Some((Parameter { kind: ParameterKind::CodeOr(_), .. }, code)) => {
                        *code = format!("{code} {setting}");
                    }
                    _ => return Err(SpecError::Malformed(text.to_owned())),
                }
                continue;
            };
            let key = key.trim();
            let unknown = || {
                SpecError::UnknownParameter(
                    row.name,
                    key.to_owned(),
                    row.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", "),
                )
            };
            let parameter = row.parameters.iter().find(|parameter| parameter.name == key).ok_or_else(unknown)?;
            if settings.iter().any(|(set, _)| set.name == key) {
                return Err(SpecError::SetTwice(row.name, parameter.name));
            }
            settings.push((parameter, value.trim().to_owned()));
        }
        for (parameter, text) in settings {
            let value = parameter.kind.read(&text).map_err(|expected| spec.bad_value(parameter, &text, expected))?;
            spec.arguments.set(parameter.name, value);
        }
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters =
            self.row.preset_parameters().map(|known| (known.name, known.default, self.arguments.text(known.name)));
        let changed = parameters.filter(|(_, default, value)| default != value);
        let changed: Vec<String> = changed.map(|(name, _, value)| format!("{name}={value}")).collect();
        f.write_str(self.row.name)?;
        if changed.is_empty() { Ok(()) } else { write!(f, "({})", changed.join(",")) }
    }
}

impl serde::Serialize for Spec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.row.name == other.row.name && self.arguments == other.arguments
    }
}

impl Eq for Spec {}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Result<String, String> {
        text.parse::<Spec>().map(|spec| spec.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_printed_form_is_canonical() {
        assert_eq!(printed("knuth").as_deref(), Ok("knuth"));
        assert_eq!(printed("knuth()").as_deref(), Ok("knuth"));
        assert_eq!(
            printed(" entropy(first=1122, guesses=consistent)").as_deref(),
            Ok("entropy(guesses=consistent,first=1122)")
        );
        assert_eq!(printed("norvig(guesses=consistent)").as_deref(), Ok("norvig"));
        assert_eq!(printed("norvig(guesses=all)").as_deref(), Ok("norvig(guesses=all)"));
    }

    #[test]
    fn words_take_precedence_over_codes() {
        for row in catalog::rows() {
            for parameter in row.parameters {
                let ParameterKind::CodeOr(words) = parameter.kind else { continue };
                for word in words {
                    let rules: Rules = format!("{}x26", word.len()).parse().unwrap();
                    let spec: Spec = format!("{}({}={word})", row.name, parameter.name).parse().unwrap();
                    assert_eq!(spec.arguments().code(parameter.name, &rules), None, "{spec}: {word}");
                    let spelled = word.to_uppercase();
                    let spec: Spec = format!("{}({}={spelled})", row.name, parameter.name).parse().unwrap();
                    assert_eq!(spec.arguments().code(parameter.name, &rules), rules.parse_code(word).ok(), "{spec}");
                }
            }
        }
    }

    #[test]
    fn codes_may_contain_commas() {
        let rules: Rules = "4x30".parse().unwrap();
        let code = rules.parse_code("1,12,3,4").unwrap();
        for text in ["entropy(ties=random,first=1,12,3,4)", "entropy(first= 1, 12 ,3,4 ,ties=random)"] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.arguments().code("first", &rules).as_ref(), Some(&code), "{text}");
            assert_eq!(spec.to_string(), "entropy(first=1 12 3 4,ties=random)");
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        for text in
            ["entropy(first=)", "entropy(first=1 (2)", "entropy(ties=random,lowest)", "entropy(first=1,12,3 x=4)"]
        {
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_alternatives() {
        let error = |text: &str| printed(text).unwrap_err();
        assert_eq!(error("knut"), "'knut' is not a strategy; did you mean knuth? `pegwise strategies` lists them all");
        assert_eq!(error("zzzzzzzz"), "'zzzzzzzz' is not a strategy; `pegwise strategies` lists them all");
        assert_eq!(
            error("entropy(ties=never)"),
            "ties of entropy cannot be 'never': use consistent-lowest, lowest, random"
        );
        assert_eq!(error("entropy(tie=random)"), "entropy has no parameter 'tie'; it has guesses, first, ties, bonus");
        assert_eq!(error("entropy(ties=random,ties=lowest)"), "ties of entropy is set twice");
        assert_eq!(error("entropy(ties"), "'entropy(ties' is not written as name(parameter=value,parameter=value)");
        assert_eq!(error("entropy(ties)"), "'entropy(ties)' is not written as name(parameter=value,parameter=value)");
    }
}
