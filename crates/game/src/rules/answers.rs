//! Feedback as text and as numbers: read, and checked against the rules.

use std::fmt;

use super::Rules;
use crate::{
    code::{self, shorten},
    feedback::{Feedback, Mark, MarkError, read_letter},
};

/// Why a text is not a feedback of the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeedbackError {
    /// Something is not a number.
    #[error("'{text}' is not a feedback: '{word}' is not a number; write for example {example}")]
    NotANumber {
        /// The text given.
        text: String,
        /// The part that is wrong.
        word: String,
        /// A feedback of these rules.
        example: String,
    },
    /// The wrong count of marks.
    #[error("'{text}' has {found} {}, and the board has {expected} {}; write for example {example}",
        if *found == 1 { "mark" } else { "marks" },
        if *expected == 1 { "line" } else { "lines" })]
    WrongLines {
        /// The text given.
        text: String,
        /// Lines of the board.
        expected: usize,
        /// Marks given.
        found: usize,
        /// A feedback of these rules.
        example: String,
    },
    /// A mark that cannot be.
    #[error("mark {line} of '{text}': {error}")]
    Mark {
        /// The text given.
        text: String,
        /// One-based number of the line.
        line: usize,
        /// What is wrong with its mark.
        error: MarkError,
    },
}

impl Rules {
    /// Reads a feedback: `2,1` for black and white pegs; several lines are parted by `/`, or given as one list of numbers.
    pub fn parse_feedback(&self, text: &str) -> Result<Feedback, FeedbackError> {
        self.read_marks(text, &self.parse_lines(text, |word| self.feedback_number(word))?)
    }

    /// The feedback with these numbers for each line, in the order in which they are written.
    pub fn feedback_from_numbers(&self, numbers: &[Vec<u64>]) -> Result<Feedback, FeedbackError> {
        let mark = |numbers: &Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        self.read_marks(&numbers.iter().map(mark).collect::<Vec<_>>().join("/"), numbers)
    }

    fn read_marks(&self, text: &str, marks: &[Vec<u64>]) -> Result<Feedback, FeedbackError> {
        let mark = |numbers: &Vec<u64>, cells| Mark::from_numbers(self.feedback, numbers, cells, self.colors);
        self.check_lines(text, marks, mark).map(Feedback::new)
    }

    /// Whether a guess can be answered like this under these rules: a mark for each line, of their kind, with numbers that
    /// such a line can be answered with.
    pub fn check_feedback(&self, feedback: &Feedback) -> Result<(), FeedbackError> {
        let (lines, marks) = (self.board.lines(), feedback.marks());
        let fits = |(line, mark): (&[usize], &Mark)| mark.plainly_fits(self.feedback, line.len());
        if marks.len() == self.board.line_count() && lines.zip(marks).all(fits) {
            return Ok(());
        }
        let check = |mark: &Mark, cells| mark.check(self.feedback, cells, self.colors);
        self.check_lines(feedback, feedback.marks(), check).map(|_: Vec<()>| ())
    }

    /// [`Rules::parse_feedback`] with a question mark for each number that is not known: `1,?`, or `?` alone for all numbers
    /// of a line. Gives the numbers of each line.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// let rules: Rules = "4x6".parse().unwrap();
    /// assert_eq!(rules.parse_known_feedback("1,?").unwrap(), [[Some(1), None]]);
    /// assert_eq!(rules.parse_known_feedback("?").unwrap(), [[None, None]]);
    /// ```
    pub fn parse_partial_feedback(&self, text: &str) -> Result<Vec<Vec<Option<u64>>>, FeedbackError> {
        let terms = self.feedback.model();
        let unknown = |line: &[usize]| vec![None; terms.arity(line.len())];
        if text.trim() == code::UNKNOWN {
            return Ok(self.board.lines().map(unknown).collect());
        }
        let known = |word: &str| if word == code::UNKNOWN { Some(None) } else { self.feedback_number(word).map(Some) };
        let mut marks = self.parse_lines(text, known)?;
        for (mark, line) in marks.iter_mut().zip(self.board.lines()).filter(|(mark, _)| **mark == [None]) {
            *mark = unknown(line);
        }
        self.check_known_marks(text, &marks)?;
        Ok(marks)
    }

    /// Whether some feedback of these rules has these numbers where they are known.
    pub fn check_partial_feedback(&self, marks: &[Vec<Option<u64>>]) -> Result<(), FeedbackError> {
        let word = |number: &Option<u64>| number.map_or_else(|| code::UNKNOWN.to_owned(), |number| number.to_string());
        let mark = |numbers: &Vec<Option<u64>>| numbers.iter().map(word).collect::<Vec<_>>().join(",");
        self.check_known_marks(&marks.iter().map(mark).collect::<Vec<_>>().join("/"), marks)
    }

