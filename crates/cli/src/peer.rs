//! Another program as the codemaker: it is asked for each feedback over its standard input and output.
//!
//! Each guess is a line such as `{"rules":"4x6","turn":1,"guess":[1,1,2,2]}`, and is answered with a line such as
//! `{"feedback":[{"black":1,"white":0}]}`, or `{"feedback":"1,0"}` for short. The end of its input is the end of the
//! game. Whatever the program does instead, the game ends with an error that names it, and the program is ended.

use std::{
    fmt,
    io::{self, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    thread,
    time::{Duration, Instant},
};

use anyhow::anyhow;
use pegwise_game::{Code, Feedback, History, Rules, Turn};
use pegwise_solve::{
    Search, StrategyError,
    candidates::{Remaining, contradiction},
    codemaker::{Codemaker, CodemakerError},
};
use serde_json::{Value, json};

use crate::{
    mended,
    wire::{self, Line},
};

/// How long a program may take to end by itself once the game is over.
const GRACE: Duration = Duration::from_secs(1);

/// A program to run, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    text: String,
    name: String,
    args: Vec<String>,
}

impl Program {
    /// Reads a program and its arguments, parted by spaces; quotes hold words together.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = words(text)?.into_iter();
        let name = words.next().filter(|name| !name.is_empty()).ok_or("write the name of a program")?;
        Ok(Self { text: text.to_owned(), name, args: words.collect() })
    }
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

/// A program that answers guesses.
pub(crate) struct Peer {
    program: Program,
    child: Child,
    /// Lines to the program. A thread writes them, so that a program that does not read cannot hold up the game.
    to: Option<Sender<String>>,
    from: Receiver<io::Result<Line>>,
    timeout: Duration,
    history: History,
    /// The codes that fit the answers, where they are few enough to see a contradiction at once.
    remaining: Option<Remaining>,
}

impl Peer {
    /// Starts the program.
    pub(crate) fn start(program: &Program, rules: &Rules, timeout: Duration) -> anyhow::Result<Self> {
        let mut command = Command::new(&program.name);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| anyhow!("'{}' cannot be started: {error}", program.name))?;
        let (to, lines) = mpsc::channel();
        // A program that says more than it was asked waits, instead of filling the memory.
        let (answers, from) = mpsc::sync_channel(1);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            // Both end with the pipes they hold. Nobody waits for them: a program may leave others behind that keep a
            // pipe open.
            thread::spawn(move || write_lines(stdin, &lines));
            thread::spawn(move || read_lines(stdout, &answers));
        }
        Ok(Self {
            program: program.clone(),
            child,
            to: Some(to),
            from,
            timeout,
            history: History::new(rules.clone()),
            remaining: Remaining::new(rules).ok().filter(|remaining| remaining.all().is_some()),
        })
    }

    /// What the program answers to a guess, if that is a feedback.
    fn ask(&mut self, guess: &Code) -> Result<Feedback, String> {
        let rules = self.history.rules();
        let question = json!({ "rules": rules.to_string(), "turn": self.history.len() + 1, "guess": guess });
        // A program that has gone is noticed by the end of its answers.
        let _ = self.to.as_ref().map(|to| to.send(format!("{question}\n")));
        let line = match self.from.recv_timeout(self.timeout) {
            Ok(Ok(Line::Text(line))) => line,
            Ok(Ok(Line::TooLong)) => return Err(format!("wrote a line of more than {} bytes", wire::LONGEST_LINE)),
            Ok(Ok(Line::NotUtf8)) => return Err("wrote something that is not UTF-8 text".to_owned()),
            Ok(Err(error)) => return Err(format!("cannot be read from: {error}")),
            Ok(Ok(Line::End)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(format!("ended without an answer{}", self.how_it_ended()));
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.timeout.as_secs_f64();
                return Err(format!("gave no answer in {seconds} s; --reply-timeout lets it take longer"));
            }
        };
        let answer: Value = serde_json::from_str(&line)
            .map_err(|error| format!("wrote '{}', which is not JSON: {error}", wire::excerpt(&line)))?;
        if let Some(error) = answer.get("error") {
            let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(format!("reports an error: {}", wire::excerpt(&error)));
        }
        let Some(feedback) = answer.get("feedback") else {
            return Err(format!("wrote '{}', which has no field \"feedback\"", wire::excerpt(&line)));
        };
        wire::feedback(rules, feedback).map_err(|error| format!("wrote '{}': {error}", wire::excerpt(&line)))
    }

    fn how_it_ended(&mut self) -> String {
        self.wait(GRACE);
        match self.child.try_wait() {
            Ok(Some(status)) => format!(" ({status})"),
            _ => String::new(),
        }
    }

    /// Why the answers so far cannot all be true, if that is plain to see.
    fn contradiction(&mut self) -> Option<String> {
        let (last, before) = self.history.turns().split_last()?;
        if let Some(first) = before.iter().position(|turn| turn.guess == last.guess && turn.feedback != last.feedback) {
            let turns = [first + 1, self.history.len()];
            return Some(format!("contradicts itself: {}", mended::name_turns(&turns, &self.history)));
        }
        let mut search = Search::new(0);
        let fits = match self.history.is_solved() {
            true => self.history.is_consistent(&last.guess),
            false => {
                let view = self.remaining.as_mut()?.after(&self.history, &mut search);
                !matches!(view, Err(StrategyError::Contradiction { .. }))
            }
        };
        let turns = (!fits).then(|| contradiction(&self.history, &mut search))?;
        Some(format!("contradicts itself: {}", mended::name_turns(&turns, &self.history)))
    }

    /// Waits for the program to end by itself.
    fn wait(&mut self, longest: Duration) {
        const LOOK: Duration = Duration::from_millis(5);
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < longest {
            thread::sleep(LOOK);
        }
    }
}

/// More guesses than any strategy takes against answers that are true: asking for each color in each cell takes as many as
/// there are pairs of the two. On boards too large to list, a program that does not tell the truth is noticed by this.
fn most_guesses(rules: &Rules) -> usize {
    const MORE: usize = 100;
    rules.cells() * usize::from(rules.colors()) + MORE
}

impl Codemaker for Peer {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        let named = |peer: &Self, trouble: String| CodemakerError::Peer(format!("'{}' {trouble}", peer.program));
        let feedback = self.ask(guess).map_err(|trouble| named(self, trouble))?;
        self.history.push(Turn { guess: guess.clone(), feedback: feedback.clone() })?;
        if let Some(trouble) = self.contradiction() {
            return Err(named(self, trouble));
        }
        let most = most_guesses(self.history.rules());
        if self.history.len() >= most && !self.history.is_solved() {
            let trouble = format!("has no code that {most} guesses find; its answers cannot all be true");
            return Err(named(self, trouble));
        }
        Ok(feedback)
    }

    /// The code, once it was played; before that only the program knows.
    fn reveal(&self) -> Option<Code> {
        let last = self.history.turns().last().filter(|_| self.history.is_solved())?;
        Some(last.guess.clone())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The end of its input tells it that the game is over.
        self.to = None;
        if self.history.is_solved() {
            self.wait(GRACE);
        }
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
}
