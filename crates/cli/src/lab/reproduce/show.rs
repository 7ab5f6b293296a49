//! What was reproduced, as a table for people.

use std::io::Write as _;

use anstyle::Style;
use pegwise_lab::papers::{Finding, OrderFinding, TableReport, Verdict};

use crate::ui::{Align, Block, Screen, Table, number, style};

const HEADINGS: [&str; 7] = ["row", "measure", "published", "ours", "margin", "games", "verdict"];

/// First what it all comes to: how many numbers are supported, what is refuted and why, and what changed.
pub(super) fn conclusion(
    reports: &[TableReport],
    sentence: &str,
    changes: &[String],
    screen: &mut Screen,
) -> anyhow::Result<()> {
    writeln!(screen, "{}", Block::wrapped(style::HEADING, sentence, screen.text_width(0)))?;
    for report in reports {
        for (what, cause) in report.refuted() {
            let line = format!("refuted: {}, {what}: {}", report.id, cause.unwrap_or("the cause is not known"));
            writeln!(screen, "{}", Block::wrapped(style::BAD, &line, screen.text_width(0)))?;
        }
    }
    for change in changes {
        let line = format!("changed: {change}");
        writeln!(screen, "{}", Block::wrapped(style::ERROR, &line, screen.text_width(0)))?;
    }
    writeln!(screen)?;
    Ok(())
}

/// Shows one table or figure.
pub(super) fn text(report: &TableReport, screen: &mut Screen) -> anyhow::Result<()> {
    let TableReport { id, title, source, note, claims, .. } = report;
    // The name on a line of its own where the title does not fit beside it.
    let name = Block::new(style::NAME, id);
    let about = Block::wrapped(style::HEADING, title, screen.text_width(0));
    let source = Block::wrapped(style::DIM, source, screen.text_width(0));
    let whole = name.width() + about.width() + source.width() + 4;
    if screen.look().width.is_none_or(|width| whole <= width) {
        writeln!(screen, "{}", name.beside(2, about).beside(2, source))?;
    } else {
        writeln!(screen, "{name}\n{about}\n{source}")?;
    }
    if let Some(note) = note {
        write!(screen, "{}", Block::wrapped(style::DIM, note, screen.text_width(0)))?;
    }
    let lines = lines(report);
    let width = |column: usize| lines.iter().map(|(cells, _)| cells[column].chars().count()).max().unwrap_or(0);
    // Two spaces after each column; the verdict gets what is left.
    let before: usize = (0..HEADINGS.len() - 1).map(|column| width(column).max(HEADINGS[column].len()) + 2).sum();
    let stacked = screen.look().width.is_some_and(|width| width < before + HEADINGS[HEADINGS.len() - 1].len());
    let left = screen.text_width(if stacked { Table::INDENT } else { before });
    let numbers = 2..HEADINGS.len() - 1;
    let align = |column: usize| if numbers.contains(&column) { Align::Right } else { Align::Left };
    let columns = HEADINGS.iter().enumerate().map(|(column, heading)| (*heading, align(column)));
    let mut table = Table::new(columns.collect::<Vec<_>>());
    for (cells, verdict) in &lines {
        let plain = cells[..HEADINGS.len() - 1].iter().map(|cell| Block::new(style::PLAIN, cell));
        let last = Block::wrapped(of(verdict), &cells[HEADINGS.len() - 1], left);
        table.row(plain.chain([last]).collect::<Vec<_>>());
    }
    writeln!(screen, "\n{}", table.fitted(screen.look().width))?;
    for claim in claims {
        let OrderFinding { says, measure, verdict, .. } = claim;
        writeln!(screen, "{says}: {}", style::paint(of(verdict), verdict))?;
        writeln!(screen, "{}", style::paint(style::DIM, format!("  {measure}: {}", order(claim))))?;
    }
    if !claims.is_empty() {
        writeln!(screen)?;
    }
    Ok(())
}