    fn check_known_marks(&self, text: &str, marks: &[Vec<Option<u64>>]) -> Result<(), FeedbackError> {
        let check = |numbers: &Vec<Option<u64>>, cells| Mark::check_partial(self.feedback, numbers, cells, self.colors);
        self.check_lines(text, marks, check).map(|_: Vec<()>| ())
    }

    /// The words of each line, read.
    fn parse_lines<T: Clone>(
        &self,
        text: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Vec<T>>, FeedbackError> {
        let word = |word: &str| {
            read(word.trim()).ok_or_else(|| FeedbackError::NotANumber {
                text: shorten(text),
                word: shorten(word.trim()),
                example: self.example_feedback(),
            })
        };
        let terms = self.feedback.model();
        let words = |part: &str| match terms.per_cell {
            true => part.trim().char_indices().map(|(at, char)| word(&part.trim()[at..][..char.len_utf8()])).collect(),
            false => part.split(',').map(word).collect::<Result<Vec<T>, _>>(),
        };
        if text.contains('/') || self.board.line_count() == 1 || terms.per_cell {
            text.split('/').map(words).collect()
        } else {
            Ok(words(text)?.chunks(terms.numbers.len()).map(<[T]>::to_vec).collect())
        }
    }

    /// What a check of each line, with so many cells, comes to.
    fn check_lines<T, C>(
        &self,
        text: &(impl fmt::Display + ?Sized),
        marks: &[T],
        check: impl Fn(&T, usize) -> Result<C, MarkError>,
    ) -> Result<Vec<C>, FeedbackError> {
        let lines = self.board.line_count();
        if marks.len() != lines {
            let (text, example) = (shorten(&text.to_string()), self.example_feedback());
            return Err(FeedbackError::WrongLines { text, expected: lines, found: marks.len(), example });
        }
        let checked = self.board.lines().zip(marks).enumerate().map(|(index, (line, mark))| {
            let wrong = |error| FeedbackError::Mark { text: shorten(&text.to_string()), line: index + 1, error };
            check(mark, line.len()).map_err(wrong)
        });
        checked.collect()
    }

    /// Nothing right at all, where that can be.
    fn example_feedback(&self) -> String {
        let nothing = |line: &[usize]| {
            let zeros = vec![0; self.feedback.model().arity(line.len())];
            Mark::from_numbers(self.feedback, &zeros, line.len(), self.colors).ok()
        };
        let nothing: Option<Feedback> = self.board.lines().map(nothing).collect();
        nothing.unwrap_or_else(|| Feedback::winning(self)).to_string()
    }

    /// The number that a word of a feedback stands for.
    fn feedback_number(&self, word: &str) -> Option<u64> {
        match word.chars().next() {
            Some(letter) if self.feedback.model().per_cell => read_letter(letter),
            _ => number(word),
        }
    }
}

fn number(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_is_checked_against_the_line() {
        let rules: Rules = "4x6".parse().unwrap();
        let message = |text: &str| rules.parse_feedback(text).unwrap_err().to_string();
        assert_eq!(message("4,1"), "mark 1 of '4,1': 5 pegs on a line of 4");
        assert_eq!(message("3,1"), "mark 1 of '3,1': one peg in the wrong place with all others right cannot be");
        assert_eq!(
            message("3"),
            "mark 1 of '3': a black-white mark is black,white (2 numbers in all), and 1 was given"
        );
        assert_eq!(message("x,1"), "'x,1' is not a feedback: 'x' is not a number; write for example 0,0");
        assert_eq!(message("1,1/1,1"), "'1,1/1,1' has 2 marks, and the board has 1 line; write for example 0,0");
        assert!(message("99999999999999999999,0").ends_with("pegs on a line of 4"));
    }

    #[test]
    fn grids_take_marks_apart_or_in_one_list() {
        let rules: Rules = "grid:2x2x3".parse().unwrap();
        let apart = rules.parse_feedback("2,0/0,0/1,0/1,0").unwrap();
        assert_eq!(rules.parse_feedback("2,0,0,0,1,0,1,0"), Ok(apart));
        let distance: Rules = "2x6:distance".parse().unwrap();
        assert!(distance.parse_feedback("50").is_ok());
        assert!(
            distance.parse_feedback("51").unwrap_err().to_string().contains("the largest distance of this line is 50")
        );
    }
}
