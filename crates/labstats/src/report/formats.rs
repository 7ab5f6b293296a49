//! Blocks of a report and their output formats: Markdown, LaTeX, HTML and CSV.

use std::fmt::Write;

use super::{BoardReport, ReportRow};
use crate::{
    ErrorBasis, SampleSummary, grouped,
    plot::{escape, escaped},
};

/// A block of a report. Texts are plain; each output format escapes them.
#[derive(Debug, Clone, PartialEq)]
pub enum ReportBlock {
    /// Section heading.
    Heading(String),
    /// Paragraph.
    Text(String),
    /// Table.
    Table(ReportTable),
    /// Plot.
    Figure(ReportFigure),
}

/// A table with one cell per column in each row.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportTable {
    /// Caption.
    pub caption: String,
    /// Columns.
    pub columns: Vec<ReportColumn>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportColumn {
    /// Heading.
    pub heading: String,
    /// True for names (left-aligned), false for numbers (right-aligned).
    pub names: bool,
}

impl ReportColumn {
    /// Creates columns of names, then columns of numbers.
    pub(super) fn list(names: &[&str], numbers: &[&str]) -> Vec<Self> {
        let columns = names.iter().map(|heading| (heading, true)).chain(numbers.iter().map(|heading| (heading, false)));
        columns.map(|(heading, names)| Self { heading: (*heading).to_owned(), names }).collect()
    }
}

/// Kind of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    /// Histogram of guesses.
    Histogram,
    /// Box plot of guesses.
    Box,
    /// Scatter plot of guesses against codes examined.
    Evaluations,
    /// Box plot of codes examined.
    Examined,
    /// Line plot over the values of a parameter.
    Sweep,
    /// Line plot over boards.
    Scaling,
}

impl PlotKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Histogram, Self::Box, Self::Evaluations, Self::Examined, Self::Sweep, Self::Scaling];

    /// Returns the name on the command line and in file names.
    pub const fn name(self) -> &'static str {
        self.texts().0
    }

    /// Returns a short description.
    pub const fn about(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Histogram => ("histogram", "Distribution of guesses"),
            Self::Box => ("box", "Quartiles of guesses"),
            Self::Evaluations => ("evaluations", "Mean guesses against codes examined"),
            Self::Examined => ("examined", "Quartiles of codes examined"),
            Self::Sweep => ("sweep", "Effect of a parameter"),
            Self::Scaling => ("scaling", "Growth of guesses and time with the board size"),
        }
    }
}

/// A named plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFigure {
    /// Kind.
    pub kind: PlotKind,
    /// Rules of the games, if the plot is about one board.
    pub rules: Option<String>,
    /// File name stem of letters, digits and dashes, unique in the report.
    pub name: String,
    /// Title.
    pub title: String,
    /// SVG image.
    pub svg: String,
}

impl ReportFigure {
    /// Creates a plot whose name is made of the rules, the kind and `parts`.
    pub(super) fn new(kind: PlotKind, rules: Option<&str>, parts: &[&str], title: &str, svg: String) -> Self {
        let name = rules.iter().chain(&[kind.name()]).chain(parts).copied().collect::<Vec<_>>().join("-");
        let safe = name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' });
        let name = safe.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        Self { kind, rules: rules.map(str::to_owned), name, title: title.to_owned(), svg }
    }
}

/// Formats a number with grouped digits, and with at most one decimal from 1,000 on.
pub(super) fn amount(value: f64, decimals: usize) -> String {
    let decimals = if value.abs() >= 1000.0 { decimals.min(1) } else { decimals };
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}{fraction}", grouped(whole))
}

/// Formats a time in a suitable unit.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        ..0.0 => format!("-{}", time(-seconds)),
        0.0 => "0 s".to_owned(),
        ..1e-6 => format!("{:.0} ns", seconds * 1e9),
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{} s", amount(seconds, 2)),
    }
}

/// Formats a p value with four decimals.
pub(super) fn format_p(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(..1e-4) => "< 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

/// Formats an optional value, with a dash for `None`.
pub(super) fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

/// Writes a Markdown document. Plots are linked if `folder` is given.
pub(super) fn markdown(title: &str, blocks: &[ReportBlock], folder: Option<&str>) -> String {
    let mut parts = vec![format!("# {}", escape_markdown(title))];
    for block in blocks {
        match block {
            ReportBlock::Heading(text) => parts.push(format!("## {}", escape_markdown(text))),
            ReportBlock::Text(text) => parts.push(escape_markdown(text)),
            ReportBlock::Table(table) => {
                parts.extend([format!("**{}**", escape_markdown(&table.caption)), markdown_table(table)]);
            }
            ReportBlock::Figure(figure) => {
                let link =
                    |folder: &str| format!("![{}](<{folder}/{}.svg>)", escape_markdown(&figure.title), figure.name);
                parts.extend(folder.map(|folder| link(folder.trim_end_matches('/'))));
            }
        }
    }
    parts.join("\n\n") + "\n"
}

fn markdown_table(table: &ReportTable) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let headings = line(table.columns.iter().map(|column| escape_markdown(&column.heading)).collect());
    let sides = table.columns.iter().map(|column| if column.names { ":--" } else { "--:" }.to_owned());
    let mut lines = vec![headings, line(sides.collect())];
    lines.extend(table.rows.iter().map(|row| line(row.iter().map(|cell| escape_markdown(cell)).collect())));
    lines.join("\n")
}

