//! A report as one page.

use super::block::{Block, Table};
use crate::plot::svg::escape;
use std::fmt::Write;

/// Nothing may be loaded and nothing may run, whatever a name contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "
:root { color-scheme: light dark; --page: #ffffff; --ink: #24292f; --dim: #57606a; --rule: #d8dee4; --stripe: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --ink: #e6edf3; --dim: #9da7b1; --rule: #30363d; --stripe: #161b22 }
}
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif }
h1 { font-size: 1.7rem; margin: 0 0 1rem }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.5rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--rule) }
p { color: var(--dim); max-width: 48rem }
.wide { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0 }
th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--rule); white-space: nowrap; text-align: right }
th { color: var(--dim); font-weight: 600 }
tbody tr:nth-child(even) { background: var(--stripe) }
.name { text-align: left }
figure { margin: 1.2rem 0 }
figure svg { width: 100%; max-width: 760px; height: auto; border: 1px solid var(--rule); border-radius: 6px }
";

/// The whole page.
pub(super) fn page(title: &str, blocks: &[Block]) -> String {
    let mut body = String::new();
    for block in blocks {
        let written = match block {
            Block::Heading(text) => writeln!(body, "<h2>{}</h2>", escape(text)),
            Block::Text(text) => writeln!(body, "<p>{}</p>", escape(text)),
            Block::Table(table) => writeln!(body, "<div class=\"wide\">{}</div>", element(table)),
            // The picture names itself, and was escaped when it was drawn.
            Block::Figure(figure) => writeln!(body, "<figure id=\"{}\">{}</figure>", figure.name, figure.svg),
        };
        written.expect("a string takes any text");
    }
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

fn element(table: &Table) -> String {
    let cell = |tag: &str, names: bool, text: &str| {
        let class = if names { " class=\"name\"" } else { "" };
        format!("<{tag}{class}>{}</{tag}>", escape(text))
    };
    let headings: String = table.columns.iter().map(|column| cell("th", column.names, &column.heading)).collect();
    let row = |cells: &Vec<String>| {
        let cells: String =
            cells.iter().zip(&table.columns).map(|(text, column)| cell("td", column.names, text)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(row).collect();
    let caption = escape(&table.caption);
    format!(
        "<table>\n<caption>{caption}</caption>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"
    )
}
