//! The catalog rows of the one-step strategies: four criteria, and the papers' own settings of them.

use pegwise_game::{Rules, Space, Table};

use super::{Criterion, player};
use crate::{
    catalog::{Capability, Row, always},
    parameter::{Parameter, ParameterKind},
    spec::Arguments,
    strategy::Built,
};

const GUESSES: Parameter = Parameter {
    name: "guesses",
    kind: ParameterKind::Choice(&["all", "consistent"]),
    default: "all",
    about: "the codes that may be guessed: all, or only those that fit the history",
};

const FIRST: Parameter = Parameter {
    name: "first",
    kind: ParameterKind::CodeOr(&["best"]),
    default: "best",
    about: "the first guess: the best by the strategy's own criterion, or this code",
};

const TIES: Parameter = Parameter {
    name: "ties",
    kind: ParameterKind::Choice(&["consistent-lowest", "lowest", "random"]),
    default: "consistent-lowest",
    about: "which of equally good guesses is played",
};

/// Two bits is what telling a pair of codes apart is worth, and a guess that wins at once saves about as much.
const BONUS: Parameter = Parameter {
    name: "bonus",
    kind: ParameterKind::Integer { min: 0, max: 64 },
    default: "2",
    about: "bits, summed over all codes, that a guess is credited with for being able to win at once",
};

const PARAMETERS: &[Parameter] = &[GUESSES, FIRST, TIES];
const WITH_BONUS: &[Parameter] = &[GUESSES, FIRST, TIES, BONUS];

const NO_BONUS: &[(&str, &str)] = &[("bonus", "0")];
const CONSISTENT_NO_BONUS: &[(&str, &str)] = &[("guesses", "consistent"), ("bonus", "0")];
const CONSISTENT: &[(&str, &str)] = &[("guesses", "consistent")];

const BASE: Row = Row {
    family: "one-step",
    plays: "spaces of up to 10^13 codes on boards of up to 255 cells in up to 255 colors",
    parameters: PARAMETERS,
    capabilities: &[
        (Capability::Deterministic, |rules, arguments| !draws(arguments) && player::never_samples(rules)),
        (Capability::ByPosition, |rules, arguments| !draws(arguments) && player::fits_a_tree(rules)),
        (Capability::Secrets, always),
        (Capability::Lies, always),
    ],
    can_play,
    ..Row::BLANK
};

const KNUTH: &str = "D. E. Knuth, The computer as Master Mind, J. Recreational Mathematics 9(1), 1976-77";
const IRVING: &str = "R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Mathematics 11(2), 1978-79";
const NORVIG: &str = "P. Norvig, Playing Mastermind optimally, SIGART Newsletter 90, 1984";
const NEUWIRTH: &str = "E. Neuwirth, Some strategies for Mastermind, Zeitschrift für Operations Research B 26(8), 1982";
const BESTAVROS: &str =
    "A. Bestavros and A. Belal, Mastermind, a game of diagnosis strategies, Alexandria University, 1986";
const KOOI: &str = "B. Kooi, Yet another Mastermind strategy, ICGA Journal 28(1), 2005";

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "worst-case",
        title: "Smallest largest part",
        paper: KNUTH,
        about: "makes the largest set of codes that can be left as small as possible",
        build: worst_case,
        ..BASE
    },
    Row {
        name: "expected-size",
        title: "Smallest expected size",
        paper: IRVING,
        about: "makes the set of codes that is left as small as possible on average",
        build: expected_size,
        ..BASE
    },
    Row {
        name: "entropy",
        title: "Largest entropy",
        paper: NEUWIRTH,
        about: "asks what tells most about the code, in bits, with a little credit for guesses that can win at once",
        parameters: WITH_BONUS,
        build: entropy,
        ..BASE
    },
    Row {
        name: "most-parts",
        title: "Most parts",
        paper: KOOI,
        about: "asks what can be answered in most ways",
        build: most_parts,
        ..BASE
    },
    Row {
        name: "knuth",
        title: "Knuth",
        paper: KNUTH,
        about: "worst-case over all codes: at most five guesses at 4x6",
        build: worst_case,
        ..BASE
    },
    Row {
        name: "irving",
        title: "Irving",
        paper: IRVING,
        about: "expected-size over all codes",
        build: expected_size,
        ..BASE
    },
    Row {
        name: "norvig",
        title: "Norvig",
        paper: NORVIG,
        about: "expected-size over consistent codes",
        presets: CONSISTENT,
        build: expected_size,
        ..BASE
    },
    Row {
        name: "neuwirth",
        title: "Neuwirth",
        paper: NEUWIRTH,
        about: "entropy over all codes, without credit for winning at once",
        parameters: WITH_BONUS,
        presets: NO_BONUS,
        build: entropy,
        ..BASE
    },
    Row {
        name: "bestavros-max-entropy",
        title: "Bestavros & Belal, MaxEnt",
        paper: BESTAVROS,
        about: "entropy over consistent codes; its authors count guesses until one code is left",
        parameters: WITH_BONUS,
        presets: CONSISTENT_NO_BONUS,
        build: entropy,
        ..BASE
    },
    Row {
        name: "bestavros-max-min",
        title: "Bestavros & Belal, MaxMin",
        paper: BESTAVROS,
        about: "most information at worst over consistent codes; its authors count guesses until one code is left",
        presets: CONSISTENT,
        build: worst_case,
        ..BASE
    },
    Row { name: "kooi", title: "Kooi", paper: KOOI, about: "most-parts over all codes", build: most_parts, ..BASE },
];

/// Beyond this, neither listing nor sampling by backtracking can be relied on.
const MAX_CODES: u128 = 10u128.pow(13);

fn can_play(rules: &Rules) -> bool {
    Table::new(rules).is_ok() && Space::new(rules).count().exact().is_some_and(|count| count <= MAX_CODES)
}

fn draws(arguments: &Arguments) -> bool {
    arguments.text(TIES.name) == "random"
}

fn worst_case(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    player::build(name, Criterion::WorstCase, rules, arguments)
}

fn expected_size(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    player::build(name, Criterion::ExpectedSize, rules, arguments)
}

fn entropy(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    player::build(name, Criterion::Entropy, rules, arguments)
}

fn most_parts(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    player::build(name, Criterion::MostParts, rules, arguments)
}
