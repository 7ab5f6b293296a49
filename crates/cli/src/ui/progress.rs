//! How far long work is, on the standard error. Nothing is shown where that is no terminal.

use std::{
    fmt::Write,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::number;

/// How often the line is drawn again: often enough to be seen moving.
const TICK: Duration = Duration::from_millis(100);

/// A line that says how far work is, gone when the work is done.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Work on a known number of codes: a bar with the rate, and the time it will take.
    pub(crate) fn of_codes(codes: u64) -> Self {
        Self::counted("{bar:30.cyan/dim} {human_pos} of {human_len} codes · {rate} · {eta} to go", codes)
    }

    /// Games to play, as many as will be [expected](Self::expect), with as much of what they say of themselves as the line
    /// has room for.
    pub(crate) fn of_games() -> Self {
        Self::counted("{bar:10.cyan/dim} {human_pos} of {human_len} games · {eta} to go · {wide_msg}", 0)
    }

    /// Guesses of a game to look at.
    pub(crate) fn of_turns(turns: u64) -> Self {
        let bar = Self::counted("{bar:30.cyan/dim} {human_pos} of {human_len} guesses looked at · {elapsed}", turns);
        bar.0.enable_steady_tick(TICK);
        bar
    }

    /// So much is done.
    pub(crate) fn reach(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Sets how much there is to do.
    pub(crate) fn expect(&self, total: u64) {
        self.0.set_length(total);
    }

    fn counted(template: &str, total: u64) -> Self {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // Nothing is left to do about a line that cannot be written.
            let _ = write!(out, "{}/s", number::grouped(state.per_sec() as u64));
        };
        Self(ProgressBar::new(total).with_style(style(template).with_key("rate", rate)))
    }

    /// Work of unknown length: the time it has taken, and what it says of itself, beginning with this.
    pub(crate) fn of_search(says: &'static str) -> Self {
        let bar = ProgressBar::new_spinner().with_style(style("{spinner:.cyan} {elapsed} · {msg}")).with_message(says);
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// What the work says of itself.
    pub(crate) fn say(&self, text: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_message(text());
        }
    }

    /// Writes something above the line.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }

    /// Does the work, and looks now and then at how many codes are done.
    pub(crate) fn while_counting<T>(&self, done: impl Fn() -> u64 + Send, work: impl FnOnce() -> T) -> T {
        if self.0.is_hidden() {
            return work();
        }
        thread::scope(|scope| {
            let (finished, wait) = mpsc::channel::<()>();
            scope.spawn(move || {
                // What was done before the work began would count as speed.
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

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let never = anstream::ColorChoice::global() == anstream::ColorChoice::Never;
    let plain = template.replace(".cyan/dim", "").replace(".cyan", "");
    let template = if never { &plain } else { template };
    // A template with a mistake in it costs the looks, not the work.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("━╸━")
}
