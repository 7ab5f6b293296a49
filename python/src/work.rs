//! Long work without the interpreter lock, canceled by an interrupt.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::{prelude::*, sync::PyOnceLock};

use crate::error::PegwiseError;

/// Interval between checks for interrupts.
const INTERRUPT_CHECK: Duration = Duration::from_millis(50);

/// Runs `work` with the interpreter lock released. An interrupt sets the flag passed to `work`, ends the guesses of strategies
/// written in Python, and raises its exception when `work` has returned. A panic is an exception, too.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    if !is_main_thread(py)? {
        // Only the main thread receives interrupts.
        return py
            .detach(|| panic::catch_unwind(AssertUnwindSafe(|| work(&cancel))))
            .map_err(|panic| panicked(&*panic));
    }
    py.detach(|| {
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let cancel = &cancel;
            let worker = scope.spawn(move || {
                let result = work(cancel);
                drop(done);
                result
            });
            let mut interrupt = None;
            while let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(INTERRUPT_CHECK) {
                let interrupted = Python::attach(|py| {
                    let interrupted = py.check_signals();
                    if interrupted.is_err() || interrupt.is_some() {
                        cancel.store(true, Ordering::Relaxed);
                        // Another thread may have begun a guess. Fails only if the interpreter is being finalized.
                        let _ = end_guesses(py);
                    }
                    interrupted
                });
                interrupt = interrupt.or(interrupted.err());
            }
            let result = worker.join().map_err(|panic| panicked(&*panic));
            interrupt.map_or(result, Err)
        })
    })
}

/// Converts a panic to an exception.
fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PegwiseError::new_err(format!("internal error: {}; please report it", text.unwrap_or("a panic")))
}

/// Interrupts strategies written in Python.
fn end_guesses(py: Python<'_>) -> PyResult<()> {
    let modules = py.import("sys")?.getattr("modules")?;
    let lab = modules.call_method1("get", ("pegwise.lab",))?;
    if lab.is_none() { Ok(()) } else { lab.call_method0("_end_guesses").map(drop) }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    static THREADING: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let threading = THREADING.get_or_try_init(py, || PyResult::Ok(py.import("threading")?.unbind()))?.bind(py);
    // A fork in another thread changes the main thread.
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}
