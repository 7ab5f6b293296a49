//! The rows of this family in the catalog.

use super::{berghman, choice::Choice, family_competition, genetic_local_search, multi_start_local_search};
use crate::{
    catalog::Row,
    parameter::{Parameter, ParameterKind},
};

const BERGHMAN: &str = "L. Berghman, D. Goossens, R. Leus, Efficient solutions for Mastermind using genetic algorithms, \
                        Computers & Operations Research 36(6), 2009";
const VAN_OIJEN: &str =
    "V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018";

const POPULATION: Parameter = Parameter {
    name: "population",
    kind: ParameterKind::Integer { min: 2, max: 10_000 },
    default: "150",
    about: "codes in a generation",
};

const FIRST: Parameter = Parameter {
    name: "first",
    kind: ParameterKind::CodeOr(&["pairs", "random"]),
    default: "pairs",
    about: "the first guess; pairs is 1123, 112234, 11223345 and so on",
};

const fn rate(name: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Decimal { min: 0.0, max: 1.0 }, default, about }
}

const GENERATIONS: Parameter = Parameter {
    name: "generations",
    kind: ParameterKind::Integer { min: 1, max: 10_000 },
    default: "100",
    about: "generations of one population",
};

const ELIGIBLE: Parameter = Parameter {
    name: "eligible",
    kind: ParameterKind::Integer { min: 1, max: 10_000 },
    default: "60",
    about: "codes that fit at which a search ends",
};

const CHOICE: Parameter = Parameter {
    name: "choice",
    kind: ParameterKind::Choice(Choice::WORDS),
    default: "random",
    about: "which of the codes that fit is played",
};

const MUTATION: Parameter = rate("mutation", "0.03", "how likely a child gets another color in a cell");
const PERMUTATION: Parameter = rate("permutation", "0.03", "how likely two cells of a child trade places");
const INVERSION: Parameter = rate("inversion", "0.02", "how likely a stretch of a child is turned around");

/// How parents are drawn by their cost.
const WEIGHTS: Parameter = Parameter {
    name: "weights",
    kind: ParameterKind::Choice(&["worst", "bound", "inverse"]),
    default: "worst",
    about: "the chance to be a parent: by what is better than the worst, than any could be, or one by the cost",
};

/// What can be set where populations are bred in families.
const FAMILIES: &[Parameter] = &[POPULATION, GENERATIONS, ELIGIBLE, CHOICE, MUTATION, PERMUTATION, INVERSION, FIRST];
/// What can be set where parents are drawn.
const DRAWN: &[Parameter] =
    &[POPULATION, GENERATIONS, ELIGIBLE, CHOICE, WEIGHTS, MUTATION, PERMUTATION, INVERSION, FIRST];

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "berghman",
        title: "Berghman, Goossens and Leus",
        family: "evolutionary",
        paper: BERGHMAN,
        about: "breeds codes that fit with parents drawn by fitness, and plays one of those it collects",
        parameters: DRAWN,
        build: berghman::build,
        ..Row::BLANK
    },
    Row {
        name: "family-competition",
        title: "Family competition",
        family: "evolutionary",
        paper: VAN_OIJEN,
        about: "breeds codes that fit in families whose best two live on, and plays one of those it collects",
        parameters: FAMILIES,
        build: family_competition::build,
        ..Row::BLANK
    },
    Row {
        name: "genetic-local-search",
        title: "Genetic local search",
        family: "evolutionary",
        paper: VAN_OIJEN,
        about: "breeds local optima in families whose best two live on, and plays one of those that fit",
        parameters: &[POPULATION, FIRST],
        presets: &[("population", "30")],
        build: genetic_local_search::build,
        ..Row::BLANK
    },
    Row {
        name: "multi-start-local-search",
        title: "Multi-start local search",
        family: "evolutionary",
        paper: VAN_OIJEN,
        about: "climbs from many random codes, and plays one of the ends that fit",
        parameters: &[POPULATION, FIRST],
        build: multi_start_local_search::build,
        ..Row::BLANK
    },
];