/// Escapes a text for Markdown. Dashes and parentheses are harmless inside a line and stay readable.
fn escape_markdown(text: &str) -> String {
    escaped(text, "\\`*_[]#|~!$", |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        _ => None,
    })
}

/// Writes LaTeX without a preamble, to be pasted or included.
pub(super) fn latex(title: &str, blocks: &[ReportBlock]) -> String {
    let mut parts = vec![format!("% {}: tables need \\usepackage{{booktabs}}.", title.replace(['\n', '\r'], " "))];
    for block in blocks {
        match block {
            ReportBlock::Heading(text) => parts.push(format!("\\subsection*{{{}}}", escape_latex(text))),
            ReportBlock::Text(text) => parts.push(escape_latex(text)),
            ReportBlock::Table(table) => parts.push(latex_table(table)),
            ReportBlock::Figure(_) => {}
        }
    }
    parts.join("\n\n") + "\n"
}

fn latex_table(table: &ReportTable) -> String {
    let sides: String = table.columns.iter().map(|column| if column.names { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\", cells.join(" & "));
    let headings = line(table.columns.iter().map(|column| escape_latex(&column.heading)).collect());
    let rows: Vec<String> =
        table.rows.iter().map(|row| line(row.iter().map(|cell| escape_latex(cell)).collect())).collect();
    format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{{sides}}}\n\\toprule\n{headings}\n\\midrule\n{}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}",
        escape_latex(&table.caption),
        rows.join("\n")
    )
}

/// Escapes a text for LaTeX.
fn escape_latex(text: &str) -> String {
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

/// Content security policy: no scripts and no external resources, whatever a name contains.
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

/// Writes an HTML page.
pub(super) fn html(title: &str, blocks: &[ReportBlock]) -> String {
    let mut body = String::new();
    for block in blocks {
        let written = match block {
            ReportBlock::Heading(text) => writeln!(body, "<h2>{}</h2>", escape(text)),
            ReportBlock::Text(text) => writeln!(body, "<p>{}</p>", escape(text)),
            ReportBlock::Table(table) => writeln!(body, "<div class=\"wide\">{}</div>", html_table(table)),
            // The SVG has a title and was escaped when drawn.
            ReportBlock::Figure(figure) => writeln!(body, "<figure id=\"{}\">{}</figure>", figure.name, figure.svg),
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

fn html_table(table: &ReportTable) -> String {
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

/// Writes a CSV file with one line per strategy and board.
pub(super) fn csv(boards: &[BoardReport]) -> String {
    let mut text = String::from("rules,strategy,games,solved,lost,failed,secrets,basis,total");
    for measure in ["guesses", "examined", "seconds"] {
        for statistic in ["mean", "low95", "high95", "sd", "median", "min", "max"] {
            text += &format!(",{measure}_{statistic}");
        }
    }
    text += ",solved_low95,solved_high95,failure\n";
    for row in boards.iter().flat_map(|board| &board.rows) {
        text += &csv_line(row);
    }
    text
}

fn csv_line(row: &ReportRow) -> String {
    let total = row.total.map_or(String::new(), |total| total.to_string());
    let mut fields = vec![csv_field(&row.rules), csv_field(&row.strategy)];
    fields.extend([row.games, row.solved, row.lost, row.failed, row.secrets].map(|count| count.to_string()));
    fields.extend([basis_name(row.basis).to_owned(), total]);
    for summary in [row.guesses, Some(row.examined), Some(row.seconds)] {
        let field = |value: fn(&SampleSummary) -> Option<f64>| {
            summary.as_ref().and_then(value).map_or(String::new(), |value| value.to_string())
        };
        fields.extend([field(|summary| Some(summary.mean)), field(|summary| Some(summary.ci95?[0]))]);
        fields.extend([field(|summary| Some(summary.ci95?[1])), field(|summary| summary.sd)]);
        fields.extend([field(|summary| Some(summary.median)), field(|summary| Some(summary.min))]);
        fields.push(field(|summary| Some(summary.max)));
    }
    fields.extend([0, 1].map(|end| row.solved_ci95.map_or(String::new(), |ends| ends[end].to_string())));
    fields.push(csv_field(row.failure.as_deref().unwrap_or_default()));
    fields.join(",") + "\n"
}

fn basis_name(basis: ErrorBasis) -> &'static str {
    match basis {
        ErrorBasis::Exact => "exact",
        ErrorBasis::Census => "census",
        ErrorBasis::Sample => "sample",
    }
}

/// Quotes a CSV field if it contains a comma, a quote or a line break.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            [4.4137, 999.96, 1295.55, -1_234_567.0].map(|value| amount(value, 3)),
            ["4.414", "999.960", "1,295.5", "-1,234,567.0"]
        );
        assert_eq!([0.0, 2e-7, 1.25e-5, 0.0312, 75.5].map(time), ["0 s", "200 ns", "12.5 µs", "31.2 ms", "75.50 s"]);
        assert_eq!([None, Some(3e-9), Some(0.0413)].map(format_p), ["–", "< 0.0001", "0.0413"]);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape_markdown("evorank(population=128)"), "evorank(population=128)");
        assert_eq!(escape_markdown("a|b\n<i>*_"), "a\\|b &lt;i>\\*\\_");
        assert_eq!(escape_latex("evorank(a_b=5%) < 4 ± 1"), "evorank(a\\_b=5\\%) $<$ 4 $\\pm$ 1");
        assert_eq!(escape_latex("\\input{x}"), "\\textbackslash{}input\\{x\\}");
    }
}
