//! Tables that follow from the rules alone: partitions, transcripts and lists of feedbacks.

use std::collections::BTreeSet;

use pegwise_game::partition::{MarkEncoding, Partitioner};
use pegwise_game::{Code, Feedback, History, Judge, Rules, Table, Turn};

use super::judge::{Finding, PublishedVerdict};

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

/// Creates a finding on a deterministic number.
fn finding(row: &str, rules: &Rules, measure: String, published: String, ours: String) -> Finding {
    let verdict = if published == ours { PublishedVerdict::Supported } else { PublishedVerdict::Refuted };
    Finding {
        rules: Some(rules.to_string()),
        published: Some(published),
        ours: Some(ours),
        tolerance: Some("digits".to_owned()),
        ..Finding::new(row, &measure, verdict)
    }
}
