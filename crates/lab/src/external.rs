//! External programs as strategies: they speak the engine protocol over standard input and output.

use std::io::{self, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, thread};

use pegwise_game::{Code, History, HistoryTracker, Rules, shorten};
use pegwise_solve::catalog::{self, ExternalStrategy, RegisterError};
use pegwise_solve::clock::Moment;
use pegwise_solve::{Basis, Fnv1a, Proposal, Search, Spec, Strategy, StrategyError};
use serde_json::{Value, json};

use crate::wire::{self, WireLine};

/// Returns an upper bound on the guesses of any sensible strategy with truthful answers. Testing each color in each cell
/// takes as many guesses as there are such pairs.
pub fn max_guesses(rules: &Rules) -> usize {
    const MORE: usize = 100;
    rules.cells() * usize::from(rules.colors()) + MORE
}

/// Time for a program to exit after its input is closed.
const GRACE: Duration = Duration::from_secs(1);

/// A program with its arguments.
///
/// ```
/// use pegwise_lab::external::Program;
/// assert_eq!(Program::parse("python3 'my bot.py'")?.label(), "python3-my-bot-py");
/// assert!(Program::parse("it's").is_err());
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    text: String,
    name: String,
    args: Vec<String>,
}

impl Program {
    /// Parses a program and its arguments, separated by spaces. Quotes group words.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = words(text)?.into_iter();
        let name = words.next().filter(|name| !name.is_empty()).ok_or("write the name of a program")?;
        Ok(Self { text: text.to_owned(), name, args: words.collect() })
    }

    /// Returns a name of lowercase letters, digits and hyphens: the last path component of each word.
    pub fn label(&self) -> String {
        let last = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
        let words: Vec<String> = [&self.name].into_iter().chain(&self.args).map(last).collect();
        label(&words.join("-"))
    }

    /// Hashes the command line and the contents of the files that it names.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fnv1a::default();
        for word in [&self.name].into_iter().chain(&self.args) {
            fingerprint.add(word.as_bytes());
            fingerprint.add(&[0]);
        }
        for path in self.executable().into_iter().chain(self.args.iter().map(PathBuf::from)) {
            // Arguments that are not regular files are hashed as text only: a device may have no end.
            if path.is_file()
                && let Ok(bytes) = std::fs::read(path)
            {
                fingerprint.add(&bytes);
            }
        }
        fingerprint.value()
    }

    /// Fails if the program cannot be started, as far as the file system shows.
    pub fn check(&self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let found = self.executable().and_then(|path| path.metadata().ok());
            if !found.is_some_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0) {
                let reason =
                    format!("'{}' cannot be started: no such program; give the path of an executable", self.name);
                return Err(io::Error::other(reason));
            }
        }
        Ok(())
    }

    /// Returns the path of the executable, searching `PATH` if necessary.
    fn executable(&self) -> Option<PathBuf> {
        let name = PathBuf::from(&self.name);
        if self.name.contains('/') {
            return Some(name);
        }
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    }
}

/// Converts a text to a name of lowercase letters, digits and hyphens.
pub fn label(text: &str) -> String {
    let plain = |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '-' };
    let plain: String = text.chars().map(plain).collect();
    plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some(end) if end == char => break,
                        Some(inner) => word.push(inner),
                        None => return Err("a quote is not closed"),
                    }
                }
            }
            char if char.is_whitespace() => words.extend(word.take()),
            char => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A program in a process group of its own, so that it can be ended with all its descendants.
struct ProcessGroup {
    child: Child,
}

/// Groups that are running, for [`kill_programs`].
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all running programs and their descendants. Signals of the terminal do not reach them, so a process calls this
/// before it ends.
pub fn kill_programs() {
    running().iter().for_each(|&group| kill_group(group));
}

#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // The group may have ended already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

impl ProcessGroup {
    fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Locked while the program starts, so that `kill_programs` misses no program.
        let mut running = running();
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Self { child })
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let id = self.child.id();
        running().retain(|&group| group != id);
        // The group is killed before its leader is reaped, because a reaped number may be given to another process. Errors
        // are ignored: there is no further way to end the program.
        kill_group(id);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running program with its pipes. Dropping it kills the program and its descendants.
pub struct ProgramConnection {
    group: ProcessGroup,
    /// Lines to write. A separate thread writes them, so that a program that does not read cannot block the game.
    to: Option<Sender<String>>,
    from: Receiver<io::Result<WireLine>>,
}

