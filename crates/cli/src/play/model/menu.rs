//! The start menu: what to play.

use std::num::NonZeroU32;

use pegwise_coach::Mode;
use pegwise_game::{Board, FeedbackKind, Rules, Shape};
use pegwise_solve::{Spec, catalog};

use super::{prompt::Line, setup::Setup};

/// What the player may choose.
#[derive(Debug, Clone)]
pub(crate) struct Menu {
    mode: Mode,
    shape: Kind,
    /// A board that only a line of text can describe.
    custom: Option<Board>,
    /// Cells of a row or ring, the side of a triangle, or the rows of a grid or cube; then columns; then layers.
    sides: [usize; 3],
    colors: u16,
    repeats: bool,
    feedback: FeedbackKind,
    limit: Option<NonZeroU32>,
    spec: Spec,
    /// The rules as they are being typed.
    pub(crate) typing: Option<Line>,
    pub(crate) chosen: usize,
    /// Rules whose colors have the names that those of other rules get.
    named: Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row,
    Grid,
    Triangle,
    Cube,
    Ring,
    Custom,
}

/// A line of the menu.
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

/// Longer sides are typed as rules.
const LONGEST_SIDE: usize = 100;
/// More colors are typed as rules.
const MOST_COLORS: u16 = 100;
const MOST_GUESSES: u32 = 99;

impl Menu {
    /// The menu with this game chosen.
    pub(crate) fn new(setup: &Setup) -> Self {
        let mut menu = Self {
            mode: setup.mode,
            shape: Kind::Row,
            custom: None,
            sides: [4, 4, 3],
            colors: 6,
            repeats: true,
            feedback: FeedbackKind::default(),
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

    /// The lines, from the top.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let sides = match self.shape {
            Kind::Custom => 0,
            Kind::Row | Kind::Triangle | Kind::Ring => 1,
            Kind::Grid => 2,
            Kind::Cube => 3,
        };
        let mut fields = vec![Field::Mode, Field::Rules, Field::Board];
        fields.extend((0..sides).map(Field::Side));
        fields.extend([Field::Colors, Field::Repeats, Field::Feedback, Field::Limit, Field::Strategy, Field::Start]);
        fields
    }

    /// The line that is chosen.
    pub(crate) fn field(&self) -> Field {
        let fields = self.fields();
        fields[self.chosen.min(fields.len() - 1)]
    }

    /// Chooses another line.
    pub(super) fn go_to(&mut self, line: usize) {
        self.chosen = line.min(self.fields().len() - 1);
    }

