//! Tables that follow from the rules or from other numbers alone: partitions, transcripts, lists of feedbacks, arithmetic.

use std::collections::BTreeSet;

use pegwise_game::partition::{MarkEncoding, Partitioner};
use pegwise_game::{Code, Feedback, History, Judge, Rules, Table, Turn};

use super::judge::{Finding, PublishedVerdict};
use super::table::PrintedNumber;

/// Partitions of the codes that are consistent with a history.
#[derive(Debug, Clone)]
pub struct PublishedPartitions {
    /// History before the guesses.
    pub history: History,
    /// Excludes each guess from its own partition.
    pub without_guess: bool,
    /// Feedback of each column.
    pub feedbacks: Vec<String>,
    /// Guesses with the size of the part in each column.
    pub parts: Vec<(Code, Vec<u64>)>,
}

impl PublishedPartitions {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let rules = self.history.rules();
        let Ok(all) = Table::all(rules) else { return Vec::new() };
        let mut judge = Judge::new(rules);
        let left: Vec<Code> = all.codes().filter(|code| self.history.is_consistent_by(&mut judge, code)).collect();
        let mut partitioner = Partitioner::new(rules);
        let mut findings = Vec::new();
        for (guess, printed) in &self.parts {
            let others = left.iter().filter(|code| !self.without_guess || *code != guess);
            let Ok(table) = Table::from_codes(rules, others) else { continue };
            let parts = partitioner.split(guess, &table);
            let label = guess.notation(rules.colors()).to_string();
            let size = |feedback: &String| {
                let part = parts.iter().find(|part| part.feedback.to_string() == *feedback);
                part.map_or(0, |part| part.rows.len() as u64)
            };
            let ours: Vec<u64> = self.feedbacks.iter().map(size).collect();
            let [printed, ours] =
                [printed, &ours].map(|sizes| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
            findings.push(finding(&label, rules, "codes per feedback".to_owned(), printed, ours));
        }
        findings
    }
}

/// A printed game.
#[derive(Debug, Clone)]
pub struct PublishedTranscript {
    /// Rules.
    pub rules: Rules,
    /// Secret.
    pub secret: Code,
    /// Guesses with the printed feedback.
    pub turns: Vec<Turn>,
}

impl PublishedTranscript {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut judge = Judge::new(&self.rules);
        let of_turn = |turn: &Turn| {
            let ours = judge.feedback(&turn.guess, &self.secret).to_string();
            let label = turn.guess.notation(self.rules.colors()).to_string();
            finding(&label, &self.rules, "feedback".to_owned(), turn.feedback.to_string(), ours)
        };
        self.turns.iter().map(of_turn).collect()
    }
}

/// Possible feedbacks of a guess.
#[derive(Debug, Clone)]
pub struct PublishedResponses {
    /// Rules.
    pub rules: Rules,
    /// Printed feedbacks.
    pub feedbacks: Vec<Feedback>,
}

impl PublishedResponses {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let Some(coding) = MarkEncoding::new(&self.rules) else { return Vec::new() };
        let possible: BTreeSet<String> =
            coding.possible().iter().map(|&byte| Feedback::new([coding.mark(byte)]).to_string()).collect();
        let printed: BTreeSet<String> = self.feedbacks.iter().map(ToString::to_string).collect();
        let [printed, possible] = [printed, possible].map(|list| list.into_iter().collect::<Vec<_>>().join(" "));
        vec![finding(&self.rules.to_string(), &self.rules, "feedbacks".to_owned(), printed, possible)]
    }
}

/// A number that follows from others by arithmetic.
#[derive(Debug, Clone)]
pub struct PublishedFormula {
    /// Name.
    pub label: String,
    /// Printed number.
    pub printed: PrintedNumber,
    /// Formula, such as `100 * 480.1 / 8^5`.
    pub formula: String,
    /// Value of the formula.
    pub value: f64,
}

impl PublishedFormula {
    /// Compares the digits. A number that does not follow from the others is an error of the paper.
    pub(super) fn finding(&self) -> Finding {
        let agrees = self.printed.matches(self.value);
        let verdict = if agrees { PublishedVerdict::Reproduced } else { PublishedVerdict::PaperWrong };
        let digits = self.printed.decimals() + 1;
        Finding {
            published: Some(self.printed.to_string()),
            ours: Some(format!("{:.digits$}", self.value)),
            note: Some(format!("= {}", self.formula)),
            ..Finding::new(&self.label, "arithmetic", Some(verdict))
        }
    }
}

/// Evaluates a formula of numbers, `+ - * / ^`, parentheses and the functions `sqrt`, `ln`, `log2` and `ceil`.
pub(super) fn evaluate(formula: &str) -> Result<f64, String> {
    let mut text = formula.trim_start();
    let value = sum(&mut text)?;
    if text.is_empty() && value.is_finite() {
        Ok(value)
    } else {
        Err(format!("'{formula}' is not a formula, as in 3 * ln(2)"))
    }
}

/// Removes a prefix and the spaces after it.
fn take(text: &mut &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix);
    *text = rest.map_or(*text, str::trim_start);
    rest.is_some()
}

fn sum(text: &mut &str) -> Result<f64, String> {
    let mut value = product(text)?;
    loop {
        match () {
            () if take(text, "+") => value += product(text)?,
            () if take(text, "-") => value -= product(text)?,
            () => return Ok(value),
        }
    }
}

fn product(text: &mut &str) -> Result<f64, String> {
    let mut value = power(text)?;
    loop {
        match () {
            () if take(text, "*") => value *= power(text)?,
            () if take(text, "/") => value /= power(text)?,
            () => return Ok(value),
        }
    }
}

fn power(text: &mut &str) -> Result<f64, String> {
    let base = operand(text)?;
    if take(text, "^") { Ok(base.powf(power(text)?)) } else { Ok(base) }
}

fn operand(text: &mut &str) -> Result<f64, String> {
    type Function = fn(f64) -> f64;
    const FUNCTIONS: [(&str, Function); 5] =
        [("sqrt", f64::sqrt), ("ln", f64::ln), ("log2", f64::log2), ("ceil", f64::ceil), ("", |value| value)];
    for (name, function) in FUNCTIONS {
        if text.starts_with(&format!("{name}(")) && take(text, name) && take(text, "(") {
            let value = sum(text)?;
            return if take(text, ")") { Ok(function(value)) } else { Err("a parenthesis is not closed".to_owned()) };
        }
    }
    let digits = text.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    *text = rest.trim_start();
    number.parse().map_err(|_| format!("a number is missing before '{text}'"))
}

/// Creates a finding on a deterministic number.
fn finding(row: &str, rules: &Rules, measure: String, published: String, ours: String) -> Finding {
    let verdict = if published == ours { PublishedVerdict::Reproduced } else { PublishedVerdict::Refuted };
    Finding {
        rules: Some(rules.to_string()),
        published: Some(published),
        ours: Some(ours),
        ..Finding::new(row, &measure, Some(verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_the_usual_precedence() {
        for (formula, value) in [
            ("1 + 2 * 3^2 - 4 / (1 + 1)", 17.0),
            ("2^3^2", 512.0),
            ("sqrt(16) + ln(1) + log2(8) + ceil(1.2)", 9.0),
            ("100*480.1/8^5", 480.1 / 327.68),
        ] {
            assert!((evaluate(formula).unwrap() - value).abs() < 1e-12, "{formula}");
        }
        for formula in ["", "1 +", "(1", "1 2", "sin(1)", "1/0"] {
            assert!(evaluate(formula).is_err(), "{formula}");
        }
    }
}
