//! Grammar of the public contest for 5 cells and 8 colors, extended to all rows with black and white pegs.
//!
//! ```text
//! strategy := guess | '{' guess ':' '{' reply ':' strategy (',' reply ':' strategy)* '}' '}'
//! guess    := a letter from A for each cell
//! reply    := black pegs, white pegs: one digit each; the winning reply is omitted
//! ```
//! A strategy that is a single guess has one code left. White space may separate any two words.
//!
//! # References
//! Mastermind strategy, Code Golf Stack Exchange, 2014. <https://codegolf.stackexchange.com/questions/31926>

use std::io::{self, Write};

use pegwise_game::{Code, Feedback, Judge, Rules};

use super::{Cursor, ExportError, Format, ImportError, check_rules};
use crate::TreeFile;
use pegwise_search::tree::{Branch, MAX_DEPTH, Node, Step, Traversal, Tree, node::Assembly};

pub(super) fn write(tree: &Tree, out: &mut impl Write) -> Result<(), ExportError> {
    check_rules(&tree.rules, Format::Contest)?;
    for step in Traversal::new(&tree.root) {
        match step {
            Step::Enter { feedback, index, node } => enter(feedback, index, node, out)?,
            Step::Leave { node } if node.branches.is_empty() => {}
            Step::Leave { .. } => out.write_all(b"}}")?,
        }
    }
    Ok(out.write_all(b"\n")?)
}

fn enter(feedback: Option<&Feedback>, index: usize, node: &Node, out: &mut impl Write) -> io::Result<()> {
    if index > 0 {
        out.write_all(b",")?;
    }
    if let Some(feedback) = feedback {
        feedback.marks().iter().flat_map(|mark| mark.numbers()).try_for_each(|number| write!(out, "{number}"))?;
        out.write_all(b":")?;
    }
    let letters: Vec<u8> = node.guess.iter().map(|color| b'A' + color.index() as u8).collect();
    if !node.branches.is_empty() {
        out.write_all(b"{")?;
    }
    out.write_all(&letters)?;
    if !node.branches.is_empty() {
        out.write_all(b":{")?;
    }
    Ok(())
}

pub(super) fn read(rules: &Rules, text: &[u8]) -> Result<TreeFile, ImportError> {
    check_rules(rules, Format::Contest)?;
    let root = ContestReader { rules, judge: Judge::new(rules), cursor: Cursor::new(text) }.tree()?;
    let tree = Tree { rules: rules.clone(), root };
    tree.check_shape()?;
    Ok(TreeFile::new(tree, "contest"))
}

struct ContestReader<'a> {
    rules: &'a Rules,
    judge: Judge,
    cursor: Cursor<'a>,
}

impl ContestReader<'_> {
    /// Parses the text without recursion, so that its nesting may be deep.
    fn tree(&mut self) -> Result<Node, ImportError> {
        let mut assembly = Assembly::default();
        let mut feedback = None;
        loop {
            if assembly.depth() == MAX_DEPTH {
                return Err(self.cursor.wrong(format!("the tree is deeper than {MAX_DEPTH} guesses")));
            }
            let nests = self.cursor.skips(b'{');
            assembly.enter(feedback.take(), Node::leaf(self.guess()?));
            if nests {
                self.cursor.expect(b':', "':' and the replies")?;
                self.cursor.expect(b'{', "'{' and the replies")?;
                let turns = assembly.turns();
                if let Some(node) = assembly.current() {
                    // The winning reply is never written: a guess can win if it is consistent with all turns before it.
                    node.wins = turns.iter().all(|turn| self.judge.agrees(turn, &node.guess));
                }
            } else if let Some(root) = self.end_of_strategy(&mut assembly)? {
                return Ok(root);
            }
            feedback = Some(self.reply()?);
            self.cursor.expect(b':', "':' and a strategy")?;
        }
    }

    /// Continues after a strategy with the next reply of the enclosing guess, or ends that guess. Returns the tree
    /// after the last guess.
    fn end_of_strategy(&mut self, assembly: &mut Assembly) -> Result<Option<Node>, ImportError> {
        loop {
            if let Some(root) = assembly.leave() {
                self.cursor.skip_white_space();
                return if self.cursor.is_at_end() { Ok(Some(root)) } else { Err(self.cursor.expected("the end")) };
            }
            if self.cursor.skips(b',') {
                return Ok(None);
            }
            self.cursor.expect(b'}', "',' and another reply, or '}'")?;
            self.cursor.expect(b'}', "'}' after the replies")?;
            if let Some(node) = assembly.current() {
                node.branches.sort_by(|one: &Branch, other| one.feedback.cmp(&other.feedback));
            }
        }
    }

    fn guess(&mut self) -> Result<Code, ImportError> {
        self.cursor.skip_white_space();
        let rest = &self.cursor.text[self.cursor.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if length == 0 {
            return Err(self.cursor.expected("a guess"));
        }
        // A long word would make the message unreadable.
        let word = String::from_utf8_lossy(&rest[..length.min(40)]).into_owned();
        let code = self.rules.parse_code(&word).map_err(|error| self.cursor.wrong(error.to_string()))?;
        self.cursor.at += length;
        Ok(code)
    }

    fn reply(&mut self) -> Result<Feedback, ImportError> {
        self.cursor.skip_white_space();
        let Some(&[black @ b'0'..=b'9', white @ b'0'..=b'9']) =
            self.cursor.text.get(self.cursor.at..self.cursor.at + 2)
        else {
            return Err(self.cursor.expected("a reply of two digits, black then white"));
        };
        let text = format!("{},{}", char::from(black), char::from(white));
        let feedback = self.rules.parse_feedback(&text).map_err(|error| self.cursor.wrong(error.to_string()))?;
        if feedback.is_winning(self.rules) {
            return Err(self.cursor.wrong("the winning reply has no strategy".to_owned()));
        }
        self.cursor.at += 2;
        Ok(feedback)
    }
}
