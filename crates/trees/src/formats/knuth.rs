//! Notation of the trees printed by Knuth (1976) and by Koyama and Lai (1993).
//!
//! ```text
//! tree  := part (name '=' [count] body)*
//! part  := '0' | '1' | count body | count name
//! body  := '(' guess ['*'] [':' group (';' group)*] ')'
//! group := part (',' part)*
//! ```
//! A part is the number of codes left, then the guess, then its parts: by increasing black pegs, in groups with equal
//! black pegs separated by semicolons, and within a group by decreasing white pegs. Only the impossible part of all
//! pegs black but one white is omitted. A star marks a guess that cannot be the code. A guess without parts identifies
//! its codes: at most one code is left after it. Large parts are printed separately, under a name of letters.
//!
//! # Ambiguities
//! - The rules are not part of the text and must be given.
//! - A `1` stands for the only consistent code, also after a guess without parts.
//! - Counts and stars are redundant; they are checked against the consistent codes.
//! - Parts printed separately may come in any order, and white space is ignored.
//!
//! # References
//! - D. E. Knuth, The computer as Master Mind, J. Recreational Mathematics 9(1), 1-6, 1976-77.
//! - K. Koyama and T. W. Lai, An optimal Mastermind strategy, J. Recreational Mathematics 25(4), 251-256, 1993.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use pegwise_game::{Feedback, Rules, Table, partition::Partitioner};

use super::{Cursor, ExportError, Format, ImportError, check_rules};
use crate::TreeFile;
use pegwise_search::tree::{Branch, MAX_DEPTH, Node, Tree};

/// Minimum number of codes of a part of the first guess that is printed separately, unless one guess identifies its
/// codes.
const PRINTED_APART: u64 = 6;

/// Returns the feedbacks in the order of their parts: increasing black pegs, and for equal black pegs decreasing white
/// pegs.
fn replies(cells: usize) -> Vec<Vec<(usize, usize)>> {
    let whites = |black: usize| (0..=cells - black).rev().filter(move |&white| (black + 1, white) != (cells, 1));
    (0..=cells).map(|black| whites(black).map(|white| (black, white)).collect()).collect()
}

/// Returns the black and white pegs of a feedback.
fn pegs(feedback: &Feedback) -> (usize, usize) {
    let mut numbers = feedback.marks().iter().flat_map(|mark| mark.numbers()).map(|number| number as usize);
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

pub(super) fn write(tree: &Tree, out: &mut impl Write) -> Result<(), ExportError> {
    check_rules(&tree.rules, Format::Knuth)?;
    let mut writer =
        Writer { colors: tree.rules.colors(), replies: replies(tree.rules.cells()), apart: Vec::new(), out };
    writer.part(&tree.root, 0)?;
    writer.out.write_all(b"\n")?;
    for (at, node) in std::mem::take(&mut writer.apart).into_iter().enumerate() {
        write!(writer.out, "{} = ", name(at))?;
        writer.body(node, 1)?;
        writer.out.write_all(b"\n")?;
    }
    Ok(())
}

/// Returns the name of a part that is printed separately: A to Z, AA to AZ, and so on.
fn name(mut at: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'A' + (at % 26) as u8);
        at /= 26;
        if at == 0 {
            break;
        }
        at -= 1;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

struct Writer<'a, W> {
    colors: u16,
    replies: Vec<Vec<(usize, usize)>>,
    apart: Vec<&'a Node>,
    out: &'a mut W,
}

/// Returns the number of codes of a position.
fn codes(node: &Node) -> u64 {
    u64::from(node.wins) + node.branches.iter().map(|branch| codes(&branch.node)).sum::<u64>()
}

/// Returns true if every answer to the guess of the position leaves at most one code.
fn is_settled(node: &Node) -> bool {
    node.branches.iter().all(|branch| branch.node.branches.is_empty())
}

impl<'a, W: Write> Writer<'a, W> {
    fn part(&mut self, node: &'a Node, depth: usize) -> io::Result<()> {
        let count = codes(node);
        write!(self.out, "{count}")?;
        if node.branches.is_empty() {
            return Ok(());
        }
        if depth == 1 && count >= PRINTED_APART && !is_settled(node) {
            let name = name(self.apart.len());
            self.apart.push(node);
            return write!(self.out, "{name}");
        }
        self.out.write_all(b" ")?;
        self.body(node, depth)
    }

