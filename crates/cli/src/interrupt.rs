//! Interrupts of work that has something to save first.
//!
//! Without this an interrupt ends the program where it stands, which is right wherever nothing would be lost.

use std::sync::{Arc, atomic::AtomicBool};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

use crate::exit;

/// A flag that the first interrupt raises, so that work can come to an end by itself; the second ends the program at once.
///
/// `signal-hook` rather than `ctrlc`: it takes a polite `kill` the same way and leaves the hangup of `nohup` alone.
pub(crate) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: a signal that raises the flag must not yet find it raised.
        flag::register_conditional_shutdown(signal, exit::INTERRUPTED.into(), Arc::clone(&raised))?;
        flag::register(signal, Arc::clone(&raised))?;
    }
    Ok(raised)
}

/// A flag that an interrupt raises, for work that looks at it all the time and has a terminal to give back first; it never
/// ends the program by itself.
pub(crate) fn patient_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&raised))?;
    }
    Ok(raised)
}
