//! Text and pegs that are being typed.

use std::ops::{Range, RangeInclusive};

use pegwise_game::{Board, Code, Color, Feedback, Rules};

use crate::ui::cell_rows;

/// Slots with a cursor: the pegs of a guess, or the numbers of a feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SlotEditor {
    slots: Vec<EntrySlot>,
    /// Ends of the slots of each line of the board, for a feedback.
    ends: Vec<usize>,
    pub(crate) cursor: usize,
    /// True if the current slot has an unfinished number.
    in_number: bool,
    /// True if the last digit completed its number, which moved the cursor.
    went_on: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct EntrySlot {
    value: Option<u64>,
    allowed: RangeInclusive<u64>,
}

impl SlotEditor {
    /// Creates an empty guess with one slot per cell.
    pub(crate) fn guess(rules: &Rules) -> Self {
        Self::new(std::iter::repeat_n(1..=u64::from(rules.colors()), rules.cells()))
    }

    /// Creates an empty feedback with the numbers of each line.
    pub(crate) fn feedback(rules: &Rules) -> Self {
        let model = rules.feedback().model();
        let lines = || rules.board().lines().map(<[usize]>::len);
        let limits = lines().flat_map(|cells| {
            let most = model.max_number(cells, rules.colors());
            std::iter::repeat_n(0..=most, model.arity(cells))
        });
        let ends = lines().scan(0, |end, cells| {
            *end += model.arity(cells);
            Some(*end)
        });
        Self { ends: ends.collect(), ..Self::new(limits) }
    }

    fn new(limits: impl Iterator<Item = RangeInclusive<u64>>) -> Self {
        let slots = limits.map(|allowed| EntrySlot { value: None, allowed }).collect();
        Self { slots, ends: Vec::new(), cursor: 0, in_number: false, went_on: false }
    }

    pub(crate) fn of_code(rules: &Rules, code: &Code) -> Self {
        let mut entry = Self::guess(rules);
        entry.fill(code.iter().map(|color| u64::from(color.number())));
        entry
    }

    pub(crate) fn of_feedback(rules: &Rules, feedback: &Feedback) -> Self {
        let mut entry = Self::feedback(rules);
        entry.fill(feedback.marks().iter().flat_map(|mark| mark.numbers()));
        entry
    }

    fn fill(&mut self, values: impl Iterator<Item = u64>) {
        self.slots.iter_mut().zip(values).for_each(|(slot, value)| slot.value = Some(value));
        self.cursor = self.slots.len() - 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slots of a line of the board.
    pub(crate) fn of_line(&self, line: usize) -> Range<usize> {
        let start = if line == 0 { 0 } else { self.ends[line - 1] };
        start..self.ends[line]
    }

    pub(crate) fn value(&self, slot: usize) -> Option<u64> {
        self.slots[slot].value
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.value.is_none())
    }

    pub(crate) fn go_to(&mut self, slot: usize) {
        self.cursor = slot.min(self.slots.len() - 1);
        self.in_number = false;
        self.went_on = false;
    }

    pub(crate) fn next(&mut self) {
        self.go_to(self.cursor + 1);
    }

    pub(crate) fn previous(&mut self) {
        self.go_to(self.cursor.saturating_sub(1));
    }

    /// Fills the current slot and moves on; an invalid value is ignored.
    pub(crate) fn put(&mut self, value: u64) {
        let slot = &mut self.slots[self.cursor];
        if slot.allowed.contains(&value) {
            slot.value = Some(value);
            self.next();
        }
    }

    /// Appends a digit to the current number or, if that is too large, starts the next number. Moves on as soon as no
    /// other digit can follow.
    pub(crate) fn digit(&mut self, digit: u64) {
        let so_far = self.slots[self.cursor].value.filter(|_| self.in_number);
        let longer = so_far.and_then(|value| value.checked_mul(10)?.checked_add(digit));
        let fits = |slot: &EntrySlot, value: &u64| slot.allowed.contains(value);
        let value = match longer.filter(|value| fits(&self.slots[self.cursor], value)) {
            Some(longer) => longer,
            None => {
                if so_far.is_some() {
                    self.next();
                }
                digit
            }
        };
        let slot = &mut self.slots[self.cursor];
        if !fits(slot, &value) {
            return;
        }
        let most = *slot.allowed.end();
        slot.value = Some(value);
        self.in_number = true;
        // A number does not begin with zero.
        if value == 0 || value.checked_mul(10).is_none_or(|next| next > most) {
            self.next();
            self.went_on = true;
        }
    }

