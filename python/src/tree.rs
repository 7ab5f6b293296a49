//! Strategy trees.

use std::{path::PathBuf, sync::Arc};

use pegwise_game::{Rules as Inner, Turn};
use pegwise_solve::{
    PositionStrategy, Spec, Watch, catalog,
    tree::{
        Builder, Journal, Step, Traversal, TreeFile,
        beam::{self, Options as BestOptions},
        exact::{self, Options as ExactOptions},
        formats::{self, Format},
        shipped, verify,
    },
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList, PyTuple},
};
use serde_json::json;

use crate::{
    convert::{code, json as to_python, numbers, pegs, same_rules, turn},
    error::{StrategyError, TreeError, no_strategy, wrong},
    history::History,
    rules::{Rules, SharedRules, rules},
    strategy::{spec, time},
    work,
};

/// A guess for every position of a game.
///
/// >>> from pegwise import Tree
/// >>> tree = Tree.build("3x4", "knuth")
/// >>> tree.stats["total"], tree.guess
/// (216, (1, 2, 3))
/// >>> tree.verify()["codes"]
/// 64
#[pyclass(frozen, name = "Tree", module = "pegwise")]
pub(crate) struct Tree {
    file: TreeFile,
    shared: Arc<SharedRules>,
}

impl Tree {
    fn of(file: TreeFile) -> Self {
        let shared = SharedRules::new(file.tree.rules.clone());
        Self { file, shared }
    }

    fn turns(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Turn>> {
        let Some(given) = given else { return Ok(Vec::new()) };
        if let Ok(history) = given.cast::<History>() {
            return Ok(same_rules(&self.shared.rules, history.get(), given.py())?.turns().to_vec());
        }
        given.try_iter()?.map(|given| turn(&self.shared.rules, &given?)).collect()
    }
}

/// Returns a strategy that depends on the position only.
fn by_position(spec: &Spec, rules: &Inner) -> PyResult<Box<dyn PositionStrategy>> {
    let strategy = catalog::build(spec, rules).map_err(|error| no_strategy(&error))?;
    strategy.position_strategy().ok_or_else(|| {
        StrategyError::new_err(format!("{spec} has no tree at {rules}: it is random, or there are too many codes"))
    })
}

#[pymethods]
impl Tree {
    /// Builds the tree of a strategy.
    #[staticmethod]
    #[pyo3(signature = (rules, strategy, *, time_limit = None))]
    fn build(py: Python<'_>, rules: &Bound<'_, PyAny>, strategy: &str, time_limit: Option<f64>) -> PyResult<Self> {
        let (rules, spec, time) = (self::rules(rules)?.rules.clone(), spec(strategy)?, time(time_limit)?);
        let built = work::released(py, |cancel| {
            let strategy = by_position(&spec, &rules)?;
            Builder::new(&rules, Watch::new(time, Some(cancel))).build(&*strategy).map_err(wrong!(TreeError))
        })?;
        Ok(Self::of(TreeFile::new(built?, spec.to_string())))
    }

    /// Finds a tree that is proven to have the smallest mean.
    #[staticmethod]
    #[pyo3(signature = (rules, *, first_guess = None, time_limit = None))]
    fn optimal(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        first_guess: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
    ) -> PyResult<Self> {
        let rules = self::rules(rules)?.rules.clone();
        let first_guess = first_guess.map(|guess| code(&rules, guess)).transpose()?;
        let (options, time) = (ExactOptions { first_guess, ..ExactOptions::default() }, time(time_limit)?);
        let report =
            work::released(py, |cancel| exact::solve(&rules, &options, Watch::new(time, Some(cancel)), |_| ()))?;
        let report = report.map_err(wrong!(TreeError))?;
        let file = TreeFile::new(report.tree, "optimal").with_proof(report.proven, Some(report.lower_bound));
        Ok(Self::of(file))
    }

    /// Searches for a better tree, starting from `start` or from a one-step strategy.
    #[staticmethod]
    #[pyo3(signature = (rules, *, start = None, first_guess = None, time_limit = 60.0, rounds = None))]
    fn best(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        start: Option<PyRef<'_, Self>>,
        first_guess: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        rounds: Option<u32>,
    ) -> PyResult<Self> {
        let (rules, time) = (self::rules(rules)?.rules.clone(), time(time_limit)?);
        let start = start.map(|start| start.file.tree.clone());
        let first_guess = first_guess.map(|guess| code(&rules, guess)).transpose()?;
        let options = BestOptions { start, rounds, first_guess };
        let found =
            work::released(py, |cancel| beam::improve(&rules, &options, Watch::new(time, Some(cancel)), |_| ()))?;
        let report = found.map_err(wrong!(TreeError))?;
        let proven = report.total == report.lower_bound;
        Ok(Self::of(TreeFile::new(report.tree, "best").with_proof(proven, Some(report.lower_bound))))
    }

