//! A report as tables for a paper in LaTeX, with the package `booktabs`.

use super::block::{Block, Table, escaped};

/// The whole document: text to paste or to input, without a preamble.
pub(super) fn document(title: &str, blocks: &[Block]) -> String {
    let mut parts = vec![format!("% {}: tables need \\usepackage{{booktabs}}.", title.replace(['\n', '\r'], " "))];
    for block in blocks {
        match block {
            Block::Heading(text) => parts.push(format!("\\subsection*{{{}}}", escape(text))),
            Block::Text(text) => parts.push(escape(text)),
            Block::Table(table) => parts.push(float(table)),
            Block::Figure(_) => {}
        }
    }
    parts.join("\n\n") + "\n"
}

fn float(table: &Table) -> String {
    let sides: String = table.columns.iter().map(|column| if column.names { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\", cells.join(" & "));
    let headings = line(table.columns.iter().map(|column| escape(&column.heading)).collect());
    let rows: Vec<String> = table.rows.iter().map(|row| line(row.iter().map(|cell| escape(cell)).collect())).collect();
    format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{{sides}}}\n\\toprule\n{headings}\n\\midrule\n{}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}",
        escape(&table.caption),
        rows.join("\n")
    )
}

/// A text that means itself.
fn escape(text: &str) -> String {
    escaped(text, "&%$#_{}", |character| match character {
        '~' => Some("\\textasciitilde{}"),
        '^' => Some("\\textasciicircum{}"),
        '\\' => Some("\\textbackslash{}"),
        '<' => Some("$<$"),
        '>' => Some("$>$"),
        '|' => Some("$|$"),
        '±' => Some("$\\pm$"),
        '–' => Some("--"),
        'µ' => Some("$\\mu$"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        assert_eq!(escape("evorank(a_b=5%) < 4 ± 1"), "evorank(a\\_b=5\\%) $<$ 4 $\\pm$ 1");
        assert_eq!(escape("\\input{x}"), "\\textbackslash{}input\\{x\\}");
    }
}
