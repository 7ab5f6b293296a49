//! Progress of long work on standard error; hidden if that is not a terminal.

use std::{
    fmt::Write,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::number;

/// Interval between two updates.
const TICK: Duration = Duration::from_millis(100);

/// Progress line, removed when dropped.
pub(crate) struct ProgressDisplay(ProgressBar);

impl ProgressDisplay {
    /// Creates a bar for a known number of codes, with rate and remaining time.
    pub(crate) fn of_codes(codes: u64) -> Self {
        Self::counted("{bar:30.cyan/dim} {human_pos} of {human_len} codes · {rate} · {eta} to go", codes)
    }

    /// Creates a bar for games, whose number is set by [`Self::set_total`].
    pub(crate) fn of_games() -> Self {
        Self::counted("{bar:10.cyan/dim} {human_pos} of {human_len} games · {eta} to go · {wide_msg}", 0)
    }

    /// Creates a bar for the guesses of a game.
    pub(crate) fn of_turns(turns: u64) -> Self {
        let bar = Self::counted("{bar:30.cyan/dim} {human_pos} of {human_len} guesses analyzed · {elapsed}", turns);
        bar.0.enable_steady_tick(TICK);
        bar
    }

    pub(crate) fn set_done(&self, done: u64) {
        self.0.set_position(done);
    }

    pub(crate) fn set_total(&self, total: u64) {
        self.0.set_length(total);
    }

    fn new(bar: ProgressBar) -> Self {
        if super::is_quiet() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self(bar)
    }

    fn counted(template: &str, total: u64) -> Self {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // A failure to write cannot be reported.
            let _ = write!(out, "{}/s", number::grouped(state.per_sec() as u64));
        };
        Self::new(ProgressBar::new(total).with_style(style(template).with_key("rate", rate)))
    }

    /// Creates a line for work of unknown length, with the elapsed time and a message.
    pub(crate) fn of_search(message: &'static str) -> Self {
        let bar =
            ProgressBar::new_spinner().with_style(style("{spinner:.cyan} {elapsed} · {msg}")).with_message(message);
        bar.enable_steady_tick(TICK);
        Self::new(bar)
    }

    pub(crate) fn set_message(&self, text: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_message(text());
        }
    }

    /// Hides the line while `write` runs.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Runs `work` and shows the result of `done` at intervals.
    pub(crate) fn poll<T>(&self, done: impl Fn() -> u64 + Send, work: impl FnOnce() -> T) -> T {
        if self.0.is_hidden() {
            return work();
        }
        thread::scope(|scope| {
            let (finished, wait) = mpsc::channel::<()>();
            scope.spawn(move || {
                // Work of an earlier run must not count for the rate.
                let mut resumed = true;
                while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.0.set_position(done());
                    if std::mem::take(&mut resumed) {
                        self.0.reset_eta();
                    }
                }
            });
            let result = work();
            drop(finished);
            result
        })
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let never = anstream::ColorChoice::global() == anstream::ColorChoice::Never;
    let plain = template.replace(".cyan/dim", "").replace(".cyan", "");
    let template = if never { &plain } else { template };
    // A mistake in a template only affects the look.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("━╸━")
}
