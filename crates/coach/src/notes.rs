//! Notes of a game, in which parts of the turns may be forgotten.
//!
//! A code is consistent with a note if some completion of the forgotten parts would have been answered this way.
//!
//! If the guess is complete, its feedback is compared number by number. Otherwise a backtracking search fills in the
//! forgotten pegs and abandons a branch as soon as a line cannot reach its marks. Colors absent from the code are
//! interchangeable when the feedback only counts colors, so only one of them is tried.

use std::fmt;

use pegwise_game::{
    Code, Color, FeedbackKind, FeedbackModel, History, Judge, Mark, Rules, SerializedMark, Turn, TurnError,
};
use pegwise_solve::{candidates::lines_by_cell, clock};
use serde::{Serialize, Serializer};

/// Sign for an unknown part.
const UNKNOWN: &str = "?";

/// A turn as written down. Unknown parts are `?`: `11?2=1,?`, `1122=?,1`, or `1122=?` for the whole feedback.
///
/// ```
/// use pegwise_coach::Note;
/// use pegwise_game::Rules;
/// let rules: Rules = "4x6".parse()?;
/// let note = Note::parse(&rules, "11?2=1,?")?;
/// assert_eq!(note.notation(&rules).to_string(), "11?2=1,?");
/// assert_eq!(note.turn(), None);
/// assert!(Note::parse(&rules, "1122=1,0")?.turn().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Note {
    /// Color of each cell; `None` if unknown.
    pub guess: Vec<Option<Color>>,
    /// Mark of each line, possibly with unknown numbers.
    pub feedback: Vec<PartialMark>,
}

/// A mark whose numbers may be unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartialMark {
    kind: FeedbackKind,
    numbers: Vec<Option<u64>>,
}

impl Note {
    /// Creates a note from the color of each cell and the numbers of each line's mark, in written order.
    pub fn new(
        rules: &Rules,
        guess: impl Into<Vec<Option<Color>>>,
        feedback: impl IntoIterator<Item = Vec<Option<u64>>>,
    ) -> Result<Self, TurnError> {
        let (guess, feedback): (Vec<_>, Vec<_>) = (guess.into(), feedback.into_iter().collect());
        rules.check_partial_code(&guess).map_err(|reason| {
            let text = rules.palette().pegs(&guess);
            TurnError::Guess(pegwise_game::CodeError { text, reason })
        })?;
        rules.check_partial_feedback(&feedback)?;
        Ok(Self { guess, feedback: PartialMark::from_numbers(rules, feedback) })
    }

    /// Parses a note such as `1122=2,1` or `11?2=1,?`.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, TurnError> {
        let Some((guess, feedback)) = text.split_once('=') else {
            // `Turn::parse` reports the missing `=`.
            return Turn::parse(rules, text).map(Self::from);
        };
        let guess = rules.parse_partial_code(guess)?;
        let feedback = rules.parse_partial_feedback(feedback.trim())?;
        Ok(Self { guess, feedback: PartialMark::from_numbers(rules, feedback) })
    }

    /// Returns the note in the notation that [`Note::parse`] reads.
    pub fn notation<'a>(&'a self, rules: &'a Rules) -> impl fmt::Display + use<'a> {
        fmt::from_fn(move |f| {
            write!(f, "{}=", self.guess_notation(rules))?;
            for (line, mark) in self.feedback.iter().enumerate() {
                let between = if line == 0 { "" } else { "/" };
                write!(f, "{between}{mark}")?;
            }
            Ok(())
        })
    }

    /// Returns the guess in notation.
    pub fn guess_notation(&self, rules: &Rules) -> String {
        rules.palette().pegs(&self.guess)
    }

    /// Returns the turn if nothing is unknown.
    pub fn turn(&self) -> Option<Turn> {
        let feedback = self.feedback.iter().map(PartialMark::mark).collect::<Option<_>>()?;
        Some(Turn { guess: self.code()?, feedback })
    }

    /// Returns the guess if all its pegs are known.
    pub fn code(&self) -> Option<Code> {
        self.guess.iter().copied().collect::<Option<Vec<Color>>>().map(Code::new)
    }
}

impl From<Turn> for Note {
    fn from(turn: Turn) -> Self {
        let guess = turn.guess.iter().copied().map(Some).collect();
        Self { guess, feedback: turn.feedback.marks().iter().copied().map(PartialMark::from).collect() }
    }
}

