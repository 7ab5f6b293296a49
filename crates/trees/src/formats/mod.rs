//! File formats of trees.
//!
//! | format | purpose | import |
//! |---|---|---|
//! | `pegtree` | storage: compact, with a checksum | yes |
//! | `json` | other programs | yes |
//! | `contest` | the public contest for 5 cells and 8 colors, and programs that took part in it | yes |
//! | `knuth` | the notation of Knuth and others in the literature | yes |
//! | `dot` | drawing by Graphviz | no |

mod contest;
mod json;
mod knuth;

use std::{
    fmt,
    io::{self, BufWriter, Read, Write},
    str::FromStr,
};

use pegwise_game::{FeedbackKind, Rules};

use super::{FileError, ShapeError, Step, Summary, Traversal, TreeFile};

/// Maximum length of a text, in bytes: several times that of the largest trees.
const MAX_TEXT: u64 = 1 << 32;

/// File format of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Native format of this program.
    Pegtree,
    /// Nested JSON objects.
    Json,
    /// A drawing for Graphviz.
    Dot,
    /// Grammar of the public contest.
    Contest,
    /// Notation of the literature.
    Knuth,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Pegtree, Self::Json, Self::Dot, Self::Contest, Self::Knuth];

    /// Returns the name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pegtree => "pegtree",
            Self::Json => "json",
            Self::Dot => "dot",
            Self::Contest => "contest",
            Self::Knuth => "knuth",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error for an unknown name of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is not a format of trees; use pegtree, json, dot, contest or knuth")]
pub struct UnknownFormat {
    /// The unknown name.
    pub word: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.name() == word);
        named.ok_or_else(|| UnknownFormat { word: word.to_owned() })
    }
}

/// Error when exporting a tree.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The tree file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tree is malformed.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The format does not support these rules.
    #[error(transparent)]
    Rules(#[from] UnfitRules),
}

/// Error for rules that a format does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {format} format cannot express {rules}: it is for rows of at most 9 cells with at most 26 colors, answered in \
     black and white"
)]
pub struct UnfitRules {
    /// The format.
    pub format: Format,
    /// The rules.
    pub rules: String,
}

/// Checks that a format with one character per peg and one digit per number supports the rules.
fn check_rules(rules: &Rules, format: Format) -> Result<(), UnfitRules> {
    let black_white = rules.feedback() == FeedbackKind::BlackWhite;
    let fits = rules.board().is_row() && black_white && rules.cells() <= 9 && rules.colors() <= 26;
    if fits { Ok(()) } else { Err(UnfitRules { format, rules: rules.to_string() }) }
}

/// Error when importing a tree.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The tree file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The format cannot be imported.
    #[error("{0} files cannot be imported; use pegtree, json, contest or knuth")]
    OneWay(Format),
    /// The text is longer than any tree.
    #[error("the text is longer than {MAX_TEXT} bytes")]
    TooLong,
    /// The format does not contain the rules, and none were given.
    #[error("a {0} file does not contain its rules: give them")]
    NoRules(Format),
    /// The file has other rules than those given.
    #[error("the tree is for {found}, not for {expected}")]
    OtherRules {
        /// Given rules.
        expected: String,
        /// Rules of the file.
        found: String,
    },
    /// The format does not support these rules.
    #[error(transparent)]
    Rules(#[from] UnfitRules),
    /// The text is malformed.
    #[error("line {line}, column {column}: {what}")]
    Syntax {
        /// One-based line.
        line: usize,
        /// One-based column, in bytes.
        column: usize,
        /// Description of the error.
        what: String,
    },
    /// A feedback does not belong to the rules.
    #[error("{place}: {error}")]
    Feedback {
        /// Position of the feedback.
        place: super::TreePath,
        /// Description of the error.
        error: String,
    },
    /// The tree is malformed.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Writes a tree in a format.
///
/// ```
/// use pegwise_game::{FeedbackKind, Rules};
/// use pegwise_trees::formats::{Format, export, import};
/// let rules: Rules = "1x2".parse()?;
/// let file = import(Format::Contest, Some(&rules), "{A:{00:B}}".as_bytes())?;
/// let mut json = Vec::new();
/// export(&file, Format::Json, &mut json)?;
/// assert_eq!(import(Format::Json, None, &json[..])?, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(file: &TreeFile, format: Format, out: impl Write) -> Result<(), ExportError> {
    if format == Format::Pegtree {
        return Ok(file.write(out)?);
    }
    file.tree.check_shape()?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    match format {
        Format::Pegtree => {}
        Format::Json => json::write(file, &mut out)?,
        Format::Dot => write_dot(file, &mut out)?,
        Format::Contest => contest::write(&file.tree, &mut out)?,
        Format::Knuth => knuth::write(&file.tree, &mut out)?,
    }
    Ok(out.flush()?)
}

