//! The check of a certificate.

use std::{collections::BTreeMap, sync::Mutex, thread};

use crate::{Board, Cache, Certificate, Part, image::image, one_ply, open_guesses};

/// Maximum number of codes in all entries together, of two bytes each.
const MAX_CODES: usize = 1 << 30;
/// Reason why a thread and its locks can be waited for.
pub(crate) const NO_PANIC: &str = "no thread panics";

/// Checks that no strategy has a smaller total than the certificate claims, on `threads` threads. The error names the
/// first entry at fault.
///
/// Every entry is a set of codes and a lower bound `L` of its total. It holds if every guess that splits the set takes at
/// least `L` guesses, where the parts of a guess have the bounds of this crate or of entries. Parts are smaller than the
/// set, so by induction over the size all entries hold if each of them is checked, in any order.
pub fn check(board: &Board, certificate: &Certificate, threads: usize) -> Result<(), String> {
    let entries = entries(board, certificate, threads)?;
    // The largest claim of each image. An image is a whole set of codes, and equal images are equal sets.
    let mut known: Vec<(&[u16], u32)> = entries.iter().map(|(image, claim)| (&image[..], *claim)).collect();
    known.sort_by_key(|&(_, claim)| claim);
    let known: BTreeMap<&[u16], u32> = known.into_iter().collect();
    let (cache, failed) = (Cache::default(), Mutex::new(false));
    let bound = |image: &[u16]| known.get(image).copied().unwrap_or_else(|| one_ply(board, image, &cache));
    let check_one = |entry: usize| {
        if *failed.lock().expect(NO_PANIC) {
            return Err("it was not checked".to_owned());
        }
        let (image, claim) = &entries[entry];
        let checked = check_entry(board, image, *claim, &bound).map_err(|reason| format!("entry {entry}: {reason}"));
        checked.inspect_err(|_| *failed.lock().expect(NO_PANIC) = true)
    };
    on_threads(threads, entries.len(), check_one).into_iter().collect()
}

/// Returns the images and claimed bounds of all entries, unchecked; the first is the set of all codes.
pub fn entries(board: &Board, certificate: &Certificate, threads: usize) -> Result<Vec<(Vec<u16>, u32)>, String> {
    let small = |bound: u64| u32::try_from(bound).ok().filter(|&bound| bound < 1 << 30);
    let total = small(certificate.total).ok_or("entry 0: its bound is too large")?;
    let (mut sets, mut codes) = (vec![((0..board.codes.len() as u16).collect::<Vec<u16>>(), total)], 0);
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
    Ok(on_threads(threads, sets.len(), |at| (image(board, &sets[at].0).0, sets[at].1)))
}

/// Returns the results of `work` for the numbers below `count`. Threads take numbers in ascending order.
fn on_threads<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = Mutex::new(0..count);
    let take = || next.lock().expect(NO_PANIC).next();
    let worker = || std::iter::from_fn(|| take().map(|at| (at, work(at)))).collect::<Vec<(usize, T)>>();
    let done: BTreeMap<usize, T> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect(NO_PANIC)).collect()
    });
    assert!(done.keys().copied().eq(0..count), "every number was taken");
    done.into_values().collect()
}

/// Checks that all guesses at an image take at least `claim` guesses, given the bounds of images.
fn check_entry(board: &Board, set: &[u16], claim: u32, bound: &dyn Fn(&[u16]) -> u32) -> Result<(), String> {
    for open in open_guesses(board, set, claim) {
        let gain = |part: &Part| bound(&image(board, &part.codes).0).saturating_sub(part.bound);
        let total = open.parts.iter().fold(open.bound, |sum, part| if sum < claim { sum + gain(part) } else { sum });
        if total < claim {
            let (guess, codes) = (board.text(open.guess), set.len());
            return Err(format!("after {guess}, {codes} codes may take {total} guesses, not {claim}"));
        }
    }
    Ok(())
}
