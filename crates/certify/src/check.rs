//! The check of a certificate.

use std::{collections::HashMap, sync::Mutex, thread};

use crate::{Board, Cache, Certificate, image::image, one_ply, open_guesses};

/// Maximum number of codes in all entries together, of two bytes each.
const MAX_CODES: usize = 1 << 30;
const NO_PANIC: &str = "no thread panics";

/// Checks that no strategy has a smaller total than the certificate claims, on `threads` threads. The error names the
/// first entry at fault.
///
/// Every entry is a set of codes and a lower bound `L` of its total. It holds if every guess that splits the set takes at
/// least `L` guesses, where the parts of a guess have the bounds of this crate or of entries. Parts are smaller than the
/// set, so by induction over the size all entries hold if each of them is checked, in any order.
pub fn check(board: &Board, certificate: &Certificate, threads: usize) -> Result<(), String> {
    let entries = entries(board, certificate)?;
    // The largest claim of each image. An image is a whole set of codes, and equal images are equal sets.
    let mut known: Vec<(&[u16], u32)> = entries.iter().map(|(image, claim)| (&image[..], *claim)).collect();
    known.sort_by_key(|&(_, claim)| claim);
    let known: HashMap<&[u16], u32> = known.into_iter().collect();
    let (next, results) = (Mutex::new(0..entries.len()), Mutex::new(vec![None; entries.len()]));
    let work = || {
        let mut cache = Cache::new();
        let mut bound = |image: &[u16]| known.get(image).copied().unwrap_or_else(|| one_ply(board, image, &mut cache));
        let take = || next.lock().expect(NO_PANIC).next();
        while let Some(entry) = take() {
            let (image, claim) = &entries[entry];
            let result = check_entry(board, image, *claim, &mut bound);
            if result.is_err() {
                *next.lock().expect(NO_PANIC) = 0..0;
            }
            results.lock().expect(NO_PANIC)[entry] = Some(result);
        }
    };
    thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    for (entry, result) in results.into_inner().expect(NO_PANIC).into_iter().enumerate() {
        let result = result.unwrap_or_else(|| Err("it was not checked".to_owned()));
        result.map_err(|reason| format!("entry {entry}: {reason}"))?;
    }
    Ok(())
}

/// Returns the images and claimed bounds of all entries, unchecked; the first is the set of all codes.
pub fn entries(board: &Board, certificate: &Certificate) -> Result<Vec<(Vec<u16>, u32)>, String> {
    let small = |bound: u64| u32::try_from(bound).ok().filter(|&bound| bound < 1 << 30);
    let total = small(certificate.total).ok_or("entry 0: its bound is too large")?;
    let mut sets = vec![((0..board.codes.len() as u16).collect::<Vec<u16>>(), total)];
    let mut codes = 0;
    for (number, entry) in (1..).zip(&certificate.entries) {
        let fault = |what: &str| format!("entry {number}: {what}");
        let parent = usize::try_from(entry.parent).ok().and_then(|parent| sets.get(parent));
        let (parent, _) = parent.ok_or_else(|| fault("its parent is not before it"))?;
        let guess = board.at_rank(entry.guess).ok_or_else(|| fault("its guess is not a code"))?;
        let answers = |&code: &u16| u64::from(board.row(guess)[usize::from(code)]) == entry.feedback;
        let set: Vec<u16> = parent.iter().copied().filter(answers).collect();
        codes += set.len();
        if set.is_empty() || codes > MAX_CODES {
            return Err(fault(if set.is_empty() { "it has no codes" } else { "the certificate has too many codes" }));
        }
        let bound = u64::from(board.sizes[board.marks.len() - 1][set.len()]).saturating_add(entry.excess);
        sets.push((set, small(bound).ok_or_else(|| fault("its bound is too large"))?));
    }
    sets.iter_mut().for_each(|(set, _)| *set = image(board, set).0);
    Ok(sets)
}

/// Checks that all guesses at an image take at least `claim` guesses, given the bounds of images.
fn check_entry(board: &Board, set: &[u16], claim: u32, bound: &mut dyn FnMut(&[u16]) -> u32) -> Result<(), String> {
    for open in open_guesses(board, set, claim) {
        let (mut total, mut parts) = (open.bound, open.parts.iter());
        while let (true, Some(part)) = (total < claim, parts.next()) {
            total += bound(&image(board, &part.codes).0).saturating_sub(part.bound);
        }
        if total < claim {
            let guess = board.text(open.guess);
            return Err(format!("after {guess}, {} codes may take {total} guesses, not {claim}", set.len()));
        }
    }
    Ok(())
}
