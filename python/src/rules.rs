//! Rules.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use pegwise_game::{Rules as Inner, Space, Table, partition::Partitioner};
use pegwise_solve::seeds;
use pyo3::{
    prelude::*,
    sync::MutexExt as _,
    types::{PyDict, PyTuple},
};

use crate::{
    codes::Codes,
    convert::{self, Seed, code, numbers, pegs, text},
    error::{CodeError, PegwiseError, RulesError, wrong},
};

/// Rules with cached data.
pub(crate) struct SharedRules {
    pub(crate) rules: Inner,
    pub(crate) partitioner: Partitioner,
    all: OnceLock<Result<Arc<Table>, String>>,
}

impl SharedRules {
    pub(crate) fn new(rules: Inner) -> Arc<Self> {
        Arc::new(Self { partitioner: Partitioner::new(&rules), rules, all: OnceLock::new() })
    }

    /// Returns all codes, or an error if they cannot be listed.
    pub(crate) fn all(&self) -> Result<&Arc<Table>, String> {
        let listed = || Table::all(&self.rules).map(Arc::new).map_err(|error| error.to_string());
        self.all.get_or_init(listed).as_ref().map_err(Clone::clone)
    }
}

/// The rules of a game, written as on the command line: `4x6`, `4x10:no-repeats`, `grid:4x4x6`, `20x20:black-only`.
///
/// Codes are strings (`'1122'`), colors from 1 (`(1, 1, 2, 2)`), or rows of a NumPy array.
///
/// >>> from pegwise import Rules
/// >>> rules = Rules("4x6")
/// >>> rules.cells, rules.colors, rules.size
/// (4, 6, 1296)
/// >>> rules.score("1122", (2, 1, 2, 3))
/// (2, 1)
/// >>> Rules("4x0")
/// Traceback (most recent call last):
/// ...
/// pegwise.RulesError: a game has 1 to 4096 colors, not 0
#[pyclass(frozen, name = "Rules", module = "pegwise")]
pub(crate) struct Rules(pub(crate) Arc<SharedRules>);

/// Reads rules: an object or a string.
pub(crate) fn rules(given: &Bound<'_, PyAny>) -> PyResult<Arc<SharedRules>> {
    if let Ok(rules) = given.cast::<Rules>() {
        return Ok(Arc::clone(&rules.get().0));
    }
    match text(given)? {
        Some(text) => parsed(text),
        None => Err(RulesError::new_err("rules are a string such as '4x6', or pegwise.Rules")),
    }
}

fn parsed(text: &str) -> PyResult<Arc<SharedRules>> {
    Ok(SharedRules::new(text.parse::<Inner>().map_err(wrong!(RulesError))?))
}

/// Maximum number of rules that `score` remembers.
const MAX_REMEMBERED: usize = 64;

/// Returns the feedback to a guess; for many codes use `Codes`.
///
/// >>> import pegwise
/// >>> pegwise.score("4x6", "1122", "2123")
/// (2, 1)
#[pyfunction]
pub(crate) fn score<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    guess: &Bound<'py, PyAny>,
    secret: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyTuple>> {
    // Reading rules takes longer than scoring. Codes are never listed for rules in this list, so it stays small.
    static REMEMBERED: Mutex<Vec<(String, Arc<SharedRules>)>> = Mutex::new(Vec::new());
    let Some(text) = text(rules)? else { return score_codes(py, &self::rules(rules)?.rules, guess, secret) };
    let mut remembered = REMEMBERED.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
    let place = match remembered.iter().position(|(known, _)| known == text) {
        Some(place) => place,
        None => {
            let shared = parsed(text)?;
            remembered.truncate(MAX_REMEMBERED - 1);
            remembered.push((text.to_owned(), shared));
            remembered.len() - 1
        }
    };
    // The rules used last come first.
    remembered[..=place].rotate_right(1);
    let shared = Arc::clone(&remembered[0].1);
    drop(remembered);
    score_codes(py, &shared.rules, guess, secret)
}