impl PartialMark {
    fn from_numbers(rules: &Rules, marks: Vec<Vec<Option<u64>>>) -> Vec<Self> {
        let kind = rules.feedback().written_as();
        marks.into_iter().map(|numbers| Self { kind, numbers }).collect()
    }

    /// Returns the numbers in written order.
    pub fn numbers(&self) -> &[Option<u64>] {
        &self.numbers
    }

    /// Returns the mark if nothing is unknown.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.kind, &self.numbers.iter().copied().collect::<Option<Vec<u64>>>()?)
    }

    /// Returns true if all known numbers equal those of `mark`.
    pub fn agrees(&self, mark: Mark) -> bool {
        mark.numbers().zip(&self.numbers).all(|(number, known)| known.is_none_or(|known| known == number))
    }

    /// Returns true if no number is known.
    pub fn is_unknown(&self) -> bool {
        self.numbers.iter().all(Option::is_none)
    }

    /// Returns a copy with number `at` replaced.
    pub(crate) fn with(&self, at: usize, number: u64) -> Self {
        let mut changed = self.clone();
        changed.numbers[at] = Some(number);
        changed
    }

    /// Returns a copy with two numbers swapped.
    pub(crate) fn swapped(&self, one: usize, other: usize) -> Self {
        let mut swapped = self.clone();
        swapped.numbers.swap(one, other);
        swapped
    }

    /// Returns a copy with all numbers unknown.
    pub(crate) fn forgotten(&self) -> Self {
        Self { kind: self.kind, numbers: vec![None; self.numbers.len()] }
    }

    /// Returns the name of number `at` for messages.
    pub(crate) fn name(&self, rules: &Rules, at: usize) -> String {
        if self.kind.model().per_cell { format!("in cell {}", at + 1) } else { rules.numbers()[at].name.to_owned() }
    }
}

impl From<Mark> for PartialMark {
    fn from(mark: Mark) -> Self {
        Self { kind: mark.kind(), numbers: mark.numbers().map(Some).collect() }
    }
}

impl fmt::Display for PartialMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unknown() {
            return f.write_str(UNKNOWN);
        }
        for (at, number) in self.numbers.iter().enumerate() {
            if at > 0 && !self.kind.model().per_cell {
                f.write_str(",")?;
            }
            match number {
                Some(number) => f.write_str(&self.kind.number_text(*number))?,
                None => f.write_str(UNKNOWN)?,
            }
        }
        Ok(())
    }
}

/// Serializes like [`Mark`], with null for unknown numbers.
impl Serialize for PartialMark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedMark::serialize(self.kind, self.numbers.iter().copied(), serializer)
    }
}

/// Notes of a game and its rules.
///
/// ```
/// use pegwise_coach::Notes;
/// use pegwise_game::Rules;
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1122=1,1", "13?4=0,2"])?;
/// assert_eq!(notes.notes().len(), 2);
/// assert!(notes.history().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notes {
    rules: Rules,
    notes: Vec<Note>,
}

impl Notes {
    /// Creates empty notes.
    pub fn new(rules: Rules) -> Self {
        Self { rules, notes: Vec::new() }
    }

