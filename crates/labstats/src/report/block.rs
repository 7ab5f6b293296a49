//! The parts of a report, before they become Markdown, a page, or text in a terminal.

/// A part of a report. Texts are plain: whoever writes them out escapes them.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The heading of a section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A plot.
    Figure(Figure),
}

/// A table: a name, headings, and rows with a cell for each heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The headings. Columns stand to the right, except those of names.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub heading: String,
    /// Whether it holds names rather than numbers, and so stands to the left.
    pub names: bool,
}

impl Column {
    pub(super) fn names(heading: &str) -> Self {
        Self { heading: heading.to_owned(), names: true }
    }

    pub(super) fn numbers(heading: &str) -> Self {
        Self { heading: heading.to_owned(), names: false }
    }
}

/// What a plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Guesses by how many games took them.
    Histogram,
    /// Quartiles of guesses, a strategy each.
    Box,
    /// A point for each strategy.
    Evaluations,
    /// Quartiles of codes examined, a strategy each.
    Examined,
    /// A line over the values of a parameter.
    Sweep,
    /// A line over boards.
    Scaling,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Histogram, Self::Box, Self::Evaluations, Self::Examined, Self::Sweep, Self::Scaling];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Histogram => "histogram",
            Self::Box => "box",
            Self::Evaluations => "evaluations",
            Self::Examined => "examined",
            Self::Sweep => "sweep",
            Self::Scaling => "scaling",
        }
    }

    /// What it shows, in words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Histogram => "How often games took how many guesses",
            Self::Box => "The spread of guesses",
            Self::Evaluations => "Mean guesses against codes examined",
            Self::Examined => "The spread of codes examined",
            Self::Sweep => "What a parameter does",
            Self::Scaling => "How guesses and time grow with the board",
        }
    }
}

/// A plot with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// What kind of plot it is.
    pub kind: Kind,
    /// The rules of its games, where it is about one board.
    pub rules: Option<String>,
    /// A name of letters, digits and dashes, different for each plot of a report.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The picture.
    pub svg: String,
}

impl Figure {
    /// The plot of some rules, or of several boards, under a name of its kind and these parts.
    pub(super) fn new(kind: Kind, rules: Option<&str>, parts: &[&str], title: &str, svg: String) -> Self {
        let name = rules.iter().chain(&[kind.name()]).chain(parts).copied().collect::<Vec<_>>().join("-");
        let safe = name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' });
        let name = safe.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        Self { kind, rules: rules.map(str::to_owned), name, title: title.to_owned(), svg }
    }
}

/// A text that means itself in a language of marks: some characters stand behind a backslash, some have words of their own, and
/// controls become spaces.
pub(super) fn escaped(text: &str, backslashed: &str, word: impl Fn(char) -> Option<&'static str>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match word(character) {
            Some(word) => escaped.push_str(word),
            None if backslashed.contains(character) => escaped.extend(['\\', character]),
            None if character.is_control() => escaped.push(' '),
            None => escaped.push(character),
        }
    }
    escaped
}