    fn body(&mut self, node: &'a Node, depth: usize) -> io::Result<()> {
        write!(self.out, "({}{}", node.guess.notation(self.colors), if node.wins { "" } else { "*" })?;
        if !is_settled(node) {
            self.out.write_all(b":")?;
            for (group, replies) in self.replies.clone().into_iter().enumerate() {
                for (at, reply) in replies.into_iter().enumerate() {
                    let before = match (group, at) {
                        (0, 0) => " ",
                        (_, 0) => "; ",
                        _ => ", ",
                    };
                    self.out.write_all(before.as_bytes())?;
                    match node.branches.iter().find(|branch| pegs(&branch.feedback) == reply) {
                        Some(branch) => self.part(&branch.node, depth + 1)?,
                        None if node.wins && reply.0 + 1 == self.replies.len() => self.out.write_all(b"1")?,
                        None => self.out.write_all(b"0")?,
                    }
                }
            }
        }
        self.out.write_all(b")")
    }
}

pub(super) fn read(rules: &Rules, text: &[u8]) -> Result<TreeFile, ImportError> {
    check_rules(rules, Format::Knuth)?;
    let all = Table::all(rules).map_err(|error| Cursor::new(text).wrong(error.to_string()))?;
    let mut reader = KnuthReader {
        rules,
        partitioner: Partitioner::new(rules),
        replies: replies(rules.cells()),
        definitions: BTreeMap::new(),
        cursor: Cursor::new(text),
    };
    let end = reader.find_definitions()?;
    let root = reader.part(&all, 0)?;
    let Some(root) = root else { return Err(reader.cursor.wrong("a tree of no codes".into())) };
    reader.cursor.skip_white_space();
    if reader.cursor.at != end {
        return Err(reader.cursor.expected("the end, or a part that is printed apart"));
    }
    if let Some((name, definition)) = reader.definitions.iter().find(|(_, definition)| !definition.used) {
        return Err(reader
            .cursor
            .wrong_at(definition.name_at, format!("{name} is printed, but no part has this name")));
    }
    let tree = Tree { rules: rules.clone(), root };
    tree.check_shape()?;
    Ok(TreeFile::new(tree, "knuth"))
}

/// Part that is printed separately.
struct Definition {
    /// Offset of the name.
    name_at: usize,
    /// Offset of the body.
    at: usize,
    used: bool,
}

struct KnuthReader<'a> {
    rules: &'a Rules,
    partitioner: Partitioner,
    replies: Vec<Vec<(usize, usize)>>,
    definitions: BTreeMap<String, Definition>,
    cursor: Cursor<'a>,
}

