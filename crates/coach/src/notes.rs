//! Turns as a player writes them down, some parts forgotten.

use std::fmt;

use pegwise_game::{Code, Color, FeedbackKind, History, Mark, Rules, SerializedMark, Turn, TurnError};
use serde::{Serialize, Serializer};

use crate::fit::Fit;

/// What stands for a part that is not known.
const UNKNOWN: &str = "?";

/// A turn as written down. Unknown parts are `?`: `11?2=1,?`, `1122=?,1`, or `1122=?` for a whole feedback.
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
    /// The color of each cell, where it is known.
    pub guess: Vec<Option<Color>>,
    /// The mark of each line, as far as it is known.
    pub feedback: Vec<PartialMark>,
}

/// A mark of which some numbers may be unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartialMark {
    kind: FeedbackKind,
    numbers: Vec<Option<u64>>,
}

impl Note {
    /// A note with these parts: the color of each cell, and for each line the numbers of its mark, in the order in which
    /// they are written.
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
        Ok(Self { guess, feedback: PartialMark::each(rules, feedback) })
    }

    /// Reads a note such as `1122=2,1` or `11?2=1,?`.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, TurnError> {
        let Some((guess, feedback)) = text.split_once('=') else {
            // Turns know how to say that.
            return Turn::parse(rules, text).map(Self::from);
        };
        let guess = rules.parse_partial_code(guess)?;
        let feedback = rules.parse_partial_feedback(feedback.trim())?;
        Ok(Self { guess, feedback: PartialMark::each(rules, feedback) })
    }

    /// The note as people write it.
    #[must_use]
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

    /// The guess as people write it.
    #[must_use]
    pub fn guess_notation(&self, rules: &Rules) -> String {
        rules.palette().pegs(&self.guess)
    }

    /// The turn, where nothing is unknown.
    #[must_use]
    pub fn turn(&self) -> Option<Turn> {
        let feedback = self.feedback.iter().map(PartialMark::mark).collect::<Option<_>>()?;
        Some(Turn { guess: self.code()?, feedback })
    }

    /// The guess, where nothing of it is unknown.
    #[must_use]
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
    fn each(rules: &Rules, marks: Vec<Vec<Option<u64>>>) -> Vec<Self> {
        let kind = rules.feedback().written_as();
        marks.into_iter().map(|numbers| Self { kind, numbers }).collect()
    }

    /// The numbers, in the order in which they are written.
    #[must_use]
    pub fn numbers(&self) -> &[Option<u64>] {
        &self.numbers
    }

    /// The mark, where nothing is unknown.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.kind, &self.numbers.iter().copied().collect::<Option<Vec<u64>>>()?)
    }

    /// Whether a mark has these numbers where they are known.
    #[must_use]
    pub fn agrees(&self, mark: Mark) -> bool {
        mark.numbers().zip(&self.numbers).all(|(number, known)| known.is_none_or(|known| known == number))
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.numbers.iter().all(Option::is_none)
    }

    /// The mark with one of its numbers changed.
    pub(crate) fn with(&self, at: usize, number: u64) -> Self {
        let mut changed = self.clone();
        changed.numbers[at] = Some(number);
        changed
    }

    /// The mark with two of its numbers in each other's place.
    pub(crate) fn swapped(&self, one: usize, other: usize) -> Self {
        let mut swapped = self.clone();
        swapped.numbers.swap(one, other);
        swapped
    }

    /// The mark with nothing known.
    pub(crate) fn forgotten(&self) -> Self {
        Self { kind: self.kind, numbers: vec![None; self.numbers.len()] }
    }

    /// What one of its numbers is called in a game, in words.
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

/// Like a [`Mark`], with null for what is not known.
impl Serialize for PartialMark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedMark::serialize(self.kind, self.numbers.iter().copied(), serializer)
    }
}

/// The notes of a game, under its rules.
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
    /// A game in which nothing was written down yet.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, notes: Vec::new() }
    }

    /// Reads notes such as `1122=2,1` and `11?2=1,?`.
    pub fn parse<'a>(rules: &Rules, notes: impl IntoIterator<Item = &'a str>) -> Result<Self, TurnError> {
        let notes = notes.into_iter().map(|note| Note::parse(rules, note)).collect::<Result<_, _>>()?;
        Ok(Self { rules: rules.clone(), notes })
    }

    /// Adds a note of these rules.
    pub fn push(&mut self, note: Note) -> Result<(), TurnError> {
        let numbers = note.feedback.into_iter().map(|mark| mark.numbers);
        self.notes.push(Note::new(&self.rules, note.guess, numbers)?);
        Ok(())
    }

    /// Takes the last note back.
    pub fn pop(&mut self) -> Option<Note> {
        self.notes.pop()
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The notes, first to last.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The history, where nothing is unknown.
    #[must_use]
    pub fn history(&self) -> Option<History> {
        let known = self.known();
        (known.len() == self.notes.len()).then_some(known)
    }

    /// Whether a code fits every note, whatever the unknown parts were, but for the lies that the rules allow. For many
    /// codes, ask about notes one by one.
    #[must_use]
    pub fn fit(&self, code: &[Color]) -> bool {
        let mut lies = self.rules.lies();
        self.notes.iter().all(|note| {
            if Fit::new(&self.rules, note).fits(code) {
                return true;
            }
            // The answer to the code itself is never a lie, and neither is that it was found.
            let told = note.turn().is_some_and(|turn| *turn.guess == *code || turn.feedback.is_winning(&self.rules));
            let may_be_a_lie = lies > 0 && !told;
            lies = lies.saturating_sub(1);
            may_be_a_lie
        })
    }

    /// The turns of which nothing is unknown.
    pub(crate) fn known(&self) -> History {
        let mut history = History::new(self.rules.clone());
        for turn in self.notes.iter().filter_map(Note::turn) {
            // Notes fit their rules.
            let _ = history.push(turn);
        }
        history
    }

    /// The notes with another in place of one of them.
    pub(crate) fn with(&self, at: usize, note: Note) -> Self {
        let mut changed = self.clone();
        changed.notes[at] = note;
        changed
    }

    /// Only these notes, by their place from zero.
    pub(crate) fn only(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let notes = places.into_iter().map(|at| self.notes[at].clone()).collect();
        Self { rules: self.rules.clone(), notes }
    }
}

impl From<&History> for Notes {
    fn from(history: &History) -> Self {
        let notes = history.turns().iter().cloned().map(Note::from).collect();
        Self { rules: history.rules().clone(), notes }
    }
}
