//! NumPy arrays without copying.

use std::any::Any;

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple},
};

/// Memory of an array, which NumPy keeps alive.
#[pyclass(frozen, module = "pegwise._native")]
pub(crate) struct Memory {
    /// Owner of the memory.
    _owner: Box<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
}

#[pymethods]
impl Memory {
    /// NumPy array interface.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("data", (self.address, false))?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        Ok(interface)
    }
}

/// Element type of an array.
pub(crate) trait Element: Any + Send + Sync + Sized {
    /// NumPy type string.
    const KIND: &'static str;
}

macro_rules! elements {
    ($($type:ty: $little:literal $big:literal),*) => {
        $(impl Element for $type {
            const KIND: &'static str = if cfg!(target_endian = "little") { $little } else { $big };
        })*
    };
}
elements!(u8: "|u1" "|u1", u16: "<u2" ">u2", u32: "<u4" ">u4", i64: "<i8" ">i8", f32: "<f4" ">f4", f64: "<f8" ">f8");

/// Converts a vector to a NumPy array.
pub(crate) fn array<'py, T: Element>(
    py: Python<'py>,
    mut elements: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    debug_assert_eq!(elements.len(), shape.iter().product::<usize>(), "the shape matches");
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let as_array = AS_ARRAY.get_or_try_init(py, || PyResult::Ok(py.import("numpy")?.getattr("asarray")?.unbind()))?;
    let address = elements.as_mut_ptr() as usize;
    let memory = Memory { _owner: Box::new(elements), address, shape: shape.to_vec(), kind: T::KIND };
    as_array.bind(py).call1((memory,))
}
