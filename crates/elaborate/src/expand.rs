//! Expansion of a certificate: every bound that its checker computes by itself becomes an entry.
//!
//! The checker in Coq knows one bound, by size and with all feedbacks. The checker of certificates looks one ply further,
//! with the number of parts that occur in the set. So a part whose bound is needed becomes an entry, and so on until
//! sizes suffice. Sets are expanded in descending order of size, and the demands on a set are then known.

use std::collections::{BTreeMap, HashMap, HashSet};

use pegwise_certify::{Board, Cache, Certificate, Symmetry, entries, image, one_ply};

/// Entry of the expanded certificate.
pub(crate) struct Entry {
    /// Codes of the set.
    pub(crate) set: Vec<u16>,
    /// Lower bound of their total.
    pub(crate) bound: u32,
    /// Hints in ascending order of guess and feedback.
    pub(crate) hints: Vec<CheckHint>,
}

/// Part whose bound is that of an earlier entry.
pub(crate) struct CheckHint {
    /// Rank of the guess.
    pub(crate) guess: u16,
    /// Feedback of the part.
    pub(crate) feedback: u8,
    /// Number of the earlier entry.
    pub(crate) entry: usize,
    /// Symmetry that maps the part to the set of the earlier entry.
    pub(crate) symmetry: Symmetry,
}

/// Part before the entries are numbered.
struct Demand {
    guess: u16,
    feedback: u8,
    image: Vec<u16>,
    symmetry: Symmetry,
}

/// Set that has been expanded.
struct Expanded {
    set: Vec<u16>,
    demands: Vec<Demand>,
}

/// Expands a certificate; the last entry is the set of all codes. The error names a set whose bound does not follow.
pub(crate) fn expand(board: &Board, certificate: &Certificate) -> Result<Vec<Entry>, String> {
    let mut known: HashMap<Vec<u16>, u32> = HashMap::new();
    for (image, claim) in entries(board, certificate, 1)? {
        let bound = known.entry(image).or_default();
        *bound = claim.max(*bound);
    }
    let all: Vec<u16> = (0..board.codes.len() as u16).collect();
    let cache = Cache::default();
    let mut believed = |image: &[u16]| one_ply(board, image, &cache).max(known.get(image).copied().unwrap_or(0));
    // Least bound demanded of each set, by size.
    let mut open: BTreeMap<usize, BTreeMap<Vec<u16>, u32>> = BTreeMap::new();
    let total = u32::try_from(certificate.total).map_err(|_| "the total is too large")?;
    open.entry(all.len()).or_default().insert(all, total);
    let mut expanded = Vec::new();
    while let Some((_, sets)) = open.pop_last() {
        for (set, bound) in sets {
            let demands = expand_set(board, &set, bound, &mut open, &mut believed)?;
            expanded.push(Expanded { set, demands });
        }
    }
    expanded.reverse();
    Ok(number(board, expanded))
}

/// Returns the bound by size when all feedbacks may occur.
fn size(board: &Board, codes: usize) -> u32 {
    board.sizes[board.marks.len() - 1][codes]
}

/// Returns demands that show a bound of a set.
fn expand_set(
    board: &Board,
    set: &[u16],
    bound: u32,
    open: &mut BTreeMap<usize, BTreeMap<Vec<u16>, u32>>,
    believed: &mut impl FnMut(&[u16]) -> u32,
) -> Result<Vec<Demand>, String> {
    let mut demands = Vec::new();
    for guess in guesses(board, set) {
        let parts = board.split(guess, set);
        let others = &parts[..board.marks.len() - 1];
        let by_size = set.len() as u32 + others.iter().map(|part| size(board, part.len())).sum::<u32>();
        if by_size >= bound || others.iter().any(|part| part.len() == set.len()) {
            continue;
        }
        let mut deficit = bound - by_size;
        // Parts with a bound above the one by size: the gain, and the share of it that is demanded already.
        let mut gains = Vec::new();
        for (feedback, part) in (0..).zip(others).filter(|(_, part)| part.len() > 2) {
            let (image, symmetry) = image(board, part);
            let least = size(board, part.len());
            let gain = believed(&image) - least;
            let free = open.get(&part.len()).and_then(|sets| sets.get(&image)).map_or(0, |bound| bound - least);
            if gain > 0 {
                gains.push((gain, free, Demand { guess, feedback, image, symmetry }));
            }
        }
        let mut chosen = Vec::new();
        gains.sort_by_key(|(_, free, _)| std::cmp::Reverse(*free));
        while deficit > 0 && !gains.is_empty() {
            // A free gain, then the smallest part that suffices, then the largest gain.
            let next = if gains[0].1 > 0 {
                0
            } else {
                let suffices = (0..gains.len()).filter(|&at| gains[at].0 >= deficit);
                let smallest = suffices.min_by_key(|&at| gains[at].2.image.len());
                smallest.or_else(|| (0..gains.len()).max_by_key(|&at| gains[at].0)).unwrap_or(0)
            };
            let (gain, free, demand) = gains.remove(next);
            // A free gain that is too small is raised only at the end.
            let taken = if free > 0 { free } else { gain.min(deficit) };
            deficit = deficit.saturating_sub(taken);
            chosen.push((gain, taken, demand));
        }
        for (gain, taken, _) in &mut chosen {
            let more = (*gain - (*taken).min(*gain)).min(deficit);
            *taken += more;
            deficit -= more;
        }
        if deficit > 0 {
            let guess = board.text(guess);
            return Err(format!(
                "after {guess}, {} codes may take {} guesses, not {bound}",
                set.len(),
                bound - deficit
            ));
        }
        for (_, taken, demand) in chosen {
            let sets = open.entry(demand.image.len()).or_default();
            let least = sets.entry(demand.image.clone()).or_default();
            *least = (*least).max(size(board, demand.image.len()) + taken);
            demands.push(demand);
        }
    }
    Ok(demands)
}

