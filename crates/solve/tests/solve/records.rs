//! Checks the trees in `records/` against their list, and the atlas against searches.

use std::{collections::BTreeSet, path::Path};

use pegwise_game::{Rules, Space};
use pegwise_solve::Watch;
use pegwise_solve::tree::exact::{Options, solve};
use pegwise_solve::tree::{Certificate, TreeFile, verify};

/// Maximum size of a file.
const MAX_BYTES: u64 = 200_000;

#[test]
fn trees_match_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
    let list = std::fs::read_to_string(folder.join("records.txt")).unwrap();
    let mut listed = BTreeSet::new();
    for row in list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, rules, total, max, proven, command] = fields[..] else { panic!("{row}") };
        let size = std::fs::metadata(folder.join(name)).unwrap().len();
        assert!(size <= MAX_BYTES, "{name} has {size} bytes");
        let file = TreeFile::load(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let verdict = verify(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.tree.rules.to_string(), rules, "{name}");
        assert_eq!((verdict.total.to_string().as_str(), verdict.max.to_string().as_str()), (total, max), "{name}");
        assert_eq!(file.proven, proven == "proven", "{name}");
        assert!(command.starts_with(&format!("pegwise tree build {rules} ")), "{name}");
        listed.insert(name.to_owned());
    }
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let trees: BTreeSet<String> = files.filter(|name| name.ends_with(".tree")).collect();
    assert_eq!(trees, listed, "every tree is listed");
}

/// Records whose certificates take at most a few seconds to check.
const CHECKED_CERTIFICATES: [&str; 6] = ["4x6", "4x7", "5x5", "4x6-no-repeats", "4x7-no-repeats", "4x8-no-repeats"];

#[test]
fn certificates_prove_the_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
    let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut certified = BTreeSet::new();
    for name in names.filter_map(|name| name.strip_suffix(".certificate").map(str::to_owned)) {
        let read = |ending: &str| std::fs::read(folder.join(format!("{name}.{ending}"))).unwrap();
        let (tree, bytes) = (read("tree"), read("certificate"));
        let certificate = Certificate::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let file = TreeFile::read(&tree[..]).unwrap();
        assert!(file.proven, "{name}");
        assert_eq!((file.tree.rules.to_string(), file.claim.total), (certificate.rules, certificate.total), "{name}");
        if CHECKED_CERTIFICATES.contains(&name.as_str()) {
            let verified = pegwise_certify::verify(&tree, &bytes, 2).unwrap();
            assert_eq!(verified.map(|certified| certified.total), Ok(file.claim.total), "{name}");
            certified.insert(name);
        }
    }
    assert_eq!(certified.len(), CHECKED_CERTIFICATES.len());
}

/// Maximum number of codes and seconds of the proofs that are repeated.
const REPEATED_PROOFS: (u64, f64) = (130, 0.3);

#[test]
fn the_atlas_matches_searches() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("records/atlas.txt");
    let list = std::fs::read_to_string(file).unwrap();
    let (mut boards, mut repeated) = (BTreeSet::new(), 0);
    for row in list.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [board, codes, total, max, bound, seconds, by] = fields[..] else { panic!("{row}") };
        let rules: Rules = board.parse().unwrap();
        assert_eq!(rules.to_string(), board);
        assert!(boards.insert(board), "{board} is there twice");
        let number = |text: &str| text.parse::<u64>().unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(Space::new(&rules).count().exact(), Some(number(codes).into()), "{board}");
        assert!(number(bound) <= number(total) && number(total) <= number(max) * number(codes), "{board}");
        assert!(!by.is_empty(), "{board}");
        let small = number(codes) <= REPEATED_PROOFS.0 && seconds.parse::<f64>().unwrap() < REPEATED_PROOFS.1;
        if bound == total && small {
            let report = solve(&rules, &Options::default(), Watch::default(), |_| ()).unwrap();
            assert_eq!((report.total, report.proven), (number(total), true), "{board}");
            repeated += 1;
        }
    }
    assert!(repeated > 20, "only {repeated} of {} proofs were repeated", boards.len());
}
