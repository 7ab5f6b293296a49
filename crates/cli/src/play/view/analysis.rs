//! How well a game was played, guess by guess.

use pegwise_coach::{Analysis, TurnAnalysis, Uncertain};
use pegwise_game::Code;
use ratatui::text::{Line, Span};

use super::{column::Column, pegs::Pegs};
use crate::{
    play::model::{Appraisal, Game},
    ui::number,
};

/// Fills the box with what there is to say.
pub(super) fn fill(column: &mut Column, game: &Game) {
    match &game.analysis {
        Some(Appraisal::Known(Ok(analysis))) => whole(column, game, analysis),
        Some(Appraisal::Known(Err(why))) => column.text(column.look.bad(), why),
        Some(Appraisal::Asked(_)) | None => {
            column.text(column.look.dim(), "Looking at every guess. This box fills by itself.");
        }
    }
}

fn whole(column: &mut Column, game: &Game, analysis: &Analysis) {
    let look = column.look;
    column.line(Line::from(vec![
        Span::raw("Guesses lost "),
        Span::styled(analysis.lost.short(), look.good()),
        Span::raw("   Luck "),
        Span::styled(percent(analysis.luck), look.good()),
        Span::styled("   of 100; 50 is what chance gives", look.dim()),
    ]));
    column.text(look.dim(), &analysis.summary);
    let pegs = Pegs::new(look, game.rules());
    for (number, verdict) in (1..).zip(&analysis.turns) {
        column.gap();
        guess(column, game, &pegs, number, verdict);
    }
    if !analysis.others.is_empty() {
        column.heading("Others against the same code");
    }
    for other in &analysis.others {
        let guesses = number::things(other.guesses, "guess", "guesses");
        let end = if other.solved { guesses } else { format!("not in {guesses}") };
        let name = Span::styled(format!("{:<16}", other.strategy), look.name());
        column.line(Line::from(vec![name, Span::raw(end)]));
    }
}

/// A number from 0 to 100.
fn percent(figure: Uncertain<f64>) -> String {
    match figure {
        Uncertain::Exact(value) => format!("{value:.0}"),
        Uncertain::Estimate { value, .. } => format!("~{value:.0}"),
        Uncertain::AtMost(_) | Uncertain::Unknown => "-".to_owned(),
    }
}

fn guess(column: &mut Column, game: &Game, pegs: &Pegs, number: usize, verdict: &TurnAnalysis) {
    let look = column.look;
    let mut spans = vec![Span::styled(format!("{number:>2}  "), look.dim())];
    if let Some(guess) = verdict.note.code() {
        spans.extend(code(&guess, game, pegs, column.width));
    }
    spans.push(Span::raw(format!("  {} → {}", verdict.before.short(), verdict.after.short())));
    column.line(Line::from(spans));
    let expected =
        if verdict.expected.is_unknown() { String::new() } else { format!("; {} expected", verdict.expected.short()) };
    let scores = format!("    lost {}, luck {}{expected}", verdict.lost.short(), percent(verdict.luck));
    column.text(look.dim(), &scores);
    column.text(look.dim(), &format!("    {}", verdict.advice));
}

/// Pegs where they fit, and the notation where they do not.
fn code(code: &Code, game: &Game, pegs: &Pegs, width: usize) -> Vec<Span<'static>> {
    if pegs.width(code.len()) <= width / 2 {
        return pegs.code(code);
    }
    let notation = code.notation(game.rules().palette()).to_string();
    let long = notation.chars().count() > width / 2;
    vec![Span::raw(if long { notation.chars().take(width / 2).chain(['…']).collect() } else { notation })]
}
