//! The start menu.

use std::{num::NonZeroU32, sync::Arc};

use pegwise_coach::Mode;
use pegwise_game::{Board, FeedbackKind, Rules, Shape};
use pegwise_solve::{Spec, catalog, secrets::SecretList};

use super::{entry::LineEditor, game::PlaySetup};

#[derive(Debug, Clone)]
pub(crate) struct Menu {
    mode: Mode,
    shape: BoardKind,
    /// Board that cannot be described by sides.
    custom: Option<Board>,
    /// Cells of a row or ring, side of a triangle, or rows of a grid or cube; then columns; then layers.
    sides: [usize; 3],
    colors: u16,
    repeats: bool,
    feedback: FeedbackKind,
    /// Number of answers that may be lies; only typed rules change it.
    lies: u8,
    limit: Option<NonZeroU32>,
    spec: Spec,
    pub(crate) typing: Option<LineEditor>,
    pub(crate) chosen: usize,
    /// Rules whose color names are kept.
    named: Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoardKind {
    Row,
    Grid,
    Triangle,
    Cube,
    Ring,
    Custom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Mode,
    Rules,
    Board,
    Side(usize),
    Colors,
    Repeats,
    Feedback,
    Limit,
    Strategy,
    Start,
}

const MAX_SIDE: usize = 100;
const MAX_COLORS: u16 = 100;
const MAX_GUESSES: u32 = 99;

impl Menu {
    pub(crate) fn new(setup: &PlaySetup) -> Self {
        let mut menu = Self {
            mode: setup.mode,
            shape: BoardKind::Row,
            custom: None,
            sides: [4, 4, 3],
            colors: 6,
            repeats: true,
            feedback: FeedbackKind::default(),
            lies: 0,
            limit: None,
            spec: setup.spec.clone(),
            typing: None,
            chosen: 0,
            named: setup.rules.clone(),
        };
        menu.take_rules(&setup.rules);
        menu.chosen = menu.fields().len() - 1;
        menu
    }

