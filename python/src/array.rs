//! Memory that NumPy looks at without copying it.

use std::any::Any;

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple},
};

/// Memory of an array. NumPy keeps it as long as an array looks at it.
#[pyclass(frozen, module = "pegwise._native")]
pub(crate) struct Memory {
    /// The vector that the memory belongs to; nobody but NumPy looks into it.
    _owner: Box<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
}

#[pymethods]
impl Memory {
    /// What NumPy asks for.
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

/// What an array can be made of.
pub(crate) trait Element: Any + Send + Sync + Sized {
    /// Its type, as NumPy writes it.
    const KIND: &'static str;
}

/// The bytes of numbers lie as this machine has them.
macro_rules! elements {
    ($($type:ty: $little:literal $big:literal),*) => {
        $(impl Element for $type {
            const KIND: &'static str = if cfg!(target_endian = "little") { $little } else { $big };
        })*
    };
}
elements!(u8: "|u1" "|u1", u16: "<u2" ">u2", u32: "<u4" ">u4", i64: "<i8" ">i8", f32: "<f4" ">f4", f64: "<f8" ">f8");

/// A NumPy array of a vector's elements, which it does not copy.
pub(crate) fn array<'py, T: Element>(
    py: Python<'py>,
    mut elements: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    debug_assert_eq!(elements.len(), shape.iter().product::<usize>(), "as many elements as the shape says");
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let as_array = AS_ARRAY.get_or_try_init(py, || PyResult::Ok(py.import("numpy")?.getattr("asarray")?.unbind()))?;
    let address = elements.as_mut_ptr() as usize;
    let memory = Memory { _owner: Box::new(elements), address, shape: shape.to_vec(), kind: T::KIND };
    as_array.bind(py).call1((memory,))
}