    /// Parses notes such as `1122=2,1` and `11?2=1,?`.
    pub fn parse<'a>(rules: &Rules, notes: impl IntoIterator<Item = &'a str>) -> Result<Self, TurnError> {
        let notes = notes.into_iter().map(|note| Note::parse(rules, note)).collect::<Result<_, _>>()?;
        Ok(Self { rules: rules.clone(), notes })
    }

    /// Adds a note after checking it against the rules.
    pub fn push(&mut self, note: Note) -> Result<(), TurnError> {
        let numbers = note.feedback.into_iter().map(|mark| mark.numbers);
        self.notes.push(Note::new(&self.rules, note.guess, numbers)?);
        Ok(())
    }

    /// Removes and returns the last note.
    pub fn pop(&mut self) -> Option<Note> {
        self.notes.pop()
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the notes in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the history if nothing is unknown.
    pub fn history(&self) -> Option<History> {
        let complete = self.complete_turns();
        (complete.len() == self.notes.len()).then_some(complete)
    }

    /// Returns true if the last note found the code.
    pub fn is_solved(&self) -> bool {
        self.notes.last().and_then(Note::turn).is_some_and(|turn| turn.feedback.is_winning(&self.rules))
    }

    /// Returns true if `code` is consistent with all notes except for as many lies as the rules allow. Builds a checker
    /// per note; to test many codes, build the checkers once.
    pub fn is_consistent(&self, code: &[Color]) -> bool {
        let mut lies = self.rules.lies();
        self.notes.iter().all(|note| {
            if NoteChecker::new(&self.rules, note).accepts(code) {
                return true;
            }
            // The winning answer is always true, and so is any answer to the code itself.
            let truthful =
                note.turn().is_some_and(|turn| *turn.guess == *code || turn.feedback.is_winning(&self.rules));
            let may_be_a_lie = lies > 0 && !truthful;
            lies = lies.saturating_sub(1);
            may_be_a_lie
        })
    }

    /// Returns the turns without unknown parts.
    pub(crate) fn complete_turns(&self) -> History {
        let mut history = History::new(self.rules.clone());
        for turn in self.notes.iter().filter_map(Note::turn) {
            // Notes were checked against the rules.
            let _ = history.push(turn);
        }
        history
    }

    /// Returns a copy with note `at` replaced.
    pub(crate) fn with_note(&self, at: usize, note: Note) -> Self {
        let mut changed = self.clone();
        changed.notes[at] = note;
        changed
    }

    /// Returns the notes at these zero-based indices.
    pub(crate) fn subset(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        let notes = indices.into_iter().map(|at| self.notes[at].clone()).collect();
        Self { rules: self.rules.clone(), notes }
    }
}

impl From<&History> for Notes {
    fn from(history: &History) -> Self {
        let notes = history.turns().iter().cloned().map(Note::from).collect();
        Self { rules: history.rules().clone(), notes }
    }
}

/// Checker of codes for consistency with one note.
#[derive(Debug, Clone)]
pub(crate) struct NoteChecker {
    judge: Judge,
    constraint: Constraint,
}

#[derive(Debug, Clone)]
enum Constraint {
    /// The turn is complete.
    Turn(Turn),
    /// The guess is complete, some numbers are unknown.
    Numbers { guess: Code, marks: Vec<PartialMark> },
    /// Some pegs of the guess are unknown.
    Pegs(Box<PegCompletion>),
}

impl NoteChecker {
    /// Prepares the check of `note`.
    pub(crate) fn new(rules: &Rules, note: &Note) -> Self {
        let constraint = match (note.turn(), note.code()) {
            (Some(turn), _) => Constraint::Turn(turn),
            (None, Some(guess)) => Constraint::Numbers { guess, marks: note.feedback.clone() },
            (None, None) => Constraint::Pegs(Box::new(PegCompletion::new(rules, note))),
        };
        Self { judge: Judge::new(rules), constraint }
    }

    /// Returns true if the code is consistent with the note.
    pub(crate) fn accepts(&mut self, code: &[Color]) -> bool {
        clock::work(clock::STEP_COST);
        let Self { judge, constraint } = self;
        match constraint {
            Constraint::Turn(turn) => judge.agrees(turn, code),
            Constraint::Numbers { guess, marks } => {
                judge.marks(guess, code).zip(&*marks).all(|(mark, known)| known.agrees(mark))
            }
            Constraint::Pegs(completion) => completion.accepts(code),
        }
    }
}

/// Maximum number of search steps; then the code counts as consistent, so that no possible code is ever excluded.
const MAX_STEPS: u32 = 20_000;

/// Backtracking search for the unknown pegs of a guess.
#[derive(Debug, Clone)]
struct PegCompletion {
    judge: Judge,
    rules: Rules,
    /// The guess under construction.
    guess: Vec<Color>,
    known: Vec<(usize, Color)>,
    unknown: Vec<usize>,
    lines_of: Vec<Vec<usize>>,
    marks: Vec<PartialMark>,
    lines: Vec<LineState>,
    /// Number of pegs of each color in the guess; at most 1 without repeats.
    used: Vec<u16>,
    steps: u32,
}

