//! A report as lines for tables: one for each strategy at each rules.

use super::{Board, Row};
use crate::Summary;

/// All rows of all boards, with a heading.
pub(super) fn lines(boards: &[Board]) -> String {
    let mut text = String::from("rules,strategy,games,solved,secrets,basis,total");
    for measure in ["guesses", "examined", "seconds"] {
        for statistic in ["mean", "low95", "high95", "sd", "median", "min", "max"] {
            text += &format!(",{measure}_{statistic}");
        }
    }
    text.push('\n');
    for row in boards.iter().flat_map(|board| &board.rows) {
        text += &line(row);
    }
    text
}

fn line(row: &Row) -> String {
    let basis = serde_name(row);
    let total = row.total.map_or(String::new(), |total| total.to_string());
    let mut fields = vec![field(&row.rules), field(&row.strategy), row.games.to_string(), row.solved.to_string()];
    fields.extend([row.secrets.to_string(), basis.to_owned(), total]);
    for Summary { mean, sd, median, min, max, ci95, .. } in [row.guesses, row.examined, row.seconds] {
        let or_blank = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        fields.extend([mean.to_string(), or_blank(ci95.map(|ends| ends[0])), or_blank(ci95.map(|ends| ends[1]))]);
        fields.extend([or_blank(sd), median.to_string(), min.to_string(), max.to_string()]);
    }
    fields.join(",") + "\n"
}

fn serde_name(row: &Row) -> &'static str {
    match row.basis {
        crate::Basis::Exact => "exact",
        crate::Basis::Census => "census",
        crate::Basis::Sample => "sample",
    }
}

/// A field in quotes where its text would be taken for several.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
