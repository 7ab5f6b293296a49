//! A report as Markdown.

use super::block::{Block, Table, escaped};

/// The whole document. Plots are linked if they have a folder.
pub(super) fn document(title: &str, blocks: &[Block], folder: Option<&str>) -> String {
    let mut parts = vec![format!("# {}", escape(title))];
    for block in blocks {
        match block {
            Block::Heading(text) => parts.push(format!("## {}", escape(text))),
            Block::Text(text) => parts.push(escape(text)),
            Block::Table(table) => parts.extend([format!("**{}**", escape(&table.caption)), lines(table)]),
            Block::Figure(figure) => {
                let link = |folder: &str| format!("![{}](<{folder}/{}.svg>)", escape(&figure.title), figure.name);
                parts.extend(folder.map(|folder| link(folder.trim_end_matches('/'))));
            }
        }
    }
    parts.join("\n\n") + "\n"
}

fn lines(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let headings = line(table.columns.iter().map(|column| escape(&column.heading)).collect());
    let sides = table.columns.iter().map(|column| if column.names { ":--" } else { "--:" }.to_owned());
    let mut lines = vec![headings, line(sides.collect())];
    lines.extend(table.rows.iter().map(|row| line(row.iter().map(|cell| escape(cell)).collect())));
    lines.join("\n")
}

/// A text that means itself. Dashes and parentheses stand as they are: escaped they would be hard to read, and inside a
/// line they mean nothing else.
fn escape(text: &str) -> String {
    escaped(text, "\\`*_[]#|~!$", |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        assert_eq!(escape("evorank(population=128)"), "evorank(population=128)");
        assert_eq!(escape("a|b\n<i>*_"), "a\\|b &lt;i>\\*\\_");
    }
}
