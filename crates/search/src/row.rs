//! Rows of the catalog: the name, supported rules, parameters and constructor of each strategy.

use std::collections::BTreeMap;

use pegwise_game::{Code, Rules};
use serde::Serialize;

use crate::parameter::{Parameter, Value};
use crate::strategy::{Built, StrategyError};

/// Catalog entry of a strategy.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Row {
    /// Name in a spec, such as `knuth`.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Group of related strategies.
    pub family: &'static str,
    /// Paper that describes the strategy.
    pub paper: &'static str,
    /// Description in one phrase.
    pub about: &'static str,
    /// Supported rules, in words.
    pub plays: &'static str,
    /// Parameters of the family.
    #[serde(skip)]
    pub parameters: &'static [Parameter],
    /// Parameters whose default differs from that of the family.
    #[serde(skip)]
    pub presets: &'static [(&'static str, &'static str)],
    /// Capabilities, each with the condition under which it applies. A test compares them with the strategies.
    #[serde(skip)]
    pub capabilities: &'static [(Capability, Condition)],
    /// Returns true if the strategy supports the rules.
    #[serde(skip)]
    pub can_play: fn(&Rules) -> bool,
    /// Constructor. Called by the catalog, which adds the checks described at [`Strategy`](crate::Strategy).
    #[serde(skip)]
    pub build: Build,
}

/// Constructor of a strategy, from its name, supported rules, and the values of its parameters.
pub type Build = fn(&'static str, &Rules, &Arguments) -> Built;

impl Row {
    /// Row without parameters and capabilities that supports all rules, to be completed with `..Row::BLANK`.
    pub const BLANK: Self = Self {
        name: "",
        title: "",
        family: "",
        paper: "",
        about: "",
        plays: "any rules",
        parameters: &[],
        presets: &[],
        capabilities: &[],
        can_play: |_| true,
        build: |name, rules, _| Err(StrategyError::unplayable(name, rules, &"it has no constructor")),
    };

    /// Iterates over the parameters with the defaults of this strategy.
    pub fn preset_parameters(&self) -> impl Iterator<Item = Parameter> {
        self.parameters.iter().map(|parameter| {
            let preset = self.presets.iter().find(|(name, _)| *name == parameter.name);
            Parameter { default: preset.map_or(parameter.default, |(_, value)| value), ..*parameter }
        })
    }

    /// Returns true if the strategy supports the rules, including lies.
    pub fn can_play(&self, rules: &Rules) -> bool {
        let takes_lies = self.capabilities.iter().any(|(declared, _)| *declared == Capability::Lies);
        (rules.lies() == 0 || takes_lies) && (self.can_play)(rules)
    }

    /// Returns true if the strategy supports the rules and has a capability with these arguments.
    pub fn can(&self, capability: Capability, rules: &Rules, arguments: &Arguments) -> bool {
        let declared = self.capabilities.iter().find(|(declared, _)| *declared == capability);
        self.can_play(rules) && declared.is_some_and(|(_, when)| when(rules, arguments))
    }
}

/// Property of a strategy that can be queried without creating it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Plays from a stored tree: [`Strategy::tree`](crate::Strategy::tree).
    Tree,
    /// Plays the same game against the same code with every seed, if it has no limits.
    Deterministic,
    /// Chooses by the position alone: [`Strategy::position_strategy`](crate::Strategy::position_strategy).
    ByPosition,
    /// Supports lists of secrets: [`Strategy::for_secrets`](crate::Strategy::for_secrets).
    Secrets,
    /// Supports rules that allow lies.
    Lies,
}

impl Capability {
    /// All capabilities.
    pub const ALL: [Self; 5] = [Self::Tree, Self::Deterministic, Self::ByPosition, Self::Secrets, Self::Lies];
}

/// Condition on rules that the strategy supports and on its arguments.
pub type Condition = fn(&Rules, &Arguments) -> bool;

/// Returns true: the condition of a capability without one.
pub fn always(_: &Rules, _: &Arguments) -> bool {
    true
}

/// Values of the parameters of a strategy. All getters panic if the row has no parameter of that name and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments(BTreeMap<&'static str, Value>);

impl Arguments {
    /// Returns the default values of a row.
    pub fn defaults(row: &Row) -> Self {
        let read = |Parameter { name, kind, default, .. }: Parameter| {
            (name, kind.read(default).unwrap_or_else(|_| Value::Plain(default.to_owned())))
        };
        Self(row.preset_parameters().map(read).collect())
    }

    /// Sets a parameter of the row.
    pub fn set(&mut self, name: &'static str, value: Value) {
        self.0.insert(name, value);
    }

    /// Returns the value of a parameter as text.
    pub fn text(&self, name: &str) -> &str {
        self.value(name).text()
    }

    /// Returns the value of a parameter.
    pub fn value(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("the catalog row has no parameter {name}"))
    }

    /// Returns the value of an integer parameter.
    pub fn integer(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("parameter {name} is not a whole number"))
    }

    /// Returns the value of a decimal parameter.
    pub fn decimal(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("parameter {name} is not a number"))
    }

    /// Returns the value of a flag.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name).parse().unwrap_or_else(|_| panic!("parameter {name} is not true or false"))
    }

    /// Returns the value of a parameter that is a code or a word; `None` for a word.
    pub fn code(&self, name: &str, rules: &Rules) -> Option<Code> {
        match self.value(name) {
            Value::Code(code) => rules.parse_code(code).ok(),
            Value::Plain(_) => None,
        }
    }
}