/// State of a line for the pegs set so far.
#[derive(Debug, Clone, Default)]
struct LineState {
    cells: Vec<usize>,
    /// Pegs not yet set.
    left: u64,
    /// Partial sums of the mark.
    sums: [u64; 2],
    /// Number of pegs of each color in the code and in the guess.
    code: Vec<u16>,
    guess: Vec<u16>,
}

impl PegCompletion {
    fn new(rules: &Rules, note: &Note) -> Self {
        let board = rules.board();
        let colors = usize::from(rules.colors());
        let counted = if rules.feedback().model().colors { colors } else { 0 };
        let line = |line: &[usize]| LineState {
            cells: line.to_vec(),
            code: vec![0; counted],
            guess: vec![0; counted],
            ..LineState::default()
        };
        Self {
            judge: Judge::new(rules),
            rules: rules.clone(),
            guess: vec![Color::new(0); rules.cells()],
            known: (0..).zip(&note.guess).filter_map(|(cell, peg)| Some((cell, (*peg)?))).collect(),
            unknown: (0..).zip(&note.guess).filter(|(_, peg)| peg.is_none()).map(|(cell, _)| cell).collect(),
            lines_of: lines_by_cell(board),
            marks: note.feedback.clone(),
            lines: board.lines().map(line).collect(),
            used: vec![0; colors],
            steps: 0,
        }
    }

    fn accepts(&mut self, code: &[Color]) -> bool {
        self.used.fill(0);
        for line in &mut self.lines {
            line.left = line.cells.len() as u64;
            line.sums = [0; 2];
            line.guess.fill(0);
            line.code.fill(0);
            if !line.code.is_empty() {
                line.cells.iter().for_each(|&cell| line.code[code[cell].index()] += 1);
            }
        }
        self.steps = 0;
        for at in 0..self.known.len() {
            let (cell, color) = self.known[at];
            self.set(cell, color, code);
        }
        (0..self.lines.len()).all(|line| self.can_reach(line)) && self.complete(0, code)
    }

    /// Fills the unknown cells from index `from` on.
    fn complete(&mut self, from: usize, code: &[Color]) -> bool {
        let Some(&cell) = self.unknown.get(from) else {
            // The sums do not determine which cells are white.
            return !self.rules.feedback().model().per_cell
                || self.judge.marks(&self.guess, code).zip(&self.marks).all(|(mark, known)| known.agrees(mark));
        };
        for color in self.candidate_colors(cell, code) {
            self.steps += 1;
            clock::work(clock::STEP_COST);
            if self.steps > MAX_STEPS {
                return true;
            }
            self.set(cell, color, code);
            let lines = &self.lines_of[cell];
            if lines.iter().all(|&line| self.can_reach(line)) && self.complete(from + 1, code) {
                return true;
            }
            self.unset(cell, color, code);
        }
        false
    }

    /// Returns the colors worth trying in a cell, the color of the code first.
    fn candidate_colors(&self, cell: usize, code: &[Color]) -> Vec<Color> {
        let free = |color: &Color| self.rules.repeats() || self.used[color.index()] == 0;
        let all = (0..self.rules.colors()).map(Color::new);
        let own = code[cell];
        let model = self.rules.feedback().model();
        let others: Vec<Color> = if model.colors {
            let (shown, absent): (Vec<_>, Vec<_>) = all.filter(free).partition(|color| code.contains(color));
            shown.into_iter().chain(absent.into_iter().take(1)).collect()
        } else if model.cell.is_count() && self.rules.repeats() {
            let lower = (own.index() > 0).then(|| Color::new(0));
            let higher =
                (own.index() + 1 < usize::from(self.rules.colors())).then(|| Color::new(self.rules.colors() - 1));
            lower.into_iter().chain(higher).collect()
        } else {
            all.filter(free).collect()
        };
        Some(own).filter(free).into_iter().chain(others.into_iter().filter(|&color| color != own)).collect()
    }

    fn set(&mut self, cell: usize, color: Color, code: &[Color]) {
        self.guess[cell] = color;
        self.used[color.index()] += 1;
        for &line in &self.lines_of[cell] {
            let line = &mut self.lines[line];
            line.left -= 1;
            let gain = line.gain(self.rules.feedback().model(), color, code[cell], 1);
            line.sums.iter_mut().zip(gain).for_each(|(sum, gain)| *sum += gain);
            if let Some(shown) = line.guess.get_mut(color.index()) {
                *shown += 1;
            }
        }
    }

