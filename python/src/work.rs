//! Long work without the interpreter lock, canceled by an interrupt.

use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::{prelude::*, sync::PyOnceLock};

/// Interval between checks for interrupts.
const INTERRUPT_CHECK: Duration = Duration::from_millis(50);

/// Runs `work` with the interpreter lock released. An interrupt sets the flag passed to `work`, and raises its exception when
/// `work` has returned.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    if !is_main_thread(py)? {
        // Only the main thread receives interrupts.
        return Ok(py.detach(|| work(&cancel)));
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
                #[expect(
                    clippy::redundant_closure_for_method_calls,
                    reason = "the method is not general enough in its lifetime"
                )]
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    cancel.store(true, Ordering::Relaxed);
                    interrupt = Some(error);
                }
            }
            let result = match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            interrupt.map_or(Ok(result), Err)
        })
    })
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    static IDENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static MAIN: PyOnceLock<u64> = PyOnceLock::new();
    let threading = || py.import("threading");
    let ident = IDENT.get_or_try_init(py, || PyResult::Ok(threading()?.getattr("get_ident")?.unbind()))?;
    let main = MAIN.get_or_try_init(py, || threading()?.call_method0("main_thread")?.getattr("ident")?.extract())?;
    Ok(ident.bind(py).call0()?.extract::<u64>()? == *main)
}