/// Reads a tree in a format. Rules are optional for most formats, and required for [`Format::Contest`] and
/// [`Format::Knuth`].
///
/// The structure of the tree is checked; [`super::verify`] checks that it wins every game.
pub fn import(format: Format, rules: Option<&Rules>, input: impl Read) -> Result<TreeFile, ImportError> {
    let file = match format {
        Format::Pegtree => TreeFile::read(input)?,
        Format::Json => json::read(&text(input)?)?,
        Format::Contest => contest::read(rules.ok_or(ImportError::NoRules(format))?, &text(input)?)?,
        Format::Knuth => knuth::read(rules.ok_or(ImportError::NoRules(format))?, &text(input)?)?,
        Format::Dot => return Err(ImportError::OneWay(format)),
    };
    match rules {
        Some(rules) if *rules != file.tree.rules => {
            Err(ImportError::OtherRules { expected: rules.to_string(), found: file.tree.rules.to_string() })
        }
        _ => Ok(file),
    }
}

fn text(input: impl Read) -> Result<Vec<u8>, ImportError> {
    let mut text = Vec::new();
    input.take(MAX_TEXT + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_TEXT { Err(ImportError::TooLong) } else { Ok(text) }
}

/// Position in a text.
#[derive(Debug, Clone, Copy)]
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Returns the next byte without advancing.
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Returns true if the next byte other than white space is `byte`.
    fn sees(&mut self, byte: u8) -> bool {
        self.skip_white_space();
        self.byte() == Some(byte)
    }

    /// Like [`Cursor::sees`], and advances past it.
    fn skips(&mut self, byte: u8) -> bool {
        let found = self.sees(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), ImportError> {
        if self.skips(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Takes the longest run of bytes for which `belongs` is true.
    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> String {
        let start = self.at;
        self.at += self.text[start..].iter().take_while(|byte| belongs(byte)).count();
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    /// Returns the error that `what` was expected here.
    fn expected(&self, what: &str) -> ImportError {
        let found = match self.byte() {
            None => "the text ends".to_owned(),
            Some(byte) => format!("'{}' was found", char::from(byte).escape_default()),
        };
        self.wrong(format!("expected {what}, but {found}"))
    }

    /// Returns an error at this position.
    fn wrong(&self, what: String) -> ImportError {
        self.wrong_at(self.at, what)
    }

    /// Returns an error at another position.
    fn wrong_at(&self, at: usize, what: String) -> ImportError {
        let before = &self.text[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        ImportError::Syntax { line, column, what }
    }
}

/// Writes a drawing for Graphviz: `dot -Tsvg`.
fn write_dot(file: &TreeFile, out: &mut impl Write) -> io::Result<()> {
    let rules = &file.tree.rules;
    writeln!(out, "digraph {} {{", quoted(&format!("{rules} {}", file.made_by)))?;
    writeln!(out, "  rankdir=LR;\n  node [shape=box, style=rounded, fontname=monospace];")?;
    let summaries = Summary::of_each(&file.tree.root);
    let mut open: Vec<usize> = Vec::new();
    let mut summaries = summaries.iter().enumerate();
    for step in Traversal::new(&file.tree.root) {
        let Step::Enter { feedback, node, .. } = step else {
            open.pop();
            continue;
        };
        let Some((number, summary)) = summaries.next() else { break };
        let guess = node.guess.notation(rules.palette()).to_string();
        let label = match summary.codes {
            1 => guess,
            codes => format!("{guess}\n{codes} codes"),
        };
        // A guess that can win has a bold frame.
        let width = if node.wins { ", penwidth=2" } else { "" };
        writeln!(out, "  n{number} [label={}{width}];", quoted(&label))?;
        if let (Some(parent), Some(feedback)) = (open.last(), feedback) {
            writeln!(out, "  n{parent} -> n{number} [label={}];", quoted(&feedback.to_string()))?;
        }
        open.push(number);
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests;