    /// Ends the current number (space or comma), unless its last digit already did.
    pub(crate) fn part(&mut self) {
        if !std::mem::take(&mut self.went_on) {
            self.next();
        }
    }

    /// Clears the current slot, or the previous one if it is empty.
    pub(crate) fn erase(&mut self) {
        if self.slots[self.cursor].value.is_none() {
            self.previous();
        }
        self.empty();
    }

    pub(crate) fn empty(&mut self) {
        self.slots[self.cursor].value = None;
        self.in_number = false;
    }

    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.value = None);
        self.go_to(0);
    }

    pub(crate) fn cycle(&mut self, up: bool) {
        let slot = &mut self.slots[self.cursor];
        let (least, most) = (*slot.allowed.start(), *slot.allowed.end());
        let turned = match slot.value {
            Some(value) if up && value < most => value + 1,
            Some(value) if !up && value > least => value - 1,
            _ if up => least,
            _ => most,
        };
        slot.value = Some(turned);
        self.in_number = false;
    }

    pub(crate) fn code(&self, rules: &Rules) -> Result<Code, String> {
        let color = |slot: &EntrySlot| Color::from_number(u16::try_from(slot.value?).ok()?);
        let colors: Vec<Color> = self.slots.iter().filter_map(color).collect();
        match self.slots.len() - colors.len() {
            0 => {}
            1 => return Err("one cell is still empty".to_owned()),
            empty => return Err(format!("{empty} cells are still empty")),
        }
        let code = Code::new(colors);
        rules.check_code(&code).map_err(|reason| reason.to_string())?;
        Ok(code)
    }

    /// Returns the typed feedback. Missing counts are zero, except that one missing number is computed if all numbers
    /// of a line must add up to its length.
    pub(crate) fn marks(&self, rules: &Rules) -> Result<Feedback, String> {
        let model = rules.feedback().model();
        let numbers = rules.board().lines().enumerate().map(|(number, line)| {
            let typed = &self.slots[self.of_line(number)];
            let missing = typed.iter().filter(|slot| slot.value.is_none()).count();
            if missing > 0 && !model.cell.is_count() {
                return Err("a distance is still missing".to_owned());
            }
            let sum = typed.iter().fold(0u64, |sum, slot| sum.saturating_add(slot.value.unwrap_or(0)));
            let rest = if missing == 1 && model.adds_up() { (line.len() as u64).saturating_sub(sum) } else { 0 };
            Ok(typed.iter().map(|slot| slot.value.unwrap_or(rest)).collect())
        });
        rules
            .feedback_from_numbers(&numbers.collect::<Result<Vec<Vec<u64>>, String>>()?)
            .map_err(|error| error.to_string())
    }
}

