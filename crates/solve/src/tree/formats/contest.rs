//! The grammar of the public contest for 5 cells and 8 colors, open to all rows with black and white pegs.
//!
//! ```text
//! strategy := guess | '{' guess ':' '{' reply ':' strategy (',' reply ':' strategy)* '}' '}'
//! guess    := a letter from A for each cell
//! reply    := black pegs, white pegs: one digit each; the winning reply is left out
//! ```
//! A strategy that is a guess alone has one code left. White space may stand between any two words.
//!
//! # References
//! Mastermind strategy, Code Golf Stack Exchange, 2014. <https://codegolf.stackexchange.com/questions/31926>

use std::io::{self, Write};

use pegwise_game::{Code, Feedback, Judge, Rules};

use super::{ExportError, Format, ImportError, check_rules};
use crate::tree::{Branch, MAX_DEPTH, Node, Step, Traversal, Tree, TreeFile, traversal::Assembly};

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
    let root = Reader { rules, judge: Judge::new(rules), text, at: 0 }.tree()?;
    let tree = Tree { rules: rules.clone(), root };
    tree.check_shape()?;
    Ok(TreeFile::new(tree, "contest"))
}

struct Reader<'a> {
    rules: &'a Rules,
    judge: Judge,
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// Goes through the text without recursion, so that nesting costs no more than it says.
    fn tree(&mut self) -> Result<Node, ImportError> {
        let mut assembly = Assembly::default();
        let mut feedback = None;
        loop {
            if assembly.depth() == MAX_DEPTH {
                return Err(self.wrong(format!("the tree is deeper than {MAX_DEPTH} guesses")));
            }
            let nests = self.skips(b'{');
            assembly.enter(feedback.take(), Node::leaf(self.guess()?));
            if nests {
                self.expect(b':', "':' and the replies")?;
                self.expect(b'{', "'{' and the replies")?;
                let turns = assembly.turns();
                if let Some(node) = assembly.current() {
                    // The winning reply is never written: a guess can win when it fits all that came before.
                    node.wins = turns.iter().all(|turn| self.judge.agrees(turn, &node.guess));
                }
            } else if let Some(root) = self.end_of_strategy(&mut assembly)? {
                return Ok(root);
            }
            feedback = Some(self.reply()?);
            self.expect(b':', "':' and a strategy")?;
        }
    }

    /// After a strategy comes the next reply of the guess above, or the end of that guess too; the tree when it was the
    /// last.
    fn end_of_strategy(&mut self, assembly: &mut Assembly) -> Result<Option<Node>, ImportError> {
        loop {
            if let Some(root) = assembly.leave() {
                self.skip_white_space();
                return if self.at == self.text.len() { Ok(Some(root)) } else { Err(self.expected("the end")) };
            }
            if self.skips(b',') {
                return Ok(None);
            }
            self.expect(b'}', "',' and another reply, or '}'")?;
            self.expect(b'}', "'}' after the replies")?;
            if let Some(node) = assembly.current() {
                node.branches.sort_by(|one: &Branch, other| one.feedback.cmp(&other.feedback));
            }
        }
    }

    fn guess(&mut self) -> Result<Code, ImportError> {
        self.skip_white_space();
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if length == 0 {
            return Err(self.expected("a guess"));
        }
        // Far too long a word would make the message unreadable.
        let word = String::from_utf8_lossy(&rest[..length.min(40)]).into_owned();
        let code = self.rules.parse_code(&word).map_err(|error| self.wrong(error.to_string()))?;
        self.at += length;
        Ok(code)
    }

    fn reply(&mut self) -> Result<Feedback, ImportError> {
        self.skip_white_space();
        let Some(&[black @ b'0'..=b'9', white @ b'0'..=b'9']) = self.text.get(self.at..self.at + 2) else {
            return Err(self.expected("a reply of two digits, black then white"));
        };
        let text = format!("{},{}", char::from(black), char::from(white));
        let feedback = self.rules.parse_feedback(&text).map_err(|error| self.wrong(error.to_string()))?;
        if feedback.is_winning(self.rules) {
            return Err(self.wrong("the winning reply has no strategy".to_owned()));
        }
        self.at += 2;
        Ok(feedback)
    }

    fn skip_white_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn skips(&mut self, byte: u8) -> bool {
        self.skip_white_space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), ImportError> {
        if self.skips(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn expected(&self, what: &str) -> ImportError {
        let found = match self.text.get(self.at) {
            None => "the text ends".to_owned(),
            Some(&byte) => format!("'{}' was found", char::from(byte).escape_default()),
        };
        self.wrong(format!("{what} should be here, and {found}"))
    }

    fn wrong(&self, what: String) -> ImportError {
        let before = &self.text[..self.at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        ImportError::Syntax { line, column, what }
    }
}
