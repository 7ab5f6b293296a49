//! Guesses lost against optimal play, for every turn of a game.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use pegwise_game::{Code, Feedback, History as Turns, Space};
use pegwise_solve::{
    Position, Watch,
    candidates::listed::Filter,
    tree::exact::{ExactSolver, PositionValues},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};

use crate::{
    convert::same_rules,
    error::{PegwiseError, RulesError},
    history::History,
    rules::{Rules, SharedRules, rules},
    work,
};

/// Maximum number of codes: all positions of such spaces are searched within seconds.
const MAX_CODES: u128 = 1296;
/// Maximum number of totals that are remembered.
const MAX_TOTALS: usize = 1 << 20;

/// Guesses lost against optimal play. The totals of all positions met so far are kept in a table, which is shared by all objects
/// of the same rules.
///
/// >>> from pegwise import History, Optimum
/// >>> optimum = Optimum("3x4")
/// >>> optimum.mean
/// 3.21875
/// >>> [round(turn["lost"], 3) for turn in optimum.grade(History("3x4", ["112=0,1", "112=0,1", "334=3,0"]))]
/// [0.0, 1.0, 0.286]
#[pyclass(frozen, name = "Optimum", module = "pegwise")]
pub(crate) struct Optimum {
    shared: Arc<SharedRules>,
    table: &'static Mutex<TotalTable>,
}

/// Turns, the last of which has no feedback if the total is that of its guess.
type Path = Vec<(Code, Option<Feedback>)>;

/// The totals of the positions of one game, and the search that finds more of them.
struct TotalTable {
    solver: &'static ExactSolver,
    search: PositionValues<'static>,
    totals: HashMap<Path, u64>,
}

/// Value of a turn.
struct Grade {
    before: usize,
    after: usize,
    consistent: bool,
    /// Least total of the position, and total with this guess.
    totals: [u64; 2],
}

impl TotalTable {
    /// Returns the table for these rules, which lives as long as the process; `None` if they cannot be searched.
    fn of(shared: &SharedRules) -> Option<&'static Mutex<Self>> {
        static TABLES: Mutex<Option<HashMap<String, &'static Mutex<TotalTable>>>> = Mutex::new(None);
        let rules = shared.rules.clone().with_max_guesses(None);
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = tables.get_or_insert_default();
        if let Some(table) = tables.get(&rules.to_string()) {
            return Some(table);
        }
        Space::new(&rules).count().exact().filter(|&codes| codes <= MAX_CODES)?;
        let solver: &'static ExactSolver = Box::leak(Box::new(ExactSolver::new(&rules, Watch::default())?));
        let table = Self { solver, search: solver.position_values(), totals: HashMap::new() };
        let table: &'static Mutex<Self> = Box::leak(Box::new(Mutex::new(table)));
        tables.insert(rules.to_string(), table);
        Some(table)
    }

    /// Returns the least total of a position, or with a guess at the end of the path its total.
    fn total(&mut self, path: &Path, position: Position<'_>) -> Option<u64> {
        if let Some(&total) = self.totals.get(path) {
            return Some(total);
        }
        let total = match path.last() {
            Some((guess, None)) => self.search.after(position, guess, Watch::default()),
            _ => self.search.least(position, Watch::default()),
        }?;
        if self.totals.len() >= MAX_TOTALS {
            self.totals.clear();
            self.search = self.solver.position_values();
        }
        self.totals.insert(path.clone(), total);
        Some(total)
    }

    /// Values every turn, or `None` if no code is consistent before one of them.
    fn grade(&mut self, shared: &SharedRules, history: &Turns) -> Option<Vec<Grade>> {
        let mut codes = Arc::clone(shared.all().ok()?);
        let mut filter = Filter::new(&shared.rules);
        let (mut path, mut guesses, mut grades) = (Path::new(), Vec::new(), Vec::new());
        for turn in history.turns() {
            let position = Position { codes: &codes, guesses: &guesses };
            let least = (!codes.is_empty()).then(|| self.total(&path, position)).flatten()?;
            path.push((turn.guess.clone(), None));
            let total = self.total(&path, position)?;
            let after = codes.select(filter.rows(&codes, turn));
            let rank = |code: &Code| Space::new(&shared.rules).rank(code);
            let consistent = codes.len() as u128 == Space::new(&shared.rules).count().exact()?
                || codes.codes().any(|code| rank(&code) == rank(&turn.guess));
            let left = if turn.feedback.is_winning(&shared.rules) { 0 } else { after.len() };
            grades.push(Grade { before: codes.len(), after: left, consistent, totals: [least, total] });
            codes = Arc::new(after);
            if let Some(last) = path.last_mut() {
                last.1 = Some(turn.feedback.clone());
            }
            guesses.push(turn.guess.clone());
        }
        Some(grades)
    }
}

#[pymethods]
impl Optimum {
    #[new]
    fn new(py: Python<'_>, rules: &Bound<'_, PyAny>) -> PyResult<Self> {
        let shared = self::rules(rules)?;
        let table = work::released(py, |_| TotalTable::of(&shared))?;
        let table = table.ok_or_else(|| {
            let text = format!(
                "there is no table of optimal play for {}: it needs rules with at most {MAX_CODES} codes, \
                without lies, in which only the secret is answered like the secret",
                shared.rules
            );
            RulesError::new_err(text)
        })?;
        Ok(Self { shared, table })
    }

    /// The rules.
    #[getter(rules)]
    fn rules_of(&self) -> Rules {
        Rules(Arc::clone(&self.shared))
    }

    /// Mean number of guesses of optimal play.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<f64> {
        let all = self.shared.all().map_err(RulesError::new_err)?;
        let start = Position { codes: all, guesses: &[] };
        let total = work::released(py, |_| {
            self.table.lock().unwrap_or_else(PoisonError::into_inner).total(&Path::new(), start)
        })?;
        Ok(total.unwrap_or_default() as f64 / all.len() as f64)
    }

    /// Values every turn of a game: the numbers of codes left `before` and `after` it, the `bits` gained, whether the guess
    /// was `consistent`, the guesses `expected` with optimal play, and the guesses `lost` by this guess, both on average over the
    /// codes consistent before it.
    fn grade<'py>(&self, py: Python<'py>, history: &Bound<'py, History>) -> PyResult<Bound<'py, PyList>> {
        let turns = same_rules(&self.shared.rules, history.get(), py)?;
        let grades =
            py.detach(|| self.table.lock().unwrap_or_else(PoisonError::into_inner).grade(&self.shared, &turns));
        let grades = grades.ok_or_else(|| PegwiseError::new_err("no code is consistent with the turns"))?;
        let turns = PyList::empty(py);
        for grade in grades {
            let Grade { before, after, consistent, totals: [least, total] } = grade;
            let turn = PyDict::new(py);
            turn.set_item("before", before)?;
            turn.set_item("after", after)?;
            turn.set_item("bits", (before as f64 / after.max(1) as f64).log2())?;
            turn.set_item("consistent", consistent)?;
            turn.set_item("expected", least as f64 / before as f64)?;
            turn.set_item("lost", (total - least) as f64 / before as f64)?;
            turns.append(turn)?;
        }
        Ok(turns)
    }

    fn __repr__(&self) -> String {
        format!("Optimum('{}')", self.shared.rules)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().into_any(), (self.shared.rules.to_string(),)))
    }
}
