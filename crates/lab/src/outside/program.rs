//! Another program that is talked to: a line to it, a line from it.

use std::{
    fmt,
    io::{self, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    thread,
    time::Duration,
};

use pegwise_solve::clock::Moment;
use serde_json::Value;

use crate::{
    fingerprint::Fingerprint,
    wire::{self, Line},
};

/// How long a program may take to end by itself once the game is over.
const GRACE: Duration = Duration::from_secs(1);

/// A program to run, with its arguments.
///
/// ```
/// use pegwise_lab::outside::Program;
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
    /// Reads a program and its arguments, parted by spaces; quotes hold words together.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = words(text)?.into_iter();
        let name = words.next().filter(|name| !name.is_empty()).ok_or("write the name of a program")?;
        Ok(Self { text: text.to_owned(), name, args: words.collect() })
    }

    /// The program as a name of small letters, digits and hyphens: the last part of each word.
    #[must_use]
    pub fn label(&self) -> String {
        let last = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
        let words: Vec<String> = [&self.name].into_iter().chain(&self.args).map(last).collect();
        label(&words.join("-"))
    }

    /// A number for the files that the program is: its own, and those among its arguments.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::new();
        for word in [&self.name].into_iter().chain(&self.args) {
            fingerprint.add(word.as_bytes());
            fingerprint.add(&[0]);
        }
        for path in self.executable().into_iter().chain(self.args.iter().map(PathBuf::from)) {
            // Arguments that are no files are taken in as they are written.
            if let Ok(bytes) = std::fs::read(path) {
                fingerprint.add(&bytes);
            }
        }
        fingerprint.value()
    }

    /// The file of the program: where it says, or in one of the folders that programs are looked for in.
    fn executable(&self) -> Option<PathBuf> {
        let name = PathBuf::from(&self.name);
        if self.name.contains('/') {
            return Some(name);
        }
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    }
}

/// A text as a name of small letters, digits and hyphens.
#[must_use]
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

/// A program that runs, and is talked to. It is ended when this is dropped.
pub struct Talk {
    child: Child,
    /// Lines to the program. A thread writes them, so that a program that does not read cannot hold up the game.
    to: Option<Sender<String>>,
    from: Receiver<io::Result<Line>>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TalkError {
    /// It took too long.
    #[error("gave no answer in {} s", time.as_secs_f64())]
    Slow {
        /// How long was waited.
        time: Duration,
    },
    /// It is there no more.
    #[error("ended without an answer{how}")]
    Ended {
        /// How it ended, where that is known.
        how: String,
    },
    /// It wrote what is no line of text.
    #[error("wrote {0}")]
    NoText(String),
    /// It wrote what is no JSON.
    #[error("wrote '{line}', which is not JSON: {error}")]
    NoJson {
        /// The beginning of the line.
        line: String,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The pipe is broken.
    #[error("cannot be read from: {0}")]
    Io(io::Error),
}

impl Talk {
    /// Starts the program.
    pub fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.name);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("'{}' cannot be started: {error}", program.name)))?;
        let (to, lines) = mpsc::channel();
        // A program that says more than it was asked waits, instead of filling the memory.
        let (answers, from) = mpsc::sync_channel(1);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            // Both end with the pipes they hold. Nobody waits for them: a program may leave others behind that keep a
            // pipe open.
            thread::spawn(move || write_lines(stdin, &lines));
            thread::spawn(move || read_lines(stdout, &answers));
        }
        Ok(Self { child, to: Some(to), from })
    }

    /// Says a line, and waits for the next one.
    pub fn ask(&mut self, question: &Value, patience: Duration) -> Result<Value, TalkError> {
        // A program that has gone is noticed by the end of its answers.
        let _ = self.to.as_ref().map(|to| to.send(format!("{question}\n")));
        self.listen(patience)
    }

    /// Waits for a line.
    pub fn listen(&mut self, patience: Duration) -> Result<Value, TalkError> {
        let line = match self.from.recv_timeout(patience) {
            Ok(Ok(Line::Text(line))) => line,
            Ok(Ok(Line::TooLong)) => {
                return Err(TalkError::NoText(format!("a line of more than {} bytes", wire::LONGEST_LINE)));
            }
            Ok(Ok(Line::NotUtf8)) => return Err(TalkError::NoText("something that is not UTF-8 text".to_owned())),
            Ok(Err(error)) => return Err(TalkError::Io(error)),
            Ok(Ok(Line::End)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(TalkError::Ended { how: self.how_it_ended() });
            }
            Err(RecvTimeoutError::Timeout) => return Err(TalkError::Slow { time: patience }),
        };
        serde_json::from_str(&line).map_err(|error| TalkError::NoJson { line: wire::excerpt(&line), error })
    }

    /// Tells the program by the end of its input that the game is over, and lets it end by itself.
    pub fn say_goodbye(&mut self) {
        self.to = None;
        self.wait(GRACE);
    }

    fn how_it_ended(&mut self) -> String {
        self.wait(GRACE);
        match self.child.try_wait() {
            Ok(Some(status)) => format!(" ({status})"),
            _ => String::new(),
        }
    }

    /// Waits for the program to end by itself. On a test clock no time passes here: a test waits until it has ended.
    fn wait(&mut self, longest: Duration) {
        const LOOK: Duration = Duration::from_millis(5);
        let start = Moment::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < longest {
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.to = None;
        // Nothing more can be done about a program that cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, answers: &SyncSender<io::Result<Line>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let line = wire::read_line(&mut reader);
        let last = !matches!(line, Ok(Line::Text(_) | Line::TooLong | Line::NotUtf8));
        if answers.send(line).is_err() || last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_by_spaces_and_held_together_by_quotes() {
        let parts = |text: &str| words(text).unwrap();
        assert_eq!(parts("maker"), ["maker"]);
        assert_eq!(parts("  python3  'my maker.py' --code=\"1 2\" ''"), ["python3", "my maker.py", "--code=1 2", ""]);
        assert!(words("it's").is_err());
        assert!(Program::parse("").is_err() && Program::parse("  ").is_err() && Program::parse("''").is_err());
    }

    #[test]
    fn another_file_has_another_number() {
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
