//! Tables that follow from the rules alone: how guesses part codes, games turn by turn, the feedbacks there are.

use std::collections::BTreeSet;

use pegwise_game::{
    Code, Feedback, History, Judge, Rules, Table, Turn,
    partition::{MarkEncoding, Partitioner},
};

use super::finding::{Finding, Verdict};

/// How guesses part the codes that some turns leave.
#[derive(Debug, Clone)]
pub struct Partitions {
    /// The turns before, with their rules.
    pub history: History,
    /// Whether a guess is left out of its own parts.
    pub without_guess: bool,
    /// The feedback over each column.
    pub feedbacks: Vec<String>,
    /// The guesses, and the size of the part in each column.
    pub parts: Vec<(Code, Vec<u64>)>,
}

impl Partitions {
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
            for (feedback, printed) in self.feedbacks.iter().zip(printed) {
                let part = parts.iter().find(|part| part.feedback.to_string() == *feedback);
                let ours = part.map_or(0, |part| part.rows.len());
                let measure = format!("codes with {feedback}");
                findings.push(finding(&label, rules, measure, printed.to_string(), ours.to_string()));
            }
        }
        findings
    }
}

/// A game as it was printed.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// The rules.
    pub rules: Rules,
    /// The code.
    pub secret: Code,
    /// The guesses with the feedback that was printed.
    pub turns: Vec<Turn>,
}

impl Transcript {
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

/// The feedbacks that a guess can get.
#[derive(Debug, Clone)]
pub struct Responses {
    /// The rules.
    pub rules: Rules,
    /// Every feedback that was printed.
    pub feedbacks: Vec<Feedback>,
}

impl Responses {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let Some(coding) = MarkEncoding::new(&self.rules) else { return Vec::new() };
        let possible: BTreeSet<String> =
            coding.possible().iter().map(|&byte| Feedback::new([coding.mark(byte)]).to_string()).collect();
        let printed: BTreeSet<String> = self.feedbacks.iter().map(ToString::to_string).collect();
        let differ: Vec<&str> = printed.symmetric_difference(&possible).map(String::as_str).collect();
        let name = self.rules.to_string();
        let whole = |measure: &str, published: String, ours: String| {
            finding(&name, &self.rules, measure.to_owned(), published, ours)
        };
        vec![
            whole("number of feedbacks", printed.len().to_string(), possible.len().to_string()),
            whole(
                "feedbacks in one list only",
                "none".to_owned(),
                match &differ[..] {
                    [] => "none".to_owned(),
                    some => some.join(" "),
                },
            ),
        ]
    }
}

/// A finding that luck has no part in.
fn finding(row: &str, rules: &Rules, measure: String, published: String, ours: String) -> Finding {
    let verdict = if published == ours { Verdict::Supported } else { Verdict::Refuted };
    Finding {
        rules: Some(rules.to_string()),
        published: Some(published),
        ours: Some(ours),
        window: Some("digits".to_owned()),
        ..Finding::blank(row, &measure, verdict)
    }
}
