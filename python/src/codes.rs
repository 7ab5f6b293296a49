//! Lists of codes, and arrays of feedback.

use std::sync::{Arc, atomic::Ordering};

use pegwise_game::{Rules as Inner, Table, partition::BatchKernel};
use pegwise_solve::parallel;
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyDict, PySlice, PyTuple},
};
use rayon::prelude::*;

use crate::{
    array::array,
    convert::{code, numbers, pegs, rows_of, table},
    error::{PegwiseError, RulesError},
    rules::{Rules, SharedRules, no_marks, rules},
    work,
};

/// A list of codes in the layout of the SIMD kernels; by default all codes of the rules.
///
/// Arrays contain feedback as numbers; `rules.marks` maps them to marks.
///
/// >>> from pegwise import Codes
/// >>> codes = Codes("4x6")
/// >>> len(codes), codes[7]
/// (1296, (1, 1, 2, 2))
/// >>> codes.matrix().shape
/// (1296, 1296)
/// >>> int(codes.histogram("1122").max())
/// 256
#[pyclass(frozen, name = "Codes", module = "pegwise")]
pub(crate) struct Codes {
    shared: Arc<SharedRules>,
    table: Arc<Table>,
}

/// Maximum size of an array in bytes.
const MAX_ARRAY_BYTES: usize = 1 << 36;
/// Minimum number of pairs for more than one thread.
const MIN_PARALLEL_PAIRS: usize = 1 << 22;

impl Codes {
    pub(crate) fn new(shared: &Arc<SharedRules>, table: Arc<Table>) -> Self {
        Self { shared: Arc::clone(shared), table }
    }

    pub(crate) fn all(shared: &Arc<SharedRules>) -> PyResult<Self> {
        let table = shared.all().map_err(RulesError::new_err)?;
        Ok(Self::new(shared, Arc::clone(table)))
    }

    pub(crate) fn rules(&self) -> &Inner {
        &self.shared.rules
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    fn lanes(&self) -> PyResult<&BatchKernel> {
        self.shared.partitioner.batch_kernel().ok_or_else(|| no_marks(self.rules()))
    }

    /// Returns the given guesses, or the codes themselves.
    fn guesses(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<Table>> {
        given.map_or_else(|| Ok(Arc::clone(&self.table)), |given| table(self.rules(), given).map(Arc::new))
    }
}

#[pymethods]
impl Codes {
    #[new]
    #[pyo3(signature = (rules, codes = None))]
    fn make(rules: &Bound<'_, PyAny>, codes: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let shared = self::rules(rules)?;
        match codes {
            Some(codes) => Ok(Self::new(&shared, Arc::new(table(&shared.rules, codes)?))),
            None => Self::all(&shared),
        }
    }

    /// Rules of the codes.
    #[getter(rules)]
    fn rules_of(&self) -> Rules {
        Rules(Arc::clone(&self.shared))
    }

    /// Returns the codes as an array, one row each, with colors from 1.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows_of(py, &self.table)
    }

    /// Returns the feedback of each code to a guess, as an array of numbers.
    fn partition_numbers<'py>(&self, py: Python<'py>, guess: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let guess = code(self.rules(), guess)?;
        let lanes = self.lanes()?;
        let marks = py.detach(|| {
            let mut marks = vec![0; self.table.len()];
            lanes.marks_into(&guess, &self.table, &mut marks);
            marks
        });
        array(py, marks, &[self.table.len()])
    }