/// Error of an external program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// No answer in this time.
    #[error("gave no answer in {} s", .0.as_secs_f64())]
    Slow(Duration),
    /// The program ended, with this exit status, if known.
    #[error("ended without an answer{0}")]
    Ended(String),
    /// Output that is not a line of text.
    #[error("wrote {0}")]
    NoText(String),
    /// Output that is not JSON: the beginning of the line, and the error.
    #[error("wrote '{0}', which is not JSON: {1}")]
    NoJson(String, serde_json::Error),
    /// The pipe cannot be read.
    #[error("cannot be read from: {0}")]
    Io(io::Error),
}

impl ProgramConnection {
    /// Starts the program.
    pub fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.name);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = ProcessGroup::start(&mut command)
            .map_err(|error| io::Error::new(error.kind(), format!("'{}' cannot be started: {error}", program.name)))?;
        let (to, lines) = mpsc::channel();
        // A bounded channel, so that unsolicited output does not accumulate in memory.
        let (answers, from) = mpsc::sync_channel(1);
        if let (Some(stdin), Some(stdout)) = (group.child.stdin.take(), group.child.stdout.take()) {
            // Both threads end with their pipes. They are not joined, since a descendant of the program may keep a pipe open.
            thread::spawn(move || write_lines(stdin, &lines));
            thread::spawn(move || read_lines(stdout, &answers));
        }
        Ok(Self { group, to: Some(to), from })
    }

    /// Sends a line and waits for the next line.
    pub fn ask(&mut self, question: &Value, timeout: Duration) -> Result<Value, ProgramError> {
        // A program that has ended is noticed when its output ends.
        let _ = self.to.as_ref().map(|to| to.send(format!("{question}\n")));
        self.receive(timeout)
    }

    /// Waits for a line.
    pub fn receive(&mut self, timeout: Duration) -> Result<Value, ProgramError> {
        let line = match self.receive_line(timeout) {
            Ok(Ok(WireLine::Text(line))) => line,
            Ok(Ok(WireLine::TooLong)) => {
                return Err(ProgramError::NoText(format!("a line of more than {} bytes", wire::MAX_LINE_BYTES)));
            }
            Ok(Ok(WireLine::NotUtf8)) => {
                return Err(ProgramError::NoText("something that is not UTF-8 text".to_owned()));
            }
            Ok(Err(error)) => return Err(ProgramError::Io(error)),
            Ok(Ok(WireLine::End)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(ProgramError::Ended(self.exit_status()));
            }
            Err(RecvTimeoutError::Timeout) => return Err(ProgramError::Slow(timeout)),
        };
        serde_json::from_str(&line).map_err(|error| ProgramError::NoJson(shorten(&line), error))
    }

    /// Waits for a line. If the program exits, its descendants are killed: they may keep its output open.
    fn receive_line(&mut self, timeout: Duration) -> Result<io::Result<WireLine>, RecvTimeoutError> {
        const POLL_INTERVAL: Duration = Duration::from_millis(50);
        let mut remaining = timeout;
        loop {
            let interval = remaining.min(POLL_INTERVAL);
            match self.from.recv_timeout(interval) {
                Err(RecvTimeoutError::Timeout) if remaining > interval => remaining -= interval,
                received => return received,
            }
            if matches!(self.group.child.try_wait(), Ok(Some(_))) {
                kill_group(self.group.child.id());
            }
        }
    }

    /// Closes the input of the program and waits for it to exit.
    pub fn close(&mut self) {
        self.to = None;
        self.wait(GRACE);
    }

    fn exit_status(&mut self) -> String {
        self.wait(GRACE);
        match self.group.child.try_wait() {
            Ok(Some(status)) => format!(" ({status})"),
            _ => String::new(),
        }
    }

    /// Waits for the program to exit. With a test clock, time does not pass here, so a test waits until it has exited.
    fn wait(&mut self, longest: Duration) {
        const POLL_INTERVAL: Duration = Duration::from_millis(5);
        let start = Moment::now();
        while matches!(self.group.child.try_wait(), Ok(None)) && start.elapsed() < longest {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, answers: &SyncSender<io::Result<WireLine>>) {
    // One byte more than a line may have and its end: a longer line is reported without waiting for its end.
    const LIMIT: u64 = wire::MAX_LINE_BYTES as u64 + 2;
    let mut reader = BufReader::new(stdout);
    loop {
        let line = wire::read_line(&mut reader.by_ref().take(LIMIT));
        let last = !matches!(line, Ok(WireLine::Text(_) | WireLine::NotUtf8));
        if answers.send(line).is_err() || last {
            return;
        }
    }
}

/// Prefix of the strategy names of programs.
const PREFIX: &str = "command";

/// Registers a program as a strategy. It is started at its first guess, once per thread, and again after a failure.
pub fn register(program: &Program, timeout: Duration) -> Result<Spec, RegisterError> {
    let (name, about) = (format!("{PREFIX}-{}", program.label()), format!("the program {program}"));
    let made = program.clone();
    let make = move |rules: &Rules| Ok(Box::new(ProgramStrategy::new(&made, rules, timeout)) as Box<dyn Strategy>);
    catalog::register_external(ExternalStrategy {
        name,
        about,
        fingerprint: program.fingerprint(),
        make: Arc::new(make),
    })
}

/// A strategy that asks an external program.
pub struct ProgramStrategy {
    program: Program,
    rules: Rules,
    timeout: Duration,
    /// Connection, while the program runs.
    connection: Option<ProgramConnection>,
    /// True if the program was started and knows no game.
    is_new: bool,
    /// Turns that were sent.
    tracker: HistoryTracker,
}

impl ProgramStrategy {
    /// Creates a strategy with a timeout per answer.
    pub fn new(program: &Program, rules: &Rules, timeout: Duration) -> Self {
        let (program, rules) = (program.clone(), rules.clone());
        Self { program, rules, timeout, connection: None, is_new: false, tracker: HistoryTracker::default() }
    }

    /// Returns the next guess, or a description of the failure. The program has been started.
    fn guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Code, String> {
        if history.len() >= max_guesses(&self.rules) {
            return Err(format!("has not found the code in {} guesses", history.len()));
        }
        let change = self.tracker.update(history);
        // After its first guess, a program knows the game although it knows no turn.
        let begins = std::mem::take(&mut self.is_new) || !change.is_extension();
        let known = if begins { 0 } else { change.known() };
        if begins {
            // One seed is drawn per game, whether or not the program uses it.
            let seed = search.rng.word();
            self.ask(&json!({ "do": "new", "rules": self.rules.to_string(), "seed": seed }), "new")?;
        }
        for turn in &history.turns()[known..] {
            self.ask(&json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback }), "turn")?;
        }
        let question = match search.limits().time {
            Some(time) => json!({ "do": "guess", "time_limit": time.as_secs_f64() }),
            None => json!({ "do": "guess" }),
        };
        let answer = self.ask(&question, "guess")?;
        let line = || shorten(&answer.to_string());
        let guess = answer.get("guess").ok_or_else(|| format!("wrote '{}', which has no field \"guess\"", line()))?;
        wire::code(&self.rules, guess).map_err(|error| format!("wrote '{}': {error}", line()))
    }

    /// Sends a request and returns the answer, skipping progress lines.
    fn ask(&mut self, question: &Value, reply: &str) -> Result<Value, String> {
        let connection = self.connection.as_mut().ok_or("has ended")?;
        let trouble = |error: ProgramError| error.to_string();
        let mut answer = connection.ask(question, self.timeout).map_err(trouble)?;
        loop {
            match answer.get("reply").and_then(Value::as_str) {
                Some("progress") => answer = connection.receive(self.timeout).map_err(trouble)?,
                Some("error") => {
                    let error = answer.get("error").and_then(Value::as_str).unwrap_or("an error without a message");
                    return Err(format!("reports an error: {}", shorten(error)));
                }
                Some(found) if found == reply => return Ok(answer),
                _ => {
                    let line = shorten(&answer.to_string());
                    return Err(format!("wrote '{line}' instead of an answer with \"reply\":\"{reply}\""));
                }
            }
        }
    }
}