    /// Returns the built-in proven tree, or None.
    #[staticmethod]
    fn shipped(rules: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Ok(shipped(&self::rules(rules)?.rules).cloned().map(Self::of))
    }

    /// Reads a tree file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let loaded = py.detach(|| TreeFile::load(&path));
        loaded.map(Self::of).map_err(|error| TreeError::new_err(format!("{}: {error}", path.display())))
    }

    /// Reads the bytes of a tree file.
    #[staticmethod]
    fn loads(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        py.detach(|| TreeFile::read(bytes)).map(Self::of).map_err(wrong!(TreeError))
    }

    /// Writes a tree file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = py.detach(|| self.file.save(&path));
        saved.map_err(|error| TreeError::new_err(format!("{}: {error}", path.display())))
    }

    /// Returns the bytes of a tree file.
    fn dumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        py.detach(|| self.file.write(&mut bytes)).map_err(wrong!(TreeError))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Converts the tree to json, dot, html, contest or knuth.
    fn export(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let mut bytes = Vec::new();
        if format == "html" {
            py.detach(|| pegwise_web::tree_page(&self.file, &mut bytes)).map_err(wrong!(TreeError))?;
        } else {
            let format = format.parse::<Format>().map_err(wrong!(TreeError))?;
            py.detach(|| formats::export(&self.file, format, &mut bytes).map_err(Box::new))
                .map_err(wrong!(TreeError))?;
        }
        String::from_utf8(bytes).map_err(wrong!(TreeError))
    }

    /// Replays the tree against every code, using only the rules. Raises an exception if it is invalid.
    fn verify<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| verify(&self.file).map_err(Box::new)).map_err(wrong!(TreeError))?;
        self.stats(py)
    }

    /// Rules of the game.
    #[getter(rules)]
    fn rules_of(&self) -> Rules {
        Rules(Arc::clone(&self.shared))
    }

    /// Strategy or program that made the tree.
    #[getter]
    fn made_by(&self) -> &str {
        &self.file.made_by
    }

    /// True if the tree is proven optimal.
    #[getter]
    fn proven(&self) -> bool {
        self.file.proven
    }

    /// Statistics over all codes: codes, total, mean, max, histogram and others.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stats = py.detach(|| self.file.tree.stats());
        let mean = stats.mean();
        to_python(
            py,
            &json!({
                "codes": stats.codes, "total": stats.total, "mean": mean, "max": stats.max,
                "total_to_identify": stats.total_to_identify, "histogram": stats.histogram,
            }),
        )
    }

    /// First guess.
    #[getter]
    fn guess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pegs(py, &self.file.tree.root.guess)
    }

    /// Returns the guess after turns. Raises an exception if they are not in the tree.
    #[pyo3(signature = (turns = None))]
    fn next_guess<'py>(&self, py: Python<'py>, turns: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyTuple>> {
        let turns = self.turns(turns)?;
        pegs(py, &self.file.tree.position(&turns).map_err(wrong!(TreeError))?.guess)
    }

    /// Describes a position: its guess, its statistics, and the positions after each feedback.
    #[pyo3(signature = (turns = None))]
    fn show<'py>(&self, py: Python<'py>, turns: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let turns = self.turns(turns)?;
        to_python(py, &self.file.tree.show(&turns).map_err(wrong!(TreeError))?)
    }

    /// Lists all positions in preorder: turns, guess, and whether the guess can be the code.
    ///
    /// >>> from pegwise import Tree
    /// >>> positions = Tree.build("2x2", "knuth").walk()
    /// >>> positions[0]
    /// ([], (1, 1), True)
    #[pyo3(signature = (depth = None))]
    fn walk<'py>(&self, py: Python<'py>, depth: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let positions = PyList::empty(py);
        let mut walk = Traversal::new(&self.file.tree.root);
        while let Some(step) = walk.next() {
            let Step::Enter { node, .. } = step else { continue };
            if depth.is_some_and(|depth| walk.depth() > depth) {
                continue;
            }
            let turn = |turn: &Turn| PyTuple::new(py, [pegs(py, &turn.guess)?, numbers(py, &turn.feedback)?]);
            let turns = PyList::new(py, walk.turns().iter().map(turn).collect::<PyResult<Vec<_>>>()?)?;
            positions.append((turns, pegs(py, &node.guess)?, node.wins))?;
        }
        Ok(positions)
    }

    fn __len__(&self) -> usize {
        Traversal::new(&self.file.tree.root).filter(|step| matches!(step, Step::Enter { .. })).count()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().file.tree == self.file.tree)
    }

    fn __repr__(&self) -> String {
        let stats = self.file.tree.stats();
        format!(
            "<Tree of {} at {}: {:.4} guesses on average, {} at most>",
            self.made_by(),
            self.shared.rules,
            stats.mean(),
            stats.max
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("loads")?, (self.dumps(py)?,)))
    }
}

