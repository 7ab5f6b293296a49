use std::collections::BTreeMap;

use pegwise_certify::{MAGIC, check, verify};
use pegwise_search::Rng;

use super::*;
use crate::{
    TreeFile,
    exact::{Options, solve, solve_with_snapshots},
};

const MEMORY: usize = 1 << 26;

/// Proven tree of a board and its certificate.
struct Proof {
    rules: Rules,
    total: u64,
    tree: Vec<u8>,
    certificate: Certificate,
}

fn extract(rules: &Rules, total: u64) -> Result<Certificate, CertificateError> {
    certify(rules, total, MEMORY, &BoundsSnapshot::default(), Watch::default())
}

impl Proof {
    fn new(text: &str) -> Self {
        let rules: Rules = text.parse().unwrap();
        let options = Options { cache_bytes: MEMORY, ..Options::default() };
        let report = solve(&rules, &options, Watch::default(), |_| ()).unwrap();
        let (total, mut tree) = (report.total, Vec::new());
        TreeFile::new(report.tree, "optimal").write(&mut tree).unwrap();
        let certificate = extract(&rules, total).unwrap();
        Self { rules, total, tree, certificate }
    }

    fn verifies(&self, certificate: &[u8]) -> bool {
        verify(&self.tree, certificate, 1).is_ok_and(|verdict| verdict.is_ok())
    }

    /// Returns the least total of each entry, the set of all codes first.
    fn exact_totals(&self) -> Vec<u32> {
        let board = Board::new(&self.certificate.rules).unwrap();
        let mut sets = vec![((0..board.codes.len() as u16).collect::<Vec<u16>>(), Vec::new())];
        for entry in &self.certificate.entries {
            let (codes, mut path) = sets[entry.parent as usize].clone();
            let guess = board.at_rank(entry.guess).unwrap();
            path.push(entry.guess as u16);
            sets.push((board.split(guess, &codes).swap_remove(entry.feedback as usize), path));
        }
        let exact = |ask: &Oracle<'_>| {
            let total = |(codes, path): &(Vec<u16>, Vec<u16>)| {
                let mut ranks: Vec<u16> = codes.iter().map(|&code| board.ranks[usize::from(code)]).collect();
                ranks.sort_unstable();
                ask(Query { path, codes: &ranks, budget: u32::MAX }).unwrap()
            };
            sets.iter().map(total).collect()
        };
        with_oracle(&self.rules, MEMORY, &BoundsSnapshot::default(), Watch::default(), exact).unwrap()
    }

    /// Returns the bound of each entry by its size.
    fn size_bounds(&self) -> Vec<u64> {
        let board = Board::new(&self.certificate.rules).unwrap();
        let mut sets = vec![(0..board.codes.len() as u16).collect::<Vec<u16>>()];
        for entry in &self.certificate.entries {
            let guess = board.at_rank(entry.guess).unwrap();
            let parts = board.split(guess, &sets[entry.parent as usize]);
            sets.push(parts[entry.feedback as usize].clone());
        }
        sets.iter().map(|set| board.sizes[board.marks.len() - 1][set.len()].into()).collect()
    }
}

#[test]
fn parts_with_equal_images_keep_the_larger_bound() {
    let board = Board::new("3x4").unwrap();
    let oracle: &Oracle<'_> = &|_| None;
    let mut extraction = Extraction::new(&board, Watch::default(), oracle);
    let part = |symbols: [u8; 2]| {
        let codes: Vec<u16> = symbols.map(|color| board.find([color; 3].into_iter())).to_vec();
        OpenPart { feedback: 0, image: image(&board, &codes).0, codes, bound: 3, total: 9 }
    };
    extraction.need(0, &[0], part([0, 1]), 4);
    extraction.need(0, &[0], part([2, 3]), 1);
    assert_eq!(extraction.needed.iter().map(|needed| needed.bound).collect::<Vec<_>>(), [7]);
}

/// Replaces the digest of changed bytes.
fn with_digest(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 8);
    let digest = digest(&bytes);
    bytes.extend(digest.to_le_bytes());
    bytes
}

#[test]
fn certificates_are_verified() {
    for (text, most) in [
        ("1x4", 30),
        ("3x4", 100),
        ("3x5", 100),
        ("4x5", 150),
        ("4x6", 300),
        ("4x6:no-repeats", 100),
        ("3x4:black-only", 400),
        ("3x4:no-repeats:black-only", 100),
        ("5x3", 100),
    ] {
        let proof = Proof::new(text);
        let bytes = certificate_bytes(&proof.certificate);
        assert!(bytes.len() <= most, "{text}: {} bytes", bytes.len());
        assert_eq!(Certificate::from_bytes(&bytes).as_ref(), Ok(&proof.certificate), "{text}");
        for threads in [1, 3] {
            let certified = verify(&proof.tree, &bytes, threads).unwrap().unwrap();
            assert_eq!((certified.rules.as_str(), certified.total), (text, proof.total));
        }
    }
}

#[test]
fn a_certificate_does_not_depend_on_threads_or_known_bounds() {
    let (rules, snapshot): (Rules, _) = ("4x5".parse().unwrap(), std::sync::Mutex::default());
    let options = Options { keep_proof: true, cache_bytes: MEMORY, ..Options::default() };
    let keep = |found: BoundsSnapshot| *snapshot.lock().unwrap() = found;
    let total = solve_with_snapshots(&rules, &options, Watch::default(), |_| (), keep).unwrap().total;
    let known = snapshot.into_inner().unwrap();
    assert!(!known.is_empty());
    let on_threads = |threads, known: &BoundsSnapshot| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| certify(&rules, total, MEMORY, known, Watch::default()).unwrap())
    };
    let alone = on_threads(1, &BoundsSnapshot::default());
    assert_eq!(on_threads(1, &known), alone);
    assert_eq!(on_threads(3, &known), alone);
}

