//! The check of a certificate.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::{
    board::Board,
    bounds::{Cache, open_guesses},
    format::Certificate,
    image::image,
};

/// Claimed lower bounds by image. An image is a whole set of codes, and equal keys are equal sets.
pub type Claims = HashMap<Vec<u16>, u32>;

/// Maximum number of codes in all entries together, of two bytes each.
const MAX_CODES: usize = 1 << 30;

/// Checks that no strategy has a smaller total than the certificate claims, on `threads` threads. The error names the
/// first entry at fault.
///
/// Every entry is a set of codes and a lower bound `L` of its total. It holds if every guess that splits the set takes at
/// least `L` guesses, where the parts of a guess have the bounds of this crate or of entries. Parts are smaller than the
/// set, so by induction over the size all entries hold if each of them is checked, in any order.
pub fn check(board: &Board, certificate: &Certificate, threads: usize) -> Result<(), String> {
    let (images, claims) = rebuild(board, certificate)?;
    let known = collect(&images, &claims);
    let (next, fault) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let (mut cache, mut checked, mut faults) = (Cache::default(), Vec::new(), Vec::new());
        loop {
            let entry = next.fetch_add(1, Ordering::Relaxed);
            if entry >= images.len() || entry > fault.load(Ordering::Relaxed) {
                return (checked, faults);
            }
            checked.push(entry);
            if let Err(reason) = check_entry(board, &images[entry], claims[entry], &known, &mut cache) {
                fault.fetch_min(entry, Ordering::Relaxed);
                faults.push((entry, reason));
            }
        }
    };
    let (mut covered, mut faults) = (vec![false; images.len()], Vec::new());
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let (checked, found) = thread.join().expect("a thread of the check does not panic");
            checked.into_iter().for_each(|entry| covered[entry] = true);
            faults.extend(found);
        }
    });
    if let Some((entry, reason)) = faults.into_iter().min() {
        return Err(format!("entry {entry}: {reason}"));
    }
    match covered.iter().position(|covered| !covered) {
        Some(entry) => Err(format!("entry {entry}: it was not checked")),
        None => Ok(()),
    }
}

/// Returns the claims of a certificate, unchecked.
pub fn claims(board: &Board, certificate: &Certificate) -> Result<Claims, String> {
    rebuild(board, certificate).map(|(images, claims)| collect(&images, &claims))
}

/// Returns the largest claim of each image.
fn collect(images: &[Vec<u16>], claims: &[u32]) -> Claims {
    let mut known = Claims::new();
    for (image, &claim) in images.iter().zip(claims) {
        let bound = known.entry(image.clone()).or_default();
        *bound = claim.max(*bound);
    }
    known
}

/// Returns the images and bounds of all entries; the first is the set of all codes.
fn rebuild(board: &Board, certificate: &Certificate) -> Result<(Vec<Vec<u16>>, Vec<u32>), String> {
    let claim = |set: &[u16], excess: u64| {
        let bound = u64::from(board.size(set.len(), board.feedbacks - 1)).saturating_add(excess);
        u32::try_from(bound).ok().filter(|&bound| bound < 1 << 30)
    };
    let mut sets = vec![(0..board.len() as u16).collect::<Vec<u16>>()];
    let total = u32::try_from(certificate.total).ok().filter(|&total| total < 1 << 30);
    let mut claims = vec![total.ok_or("entry 0: its bound is too large")?];
    let mut codes = 0;
    for (number, entry) in (1..).zip(&certificate.entries) {
        let fault = |what: &str| format!("entry {number}: {what}");
        let parent = usize::try_from(entry.parent).ok().and_then(|parent| sets.get(parent));
        let parent = parent.ok_or_else(|| fault("its parent is not before it"))?;
        let guess = board.at_rank(entry.guess).ok_or_else(|| fault("its guess is not a code"))?;
        let row = board.row(guess);
        let set: Vec<u16> =
            parent.iter().copied().filter(|&code| u64::from(row[usize::from(code)]) == entry.feedback).collect();
        if set.is_empty() {
            return Err(fault("it has no codes"));
        }
        codes += set.len();
        if codes > MAX_CODES {
            return Err(fault("the certificate has too many codes"));
        }
        claims.push(claim(&set, entry.excess).ok_or_else(|| fault("its bound is too large"))?);
        sets.push(set);
    }
    Ok((sets.iter().map(|set| image(board, set).0).collect(), claims))
}

/// Checks that all guesses at an image take at least `claim` guesses.
fn check_entry(board: &Board, set: &[u16], claim: u32, known: &Claims, cache: &mut Cache) -> Result<(), String> {
    if set.len() == 1 {
        return if claim <= 1 { Ok(()) } else { Err("a single code takes one guess".to_owned()) };
    }
    for open in open_guesses(board, set, claim) {
        let mut total = open.bound;
        for part in &open.parts {
            let (part_image, _) = image(board, &part.codes);
            let bound = known.get(&part_image).copied().unwrap_or_else(|| cache.one_ply(board, &part_image));
            total += bound.max(part.bound) - part.bound;
            if total >= claim {
                break;
            }
        }
        if total < claim {
            let guess = board.text(open.guess);
            return Err(format!("after {guess}, {} codes may take {total} guesses, not {claim}", set.len()));
        }
    }
    Ok(())
}