    /// What a line is called.
    pub(crate) fn name(&self, field: Field) -> &'static str {
        match field {
            Field::Mode => "Game",
            Field::Rules => "Rules",
            Field::Board => "Board",
            Field::Side(0) => match self.shape {
                Kind::Row => "Pegs",
                Kind::Ring => "Cells",
                Kind::Triangle => "Side",
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

    /// What a line says.
    pub(crate) fn value(&self, field: Field) -> String {
        match field {
            Field::Mode => match self.mode {
                Mode::Break => "break the computer's code".to_owned(),
                Mode::Make => "make a code that the computer breaks".to_owned(),
                Mode::Watch => "watch a strategy".to_owned(),
            },
            Field::Rules => self.rules().map_or_else(|why| why, |rules| rules.to_string()),
            Field::Board => match self.shape {
                Kind::Row => "a row".to_owned(),
                Kind::Grid => "a grid of rows and columns".to_owned(),
                Kind::Triangle => "a triangle".to_owned(),
                Kind::Cube => "a cube".to_owned(),
                Kind::Ring => "a ring".to_owned(),
                Kind::Custom => "lines of your own".to_owned(),
            },
            Field::Side(side) => self.sides[side].to_string(),
            Field::Colors => self.colors.to_string(),
            Field::Repeats => if self.repeats { "allowed" } else { "not allowed" }.to_owned(),
            Field::Feedback => self.feedback.model().title.to_owned(),
            Field::Limit => {
                self.limit.map_or_else(|| "as many as it takes".to_owned(), |limit| format!("at most {limit}"))
            }
            Field::Strategy => self.spec.to_string(),
            Field::Start => String::new(),
        }
    }

    /// A word on the line that is chosen.
    pub(crate) fn about(&self, field: Field) -> String {
        match field {
            Field::Rules => "Enter to type any rules, as in 5x8 or grid:4x4x6:black-only".to_owned(),
            Field::Strategy if self.mode == Mode::Break => format!("gives the hints: {}", self.spec.row().title),
            Field::Strategy => format!("breaks the code: {}", self.spec.row().title),
            Field::Start => "Enter starts the game".to_owned(),
            _ => "← and → change it".to_owned(),
        }
    }

    /// The rules chosen, or what is wrong with them.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let [first, second, third] = self.sides;
        let shape = match (self.shape, &self.custom) {
            (Kind::Custom, Some(board)) => board.shape().clone(),
            (Kind::Row | Kind::Custom, _) => Shape::Row(first),
            (Kind::Grid, _) => Shape::Grid { rows: first, columns: second },
            (Kind::Triangle, _) => Shape::Triangle(first),
            (Kind::Cube, _) => Shape::Cube(vec![third, first, second]),
            (Kind::Ring, _) => Shape::Ring(first),
        };
        let board = Board::new(shape).map_err(|error| error.to_string())?;
        let mut rules = Rules::new(board, self.colors).map_err(|error| error.to_string())?;
        if !self.repeats {
            rules = rules.without_repeats().map_err(|error| error.to_string())?;
        }
        let rules = rules.with_feedback(self.feedback).map_err(|error| error.to_string())?;
        Ok(rules.with_max_guesses(self.limit).with_names_of(&self.named))
    }

    /// The game chosen, or what is wrong with it.
    pub(super) fn setup(&self, seed: u64) -> Result<Setup, String> {
        let rules = self.rules()?;
        if !self.spec.row().can_play(&rules) {
            return Err(format!("{} plays {}; choose another strategy", self.spec.row().name, self.spec.row().plays));
        }
        Ok(Setup { rules, mode: self.mode, spec: self.spec.clone(), seed, secret: None })
    }

    /// Takes rules that were typed or loaded.
    fn take_rules(&mut self, rules: &Rules) {
        let board = rules.board();
        self.shape = match board.shape() {
            Shape::Row(cells) => self.of_sides(Kind::Row, &[*cells]),
            Shape::Ring(cells) => self.of_sides(Kind::Ring, &[*cells]),
            Shape::Triangle(side) => self.of_sides(Kind::Triangle, &[*side]),
            Shape::Grid { rows, columns } => self.of_sides(Kind::Grid, &[*rows, *columns]),
            Shape::Cube(sides) if sides.len() == 3 => self.of_sides(Kind::Cube, &[sides[1], sides[2], sides[0]]),
            _ => {
                self.custom = Some(board.clone());
                Kind::Custom
            }
        };
        self.colors = rules.colors();
        self.repeats = rules.repeats();
        self.feedback = rules.feedback();
        self.limit = rules.max_guesses().and_then(NonZeroU32::new);
    }

    fn of_sides(&mut self, kind: Kind, sides: &[usize]) -> Kind {
        self.sides[..sides.len()].copy_from_slice(sides);
        kind
    }

    /// Takes what was typed as rules; what is wrong with it, where it is not.
    pub(super) fn finish_typing(&mut self) -> Result<(), String> {
        let Some(line) = &self.typing else { return Ok(()) };
        let rules: Rules = line.text().parse().map_err(|error: pegwise_game::RulesError| error.to_string())?;
        self.typing = None;
        self.take_rules(&rules);
        self.chosen = self.fields().len() - 1;
        Ok(())
    }

    /// The next or the previous value of a line.
    pub(super) fn change(&mut self, field: Field, up: bool) {
        match field {
            Field::Mode => self.mode = turned(&Mode::ALL, self.mode, up),
            Field::Rules => {
                self.typing = Some(Line::new(&self.rules().map_or(String::new(), |rules| rules.to_string())));
            }
            Field::Board => {
                let mut kinds = vec![Kind::Row, Kind::Grid, Kind::Triangle, Kind::Cube, Kind::Ring];
                kinds.extend(self.custom.is_some().then_some(Kind::Custom));
                self.shape = turned(&kinds, self.shape, up);
            }
            Field::Side(side) => self.sides[side] = step(self.sides[side] as u64, up, LONGEST_SIDE as u64) as usize,
            Field::Colors => self.colors = step(self.colors.into(), up, MOST_COLORS.into()) as u16,
            Field::Repeats => self.repeats = !self.repeats,
            Field::Feedback => self.feedback = turned(&FeedbackKind::ALL, self.feedback, up),
            Field::Limit => {
                let limit = self.limit.map_or(0, NonZeroU32::get);
                let limit = if up { (limit + 1).min(MOST_GUESSES) } else { limit.saturating_sub(1) };
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

/// The item after or before one, round and round; the first where it is not among them.
fn turned<T: Copy + PartialEq>(items: &[T], item: T, up: bool) -> T {
    let count = items.len();
    match items.iter().position(|other| *other == item) {
        Some(index) if up => items[(index + 1) % count],
        Some(index) => items[(index + count - 1) % count],
        None => items.first().copied().unwrap_or(item),
    }
}

fn step(value: u64, up: bool, most: u64) -> u64 {
    // A larger one that was typed stays as it is until it is made smaller.
    if up && value < most {
        value + 1
    } else if up {
        value
    } else {
        (value - 1).max(1)
    }
}
