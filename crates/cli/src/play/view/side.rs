//! The panel beside the board: what is known, and what somebody thinks.

use pegwise_coach::{Amount, Hint, Mode, Size};
use pegwise_game::{Code, Color, KeyPeg};
use ratatui::text::{Line, Span};

use super::{column::Column, pegs::Pegs, theme::Look};
use crate::play::model::{Appraisal, Game, Trouble, event::Action};

/// The panel of a game, in this width.
pub(super) fn column(look: Look, width: usize, height: usize, game: &Game) -> Column {
    let mut side = Side { column: Column::new(look, width), pegs: Pegs::new(look, game.rules()), game, look, height };
    if let Some(trouble) = &game.trouble {
        side.trouble(trouble);
        return side.column;
    }
    side.possible();
    match game.mode() {
        Mode::Break => {
            side.hint();
            side.verdict();
        }
        Mode::Make | Mode::Watch => side.thought(),
    }
    side.legend();
    side.column
}

struct Side<'a> {
    column: Column,
    pegs: Pegs,
    game: &'a Game,
    look: Look,
    height: usize,
}

/// How many alternatives are shown.
const ALTERNATIVES: usize = 4;
/// Lines that the rest of the panel should keep.
const REST: usize = 9;

impl Side<'_> {
    /// How the possible codes shrink, as bars of their logarithms.
    fn possible(&mut self) {
        self.column.heading("Codes possible");
        let turns = self.game.history.len();
        let log10 = |amount: Amount| amount.value().map(Size::log10);
        let most = self.game.left(0).and_then(log10).unwrap_or(1.0).max(0.1);
        let room = self.height.saturating_sub(REST).max(2);
        let first = (turns + 1).saturating_sub(room);
        let counts: Vec<(usize, Option<Amount>)> = (first..=turns).map(|turn| (turn, self.game.left(turn))).collect();
        let texts: Vec<String> = counts
            .iter()
            .map(|(_, count)| match count {
                None => "…".to_owned(),
                Some(amount) => amount.short(),
            })
            .collect();
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let room = self.column.width.saturating_sub(width + 9);
        for ((turn, count), text) in counts.into_iter().zip(texts) {
            let share = count.and_then(log10).map_or(0.0, |log10| (log10 / most).clamp(0.0, 1.0));
            let exists = count.is_some_and(|count| count.value().is_some() && count.exact() != Some(0));
            let bar = if exists { 1 + (share * room.saturating_sub(1) as f64).round() as usize } else { 0 };
            let label = if turn == 0 { "start".to_owned() } else { format!("{turn:>5}") };
            self.column.line(Line::from(vec![
                Span::styled(label, self.look.dim()),
                Span::raw(format!("  {text:>width$} ")),
                Span::styled(self.look.signs().bar.to_string().repeat(bar.min(room)), self.look.bar()),
            ]));
        }
    }

    /// A code on one line, or in its notation where it is too long.
    fn code(&self, code: &[Color]) -> Vec<Span<'static>> {
        if self.pegs.width(code.len()) + 2 <= self.column.width {
            return self.pegs.code(code);
        }
        let notation = Code::new(code).notation(self.game.rules().palette()).to_string();
        let room = self.column.width.saturating_sub(1);
        let cut = if notation.chars().count() > room {
            notation.chars().take(room.saturating_sub(1)).chain(['…']).collect()
        } else {
            notation
        };
        vec![Span::raw(cut)]
    }

    fn hint(&mut self) {
        let Some(hint) = &self.game.hint else { return };
        self.column.heading("Hint");
        let code = self.code(&hint.guess);
        self.column.button(Line::from(code), Action::Hint);
        self.why(hint);
    }

    /// What the computer thinks of its guess.
    fn thought(&mut self) {
        let Some(why) = self.game.thought.as_ref().and_then(|thought| thought.why.as_ref()) else { return };
        self.column.heading(if self.game.mode() == Mode::Make { "What it thinks" } else { "Why this guess" });
        self.why(why);
    }

    /// Why a guess, what it rests on, and the next best.
    fn why(&mut self, hint: &Hint) {
        self.column.text(self.look.dim(), &sentence(&hint.why));
        if hint.alternatives.is_empty() {
            return;
        }
        self.column.gap();
        self.column.text(self.look.dim(), "Next best, and what each would leave:");
        for alternative in hint.alternatives.iter().take(ALTERNATIVES) {
            let mut spans = self.code(&alternative.guess);
            let left = alternative.expected_remaining.short();
            let width: usize = spans.iter().map(Span::width).sum();
            if width + 2 + left.chars().count() <= self.column.width {
                spans.push(Span::styled(format!("  {left}"), self.look.dim()));
            }
            self.column.line(Line::from(spans));
        }
    }

    /// How well it was played, once the game is over.
    fn verdict(&mut self) {
        if !self.game.is_over() {
            return;
        }
        match &self.game.analysis {
            Some(Appraisal::Known(Ok(analysis))) => {
                self.column.heading("How you played");
                for (word, figure) in [("Skill", analysis.skill), ("Luck", analysis.luck)] {
                    let Some(value) = figure.value() else { continue };
                    let about = if figure.is_exact() { "" } else { "~" };
                    let percent = format!("{about}{value:.0}");
                    let bar = (value / 10.0).round().clamp(0.0, 10.0) as usize;
                    let (full, empty) = (self.look.signs().bar, self.look.signs().dot);
                    self.column.line(Line::from(vec![
                        Span::raw(format!("{word:<6}{percent:>4} ")),
                        Span::styled(full.to_string().repeat(bar), self.look.bar()),
                        Span::styled(empty.to_string().repeat(10 - bar), self.look.dim()),
                    ]));
                }
                self.column.text(self.look.dim(), &analysis.summary);
                let more = Line::from(vec![Span::styled("a", self.look.name()), Span::raw(" every guess explained")]);
                self.column.button(more, Action::Analyze);
            }
            Some(Appraisal::Known(Err(why))) => self.column.text(self.look.dim(), why),
            Some(Appraisal::Asked(_)) => {
                self.column.heading("How you played");
                self.column.text(self.look.dim(), "Being looked at…");
            }
            None => {}
        }
    }

    /// No code fits: which turns, and what would mend them.
    fn trouble(&mut self, trouble: &Trouble) {
        self.column.text(self.look.bad(), "No code fits your answers.");
        for turns in trouble.contradiction.turns.iter().take(3) {
            self.column.text(self.look.dim(), &cannot_all_be(turns));
        }
        self.column.heading("Perhaps");
        if trouble.fixes.is_empty() {
            let (edit, undo) = (self.game.key('e'), self.game.key('u'));
            let text = format!("No one or two changes mend this. Change an answer with {edit}, or undo with {undo}.");
            self.column.text(self.look.dim(), &text);
        }
        let room = self.height.saturating_sub(self.column.height() + 1) / 2;
        let first = (trouble.chosen + 1).saturating_sub(room.max(1));
        for (number, fix) in trouble.fixes.iter().enumerate().skip(first).take(room.max(1)) {
            let leaves =
                if fix.leaves.is_unknown() { String::new() } else { format!(" ({} left)", fix.leaves.short()) };
            let text = format!("{}. {}{leaves}", number + 1, upper_first(&fix.words));
            let chosen = number == trouble.chosen;
            for line in crate::ui::block::wrap(&text, self.column.width) {
                let span = if chosen { Span::styled(line, self.look.chosen()) } else { Span::raw(line) };
                self.column.button(Line::from(span), Action::Repair(number));
            }
        }
    }

    /// What the signs mean, where a player must give them.
    fn legend(&mut self) {
        if self.game.is_over() {
            return;
        }
        let signs = self.look.signs();
        self.column.gap();
        for number in self.game.rules().numbers() {
            let Some(sign) = number.key_peg else {
                self.column.text(self.look.dim(), &format!("The number is the {}: {}.", number.name, number.meaning));
                continue;
            };
            let style = if sign == KeyPeg::Black { self.look.black() } else { self.look.white() };
            let sign = Span::styled(format!("{} ", signs.of(Some(sign))), style);
            self.column.line(Line::from(vec![sign, Span::styled(number.meaning.to_owned(), self.look.dim())]));
        }
        if self.game.rules().board().line_count() > 1 {
            self.column.text(self.look.dim(), "One answer for each line of the board.");
        }
    }
}

/// Turns that cannot all be true, in words.
fn cannot_all_be(turns: &[usize]) -> String {
    match turns {
        [] => "The turns contradict each other.".to_owned(),
        [only] => format!("Turn {only} cannot be true."),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("Turns {} and {last} cannot all be true.", others.join(", "))
        }
    }
}

/// Words as a sentence.
fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{end}", upper_first(words))
}

fn upper_first(words: &str) -> String {
    let mut chars = words.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}