    /// Returns the fields, from top to bottom.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let sides = match self.shape {
            BoardKind::Custom => 0,
            BoardKind::Row | BoardKind::Triangle | BoardKind::Ring => 1,
            BoardKind::Grid => 2,
            BoardKind::Cube => 3,
        };
        let mut fields = vec![Field::Mode, Field::Rules, Field::Board];
        fields.extend((0..sides).map(Field::Side));
        fields.extend([Field::Colors, Field::Repeats, Field::Feedback, Field::Limit, Field::Strategy, Field::Start]);
        fields
    }

    pub(crate) fn field(&self) -> Field {
        let fields = self.fields();
        fields[self.chosen.min(fields.len() - 1)]
    }

    pub(super) fn go_to(&mut self, line: usize) {
        self.chosen = line.min(self.fields().len() - 1);
    }

    pub(crate) fn name(&self, field: Field) -> &'static str {
        match field {
            Field::Mode => "Game",
            Field::Rules => "Rules",
            Field::Board => "Board",
            Field::Side(0) => match self.shape {
                BoardKind::Row => "Pegs",
                BoardKind::Ring => "Cells",
                BoardKind::Triangle => "Side",
                _ => "Rows",
            },
            Field::Side(1) => "Columns",
            Field::Side(_) => "Layers",
            Field::Colors => "Colors",
            Field::Repeats => "Repeats",
            Field::Feedback => "Feedback",
            Field::Limit => "Guesses",
            Field::Strategy => "Strategy",
            Field::Start => "Play",
        }
    }

    pub(crate) fn value(&self, field: Field) -> String {
        match field {
            Field::Mode => match self.mode {
                Mode::Break => "break the computer's code".to_owned(),
                Mode::Make => "make a code for the computer".to_owned(),
                Mode::Watch => "watch a strategy".to_owned(),
            },
            Field::Rules => self.rules().map_or_else(|why| why, |rules| rules.to_string()),
            Field::Board => match self.shape {
                BoardKind::Row => "a row".to_owned(),
                BoardKind::Grid => "a grid of rows and columns".to_owned(),
                BoardKind::Triangle => "a triangle".to_owned(),
                BoardKind::Cube => "a cube".to_owned(),
                BoardKind::Ring => "a ring".to_owned(),
                BoardKind::Custom => "custom lines".to_owned(),
            },
            Field::Side(side) => self.sides[side].to_string(),
            Field::Colors => self.colors.to_string(),
            Field::Repeats => if self.repeats { "allowed" } else { "not allowed" }.to_owned(),
            Field::Feedback => self.feedback.model().title.to_owned(),
            Field::Limit => self.limit.map_or_else(|| "unlimited".to_owned(), |limit| format!("at most {limit}")),
            Field::Strategy => self.spec.to_string(),
            Field::Start => String::new(),
        }
    }

    pub(crate) fn about(&self, field: Field) -> String {
        match field {
            Field::Rules => "Press Enter to type rules, as in 5x8 or grid:4x4x6:black-only".to_owned(),
            Field::Strategy if self.mode == Mode::Break => format!("gives the hints: {}", self.spec.row().title),
            Field::Strategy => format!("breaks the code: {}", self.spec.row().title),
            Field::Start => "Press Enter to start".to_owned(),
            _ => "Change with ← and →".to_owned(),
        }
    }

    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let [first, second, third] = self.sides;
        let shape = match (self.shape, &self.custom) {
            (BoardKind::Custom, Some(board)) => board.shape().clone(),
            (BoardKind::Row | BoardKind::Custom, _) => Shape::Row(first),
            (BoardKind::Grid, _) => Shape::Grid { rows: first, columns: second },
            (BoardKind::Triangle, _) => Shape::Triangle(first),
            (BoardKind::Cube, _) => Shape::Cube(vec![third, first, second]),
            (BoardKind::Ring, _) => Shape::Ring(first),
        };
        let board = Board::new(shape).map_err(|error| error.to_string())?;
        let mut rules = Rules::new(board, self.colors).map_err(|error| error.to_string())?;
        if !self.repeats {
            rules = rules.without_repeats().map_err(|error| error.to_string())?;
        }
        let rules = rules.with_feedback(self.feedback).map_err(|error| error.to_string())?;
        Ok(rules.with_lies(self.lies).with_max_guesses(self.limit).with_names_of(&self.named))
    }

    /// Returns the settings of the selected game.
    pub(super) fn setup(&self, seed: u64, secrets: Option<Arc<SecretList>>) -> Result<PlaySetup, String> {
        let rules = self.rules()?;
        if !self.spec.row().can_play(&rules) {
            return Err(format!(
                "{} only plays {}; choose another strategy",
                self.spec.row().name,
                self.spec.row().plays
            ));
        }
        Ok(PlaySetup { rules, mode: self.mode, spec: self.spec.clone(), seed, secret: None, secrets })
    }

    /// Selects rules that were typed or loaded.
    fn take_rules(&mut self, rules: &Rules) {
        let board = rules.board();
        self.shape = match board.shape() {
            Shape::Row(cells) => self.of_sides(BoardKind::Row, &[*cells]),
            Shape::Ring(cells) => self.of_sides(BoardKind::Ring, &[*cells]),
            Shape::Triangle(side) => self.of_sides(BoardKind::Triangle, &[*side]),
            Shape::Grid { rows, columns } => self.of_sides(BoardKind::Grid, &[*rows, *columns]),
            Shape::Cube(sides) if sides.len() == 3 => self.of_sides(BoardKind::Cube, &[sides[1], sides[2], sides[0]]),
            _ => {
                self.custom = Some(board.clone());
                BoardKind::Custom
            }
        };
        self.colors = rules.colors();
        self.repeats = rules.repeats();
        self.feedback = rules.feedback();
        self.lies = rules.lies();
        self.limit = rules.max_guesses().and_then(NonZeroU32::new);
    }

    fn of_sides(&mut self, kind: BoardKind, sides: &[usize]) -> BoardKind {
        self.sides[..sides.len()].copy_from_slice(sides);
        kind
    }

    pub(super) fn apply_typed_rules(&mut self) -> Result<(), String> {
        let Some(line) = &self.typing else { return Ok(()) };
        let rules: Rules = line.text().parse().map_err(|error: pegwise_game::RulesError| error.to_string())?;
        self.typing = None;
        self.take_rules(&rules);
        self.chosen = self.fields().len() - 1;
        Ok(())
    }

    pub(super) fn change(&mut self, field: Field, up: bool) {
        match field {
            Field::Mode => self.mode = turned(&Mode::ALL, self.mode, up),
            Field::Rules => {
                self.typing = Some(LineEditor::new(&self.rules().map_or(String::new(), |rules| rules.to_string())));
            }
            Field::Board => {
                let mut kinds =
                    vec![BoardKind::Row, BoardKind::Grid, BoardKind::Triangle, BoardKind::Cube, BoardKind::Ring];
                kinds.extend(self.custom.is_some().then_some(BoardKind::Custom));
                self.shape = turned(&kinds, self.shape, up);
            }
            Field::Side(side) => self.sides[side] = step(self.sides[side] as u64, up, MAX_SIDE as u64) as usize,
            Field::Colors => self.colors = step(self.colors.into(), up, MAX_COLORS.into()) as u16,
            Field::Repeats => self.repeats = !self.repeats,
            Field::Feedback => self.feedback = turned(&FeedbackKind::ALL, self.feedback, up),
            Field::Limit => {
                let limit = self.limit.map_or(0, NonZeroU32::get);
                let limit = if up { (limit + 1).min(MAX_GUESSES) } else { limit.saturating_sub(1) };
                self.limit = NonZeroU32::new(limit);
            }
            Field::Strategy => self.change_strategy(up),
            Field::Start => {}
        }
    }

    fn change_strategy(&mut self, up: bool) {
        let rules = self.rules();
        let can = |row: &&catalog::Row| rules.as_ref().is_ok_and(|rules| row.can_play(rules));
        let names: Vec<&str> = catalog::rows().iter().filter(can).map(|row| row.name).collect();
        let name = turned(&names, self.spec.row().name, up);
        if let Ok(spec) = name.parse() {
            self.spec = spec;
        }
    }
}

/// Returns the next or previous item, cyclically; the first if `item` is not in the list.
fn turned<T: Copy + PartialEq>(items: &[T], item: T, up: bool) -> T {
    let count = items.len();
    match items.iter().position(|other| *other == item) {
        Some(index) if up => items[(index + 1) % count],
        Some(index) => items[(index + count - 1) % count],
        None => items.first().copied().unwrap_or(item),
    }
}

fn step(value: u64, up: bool, most: u64) -> u64 {
    // A larger value that was typed is kept until it is decremented.
    if up && value < most {
        value + 1
    } else if up {
        value
    } else {
        (value - 1).max(1)
    }
}