/// Returns guesses that represent all: of the colors that the set lacks, only the first is used. In ascending order of
/// rank.
fn guesses(board: &Board, set: &[u16]) -> Vec<u16> {
    let mut guesses: Vec<u16> = (0..board.guesses(set) as u16).collect();
    guesses.sort_by_key(|&guess| board.ranks[usize::from(guess)]);
    guesses
}

/// Raises every bound as far as its demands allow, omits the demands that it does not need, and numbers the entries.
fn number(board: &Board, mut expanded: Vec<Expanded>) -> Vec<Entry> {
    let mut bounds: HashMap<Vec<u16>, u32> = HashMap::new();
    for Expanded { set, demands } in &mut expanded {
        let bound = prune(board, set, demands, &bounds);
        bounds.insert(set.clone(), bound);
    }
    // From the last entry back, because an entry is needed by later ones only.
    let mut needed: HashSet<Vec<u16>> = expanded.last().map(|root| root.set.clone()).into_iter().collect();
    for Expanded { set, demands } in expanded.iter().rev() {
        if needed.contains(set) {
            needed.extend(demands.iter().map(|demand| demand.image.clone()));
        }
    }
    expanded.retain(|entry| needed.contains(&entry.set));
    let numbers: HashMap<Vec<u16>, usize> =
        expanded.iter().enumerate().map(|(number, entry)| (entry.set.clone(), number)).collect();
    let entries = expanded.into_iter().map(|Expanded { set, demands }| {
        let hints = demands.into_iter().map(|demand| CheckHint {
            guess: board.ranks[usize::from(demand.guess)],
            feedback: demand.feedback,
            entry: numbers[&demand.image],
            symmetry: demand.symmetry,
        });
        Entry { bound: bounds[&set], hints: hints.collect(), set }
    });
    entries.collect()
}

/// Returns the best bound of a set that its demands show, and omits those that it does not need.
fn prune(board: &Board, set: &[u16], demands: &mut Vec<Demand>, bounds: &HashMap<Vec<u16>, u32>) -> u32 {
    let gain = |demand: &Demand| bounds[&demand.image] - size(board, demand.image.len());
    let mut totals = HashMap::new();
    for guess in guesses(board, set) {
        let parts = board.split(guess, set);
        let others = &parts[..board.marks.len() - 1];
        if others.iter().all(|part| part.len() < set.len()) {
            let total = set.len() as u32 + others.iter().map(|part| size(board, part.len())).sum::<u32>();
            totals.insert(guess, total);
        }
    }
    demands.iter().for_each(|demand| *totals.get_mut(&demand.guess).expect("it splits the set") += gain(demand));
    let bound = totals.values().copied().min().unwrap_or(u32::MAX);
    demands.retain(|demand| {
        let total = totals.get_mut(&demand.guess).expect("it splits the set");
        let spare = *total - bound >= gain(demand);
        *total -= if spare { gain(demand) } else { 0 };
        !spare
    });
    demands.sort_by_key(|demand| (board.ranks[usize::from(demand.guess)], demand.feedback));
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(total: u64) -> Certificate {
        Certificate { rules: "3x4".to_owned(), total, entries: Vec::new() }
    }

    #[test]
    fn entries_refer_to_earlier_ones_and_end_with_all_codes() {
        let board = Board::new("3x4").unwrap();
        let entries = expand(&board, &certificate(206)).unwrap();
        let root = entries.last().unwrap();
        assert_eq!((root.set.len(), root.bound), (64, 206));
        for (number, entry) in entries.iter().enumerate() {
            assert!(entry.hints.iter().all(|hint| hint.entry < number));
            assert!(entry.hints.is_sorted_by_key(|hint| (hint.guess, hint.feedback)));
            for hint in &entry.hints {
                let guess = board.at_rank(hint.guess.into()).unwrap();
                let part = &board.split(guess, &entry.set)[usize::from(hint.feedback)];
                let mut image: Vec<u16> = part.iter().map(|&code| hint.symmetry.apply(&board, code)).collect();
                image.sort_unstable();
                assert_eq!(image, entries[hint.entry].set);
            }
        }
    }

    #[test]
    fn a_total_that_is_too_large_is_refused() {
        let board = Board::new("3x4").unwrap();
        let error = expand(&board, &certificate(207)).err().unwrap();
        assert!(error.contains("may take"), "{error}");
    }
}
