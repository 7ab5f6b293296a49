//! Conversion of codes, feedback and turns.

use pegwise_coach::{Note, Notes};
use pegwise_game::{Code, CodeError as Wrong, Color, Feedback, History as Turns, Mark, Rules, Table, Turn};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};
use serde::Serialize;

use crate::{
    codes::Codes,
    error::{CodeError, FeedbackError, PegwiseError, RulesError, no_turn, wrong},
    history::History,
};

const CODE: &str = "a code is a string such as '1122', or its colors from 1, such as (1, 1, 2, 2)";
const FEEDBACK: &str =
    "feedback is a string such as '2,1', or its numbers, such as (2, 1); with several lines, one mark per line";
const TURN: &str = "a turn is a string such as '1122=2,1', or a guess and its feedback, such as ('1122', (2, 1))";

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy)]
pub(crate) struct Whole<const MIN: u64, const MAX: u64>(pub(crate) u64);

/// A random seed.
pub(crate) type Seed = Whole<0, { u64::MAX }>;

impl<'py, const MIN: u64, const MAX: u64> FromPyObject<'_, 'py> for Whole<MIN, MAX> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = given.extract::<u64>().ok().filter(|number| (MIN..=MAX).contains(number));
        number.map(Self).ok_or_else(|| {
            PegwiseError::new_err(format!("{} is not a whole number from {MIN} to {MAX}", described(&given)))
        })
    }
}

/// Returns the representation of an object for an error message.
pub(crate) fn described(given: &Bound<'_, PyAny>) -> String {
    given.repr().map_or_else(|_| "this object".to_owned(), |text| text.to_string().chars().take(80).collect())
}

/// Returns a string if `given` is one.
pub(crate) fn text<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    given.cast::<PyString>().ok().map(|text| text.to_str()).transpose()
}

/// Reads a code: a string, or its colors.
pub(crate) fn code(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Code> {
    if let Some(text) = text(given)? {
        return rules.parse_code(text).map_err(wrong!(CodeError));
    }
    let colors = given.try_iter().map_err(|_| CodeError::new_err(CODE))?;
    let mut pegs: Vec<Color> = Vec::with_capacity(rules.cells());
    // The iterator may be infinite; one more than fits is an error.
    for color in colors.take(rules.cells() + 1) {
        let color = color?;
        let number = color.extract::<i64>().map_err(|_| CodeError::new_err(CODE))?;
        let known = u16::try_from(number).ok().and_then(Color::from_number);
        pegs.push(known.ok_or_else(|| {
            CodeError::new_err(format!("{number} is not a color; the colors are 1 to {}", rules.colors()))
        })?);
    }
    checked(rules, Code::new(pegs))
}

/// Checks a code against the rules.
pub(crate) fn checked(rules: &Rules, code: Code) -> PyResult<Code> {
    let text = || code.notation(rules.palette()).to_string();
    match rules.check_code(&code) {
        Ok(()) => Ok(code),
        Err(reason) => Err(CodeError::new_err(Wrong { text: text(), reason }.to_string())),
    }
}

/// Converts a code to a tuple of colors.
pub(crate) fn pegs<'py>(py: Python<'py>, code: &Code) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, code.iter().map(|color| color.index() + 1))
}

/// Converts feedback to a tuple of numbers, or to one tuple per line.
pub(crate) fn numbers<'py>(py: Python<'py>, feedback: &Feedback) -> PyResult<Bound<'py, PyTuple>> {
    let mark = |mark: &Mark| PyTuple::new(py, mark.numbers());
    match feedback.marks() {
        [only] => mark(only),
        marks => PyTuple::new(py, marks.iter().map(mark).collect::<PyResult<Vec<_>>>()?),
    }
}

/// Reads feedback: a string, or numbers.
pub(crate) fn feedback(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Feedback> {
    if let Some(text) = text(given)? {
        return rules.parse_feedback(text).map_err(wrong!(FeedbackError));
    }
    let expected = || FeedbackError::new_err(FEEDBACK);
    // More than any feedback has; the iterator may be infinite.
    let most = 2 * (rules.cells() + rules.board().line_count()) + 4;
    let items: Vec<Bound<'_, PyAny>> = given.try_iter().map_err(|_| expected())?.take(most).collect::<PyResult<_>>()?;
    let number = |item: &Bound<'_, PyAny>| item.extract::<u64>().map_err(|_| expected());
    let line = |item: &Bound<'_, PyAny>| -> PyResult<Vec<u64>> {
        item.try_iter().map_err(|_| expected())?.take(most).map(|item| number(&item?)).collect()
    };
    let one_line = rules.board().line_count() == 1;
    let flat = one_line && items.first().is_none_or(|item| item.extract::<i64>().is_ok());
    let marks: Vec<Vec<u64>> = if flat {
        vec![items.iter().map(number).collect::<PyResult<_>>()?]
    } else {
        items.iter().map(line).collect::<PyResult<_>>()?
    };
    rules.feedback_from_numbers(&marks).map_err(wrong!(FeedbackError))
}