impl Strategy for ProgramStrategy {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if self.connection.is_none() {
            // Unlike a failure of the program, this does not lose the game.
            let unplayable = |error| StrategyError::unplayable("the program", &self.rules, &error);
            self.connection = Some(ProgramConnection::start(&self.program).map_err(unplayable)?);
            self.is_new = true;
        }
        match self.guess(history, search) {
            Ok(guess) => Ok(Proposal::new(guess, Basis::Planned)),
            Err(trouble) => {
                // Further output belongs to the lost game.
                self.connection = None;
                Err(StrategyError::Failed(format!("'{}' {trouble}", self.program)))
            }
        }
    }
}

impl Drop for ProgramStrategy {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_words() {
        let parts = |text: &str| words(text).unwrap();
        assert_eq!(parts("maker"), ["maker"]);
        assert_eq!(parts("  python3  'my maker.py' --code=\"1 2\" ''"), ["python3", "my maker.py", "--code=1 2", ""]);
        assert!(words("it's").is_err());
        assert!(Program::parse("").is_err() && Program::parse("  ").is_err() && Program::parse("''").is_err());
    }

    #[test]
    fn the_fingerprint_depends_on_file_contents() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot.py");
        let program = Program::parse(&format!("python3 '{}'", file.display())).unwrap();
        std::fs::write(&file, "one").unwrap();
        let one = program.fingerprint();
        assert_eq!(program.fingerprint(), one);
        std::fs::write(&file, "two").unwrap();
        assert_ne!(program.fingerprint(), one);
    }
}