impl KnuthReader<'_> {
    /// Finds the parts that are printed separately: names followed by an equals sign, outside all brackets. Returns the
    /// offset of the first one, or the end of the text.
    fn find_definitions(&mut self) -> Result<usize, ImportError> {
        let mut first = None;
        let mut depth = 0usize;
        while let Some(byte) = self.cursor.byte() {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'A'..=b'Z' | b'a'..=b'z' if depth == 0 => {
                    let name_at = self.cursor.at;
                    let name = self.cursor.word(u8::is_ascii_alphabetic);
                    if !self.cursor.skips(b'=') {
                        continue;
                    }
                    first.get_or_insert(name_at);
                    let definition = Definition { name_at, at: self.cursor.at, used: false };
                    if self.definitions.insert(name.clone(), definition).is_some() {
                        return Err(self.cursor.wrong_at(name_at, format!("{name} is printed twice")));
                    }
                    continue;
                }
                _ => {}
            }
            self.cursor.at += 1;
        }
        self.cursor.at = 0;
        Ok(first.unwrap_or(self.cursor.text.len()))
    }

    /// Parses a part with these codes; `None` if it has none.
    fn part(&mut self, codes: &Table, depth: usize) -> Result<Option<Node>, ImportError> {
        if depth == MAX_DEPTH {
            return Err(self.cursor.wrong(format!("the tree is deeper than {MAX_DEPTH} guesses")));
        }
        self.count(codes.len())?;
        if codes.is_empty() {
            return Ok(None);
        }
        if codes.len() == 1 && !self.cursor.sees(b'(') && !self.sees_letter() {
            return Ok(Some(Node::leaf(codes.code(0))));
        }
        if !self.sees_letter() {
            return self.body(codes, depth).map(Some);
        }
        let name_at = self.cursor.at;
        let name = self.cursor.word(u8::is_ascii_alphabetic);
        let Some(definition) = self.definitions.get_mut(&name) else {
            return Err(self.cursor.wrong_at(name_at, format!("{name} is not printed anywhere")));
        };
        definition.used = true;
        let back = std::mem::replace(&mut self.cursor.at, definition.at);
        self.cursor.skip_white_space();
        if self.cursor.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.count(codes.len())?;
        }
        let node = self.body(codes, depth)?;
        self.cursor.at = back;
        Ok(Some(node))
    }

    fn body(&mut self, codes: &Table, depth: usize) -> Result<Node, ImportError> {
        self.cursor.expect(b'(', "'(' and a guess, or the name of a part")?;
        self.cursor.skip_white_space();
        let guess_at = self.cursor.at;
        let word = self.cursor.word(u8::is_ascii_alphanumeric);
        if word.is_empty() {
            return Err(self.cursor.expected("a guess"));
        }
        // A long word would make the message unreadable.
        let shown: String = word.chars().take(40).collect();
        let guess = self.rules.parse_code(&shown).map_err(|error| self.cursor.wrong_at(guess_at, error.to_string()))?;
        let star_at = self.cursor.at;
        let star = self.cursor.skips(b'*');
        let mut parts: BTreeMap<(usize, usize), (Feedback, Table)> = BTreeMap::new();
        for part in self.partitioner.split(&guess, codes) {
            parts.insert(pegs(&part.feedback), (part.feedback, codes.select(&part.rows)));
        }
        let wins = parts.contains_key(&(self.rules.cells(), 0));
        if wins == star {
            let what = if star {
                "the guess can be the code, and has a star"
            } else {
                "the guess cannot be the code, and has no star"
            };
            return Err(self.cursor.wrong_at(if star { star_at } else { guess_at }, what.to_owned()));
        }
        let branches =
            if self.cursor.skips(b':') { self.groups(parts, depth)? } else { self.settled(parts, guess_at)? };
        self.cursor.expect(b')', if branches.is_empty() { "':' and the parts, or ')'" } else { "',', ';' or ')'" })?;
        Ok(Node { guess, wins, branches })
    }

    /// Parses the parts of a guess, group by group.
    fn groups(
        &mut self,
        mut parts: BTreeMap<(usize, usize), (Feedback, Table)>,
        depth: usize,
    ) -> Result<Vec<Branch>, ImportError> {
        let mut branches = Vec::new();
        for (group, replies) in self.replies.clone().into_iter().enumerate() {
            for (at, reply) in replies.into_iter().enumerate() {
                match (group, at) {
                    (0, 0) => {}
                    (_, 0) => self.cursor.expect(b';', &format!("';' and the parts with {group} black pegs"))?,
                    _ => self.cursor.expect(b',', "',' and the part with one white peg less")?,
                }
                match parts.remove(&reply) {
                    // The winning part is one code without a guess.
                    Some((_, codes)) if reply.0 == self.rules.cells() => self.count(codes.len())?,
                    Some((feedback, codes)) => {
                        let node = self.part(&codes, depth + 1)?;
                        branches.extend(node.map(|node| Branch { feedback, node }));
                    }
                    None => self.count(0)?,
                }
            }
        }
        branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
        Ok(branches)
    }

    /// Returns the parts of a guess that identifies its codes.
    fn settled(
        &mut self,
        parts: BTreeMap<(usize, usize), (Feedback, Table)>,
        guess_at: usize,
    ) -> Result<Vec<Branch>, ImportError> {
        let mut branches = Vec::new();
        for ((black, white), (feedback, codes)) in parts {
            if codes.len() > 1 {
                let what =
                    format!("{} codes are left after {black},{white}, and no guess for them is printed", codes.len());
                return Err(self.cursor.wrong_at(guess_at, what));
            }
            if black < self.rules.cells() {
                branches.push(Branch { feedback, node: Node::leaf(codes.code(0)) });
            }
        }
        branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
        Ok(branches)
    }

    /// Parses the number of codes of a part, which must be `fit`.
    fn count(&mut self, fit: usize) -> Result<(), ImportError> {
        self.cursor.skip_white_space();
        let at = self.cursor.at;
        let word = self.cursor.word(u8::is_ascii_digit);
        if word.is_empty() {
            return Err(self.cursor.expected("how many codes are left"));
        }
        if word.parse() == Ok(fit) {
            return Ok(());
        }
        let shown: String = word.chars().take(20).collect();
        Err(self.cursor.wrong_at(at, format!("{shown} codes are printed here, and {fit} fit")))
    }

    /// Returns true if a name follows that is not the next definition.
    fn sees_letter(&mut self) -> bool {
        self.cursor.skip_white_space();
        let is_letter = self.cursor.byte().is_some_and(|byte| byte.is_ascii_alphabetic());
        is_letter && self.definitions.values().all(|definition| definition.name_at != self.cursor.at)
    }
}