/// Reads a turn: a string, or a guess and its feedback.
pub(crate) fn turn(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Turn> {
    if let Some(text) = text(given)? {
        return Turn::parse(rules, text).map_err(|error| no_turn(&error));
    }
    let (guess, answer) = pair(given)?;
    Ok(Turn { guess: code(rules, &guess)?, feedback: feedback(rules, &answer)? })
}

/// Returns the turns of a history, which must have these rules.
pub(crate) fn same_rules(rules: &Rules, history: &History, py: Python<'_>) -> PyResult<Turns> {
    if history.rules() != rules {
        return Err(RulesError::new_err(format!("this history is for {}, not for {rules}", history.rules())));
    }
    Ok(history.inner(py))
}

fn pair<'py>(given: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let expected = || FeedbackError::new_err(TURN);
    let items: Vec<Bound<'_, PyAny>> = given.try_iter().map_err(|_| expected())?.take(3).collect::<PyResult<_>>()?;
    let [guess, answer] = <[_; 2]>::try_from(items).map_err(|_| expected())?;
    Ok((guess, answer))
}

/// Reads turns with optional question marks: a history, or an iterable. Guesses without feedback are scored against the secret,
/// if there is one.
pub(crate) fn notes(rules: &Rules, given: &Bound<'_, PyAny>, secret: Option<&Code>) -> PyResult<Notes> {
    if let Ok(history) = given.cast::<History>() {
        return Ok(Notes::from(&same_rules(rules, history.get(), given.py())?));
    }
    if given.is_instance_of::<PyString>() {
        return Err(FeedbackError::new_err("turns are a list such as ['1122=1,1', '1344=0,2']"));
    }
    let mut notes = Notes::new(rules.clone());
    for given in given.try_iter()? {
        let given = given?;
        let note = match text(&given)? {
            Some(text) => match secret.filter(|_| !text.contains('=')) {
                Some(secret) => {
                    let guess = rules.parse_code(text).map_err(wrong!(CodeError))?;
                    let feedback = pegwise_game::feedback(rules, &guess, secret);
                    Note::from(Turn { guess, feedback })
                }
                None => Note::parse(rules, text).map_err(|error| no_turn(&error))?,
            },
            None => Note::from(turn(rules, &given)?),
        };
        notes.push(note).map_err(|error| no_turn(&error))?;
    }
    Ok(notes)
}

/// Reads codes: a [`Codes`], the rows of a NumPy array, or an iterable.
pub(crate) fn table(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Table> {
    if let Ok(codes) = given.cast::<Codes>() {
        let codes = codes.get();
        if codes.rules() != rules {
            return Err(CodeError::new_err(format!("these codes are of {}, not of {rules}", codes.rules())));
        }
        return Ok(codes.table().clone());
    }
    if given.is_instance_of::<PyString>() {
        return Err(CodeError::new_err("codes are a list such as ['1122', '1344']"));
    }
    let mut table = Table::new(rules).map_err(wrong!(PegwiseError))?;
    if let Some(rows) = rows(rules, given)? {
        for row in rows.chunks_exact(rules.cells()) {
            let color = |&number: &i64| u16::try_from(number).ok().and_then(Color::from_number);
            let colors: Option<Vec<Color>> = row.iter().map(color).collect();
            let colors = colors.ok_or_else(|| {
                CodeError::new_err(format!("{row:?} is not a code; the colors are 1 to {}", rules.colors()))
            })?;
            table.push(&checked(rules, Code::new(colors))?);
        }
        return Ok(table);
    }
    for given in given
        .try_iter()
        .map_err(|_| CodeError::new_err("codes are a list of codes, or an array with one row per code"))?
    {
        if table.len() as u64 >= Table::MAX_CODES {
            return Err(CodeError::new_err(format!("these codes are too many: {} is the most", Table::MAX_CODES)));
        }
        table.push(&code(rules, &given?)?);
    }
    Ok(table)
}

/// Returns the colors of a NumPy array of codes row by row; `None` for other types.
fn rows(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<i64>>> {
    let py = given.py();
    let numpy = py.import("numpy")?;
    if !given.is_instance(&numpy.getattr("ndarray")?)? {
        return Ok(None);
    }
    let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u"].contains(&kind.as_str()) {
        // Strings or tuples.
        return Ok(None);
    }
    let shape: Vec<usize> = given.getattr("shape")?.extract()?;
    if shape.len() != 2 || shape[1] != rules.cells() {
        let cells = rules.cells();
        return Err(CodeError::new_err(format!(
            "an array of codes has one row per code and {cells} columns, not {shape:?}"
        )));
    }
    let options = PyDict::new(py);
    options.set_item("dtype", "int64")?;
    let bytes: Vec<u8> =
        numpy.call_method("ascontiguousarray", (given,), Some(&options))?.call_method0("tobytes")?.extract()?;
    Ok(Some(bytes.as_chunks().0.iter().map(|&bytes| i64::from_ne_bytes(bytes)).collect()))
}

/// Converts codes to rows of a NumPy array, with colors from 1.
pub(crate) fn rows_of<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyAny>> {
    let cells = table.cells();
    let mut pegs = vec![0u8; table.len() * cells];
    for (row, pegs) in pegs.chunks_exact_mut(cells.max(1)).enumerate() {
        for (cell, peg) in pegs.iter_mut().enumerate() {
            *peg = table.peg(row, cell) + 1;
        }
    }
    crate::array::array(py, pegs, &[table.len(), cells])
}

/// Converts a serializable value by way of JSON.
pub(crate) fn json<'py>(py: Python<'py>, answer: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(answer).map_err(wrong!(PegwiseError))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Converts turns to strings.
pub(crate) fn turn_texts<'py>(py: Python<'py>, rules: &Rules, turns: &[Turn]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, turns.iter().map(|turn| turn.notation(rules).to_string()))
}
