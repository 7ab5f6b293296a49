//! One page that folds, with nothing from elsewhere and no scripts.

use std::io::{self, Write};

use pegwise_game::{Feedback, Palette};

use crate::tree::{Node, Step, Summary, Traversal, TreeFile};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#1c1c1c;background:#fff}\
code{font:inherit;font-family:ui-monospace,monospace;font-weight:600}\
details,p.leaf{margin:0 0 0 1.5rem}details>summary{cursor:pointer}p.leaf{padding-left:1rem}\
small{color:#555}b{display:inline-block;min-width:3rem;font-weight:400;color:#555}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}small,b{color:#aaa}}";

pub(super) fn write(file: &TreeFile, out: &mut impl Write) -> io::Result<()> {
    let rules = &file.tree.rules;
    let title = escaped(&format!("{rules} by {}", file.made_by));
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
    writeln!(out, "<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>")?;
    let summaries = Summary::of_each(&file.tree.root);
    if let Some(whole) = summaries.first() {
        let proven = if file.proven { ", proven to be the best" } else { "" };
        let Summary { codes, total, max, .. } = whole;
        writeln!(
            out,
            "<p>{codes} codes, {total} guesses in all, {:.4} on average, {max} at most{proven}.</p>",
            whole.mean()
        )?;
    }
    let mut summaries = summaries.iter();
    for step in Traversal::new(&file.tree.root) {
        match step {
            Step::Enter { feedback, node, .. } => {
                let Some(summary) = summaries.next() else { break };
                enter(rules.palette(), feedback, node, summary, out)?;
            }
            Step::Leave { node } if node.branches.is_empty() => {}
            Step::Leave { .. } => writeln!(out, "</details>")?,
        }
    }
    writeln!(out, "</html>")
}

fn enter(
    palette: Palette,
    feedback: Option<&Feedback>,
    node: &Node,
    summary: &Summary,
    out: &mut impl Write,
) -> io::Result<()> {
    let guess = escaped(&node.guess.notation(palette).to_string());
    let answer = feedback.map(|feedback| format!("<b>{}</b> ", escaped(&feedback.to_string()))).unwrap_or_default();
    if node.branches.is_empty() {
        return writeln!(out, "<p class=\"leaf\">{answer}<code>{guess}</code></p>");
    }
    // The first guess is shown with its answers; the rest unfolds on demand.
    let open = if feedback.is_none() { " open" } else { "" };
    let cannot_win = if node.wins { "" } else { ", cannot be the code" };
    let Summary { codes, max, .. } = summary;
    writeln!(
        out,
        "<details{open}><summary>{answer}<code>{guess}</code> <small>{codes} codes, mean {:.4}, at most \
         {max}{cannot_win}</small></summary>",
        summary.mean()
    )
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