    fn unset(&mut self, cell: usize, color: Color, code: &[Color]) {
        self.used[color.index()] -= 1;
        for &line in &self.lines_of[cell] {
            let line = &mut self.lines[line];
            line.left += 1;
            let gain = line.gain(self.rules.feedback().model(), color, code[cell], 0);
            line.sums.iter_mut().zip(gain).for_each(|(sum, gain)| *sum -= gain);
            if let Some(shown) = line.guess.get_mut(color.index()) {
                *shown -= 1;
            }
        }
    }

    /// Returns true if the line can still reach its mark.
    fn can_reach(&self, line: usize) -> bool {
        let (mark, LineState { cells, left, sums, .. }) = (&self.marks[line], &self.lines[line]);
        let model = self.rules.feedback().model();
        if model.per_cell {
            return true;
        }
        let most = model.cell.max_contribution(self.rules.colors());
        let set = cells.len() as u64 - left;
        // A cell changes a number by at most the largest cell term, a color count by one.
        let far = left * most.max(1);
        let near =
            |(number, known): (i64, &Option<u64>)| known.is_none_or(|goal| (goal as i64).abs_diff(number) <= far);
        model.numbers_at(*sums, set as usize).zip(mark.numbers()).all(near)
            && mark.mark().is_none_or(|goal| model.can_reach(*sums, goal.sums(), *left, most))
    }
}

impl LineState {
    /// Returns the change of the sums by a peg; `already` is 1 if `self.guess` does not count the peg yet, else 0.
    fn gain(&self, model: &FeedbackModel, peg: Color, code: Color, already: u16) -> [u64; 2] {
        let [first, second] = model.cell.contribution(peg.index() as u64, code.index() as u64);
        let counted = || self.guess[peg.index()] + already <= self.code[peg.index()];
        [first, second + u64::from(model.colors && counted())]
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;
    use pegwise_solve::Rng;
    use proptest::prelude::*;

    use super::*;

    /// Returns true if some complete turn agrees with the known parts of the note: the naive definition.
    fn naive(rules: &Rules, note: &Note, code: &Code) -> bool {
        Space::new(rules).iter().any(|guess| {
            let turn = Note::from(Turn::against(rules, code, guess));
            let pegs = note.guess.iter().zip(&turn.guess).all(|(known, peg)| known.is_none() || known == peg);
            let numbers =
                |note: &Note| note.feedback.iter().flat_map(|mark| mark.numbers().to_vec()).collect::<Vec<_>>();
            let known = numbers(note);
            pegs && known.iter().zip(numbers(&turn)).all(|(known, number)| known.is_none() || *known == number)
        })
    }

    proptest! {
        #[test]
        fn checkers_follow_the_definition(
            rules in prop::sample::select(vec!["3x4", "4x3", "3x4:no-repeats", "4x3:black-only", "4x3:color-only", "4x3:per-cell", "3x4:higher-lower",
                "3x4:no-repeats:higher-lower", "3x4:distance", "3x4:city-block", "grid:2x2x3", "ring:4x3", "1x3", "4x1"]),
            seed: u64, pegs: u8, numbers: u16,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (guess, secret) = (rng.code(&rules), rng.code(&rules));
            let mut note = Note::from(Turn::against(&rules, &secret, guess));
            for (cell, peg) in note.guess.iter_mut().enumerate() {
                if pegs >> cell & 1 == 1 {
                    *peg = None;
                }
            }
            let mut bit = 0;
            let marks: Vec<Vec<Option<u64>>> = note.feedback.iter().map(|mark| mark.numbers().iter().map(|number| {
                bit += 1;
                number.filter(|_| numbers >> (bit % 16) & 1 == 0)
            }).collect()).collect();
            let note = Note::new(&rules, note.guess, marks).unwrap();
            let mut notes = Notes::new(rules.clone());
            notes.push(note.clone()).unwrap();
            let mut checker = NoteChecker::new(&rules, &note);
            prop_assert!(checker.accepts(&secret));
            for _ in 0..8 {
                let code = rng.code(&rules);
                prop_assert_eq!(checker.accepts(&code), naive(&rules, &note, &code), "{} {}", note.notation(&rules), code.notation(9));
            }
        }
    }
}