fn score_codes<'py>(
    py: Python<'py>,
    rules: &Inner,
    guess: &Bound<'py, PyAny>,
    secret: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyTuple>> {
    numbers(py, &pegwise_game::feedback(rules, &code(rules, guess)?, &code(rules, secret)?))
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (rules = None))]
    fn new(rules: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        rules.map_or_else(|| parsed("4x6"), self::rules).map(Self)
    }

    /// Number of cells.
    #[getter]
    fn cells(&self) -> usize {
        self.0.rules.cells()
    }

    /// Number of colors.
    #[getter]
    fn colors(&self) -> u16 {
        self.0.rules.colors()
    }

    /// True if a color may be repeated.
    #[getter]
    fn repeats(&self) -> bool {
        self.0.rules.repeats()
    }

    /// Kind of feedback, as written in rules.
    #[getter]
    fn feedback(&self) -> String {
        self.0.rules.feedback().to_string()
    }

    /// Names of the numbers of a mark.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.rules.feedback().number_names())
    }

    /// Lines of the board, each as its cells from 0.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lines = self.0.rules.board().lines().map(|line| PyTuple::new(py, line)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, lines)
    }

    /// Number of answers that may be false.
    #[getter]
    fn lies(&self) -> u8 {
        self.0.rules.lies()
    }

    /// Maximum number of guesses, or None.
    #[getter]
    fn max_guesses(&self) -> Option<u32> {
        self.0.rules.max_guesses()
    }

    /// Number of codes; None if it does not fit into 128 bits.
    #[getter]
    fn size(&self) -> Option<u128> {
        Space::new(&self.0.rules).count().exact()
    }

    /// Returns the feedback to a guess: the numbers of the mark, or one mark per line.
    ///
    /// >>> from pegwise import Rules
    /// >>> Rules("4x6").score("1122", "2123")
    /// (2, 1)
    /// >>> Rules("grid:2x2x6").score("1122", "1212")
    /// ((1, 0), (1, 0), (1, 0), (1, 0))
    fn score<'py>(
        &self,
        py: Python<'py>,
        guess: &Bound<'py, PyAny>,
        secret: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        score_codes(py, &self.0.rules, guess, secret)
    }

    /// Returns a code as a tuple of colors.
    ///
    /// >>> from pegwise import Rules
    /// >>> Rules("4x6").code("1122")
    /// (1, 1, 2, 2)
    fn code<'py>(&self, py: Python<'py>, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        pegs(py, &code(&self.0.rules, given)?)
    }

    /// Returns a code as a string.
    ///
    /// >>> from pegwise import Rules
    /// >>> Rules("4x10").notation((1, 1, 2, 10))
    /// 'AABJ'
    fn notation(&self, given: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(code(&self.0.rules, given)?.notation(self.0.rules.palette()).to_string())
    }

    /// Returns feedback as numbers.
    ///
    /// >>> from pegwise import Rules
    /// >>> Rules("4x6").mark("2,1")
    /// (2, 1)
    fn mark<'py>(&self, py: Python<'py>, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        numbers(py, &convert::feedback(&self.0.rules, given)?)
    }

    /// Marks by the numbers in arrays of feedback.
    ///
    /// With black and white pegs the number is `black * (cells + 1) + black + white`.
    ///
    /// >>> from pegwise import Rules
    /// >>> Rules("2x3").marks
    /// {0: (0, 0), 1: (0, 1), 2: (0, 2), 4: (1, 0), 8: (2, 0)}
    #[getter]
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lanes = self.0.partitioner.batch_kernel().ok_or_else(|| no_marks(&self.0.rules))?;
        let marks = PyDict::new(py);
        for &byte in lanes.encoding().possible() {
            marks.set_item(byte, PyTuple::new(py, lanes.encoding().mark(byte).numbers())?)?;
        }
        Ok(marks)
    }

    /// Returns all codes in order. Raises an exception if they cannot be listed.
    fn codes(&self) -> PyResult<Codes> {
        Codes::all(&self.0)
    }

    /// Returns the index of a code among all codes, from 0.
    fn rank(&self, given: &Bound<'_, PyAny>) -> PyResult<u128> {
        let code = code(&self.0.rules, given)?;
        let rank = Space::new(&self.0.rules).rank(&code);
        rank.ok_or_else(|| PegwiseError::new_err(format!("{} has too many codes for an index", self.0.rules)))
    }

    /// Returns the code with an index.
    fn unrank<'py>(&self, py: Python<'py>, rank: u128) -> PyResult<Bound<'py, PyTuple>> {
        let code = Space::new(&self.0.rules).unrank(rank);
        pegs(
            py,
            &code.ok_or_else(|| CodeError::new_err(format!("{} has no code with the index {rank}", self.0.rules)))?,
        )
    }

    /// Returns a random code for a seed, the same on every machine.
    fn draw<'py>(&self, py: Python<'py>, seed: Seed) -> PyResult<Bound<'py, PyTuple>> {
        pegs(py, &seeds::secret(seed.0, &self.0.rules))
    }

    fn __str__(&self) -> String {
        self.0.rules.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0.rules)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0.rules == self.0.rules)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.rules.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().into_any(), (self.__str__(),)))
    }
}

/// Returns the error for rules without arrays of marks.
pub(crate) fn no_marks(rules: &Inner) -> PyErr {
    RulesError::new_err(format!(
        "{rules} has no arrays of marks, which need a single line and marks that fit into a byte; use partition() instead"
    ))
}
