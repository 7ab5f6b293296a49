//! Trees in the formats of others, one file each.
//!
//! | format | for | read back |
//! |---|---|---|
//! | `pegtree` | keeping: compact, with a checksum | yes |
//! | `json` | programs of any kind | yes |
//! | `contest` | the public contest for 5 cells and 8 colors, and programs that took part in it | yes |
//! | `knuth` | the literature: the notation that Knuth and others printed their trees in | yes |
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

/// The longest text that is read, some times what the largest trees need.
const MAX_TEXT: u64 = 1 << 32;

/// A format of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The program's own.
    Pegtree,
    /// Nested objects.
    Json,
    /// A drawing for Graphviz.
    Dot,
    /// The grammar of the public contest.
    Contest,
    /// The notation of the literature.
    Knuth,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Pegtree, Self::Json, Self::Dot, Self::Contest, Self::Knuth];

    /// The word for it.
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

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is not a format of trees; use pegtree, json, dot, contest or knuth")]
pub struct UnknownFormat {
    /// The word given.
    pub word: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let named = Self::ALL.into_iter().find(|format| format.name() == word);
        named.ok_or_else(|| UnknownFormat { word: word.to_owned() })
    }
}

/// Why a tree cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The tree file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tree given is no tree.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The format has no words for these rules.
    #[error(transparent)]
    Rules(#[from] UnfitRules),
}

/// Rules that a format has no words for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {format} format has no words for {rules}: it is for rows of at most 9 cells with at most 26 colors, answered in \
     black and white"
)]
pub struct UnfitRules {
    /// The format.
    pub format: Format,
    /// The rules.
    pub rules: String,
}

/// Refuses rules that the formats with one character a peg and a digit a number have no words for.
fn check_rules(rules: &Rules, format: Format) -> Result<(), UnfitRules> {
    let black_white = rules.feedback() == FeedbackKind::BlackWhite;
    let fits = rules.board().is_row() && black_white && rules.cells() <= 9 && rules.colors() <= 26;
    if fits { Ok(()) } else { Err(UnfitRules { format, rules: rules.to_string() }) }
}

/// Why a tree cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The tree file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The format is for looking only.
    #[error("{0} is for looking at, and cannot be read back; import pegtree, json, contest or knuth")]
    OneWay(Format),
    /// The text is longer than any tree.
    #[error("the text is longer than {MAX_TEXT} bytes")]
    TooLong,
    /// The format does not name its rules, and none were given.
    #[error("a {0} file does not say its rules: give them")]
    NoRules(Format),
    /// The file is of other rules than those given.
    #[error("the tree is of {found}, not of {expected}")]
    OtherRules {
        /// The rules given.
        expected: String,
        /// The rules of the file.
        found: String,
    },
    /// The format has no words for these rules.
    #[error(transparent)]
    Rules(#[from] UnfitRules),
    /// The text is not of the format.
    #[error("line {line}, column {column}: {what}")]
    Syntax {
        /// One-based line.
        line: usize,
        /// One-based column, in bytes.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// A feedback is none of the rules.
    #[error("{place}: {error}")]
    Feedback {
        /// The position.
        place: super::TreePath,
        /// What is wrong with the feedback.
        error: String,
    },
    /// What was read is no tree.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Writes a tree in a format.
///
/// ```
/// use pegwise_game::{FeedbackKind, Rules};
/// use pegwise_solve::tree::formats::{Format, export, import};
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

/// Reads a tree in a format. Rules may be given to any format, and must be for [`Format::Contest`] and
/// [`Format::Knuth`].
///
/// What is read has the shape of a tree; whether it wins every game is for [`super::verify`] to say.
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

/// A place in a text.
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

    /// The byte here, without moving on.
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Whether this byte is the next that is no white space.
    fn sees(&mut self, byte: u8) -> bool {
        self.skip_white_space();
        self.byte() == Some(byte)
    }

    /// [`Cursor::sees`], and moves on past it.
    fn skips(&mut self, byte: u8) -> bool {
        let found = self.sees(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), ImportError> {
        if self.skips(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// As many bytes as belong together.
    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> String {
        let start = self.at;
        self.at += self.text[start..].iter().take_while(|byte| belongs(byte)).count();
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    /// Something else should be here.
    fn expected(&self, what: &str) -> ImportError {
        let found = match self.byte() {
            None => "the text ends".to_owned(),
            Some(byte) => format!("'{}' was found", char::from(byte).escape_default()),
        };
        self.wrong(format!("{what} should be here, and {found}"))
    }

    /// What is wrong here.
    fn wrong(&self, what: String) -> ImportError {
        self.wrong_at(self.at, what)
    }

    /// What is wrong at another place.
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
        // A guess that can win is drawn with a bold frame.
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