/// Returns the parts of a tree that can be built separately, by the turns that lead to them.
#[pyfunction]
pub(crate) fn tree_parts(py: Python<'_>, rules: &Bound<'_, PyAny>, strategy: &str) -> PyResult<Vec<Vec<String>>> {
    let (rules, spec) = (self::rules(rules)?.rules.clone(), spec(strategy)?);
    let parts = work::released(py, |cancel| {
        let strategy = by_position(&spec, &rules)?;
        Builder::new(&rules, Watch::new(None, Some(cancel))).parts(&*strategy).map_err(wrong!(TreeError))
    })??;
    let texts = |turns: &Vec<Turn>| turns.iter().map(|turn| turn.notation(&rules).to_string()).collect();
    Ok(parts.iter().map(texts).collect())
}

/// Builds a part and returns its bytes.
#[pyfunction]
pub(crate) fn tree_part<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    strategy: &str,
    turns: Vec<String>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (rules, spec) = (self::rules(rules)?.rules.clone(), spec(strategy)?);
    let turns = turns.iter().map(|turn| Turn::parse(&rules, turn)).collect::<Result<Vec<_>, _>>();
    let turns = turns.map_err(wrong!(TreeError))?;
    let part = work::released(py, |cancel| {
        let strategy = by_position(&spec, &rules)?;
        Builder::new(&rules, Watch::new(None, Some(cancel))).part(&*strategy, &turns).map_err(wrong!(TreeError))
    })??;
    Ok(PyBytes::new(py, &part))
}

/// File with the finished parts of a tree that is built on several machines.
#[pyclass(name = "TreeJournal", module = "pegwise._native")]
pub(crate) struct TreeJournal {
    journal: Option<Journal>,
    rules: Inner,
    spec: Spec,
}

#[pymethods]
impl TreeJournal {
    #[new]
    fn new(path: PathBuf, rules: &Bound<'_, PyAny>, strategy: &str) -> PyResult<Self> {
        let (rules, spec) = (self::rules(rules)?.rules.clone(), spec(strategy)?);
        let journal = Journal::open(&path, &rules, &spec.to_string())
            .map_err(|error| TreeError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Self { journal: Some(journal), rules, spec })
    }

    /// Returns true if a part is finished.
    fn has(&self, turns: Vec<String>) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.has(&turns.join(" ")))
    }

    /// Stores a part.
    fn take(&mut self, part: &[u8]) -> PyResult<bool> {
        let journal = self.journal.as_mut().ok_or_else(|| TreeError::new_err("the tree is finished"))?;
        journal.take(part).map_err(wrong!(TreeError))
    }

    /// Returns the whole tree; missing parts are built here. `close` removes the file.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Tree> {
        let journal = self.journal.take().ok_or_else(|| TreeError::new_err("the tree is finished"))?;
        let (rules, spec) = (self.rules.clone(), self.spec.clone());
        let (built, journal) = work::released(py, |cancel| {
            let strategy = match by_position(&spec, &rules) {
                Ok(strategy) => strategy,
                Err(error) => return (Err(error), Some(journal)),
            };
            let builder = Builder::new(&rules, Watch::new(None, Some(cancel))).with_journal(journal);
            let built = builder.build(&*strategy).map_err(wrong!(TreeError));
            (built, builder.into_journal())
        })?;
        self.journal = journal;
        Ok(Tree::of(TreeFile::new(built?, spec.to_string())))
    }

    /// Removes the file.
    fn close(&mut self) -> PyResult<()> {
        self.journal.take().map_or(Ok(()), |journal| journal.remove().map_err(wrong!(TreeError)))
    }
}