    /// Returns the number of codes for each feedback, in the order of `rules.marks`.
    fn histogram<'py>(&self, py: Python<'py>, guess: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let guess = code(self.rules(), guess)?;
        let lanes = self.lanes()?;
        let mut counts = vec![0u32; lanes.encoding().possible().len()];
        py.detach(|| lanes.histogram(&guess, &self.table, &mut counts));
        let shape = [counts.len()];
        array(py, counts, &shape)
    }

    /// Returns a histogram for each guess, or for each of the codes, one row each.
    #[pyo3(signature = (guesses = None))]
    fn histograms<'py>(&self, py: Python<'py>, guesses: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let guesses = self.guesses(guesses)?;
        let lanes = self.lanes()?;
        let width = lanes.encoding().possible().len();
        let mut counts = allocated(guesses.len(), width, size_of::<u32>())?;
        let fill = |row: usize, counts: &mut [u32]| lanes.histogram_of_row(&guesses, row, &self.table, counts);
        each_row(py, &mut counts, width, self.table.len(), fill)?;
        array(py, counts, &[guesses.len(), width])
    }

    /// Returns the feedback of each code to each guess: one row per guess, one column per code.
    ///
    /// >>> from pegwise import Codes
    /// >>> codes = Codes("2x2")
    /// >>> codes.matrix().tolist()
    /// [[8, 4, 4, 0], [4, 8, 2, 4], [4, 2, 8, 4], [0, 4, 4, 8]]
    #[pyo3(signature = (guesses = None))]
    fn matrix<'py>(&self, py: Python<'py>, guesses: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let guesses = self.guesses(guesses)?;
        let lanes = self.lanes()?;
        let width = self.table.len();
        let mut marks = allocated(guesses.len(), width, 1)?;
        let fill = |row: usize, marks: &mut [u8]| lanes.marks_into(&guesses.code(row), &self.table, marks);
        each_row(py, &mut marks, width, width, fill)?;
        array(py, marks, &[guesses.len(), width])
    }

    /// Partitions the codes by a guess: an array of rows for each feedback. Works on any board.
    ///
    /// >>> from pegwise import Codes
    /// >>> parts = Codes("4x6").partition("1122")
    /// >>> parts[(4, 0)].tolist(), len(parts[(0, 0)])
    /// ([7], 256)
    fn partition<'py>(&self, py: Python<'py>, guess: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let guess = code(self.rules(), guess)?;
        let parts = py.detach(|| self.shared.partitioner.clone().split(&guess, &self.table));
        let split = PyDict::new(py);
        for part in parts {
            let size = part.rows.len();
            split.set_item(numbers(py, &part.feedback)?, array(py, part.rows, &[size])?)?;
        }
        Ok(split)
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// Returns a code, or with a slice some of the codes.
    fn __getitem__<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.table.len();
        if let Ok(slice) = row.cast::<PySlice>() {
            let range = slice.indices(length as isize)?;
            let rows: Vec<u32> =
                (0..range.slicelength as isize).map(|place| (range.start + place * range.step) as u32).collect();
            return Ok(Self::new(&self.shared, Arc::new(self.table.select(&rows))).into_pyobject(py)?.into_any());
        }
        let row: isize = row.extract()?;
        let place = if row < 0 { row.checked_add_unsigned(length) } else { Some(row) };
        match place.and_then(|place| usize::try_from(place).ok()).filter(|&place| place < length) {
            Some(place) => pegs(py, &self.table.code(place)).map(Bound::into_any),
            None => Err(PyIndexError::new_err(format!("index {row} is out of range for {length} codes"))),
        }
    }

    fn __iter__(slf: Py<Self>) -> CodesIterator {
        CodesIterator { codes: slf, next: 0 }
    }

    /// Returns true if a code, in any notation, is in the list.
    fn __contains__(&self, given: &Bound<'_, PyAny>) -> bool {
        code(self.rules(), given).is_ok_and(|code| {
            let is_equal = |row: usize| {
                (0..).zip(code.iter()).all(|(cell, &color)| self.table.peg(row, cell) == color.index() as u8)
            };
            (0..self.table.len()).any(is_equal)
        })
    }

    /// The codes as an array, for NumPy.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("the codes are copied into an array; leave out copy=False"));
        }
        let array = rows_of(py, &self.table)?;
        dtype.map_or(Ok(array.clone()), |dtype| array.call_method1("astype", (dtype,)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Self| {
            self.rules() == other.rules()
                && (Arc::ptr_eq(&self.table, &other.table) || self.table.codes().eq(other.table.codes()))
        };
        other.cast::<Self>().is_ok_and(|other| same(other.get()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let is_all = self.shared.all().is_ok_and(|all| all.len() == self.table.len() && Arc::ptr_eq(all, &self.table));
        let codes = if is_all { None } else { Some(rows_of(py, &self.table)?) };
        Ok((py.get_type::<Self>().into_any(), (self.rules().to_string(), codes)))
    }

    fn __repr__(&self) -> String {
        format!("Codes('{}', {} codes)", self.rules(), self.table.len())
    }
}

/// Result of `__reduce__`: the class, and the rules and codes; no codes stand for all of them.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Option<Bound<'py, PyAny>>));

/// Iterator over codes.
#[pyclass(module = "pegwise._native")]
pub(crate) struct CodesIterator {
    codes: Py<Codes>,
    next: usize,
}

#[pymethods]
impl CodesIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let table = &self.codes.get().table;
        let row = self.next;
        self.next += usize::from(row < table.len());
        (row < table.len()).then(|| pegs(py, &table.code(row))).transpose()
    }
}

/// Fills each row of an array with a function that scores `codes` codes; with many of them, on all cores, until an interrupt.
fn each_row<T: Send>(
    py: Python<'_>,
    array: &mut [T],
    width: usize,
    codes: usize,
    fill: impl Fn(usize, &mut [T]) + Send + Sync,
) -> PyResult<()> {
    if width == 0 {
        return Ok(()); // Chunks of length 0 are not allowed.
    }
    if array.len() / width * codes < MIN_PARALLEL_PAIRS {
        py.detach(|| array.chunks_exact_mut(width).enumerate().for_each(|(row, chunk)| fill(row, chunk)));
        return Ok(());
    }
    work::released(py, |cancel| {
        parallel::run(|| {
            array.par_chunks_exact_mut(width).enumerate().for_each(|(row, chunk)| {
                if !cancel.load(Ordering::Relaxed) {
                    fill(row, chunk);
                }
            });
        });
    })
}

/// Allocates an array, or raises an exception.
fn allocated<T: Clone + Default>(rows: usize, columns: usize, bytes: usize) -> PyResult<Vec<T>> {
    let elements = rows.checked_mul(columns).filter(|&elements| elements <= MAX_ARRAY_BYTES / bytes);
    match elements {
        // The operating system zeroes the memory when the threads that fill it touch it, which is faster than here.
        Some(elements) if Vec::<T>::new().try_reserve_exact(elements).is_ok() => Ok(vec![T::default(); elements]),
        _ => Err(PegwiseError::new_err(format!("an array of {rows} times {columns} does not fit into memory"))),
    }
}
