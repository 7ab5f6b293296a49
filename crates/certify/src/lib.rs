//! Check of certificates that no strategy needs fewer guesses.
//!
//! A tree shows that a total can be reached; a [`Certificate`] shows that no strategy has a smaller one. This crate
//! checks both, and shares no code with the search that found them. `docs/certificate-format.md` specifies the files and
//! explains why the check is a proof.
//!
//! ```
//! use pegwise_certify::{Board, Certificate, check};
//! // On this board the bounds of the checker suffice.
//! let certificate = Certificate { rules: "2x3".to_owned(), total: 21, entries: Vec::new() };
//! let board = Board::new(&certificate.rules)?;
//! assert_eq!(check(&board, &certificate, 1), Ok(()));
//! let forged = Certificate { total: 22, ..certificate };
//! assert!(check(&board, &forged, 1).unwrap_err().starts_with("entry 0: "));
//! # Ok::<(), String>(())
//! ```

mod board;
mod bounds;
mod check;
mod format;
mod image;
mod tree;

pub use board::Board;
pub use bounds::{Cache, OpenGuess, Part, one_ply, open_guesses};
pub use check::{check, entries};
pub use format::{Certificate, Entry, FEEDBACK_BITS, MAGIC, PEGS_AND_COLORS, digest};
pub use image::{Symmetry, image};
pub use tree::{MAGIC as TREE_MAGIC, replay};

/// Checks a tree file and a certificate, and returns the certificate. The outer error means that there is no verdict,
/// because a file is of another kind or its rules are not supported; the inner one names the first fault.
pub fn verify(tree: &[u8], certificate: &[u8], threads: usize) -> Result<Result<Certificate, String>, String> {
    if !tree.starts_with(&TREE_MAGIC) {
        return Err("the first file is not a tree of version 1; `pegwise tree import` makes one".to_owned());
    }
    if !certificate.starts_with(&MAGIC) {
        return Err("the second file is not a certificate of version 1; `pegwise tree build --certificate` makes one"
            .to_owned());
    }
    let certificate = match Certificate::from_bytes(certificate) {
        Ok(certificate) => certificate,
        Err(fault) => return Ok(Err(fault)),
    };
    let board = Board::new(&certificate.rules)?;
    let checked = replay(&board, tree).and_then(|(total, _)| match certificate.total {
        claim if claim == total => check(&board, &certificate, threads),
        claim => Err(format!("the tree takes {total} guesses, and the certificate claims {claim}")),
    });
    Ok(checked.map(|()| certificate))
}
