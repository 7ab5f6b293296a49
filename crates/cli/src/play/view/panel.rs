//! The panel beside the board, and the analysis of a game.

use pegwise_coach::{Amount, Analysis, Hint, Mode, Size, TurnAnalysis, Uncertain};
use pegwise_game::{Code, Color, Rules};
use pegwise_solve::StrategyError;
use ratatui::text::{Line, Span};

use super::{
    board::Pegs,
    widgets::{TextColumn, Theme},
};
use crate::{
    play::model::{AnalysisState, GameState, RepairMenu, event::Action},
    ui::{number, style, text::wrap},
};

pub(super) fn panel(theme: Theme, width: usize, height: usize, game: &GameState) -> TextColumn {
    let mut panel =
        Panel { column: TextColumn::new(theme, width), pegs: Pegs::new(theme, game.rules()), game, theme, height };
    if let Some(repairs) = &game.repairs {
        panel.repairs(repairs);
        return panel.column;
    }
    panel.possible();
    match game.mode() {
        Mode::Break => {
            panel.hint();
            panel.verdict();
        }
        Mode::Make | Mode::Watch => panel.computer_guess(),
    }
    panel.legend();
    panel.column
}

struct Panel<'a> {
    column: TextColumn,
    pegs: Pegs,
    game: &'a GameState,
    theme: Theme,
    height: usize,
}

const ALTERNATIVES: usize = 4;
/// Lines reserved for the rest of the panel.
const REST: usize = 9;

impl Panel<'_> {
    /// Draws the number of possible codes after each turn, on a logarithmic scale.
    fn possible(&mut self) {
        self.column.heading("Codes possible");
        let turns = self.game.history.len();
        let log10 = |amount: Amount| amount.value().map(Size::log10);
        let most = self.game.left(0).and_then(log10).unwrap_or(1.0).max(0.1);
        let room = self.height.saturating_sub(REST).max(2);
        let first = (turns + 1).saturating_sub(room);
        let counts: Vec<(usize, Option<Amount>)> = (first..=turns).map(|turn| (turn, self.game.left(turn))).collect();
        let short = |count: Option<Amount>| count.map_or("…".to_owned(), Amount::short);
        let texts: Vec<String> = counts.iter().map(|&(_, count)| short(count)).collect();
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let room = self.column.width.saturating_sub(width + 9);
        for ((turn, count), text) in counts.into_iter().zip(texts) {
            let share = count.and_then(log10).map_or(0.0, |log10| (log10 / most).clamp(0.0, 1.0));
            let exists = count.is_some_and(|count| count.value().is_some() && count.exact() != Some(0));
            let bar = if exists { 1 + (share * room.saturating_sub(1) as f64).round() as usize } else { 0 };
            let label = if turn == 0 { "start".to_owned() } else { format!("{turn:>5}") };
            let (text, bar) = (format!("  {text:>width$} "), "━".repeat(bar.min(room)));
            self.column.spans(&[(style::DIM, &label), (style::PLAIN, &text), (style::BAR, &bar)]);
        }
    }

    /// Draws a code on one line, in notation if it is too long.
    fn code(&self, code: &[Color]) -> Vec<Span<'static>> {
        short_code(code, self.game.rules(), &self.pegs, self.column.width.saturating_sub(2))
    }

    fn hint(&mut self) {
        let Some(hint) = &self.game.hint else { return };
        self.column.heading("Hint");
        self.column.button(Line::from(self.code(&hint.guess)), Action::Hint);
        self.why(hint);
    }

    fn computer_guess(&mut self) {
        let Some(why) = self.game.computer_guess.as_ref().and_then(|computer_guess| computer_guess.why.as_ref()) else {
            return;
        };
        self.column.heading(if self.game.mode() == Mode::Make { "Its reasons" } else { "Why this guess" });
        self.why(why);
    }

    fn why(&mut self, hint: &Hint) {
        self.column.text(style::DIM, &sentence(&hint.why));
        if hint.alternatives.is_empty() {
            return;
        }
        self.column.gap();
        self.column.text(style::DIM, "Alternatives, and expected codes left:");
        for alternative in hint.alternatives.iter().take(ALTERNATIVES) {
            let mut spans = self.code(&alternative.guess);
            let left = alternative.expected_remaining.short();
            let width: usize = spans.iter().map(Span::width).sum();
            if width + 2 + left.chars().count() <= self.column.width {
                spans.push(Span::styled(format!("  {left}"), self.theme.of(style::DIM)));
            }
            self.column.line(Line::from(spans));
        }
    }

    fn verdict(&mut self) {
        if !self.game.is_over() {
            return;
        }
        match &self.game.analysis {
            Some(AnalysisState::Done(Ok(analysis))) => {
                self.column.heading("How you played");
                for (word, figure) in [("Skill", analysis.skill), ("Luck", analysis.luck)] {
                    let Some(value) = figure.value() else { continue };
                    let purpose = if figure.is_exact() { "" } else { "~" };
                    let percent = format!("{purpose}{value:.0}");
                    let bar = (value / 10.0).round().clamp(0.0, 10.0) as usize;
                    let (name, rest) = (format!("{word:<6}{percent:>4} "), self.theme.dot().repeat(10 - bar));
                    self.column.spans(&[(style::PLAIN, &name), (style::BAR, &"━".repeat(bar)), (style::DIM, &rest)]);
                }
                self.column.text(style::DIM, &analysis.summary);
                let more = Line::from(vec![
                    Span::styled("a", self.theme.of(style::NAME)),
                    Span::raw(" every guess explained"),
                ]);
                self.column.button(more, Action::Analyze);
            }
            Some(AnalysisState::Done(Err(why))) => self.column.text(style::DIM, why),
            Some(AnalysisState::Pending(_)) => {
                self.column.heading("How you played");
                self.column.text(style::DIM, "Analyzing…");
            }
            None => {}
        }
    }

    fn repairs(&mut self, repairs: &RepairMenu) {
        self.column.text(style::BAD, "No code fits your answers.");
        for turns in repairs.contradiction.turns.iter().take(3) {
            let text = StrategyError::Contradiction { turns: turns.clone() }.to_string();
            self.column.text(style::DIM, &sentence(text.trim_start_matches("no code fits: ")));
        }
        self.column.heading("Possible mistakes");
        if repairs.options.is_empty() {
            let (edit, undo) = (self.game.key('e'), self.game.key('u'));
            let text =
                format!("No one or two corrections resolve this. Press {edit} to change an answer, or {undo} to undo.");
            self.column.text(style::DIM, &text);
        }
        let room = self.height.saturating_sub(self.column.height() + 1) / 2;
        let first = (repairs.chosen + 1).saturating_sub(room.max(1));
        for (number, option) in repairs.options.iter().enumerate().skip(first).take(room.max(1)) {
            let leaves =
                if option.leaves.is_unknown() { String::new() } else { format!(" ({} left)", option.leaves.short()) };
            let text = format!("{}. {}{leaves}", number + 1, upper_first(&option.words));
            let chosen = number == repairs.chosen;
            for line in wrap(&text, self.column.width) {
                let span = if chosen { Span::styled(line, self.theme.chosen()) } else { Span::raw(line) };
                self.column.button(Line::from(span), Action::Repair(number));
            }
        }
    }

    fn legend(&mut self) {
        if self.game.is_over() {
            return;
        }
        self.column.gap();
        for number in self.game.rules().numbers() {
            let Some(peg) = number.key_peg else {
                self.column.text(style::DIM, &format!("The number is the {}: {}.", number.name, number.meaning));
                continue;
            };
            let (sign, style) = style::key_peg(Some(peg));
            self.column.spans(&[(style, sign), (style, " "), (style::DIM, number.meaning)]);
        }
        if self.game.rules().board().line_count() > 1 {
            self.column.text(style::DIM, "One answer per line of the board.");
        }
    }
}

fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{end}", upper_first(words))
}

fn upper_first(words: &str) -> String {
    let mut chars = words.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}

pub(super) fn fill_analysis(column: &mut TextColumn, game: &GameState) {
    match &game.analysis {
        Some(AnalysisState::Done(Ok(analysis))) => whole(column, game, analysis),
        Some(AnalysisState::Done(Err(why))) => column.text(style::BAD, why),
        Some(AnalysisState::Pending(_)) | None => {
            column.text(style::DIM, "Analyzing every guess…");
        }
    }
}

fn whole(column: &mut TextColumn, game: &GameState, analysis: &Analysis) {
    let theme = column.theme;
    column.spans(&[
        (style::PLAIN, "Guesses lost "),
        (style::GOOD, &analysis.lost.short()),
        (style::PLAIN, "   Luck "),
        (style::GOOD, &percent(analysis.luck)),
        (style::DIM, "   of 100; 50 is average"),
    ]);
    column.text(style::DIM, &analysis.summary);
    let pegs = Pegs::new(theme, game.rules());
    for (number, verdict) in (1..).zip(&analysis.turns) {
        column.gap();
        analyzed_guess(column, game, &pegs, number, verdict);
    }
    if !analysis.others.is_empty() {
        column.heading("Other strategies");
    }
    for other in &analysis.others {
        let guesses = number::things(other.guesses, "guess", "guesses");
        let end = if other.solved { guesses } else { format!("not in {guesses}") };
        column.spans(&[(style::NAME, &format!("{:<16}", other.strategy)), (style::PLAIN, &end)]);
    }
}

fn percent(figure: Uncertain<f64>) -> String {
    match figure {
        Uncertain::Exact(value) => format!("{value:.0}"),
        Uncertain::Estimate { value, .. } => format!("~{value:.0}"),
        Uncertain::AtMost(_) | Uncertain::Unknown => "-".to_owned(),
    }
}

fn analyzed_guess(column: &mut TextColumn, game: &GameState, pegs: &Pegs, number: usize, verdict: &TurnAnalysis) {
    let theme = column.theme;
    let mut spans = vec![Span::styled(format!("{number:>2}  "), theme.of(style::DIM))];
    if let Some(guess) = verdict.note.code() {
        spans.extend(short_code(&guess, game.rules(), pegs, column.width / 2));
    }
    spans.push(Span::raw(format!("  {} → {}", verdict.before.short(), verdict.after.short())));
    column.line(Line::from(spans));
    let expected =
        if verdict.expected.is_unknown() { String::new() } else { format!("; {} expected", verdict.expected.short()) };
    let scores = format!("    lost {}, luck {}{expected}", verdict.lost.short(), percent(verdict.luck));
    column.text(style::DIM, &scores);
    column.text(style::DIM, &format!("    {}", verdict.advice));
}

/// Draws a code as pegs if they fit, else in notation.
fn short_code(code: &[Color], rules: &Rules, pegs: &Pegs, width: usize) -> Vec<Span<'static>> {
    if pegs.width(code.len()) <= width {
        return pegs.code(code);
    }
    let notation = Code::new(code).notation(rules.palette()).to_string();
    let long = notation.chars().count() > width;
    vec![Span::raw(if long { notation.chars().take(width).chain(['…']).collect() } else { notation })]
}
