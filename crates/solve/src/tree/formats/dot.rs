//! A drawing for Graphviz: `dot -Tsvg`.

use std::io::{self, Write};

use crate::tree::{Step, Summary, Traversal, TreeFile};

pub(super) fn write(file: &TreeFile, out: &mut impl Write) -> io::Result<()> {
    let rules = &file.tree.rules;
    writeln!(out, "digraph {} {{", quoted(&format!("{rules} {}", file.made_by)))?;
    writeln!(out, "  rankdir=LR;\n  node [shape=box, style=rounded, fontname=monospace];")?;
    let summaries = Summary::of_each(&file.tree.root);
    let mut open: Vec<usize> = Vec::new();
    let mut summaries = summaries.iter().enumerate();
    for step in Traversal::new(&file.tree.root) {
        let Step::Enter { feedback, node, .. } = step else {
            open.pop();
            continue;
        };
        let Some((number, summary)) = summaries.next() else { break };
        let guess = node.guess.notation(rules.palette()).to_string();
        let label = match summary.codes {
            1 => guess,
            codes => format!("{guess}\n{codes} codes"),
        };
        // A guess that can win is drawn with a bold frame.
        let width = if node.wins { ", penwidth=2" } else { "" };
        writeln!(out, "  n{number} [label={}{width}];", quoted(&label))?;
        if let (Some(parent), Some(feedback)) = (open.last(), feedback) {
            writeln!(out, "  n{parent} -> n{number} [label={}];", quoted(&feedback.to_string()))?;
        }
        open.push(number);
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
