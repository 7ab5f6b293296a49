//! What is measured of games, and which statistic of it is published.

use std::fmt;

use serde::Serialize;

/// What is measured of each game, or of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Guesses until the code was played.
    Guesses,
    /// Guesses until one code was left, whether or not it was played.
    Identified,
    /// Codes tested against the history: what papers call evaluations.
    Examined,
    /// Different consistent codes found.
    Consistent,
    /// Steps of a search, or the questions of a plan: a code that was deduced and then played is none.
    Nodes,
    /// Milliseconds a game.
    Milliseconds,
    /// The mean guesses of each run over the same secrets.
    RunMeans,
    /// How many secrets there are.
    Codes,
}

/// A number that sums up many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Sd,
    /// The median.
    Median,
    /// The least.
    Min,
    /// The largest.
    Max,
}

impl Quantity {
    pub(super) const ALL: [Self; 8] = [
        Self::Guesses,
        Self::Identified,
        Self::Examined,
        Self::Consistent,
        Self::Nodes,
        Self::Milliseconds,
        Self::RunMeans,
        Self::Codes,
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guesses => "guesses",
            Self::Identified => "identified",
            Self::Examined => "examined",
            Self::Consistent => "consistent",
            Self::Nodes => "nodes",
            Self::Milliseconds => "milliseconds",
            Self::RunMeans => "run-means",
            Self::Codes => "codes",
        }
    }
}

impl Statistic {
    pub(super) const ALL: [Self; 5] = [Self::Mean, Self::Sd, Self::Median, Self::Min, Self::Max];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sd => "sd",
            Self::Median => "median",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// A statistic of something measured, such as the mean of the guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// What is measured.
    pub quantity: Quantity,
    /// Which statistic of it.
    pub statistic: Statistic,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quantity {
            Quantity::Codes => f.write_str(self.quantity.name()),
            quantity => write!(f, "{} {}", quantity.name(), self.statistic.name()),
        }
    }
}
