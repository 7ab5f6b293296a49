//! Interrupts of work that has something to save first.
//!
//! Without this an interrupt ends the program where it stands, which is right wherever nothing would be lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    iterator::Signals,
    low_level,
};

use crate::exit;

/// Interrupts this soon after the first are the same one: `timeout` and some shells send each to the program and to its group.
const SAME: Duration = Duration::from_millis(200);

/// A flag that the first interrupt raises, so that work can come to an end by itself; the next ends the program at once.
///
/// `signal-hook` rather than `ctrlc`: it takes a polite `kill` the same way and leaves the hangup of `nohup` alone.
pub(crate) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let watched = Arc::clone(&raised);
    thread::spawn(move || {
        let mut signals = signals.forever();
        if signals.next().is_none() {
            return;
        }
        watched.store(true, Ordering::Relaxed);
        let first = Instant::now();
        if signals.any(|_| first.elapsed() > SAME) {
            low_level::exit(exit::INTERRUPTED.into());
        }
    });
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