/// Returns the cell below or above, or the same cell at the edge; `None` on boards with one row.
pub(super) fn neighbor(board: &Board, cell: usize, down: bool) -> Option<usize> {
    let rows = cell_rows(board);
    if rows.len() == 1 {
        return None;
    }
    let row = rows.iter().position(|row| row.contains(&cell))?;
    let other = if down { (row + 1).min(rows.len() - 1) } else { row.saturating_sub(1) };
    let column = cell - rows[row].start;
    Some(if other == row { cell } else { (rows[other].start + column).min(rows[other].end - 1) })
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LineEditor {
    chars: Vec<char>,
    cursor: usize,
}

const MAX_LENGTH: usize = 400;

impl LineEditor {
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self { cursor: chars.len(), chars }
    }

    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// Returns the text before and after the cursor.
    pub(crate) fn parts(&self) -> (String, String) {
        let (before, after) = self.chars.split_at(self.cursor);
        (before.iter().collect(), after.iter().collect())
    }

    pub(crate) fn put(&mut self, char: char) {
        if !char.is_control() && self.chars.len() < MAX_LENGTH {
            self.chars.insert(self.cursor, char);
            self.cursor += 1;
        }
    }

    pub(crate) fn erase(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.chars.remove(self.cursor);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.chars.clear();
        self.cursor = 0;
    }

    pub(crate) fn go(&mut self, right: bool) {
        self.cursor = if right { (self.cursor + 1).min(self.chars.len()) } else { self.cursor.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Shape;

    use super::*;

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn single_digits_move_the_cursor() {
        let rules = rules("4x6");
        let mut entry = SlotEditor::guess(&rules);
        for digit in [1, 7, 0, 1, 2] {
            entry.digit(digit);
        }
        assert_eq!(entry.code(&rules), Err("one cell is still empty".to_owned()), "7 and 0 are no colors");
        entry.digit(2);
        assert_eq!(entry.code(&rules).unwrap().notation(6).to_string(), "1122");
    }

    #[test]
    fn longer_numbers_take_several_digits() {
        let rules = rules("3x120");
        let mut entry = SlotEditor::guess(&rules);
        for digit in [1, 2, 0, 7, 3] {
            entry.digit(digit);
        }
        entry.part();
        entry.digit(9);
        assert_eq!(entry.code(&rules).unwrap().notation(120).to_string(), "120,73,9");
        entry.clear();
        for char in "120 7 118".chars() {
            match char.to_digit(10) {
                Some(digit) => entry.digit(digit.into()),
                None => entry.part(),
            }
        }
        assert_eq!(entry.code(&rules).unwrap().notation(120).to_string(), "120,7,118", "spaces skip nothing");
    }

    #[test]
    fn erasing_goes_backward() {
        let rules = rules("3x6");
        let mut entry = SlotEditor::guess(&rules);
        for digit in [1, 2, 3] {
            entry.digit(digit);
        }
        entry.erase();
        entry.erase();
        assert_eq!((entry.value(0), entry.value(1), entry.cursor), (Some(1), None, 1));
    }

    #[test]
    fn missing_numbers_are_computed() {
        let typed = |text: &str, digits: &[Option<u64>]| {
            let rules = rules(text);
            let mut entry = SlotEditor::feedback(&rules);
            for &digit in digits {
                match digit {
                    Some(digit) => entry.digit(digit),
                    None => entry.next(),
                }
            }
            entry.marks(&rules).map(|feedback| feedback.to_string())
        };
        assert_eq!(typed("4x6", &[Some(2)]).as_deref(), Ok("2,0"));
        assert_eq!(typed("4x6", &[]).as_deref(), Ok("0,0"));
        assert_eq!(typed("4x6:higher-lower", &[Some(1), Some(1)]).as_deref(), Ok("1,1,2"));
        assert_eq!(typed("4x6:higher-lower", &[None, Some(1), Some(0)]).as_deref(), Ok("3,1,0"));
        assert!(typed("4x6:higher-lower", &[Some(1)]).unwrap_err().contains("add up to 1"));
        assert_eq!(typed("10x10", &[Some(1), Some(2)]).as_deref(), Ok("1,2"), "12 pegs would be too many");
        assert_eq!(typed("10x10", &[Some(1), Some(0)]).as_deref(), Ok("10,0"));
        assert_eq!(typed("4x6:distance", &[]), Err("a distance is still missing".to_owned()));
        assert_eq!(typed("4x6:distance", &[Some(1), Some(7)]).as_deref(), Ok("17"));
        assert_eq!(typed("grid:2x2x3", &[None, None, Some(2)]).as_deref(), Ok("0,0/2,0/0,0/0,0"));
    }

    #[test]
    fn up_and_down_keep_the_column() {
        let grid = Board::grid(3, 4).unwrap();
        assert_eq!(
            (neighbor(&grid, 1, true), neighbor(&grid, 9, true), neighbor(&grid, 9, false)),
            (Some(5), Some(9), Some(5))
        );
        let triangle = Board::new(Shape::Triangle(3)).unwrap();
        assert_eq!((neighbor(&triangle, 5, false), neighbor(&triangle, 2, true)), (Some(2), Some(4)));
        assert_eq!(neighbor(&Board::row(4).unwrap(), 1, true), None);
    }

    #[test]
    fn lines_are_edited_in_the_middle() {
        let mut line = LineEditor::new("4x6");
        line.go(false);
        line.erase();
        line.put('×');
        line.put('\u{7}');
        assert_eq!((line.text().as_str(), line.parts()), ("4×6", ("4×".to_owned(), "6".to_owned())));
    }
}