#[test]
fn no_certificate_of_a_false_total_is_made() {
    let rules: Rules = "3x5".parse().unwrap();
    assert_eq!(extract(&rules, 452), Err(CertificateError::Refuted(452)));
    assert!(extract(&rules, 450).is_ok());
    for (text, reason) in [
        ("4x6:higher-lower", "the option 'higher-lower' is not supported"),
        ("4x6:lies=1", "the option 'lies=1' is not supported"),
        ("4x6:max-guesses=5", "the option 'max-guesses=5' is not supported"),
        ("grid:2x2x3", "not a row of pegs and colors"),
        ("8x8", "too many"),
    ] {
        let refused = check_certifiable(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn mutations_are_rejected() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    for text in ["3x5", "4x5", "4x6"] {
        let proof = Proof::new(text);
        let board = Board::new(text).unwrap();
        let good = &proof.certificate;
        let refuses = |certificate: &Certificate| check(&board, certificate, 1).is_err();
        let mut reject = |kind| *rejected.entry(kind).or_default() += 1;

        for total in [proof.total - 1, proof.total + 1, proof.total + 100, 0, u64::from(u32::MAX), u64::MAX >> 1] {
            assert!(!proof.verifies(&certificate_bytes(&Certificate { total, ..good.clone() })), "{text} {total}");
            reject("forged total");
        }
        for ((at, exact), size) in (0..).zip(proof.exact_totals()).zip(proof.size_bounds()).skip(1) {
            let mut raised = good.clone();
            raised.entries[at - 1].excess = u64::from(exact) + 1 - size;
            assert!(refuses(&raised), "{text}: entry {at} raised to {}", exact + 1);
            reject("raised bound");
            // A bound that later entries made unnecessary may be dropped.
            let mut dropped = good.clone();
            dropped.entries[at - 1].excess = 0;
            if refuses(&dropped) {
                reject("dropped bound");
            }
        }
    }

    let (proof, other) = (Proof::new("4x5"), Proof::new("4x5:no-repeats"));
    let bytes = certificate_bytes(&proof.certificate);
    let mut reject = |kind| *rejected.entry(kind).or_default() += 1;
    for end in 0..bytes.len() {
        assert!(!proof.verifies(&bytes[..end]), "the first {end} bytes");
        reject("truncated");
    }
    assert!(!proof.verifies(&[&bytes[..], &[0]].concat()));
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(!proof.verifies(&damaged), "byte {at}");
        reject("damaged byte");
        if (MAGIC.len()..bytes.len() - 8).contains(&at) {
            // Some changes leave a valid proof, such as a lower bound with slack; none proves another total.
            let changed = with_digest(damaged);
            if let Ok(Ok(certified)) = verify(&proof.tree, &changed, 1) {
                assert_eq!((certified.rules.as_str(), certified.total), ("4x5", proof.total), "byte {at}");
            } else {
                reject("byte with digest");
            }
        }
    }
    for (tree, certificate) in [(&proof, &other), (&other, &proof)] {
        assert!(!tree.verifies(&certificate_bytes(&certificate.certificate)));
        let renamed = Certificate { rules: tree.certificate.rules.clone(), ..certificate.certificate.clone() };
        assert!(!tree.verifies(&certificate_bytes(&renamed)));
        let total = Certificate { total: tree.total, ..renamed };
        assert!(tree.certificate.entries.is_empty() || !tree.verifies(&certificate_bytes(&total)));
    }
    let at_least = [("forged total", 18), ("raised bound", 80), ("dropped bound", 70), ("truncated", 60)];
    for (kind, least) in at_least {
        assert!(rejected[kind] >= least, "{rejected:?}");
    }
    assert!(rejected["byte with digest"] >= 30, "{rejected:?}");
}

/// Searches that return a total that is too large at some sets, as if an interrupted search had been stored as finished.
#[test]
fn certificates_of_wrong_searches_are_rejected() {
    let (mut rejected, mut rng) = (0, Rng::new(5));
    for text in ["3x4", "3x5", "4x4", "4x5"] {
        let rules: Rules = text.parse().unwrap();
        let board = Board::new(text).unwrap();
        let total = solve(&rules, &Options::default(), Watch::default(), |_| ()).unwrap().total;
        for _ in 0..15 {
            let (seed, one_in) = (rng.index(1 << 30) as u64, 1 + rng.index(4) as u64);
            let forged = with_oracle(&rules, MEMORY, &BoundsSnapshot::default(), Watch::default(), |ask| {
                let wrong = |query: Query<'_>| {
                    let hash = query.codes.iter().fold(seed, |hash, &code| {
                        (hash ^ u64::from(code)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
                    });
                    Some(ask(query)? + u32::from(hash % one_in == 0))
                };
                let mut extraction = Extraction::new(&board, Watch::default(), &wrong);
                extraction.collect(total as u32 + 1).unwrap();
                extraction.into_certificate()
            });
            let fault = check(&board, &forged.unwrap(), 1).unwrap_err();
            assert!(fault.starts_with("entry "), "{fault}");
            rejected += 1;
        }
    }
    assert!(rejected >= 50);
}

/// The proof is only as good as a reader's understanding of the checker, so the checker stays short.
#[test]
fn the_checker_has_at_most_600_lines_of_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../certify/src");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let lines =
        |file: String| file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let lines: usize = files.map(lines).sum();
    assert!((300..=600).contains(&lines), "{lines} lines");
}
