//! Nested JSON objects.
//!
//! ```text
//! {"format": "pegwise-tree", "version": 1, "rules": "1x2", "made_by": "knuth",
//!  "codes": 2, "total": 3, "max": 2, "proven": false, "lower_bound": null,
//!  "tree": {"guess": [1], "wins": true,
//!           "branches": [{"feedback": [{"black": 0, "white": 0}], "guess": [2], "wins": true}]}}
//! ```
//! Codes are lists of one-based colors; a feedback is a list with one mark per line. A position without branches may
//! omit them. Trees are read up to a depth of about sixty guesses, the nesting limit of the JSON reader; writing has no
//! limit.

use std::io::{self, Write};

use pegwise_game::{Code, Feedback, Rules, SerializedMark, Turn};
use serde::{Deserialize, Serialize};

use super::ImportError;
use crate::{Claim, TreeFile};
use pegwise_search::tree::{Branch, Node, Step, Traversal, Tree, TreePath};

const FORMAT: &str = "pegwise-tree";
const VERSION: u32 = 1;

/// Fields before the tree.
#[derive(Serialize)]
struct Head<'a> {
    format: &'a str,
    version: u32,
    rules: &'a Rules,
    made_by: &'a str,
    #[serde(flatten)]
    claim: Claim,
    proven: bool,
    lower_bound: Option<u64>,
}

pub(super) fn write(file: &TreeFile, out: &mut impl Write) -> io::Result<()> {
    let head = Head {
        format: FORMAT,
        version: VERSION,
        rules: &file.tree.rules,
        made_by: &file.made_by,
        claim: file.claim,
        proven: file.proven,
        lower_bound: file.lower_bound,
    };
    let head = serde_json::to_string(&head)?;
    // The object stays open for the tree.
    write!(out, "{},\"tree\":", head.strip_suffix('}').unwrap_or(&head))?;
    for step in Traversal::new(&file.tree.root) {
        match step {
            Step::Enter { feedback, index, node } => {
                if index > 0 {
                    out.write_all(b",")?;
                }
                out.write_all(b"{")?;
                if let Some(feedback) = feedback {
                    out.write_all(b"\"feedback\":")?;
                    serde_json::to_writer(&mut *out, feedback)?;
                    out.write_all(b",")?;
                }
                out.write_all(b"\"guess\":")?;
                serde_json::to_writer(&mut *out, &node.guess)?;
                write!(out, ",\"wins\":{}", node.wins)?;
                if !node.branches.is_empty() {
                    out.write_all(b",\"branches\":[")?;
                }
            }
            Step::Leave { node } => out.write_all(if node.branches.is_empty() { b"}" } else { b"]}" })?,
        }
    }
    out.write_all(b"}\n")
}

/// Complete object.
#[derive(Deserialize)]
struct WrittenFile {
    format: String,
    version: u32,
    rules: Rules,
    #[serde(default)]
    made_by: String,
    #[serde(flatten)]
    claim: Claim,
    #[serde(default)]
    proven: bool,
    #[serde(default)]
    lower_bound: Option<u64>,
    tree: WrittenNode,
}

#[derive(Deserialize)]
struct WrittenNode {
    /// Omitted for the root only.
    #[serde(default)]
    feedback: Vec<SerializedMark>,
    guess: Code,
    wins: bool,
    #[serde(default)]
    branches: Vec<WrittenNode>,
}

pub(super) fn read(text: &[u8]) -> Result<TreeFile, ImportError> {
    let file: WrittenFile = serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        ImportError::Syntax { line, column, what }
    })?;
    if file.format != FORMAT || file.version != VERSION {
        let what = format!("this is not a {FORMAT} of version {VERSION}");
        return Err(ImportError::Syntax { line: 1, column: 1, what });
    }
    let root = node(&file.rules, file.tree, &mut Vec::new())?;
    let tree = Tree { rules: file.rules, root };
    tree.check_shape()?;
    let WrittenFile { made_by, claim, proven, lower_bound, .. } = file;
    Ok(TreeFile { tree, made_by, proven, lower_bound, claim })
}

/// Converts a position. The JSON reader limits the depth of the recursion.
fn node(rules: &Rules, written: WrittenNode, turns: &mut Vec<Turn>) -> Result<Node, ImportError> {
    let mut branches = Vec::with_capacity(written.branches.len());
    for below in written.branches {
        let feedback = feedback(rules, &below.feedback)
            .map_err(|error| ImportError::Feedback { place: TreePath::new(rules, turns.clone()), error })?;
        turns.push(Turn { guess: written.guess.clone(), feedback: feedback.clone() });
        branches.push(Branch { feedback, node: node(rules, below, turns)? });
        turns.pop();
    }
    branches.sort_by(|one: &Branch, other| one.feedback.cmp(&other.feedback));
    Ok(Node { guess: written.guess, wins: written.wins, branches })
}

/// Returns the feedback of these rules with the given marks.
fn feedback(rules: &Rules, marks: &[SerializedMark]) -> Result<Feedback, String> {
    let kind = rules.feedback();
    let numbers = |mark: &SerializedMark| {
        let names: Vec<&str> = kind.number_names().collect();
        let wrong = || format!("a {kind} mark has {}, and nothing else", names.join(" and "));
        mark.numbers(kind).and_then(|numbers| numbers.into_iter().collect::<Option<Vec<u64>>>()).ok_or_else(wrong)
    };
    let marks = marks.iter().map(numbers).collect::<Result<Vec<_>, _>>()?;
    rules.feedback_from_numbers(&marks).map_err(|error| error.to_string())
}