/// All tables and figures as Markdown.
pub(super) fn markdown(reports: &[TableReport], sentence: &str) -> String {
    let mut text = format!("# Published numbers beside ours\n\n{sentence}\n");
    for report in reports {
        let TableReport { id, title, source, note, claims, .. } = report;
        text += &format!("\n## {id}: {title} ({source})\n\n");
        if let Some(note) = note {
            text += &format!("{note}\n\n");
        }
        text += &format!("| {} |\n|---|---|---:|---:|---:|---:|---|\n", HEADINGS.join(" | "));
        for (cells, _) in lines(report) {
            text += &format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
        }
        for claim in claims {
            text += &format!("\n- {}: **{}** ({}: {})\n", claim.says, claim.verdict, claim.measure, order(claim));
        }
    }
    text
}

/// The cells of every line. Numbers of a row that are all missing for one reason are one line.
fn lines(report: &TableReport) -> Vec<([String; 7], Verdict)> {
    let rows = report.findings.chunk_by(|one, other| one.row == other.row);
    let of_row = |row: &[Finding]| match row {
        [first, _, ..] if row.iter().all(|finding| is_left_out(finding) && finding.verdict == first.verdict) => {
            let measure = number::things(row.len(), "number", "numbers");
            vec![line(&Finding { measure, published: None, ..first.clone() })]
        }
        row => row.iter().map(line).collect(),
    };
    rows.flat_map(of_row).collect()
}

/// Whether nothing was run for it.
fn is_left_out(finding: &Finding) -> bool {
    finding.ours.is_none() && finding.games.is_none() && matches!(finding.verdict, Verdict::Missing { .. })
}

fn line(finding: &Finding) -> ([String; 7], Verdict) {
    let Finding { row, measure, published, ours, margin, tolerance, games, cause, correction, verdict, .. } =
        finding.clone();
    let games = games.map_or(String::new(), number::grouped);
    let half = finding.interval.map(|[low, high]| (high - low) / 2.0);
    let ours = ours.unwrap_or_default() + &half.map_or(String::new(), |half| format!(" ± {}", short(half)));
    let published = match &correction {
        Some(correction) => format!("{}, right {}", published.unwrap_or_default(), correction.right),
        None => published.unwrap_or_default(),
    };
    let margin = match (margin, tolerance) {
        (Some(margin), Some(tolerance)) if tolerance != "digits" => format!("{} ({tolerance})", short(margin)),
        (_, tolerance) => tolerance.unwrap_or_default(),
    };
    let reason = correction.map(|correction| correction.reason);
    let why = reason.into_iter().chain(cause.filter(|_| verdict == Verdict::Refuted)).collect::<Vec<_>>().join("; ");
    let judged = if why.is_empty() { verdict.to_string() } else { format!("{verdict}: {why}") };
    ([row, measure, published, ours, margin, games, judged], verdict)
}

/// A number with as many digits as anyone reads.
fn short(value: f64) -> String {
    match value.abs() {
        ..0.1 => format!("{value:.4}"),
        ..10.0 => format!("{value:.3}"),
        ..1000.0 => format!("{value:.1}"),
        _ => number::grouped(value as u64),
    }
}

/// The rows of a claim with our numbers, the least first as the paper has it.
fn order(claim: &OrderFinding) -> String {
    if claim.ours.len() < claim.rows.len() {
        return claim.rows.join(" < ");
    }
    let pairs = claim.rows.iter().zip(&claim.ours).map(|(row, mean)| format!("{row} ({mean:.3})"));
    pairs.collect::<Vec<_>>().join(" < ")
}

fn of(verdict: &Verdict) -> Style {
    match verdict {
        Verdict::Supported => style::GOOD,
        Verdict::Refuted => style::ERROR,
        Verdict::Undecided { .. } | Verdict::Missing { .. } => style::BAD,
        Verdict::Information { .. } => style::DIM,
    }
}
