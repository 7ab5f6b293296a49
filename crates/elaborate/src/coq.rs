//! Data files for Coq; `proofs/Build.v` specifies the layout of the integers.

use std::{collections::HashMap, fmt::Write as _};

use pegwise_certify::{Board, Symmetry};

use crate::expand::Entry;

/// Bits of a rank.
pub(crate) const RANK_BITS: u32 = 13;
const FEEDBACK_BITS: u32 = 5;
const SYMMETRY_BITS: u32 = 20;
const ENTRY_BITS: u32 = 63 - RANK_BITS - FEEDBACK_BITS - SYMMETRY_BITS;
const BOUND_BITS: u32 = 20;
const HINTS_BITS: u32 = 22;
/// Number of integers in an array of the file.
const CHUNK: usize = 4096;

/// Returns the file: the integers of the certificate, and the tree whose guesses are given in preorder.
pub(crate) fn print(board: &Board, entries: &[Entry], guesses: &[u64]) -> Result<String, String> {
    let (rules, mut numbers) = (&board.rules, HashMap::new());
    let mut symmetries = Vec::new();
    let mut integers = Vec::new();
    for Entry { set, bound, hints } in entries {
        let mut ranks: Vec<u64> = set.iter().map(|&code| board.ranks[usize::from(code)].into()).collect();
        ranks.sort_unstable();
        let counts = (u64::from(*bound), hints.len() as u64);
        if counts.0 >> BOUND_BITS > 0 || counts.1 >> HINTS_BITS > 0 {
            return Err(format!("{rules}: an entry has too many hints or too large a bound"));
        }
        integers.push(counts.0 | counts.1 << BOUND_BITS | (set.len() as u64) << (BOUND_BITS + HINTS_BITS));
        integers.extend(ranks.chunks(4).map(|ranks| ranks.iter().rev().fold(0, |sum, rank| sum << RANK_BITS | rank)));
        for hint in hints {
            let packed = pack(&hint.symmetry);
            let symmetry = *numbers.entry(packed).or_insert_with(|| {
                symmetries.push(packed);
                symmetries.len() as u64 - 1
            });
            let tag = u64::from(hint.guess) << FEEDBACK_BITS | u64::from(hint.feedback);
            integers.push(tag | symmetry << (RANK_BITS + FEEDBACK_BITS) | (hint.entry as u64) << (63 - ENTRY_BITS));
        }
    }
    if symmetries.len() >> SYMMETRY_BITS > 0 || entries.len() >> ENTRY_BITS > 0 {
        return Err(format!("{rules}: the certificate has too many entries or symmetries"));
    }
    let hints: usize = entries.iter().map(|entry| entry.hints.len()).sum();
    let mut text = format!(
        "(** {rules}: {} entries, {hints} hints, {} symmetries. Written by pegwise-elaborate. *)\n\n\
         From Coq Require Import List Uint63 PArray.\nFrom Pegwise Require Import Tree.\n\
         Local Open Scope uint63_scope.\n\n",
        entries.len(),
        symmetries.len()
    );
    let all: Vec<u64> = std::iter::once(symmetries.len() as u64).chain(symmetries).chain(integers).collect();
    let chunks = all.chunks(CHUNK);
    let names: Vec<String> = (0..chunks.len()).map(|number| format!("data_{number}")).collect();
    for (name, chunk) in names.iter().zip(chunks) {
        let _ = write!(text, "Definition {name} : array int := [|");
        wrap(&mut text, chunk.iter().map(|number| format!("{number:#x}")));
        text.push_str("| 0 |].\n");
    }
    // The notations for lists hide the one for arrays.
    text.push_str("\nImport ListNotations.\n\nDefinition data : list (array int) := [");
    wrap(&mut text, names.into_iter());
    text.push_str("].\n\nLocal Open Scope nat_scope.\n\nDefinition best : tree :=");
    let all = (0..board.codes.len() as u16).collect();
    print_tree(board, all, &mut guesses.iter(), 1, &mut text)?;
    text.push_str(".\n");
    Ok(text)
}

/// Encodes a symmetry as an integer: three bits for each peg and each color.
fn pack(symmetry: &Symmetry) -> u64 {
    let pegs = symmetry.pegs.iter().map(|&peg| peg as u64);
    let digits: Vec<u64> = pegs.chain(symmetry.colors.iter().map(|&color| color as u64)).collect();
    digits.iter().rev().fold(0, |sum, digit| sum << 3 | digit)
}

/// Writes words separated by semicolons, in lines of some hundred characters.
fn wrap(text: &mut String, words: impl Iterator<Item = String>) {
    let mut column = 100;
    for (number, word) in words.enumerate() {
        if number > 0 {
            text.push(';');
        }
        column += word.len() + 2;
        text.push_str(if column > 100 { "\n  " } else { " " });
        if column > 100 {
            column = word.len() + 2;
        }
        text.push_str(&word);
    }
}

/// Writes the tree of a set.
fn print_tree<'a>(
    board: &Board,
    set: Vec<u16>,
    guesses: &mut impl Iterator<Item = &'a u64>,
    depth: usize,
    text: &mut String,
) -> Result<(), String> {
    let guess = guesses.next().and_then(|&rank| board.at_rank(rank)).ok_or("the tree ends too early")?;
    let colors: Vec<String> = board.codes[usize::from(guess)].iter().map(u8::to_string).collect();
    let _ = write!(text, "\n{:depth$}Node [{}] [", "", colors.join("; "));
    let mut first = true;
    for (feedback, part) in board.split(guess, &set).into_iter().enumerate().take(board.marks.len() - 1) {
        if !part.is_empty() {
            let (black, white) = board.marks[feedback];
            let separator = if first { "" } else { ";" };
            let _ = write!(text, "{separator}\n{:depth$}(({black}, {white}),", "");
            first = false;
            print_tree(board, part, guesses, depth + 1, text)?;
            text.push(')');
        }
    }
    text.push(']');
    Ok(())
}
