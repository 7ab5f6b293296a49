//! A program in a pseudo-terminal: sends keys and reads the screen.

use std::{
    io::{Read as _, Write},
    num::NonZero,
    process::Command,
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Parser};

/// Timeout, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Program in a pseudo-terminal.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<Parser>>,
    /// Shows what the program writes, until it ends.
    display: JoinHandle<()>,
    keys: Box<dyn Write + Send>,
    /// Settings of the terminal before the program started.
    before: String,
}

impl Pty {
    /// Starts a program in a terminal of this size.
    pub(crate) fn start(program: &str, args: &[&str], variables: &[(&str, &str)], (columns, rows): (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a terminal");
        let before = settings(&*pair.master);
        let mut command = CommandBuilder::new(program);
        command.args(args);
        for variable in
            ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "RUST_BACKTRACE"]
        {
            command.env_remove(variable);
        }
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("XDG_CONFIG_HOME", "/dev/null");
        command.env("PEGWISE_TEST_CLOCK", "1");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let keys = pair.master.take_writer().expect("a writer");
        let screen = Arc::new(Mutex::new(Parser::new(side(rows), side(columns), 0)));
        let seen = Arc::clone(&screen);
        let display = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                seen.lock().expect("no panic").process(&bytes[..count]);
            }
        });
        // The slave is closed here, so that reading ends with the program.
        Self { master: pair.master, child, screen, display, keys, before }
    }

    /// Returns the text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("no panic").screen().contents()
    }

    /// Returns the lines that the terminal had to wrap.
    pub(crate) fn broken(&self) -> Vec<String> {
        let parser = self.screen.lock().expect("no panic");
        let (rows, columns) = parser.screen().size();
        let lines = parser.screen().rows(0, columns.get()).enumerate();
        let broken =
            lines.filter(|(row, _)| *row < usize::from(rows.get()) && parser.screen().row_wrapped(*row as u16));
        broken.map(|(_, line)| line).collect()
    }

    /// Waits until the screen is as expected.
    pub(crate) fn wait(&self, what: &str, expected: impl Fn(&str) -> bool) {
        let start = Instant::now();
        loop {
            let ended = self.display.is_finished();
            if expected(&self.text()) {
                return;
            }
            assert!(!ended, "the program ended without {what}:\n{}", self.text());
            assert!(start.elapsed() < TIMEOUT, "never saw {what}:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a text is on the screen.
    pub(crate) fn see(&self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    /// Presses keys, given as the bytes that a terminal sends.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).expect("the keys are taken");
    }

    /// Clicks where a text is.
    pub(crate) fn click(&mut self, text: &str) {
        let screen = self.text();
        let lines = screen.lines().enumerate();
        let place = lines.filter_map(|(row, line)| Some((row, line[..line.find(text)?].chars().count()))).last();
        let (row, column) = place.unwrap_or_else(|| panic!("no {text} to click:\n{screen}"));
        let (row, column) = (row + 1, column + 1);
        self.press(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// Resizes the window.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.lock().expect("no panic").screen_mut().set_size(side(rows), side(columns));
        self.master.resize(size(columns, rows)).expect("a size");
    }

    /// Sends the program a signal, by name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("a running program").to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill runs").success());
    }

    /// Waits for the end, checks that the terminal was restored, and returns the exit code.
    pub(crate) fn end_clean(&mut self) -> u32 {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                break status;
            }
            assert!(start.elapsed() < TIMEOUT, "it does not end:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(status.signal(), None, "it ends by itself");
        // The last bytes may not have been read yet.
        self.wait("the restored terminal", |_| self.changed_mode().is_none());
        status.exit_code()
    }

    /// Returns true if the program has changed the mode of the terminal.
    pub(crate) fn is_raw(&self) -> bool {
        self.changed_mode().is_some()
    }

    /// Returns the first mode of the terminal that differs from before.
    fn changed_mode(&self) -> Option<&'static str> {
        let parser = self.screen.lock().expect("no panic");
        let screen = parser.screen();
        let checks = [
            (screen.alternate_screen(), "still on the other screen"),
            (screen.hide_cursor(), "the cursor is hidden"),
            (screen.mouse_protocol_mode() != MouseProtocolMode::None, "the mouse is still taken"),
            (screen.bracketed_paste(), "pastes are still bracketed"),
            (settings(&*self.master) != self.before, "the keys are still raw"),
        ];
        checks.into_iter().find(|(wrong, _)| *wrong).map(|(_, what)| what)
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A failed test leaves no program behind.
        let _ = self.child.kill();
    }
}

fn side(length: u16) -> NonZero<u16> {
    NonZero::new(length).expect("a window has a size")
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn settings(terminal: &dyn MasterPty) -> String {
    format!("{:?}", terminal.get_termios())
}
