use proptest::prelude::*;

use super::*;
use crate::{samples, verify};
use pegwise_search::tree::{Branch, MAX_DEPTH, Node};

fn bytes(file: &TreeFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    bytes
}

/// Creates a file with the given header and body, and a correct checksum.
fn forged(header: &str, body: &[u8]) -> Vec<u8> {
    let body = compress(body, 1).unwrap();
    let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &(header.len() as u32).to_le_bytes()].concat();
    bytes.extend(header.as_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn header(rules: &str) -> String {
    format!(
        r#"{{"rules":"{rules}","made_by":"","codes":1,"total":1,"max":1,"proven":false,"lower_bound":null,"new":[]}}"#
    )
}

fn fault(rules: &str, body: &[u8]) -> BodyFault {
    match TreeFile::read(&forged(&header(rules), body)[..]) {
        Err(FileError::Body { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn trees_round_trip() {
    for (rules, strategy) in [
        ("4x6", "knuth"),
        ("3x5", "shapiro(order=numeric)"),
        ("grid:2x2x3", "shapiro(order=numeric)"),
        ("4x6:no-repeats", "knuth"),
        ("1x200:black-only", "shapiro(order=numeric)"),
    ] {
        let file = samples::file(rules, strategy).with_proof(true, Some(7));
        let same = TreeFile::read(&bytes(&file)[..]).unwrap();
        assert_eq!(same, file, "{rules}");
    }
}

#[test]
#[cfg(feature = "files")]
fn files_are_small() {
    let file = samples::file("4x6", "knuth");
    let bytes = bytes(&file);
    assert!(bytes.len() < 3100, "{} bytes", bytes.len());
}

#[test]
fn truncated_files_are_errors() {
    let bytes = bytes(&samples::file("3x4", "knuth"));
    for length in 0..bytes.len() {
        let error = TreeFile::read(&bytes[..length]).unwrap_err();
        let expected = if length < MAGIC.len() { "this is not a tree file" } else { "the tree file is truncated" };
        assert_eq!(error.to_string(), expected, "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(TreeFile::read(&longer[..]), Err(FileError::TrailingBytes)));
}

#[test]
fn a_changed_byte_is_an_error() {
    let bytes = bytes(&samples::file("3x4", "knuth"));
    for at in 0..bytes.len() {
        for flip in [1, 0x10, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            assert!(TreeFile::read(&damaged[..]).is_err(), "byte {at} with {flip:#x}");
        }
    }
}

#[test]
fn other_files_and_versions_are_refused() {
    assert!(matches!(TreeFile::read(&b""[..]), Err(FileError::NotATree)));
    assert!(matches!(TreeFile::read(&b"digraph { a -> b }"[..]), Err(FileError::NotATree)));
    let mut later = bytes(&samples::file("2x3", "knuth"));
    later[8] = 2;
    let error = TreeFile::read(&later[..]).unwrap_err();
    assert_eq!(error.to_string(), "the tree file has version 2, but this program reads version 1");
}

#[test]
fn forged_lengths_take_no_memory() {
    let start = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
    let header_too_long = [&start[..], &u32::MAX.to_le_bytes()].concat();
    assert!(matches!(TreeFile::read(&header_too_long[..]), Err(FileError::TooLong { part: "header", .. })));
    let body_too_long = [&start[..], &2u32.to_le_bytes(), b"{}", &u64::MAX.to_le_bytes()].concat();
    assert!(matches!(TreeFile::read(&body_too_long[..]), Err(FileError::TooLong { part: "body", .. })));
}

#[test]
fn forged_bodies_are_errors() {
    // Feedbacks (one is 0,0), positions, branches and wins of each, feedbacks of all but the first, guesses.
    let right = TreeFile::read(&forged(&header("1x3"), &[1, 0, 0, 3, 3, 3, 1, 0, 0, 0, 1, 2])[..]).unwrap();
    assert_eq!(right.tree, samples::tree("1x3", "shapiro(order=numeric)"));
    assert_eq!(fault("1x3", &[]), BodyFault::Ends);
    assert_eq!(fault("1x3", &[0, 0]), BodyFault::Count { branches: 0, nodes: 0 });
    assert_eq!(fault("1x3", &[0, 1, 1]), BodyFault::Ends);
    assert_eq!(fault("1x3", &[0, 1, 1, 3]), BodyFault::Guess(3));
    assert_eq!(fault("1x3", &[0, 1, 0, 1]), BodyFault::DeadEnd);
    assert_eq!(fault("1x3", &[0, 1, 1, 1, 0]), BodyFault::Leftover);
    assert_eq!(fault("1x3", &[0, 7, 1, 1, 0]), BodyFault::TooLarge);
    assert_eq!(fault("1x3", &[7, 0, 0]), BodyFault::TooLarge);
    assert_eq!(fault("1x3", &[0, 2, 1, 1]), BodyFault::Count { branches: 0, nodes: 1 });
    assert_eq!(fault("1x3", &[0, 2, 1, 3, 0, 0, 1]), BodyFault::Leftover);
    assert_eq!(fault("1x3", &[1, 0, 0, 2, 3, 1, 1, 0, 1]), BodyFault::Feedback(1));
    assert_eq!(fault("1x3", &[1, 0, 0, 3, 5, 1, 1, 0, 0, 0, 1, 2]), BodyFault::Feedback(1));
    assert_eq!(fault("1x3", &[1, 1, 0]), BodyFault::Listed("1,0".to_owned()));
    assert_eq!(fault("1x3", &[2, 0, 0, 0, 0]), BodyFault::Listed("0,0".to_owned()));
    assert_eq!(fault("1x3", &[0xff; 11]), BodyFault::Number);
    assert_eq!(fault("1x3", &[0x80; 11]), BodyFault::Number);
}

/// Creates a body in which every guess has one branch.
fn chain(nodes: usize) -> Vec<u8> {
    let count = [(nodes % 128) as u8 | 0x80, (nodes / 128) as u8];
    let (heads, gaps, ranks) = (vec![2; nodes - 1], vec![0; nodes - 1], vec![0; 2 * nodes]);
    [&[1, 0, 0][..], &count, &heads, &[1], &gaps, &ranks].concat()
}

#[test]
fn the_deepest_tree_is_read() {
    let file = TreeFile::read(&forged(&header("4x6"), &chain(MAX_DEPTH))[..]).unwrap();
    assert_eq!(file.tree.stats().max as usize, MAX_DEPTH);
    assert_eq!(TreeFile::read(&bytes(&file)[..]).unwrap(), file);
    assert!(verify(&file).is_err());
}

#[test]
fn bombs_end_early() {
    assert_eq!(fault("4x6", &chain(MAX_DEPTH + 1)), BodyFault::TooDeep);
    // Zeros without end, for a large number of feedbacks and of positions.
    let zeros = vec![0; 1 << 24];
    assert!(matches!(fault("24x2", &[&[0xff, 0xff, 0xff, 0x07][..], &zeros].concat()), BodyFault::Listed(_)));
    assert!(matches!(fault("24x2", &[&[0, 0xff, 0xff, 0xff, 0x07][..], &zeros].concat()), BodyFault::Count { .. }));
    let error = TreeFile::read(&forged(&header("100x100"), &[0, 1, 0])[..]).unwrap_err();
    assert_eq!(error.to_string(), "100x100 has 100^100 (about 1.0e200) codes; a tree can have at most 33554432");
    assert!(matches!(TreeFile::read(&forged("{}", &[])[..]), Err(FileError::Header(_))));
}

#[test]
fn a_tree_that_could_not_be_read_is_not_written() {
    let mut file = samples::file("2x3", "knuth");
    file.tree.root.branches.reverse();
    assert!(matches!(file.write(Vec::new()), Err(FileError::Shape(_))));
    let mut file = samples::file("2x3", "knuth");
    let other: Rules = "3x3".parse().unwrap();
    file.tree.root.branches.push(Branch {
        feedback: other.parse_feedback("2,0").unwrap(),
        node: Node::leaf(file.tree.root.guess.clone()),
    });
    file.tree.root.branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
    assert!(file.write(Vec::new()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tree_round_trips(file in samples::any_file()) {
        prop_assert_eq!(TreeFile::read(&bytes(&file)[..]).unwrap(), file);
    }

    #[test]
    fn any_body_is_a_tree_or_an_error(rules in 0..samples::SMALL.len(), body in prop::collection::vec(0u8..8, 0..60)) {
        if let Ok(file) = TreeFile::read(&forged(&header(samples::SMALL[rules]), &body)[..]) {
            prop_assert!(file.tree.check_shape().is_ok());
            // The tree need not be correct, but the replay must end.
            let _ = verify(&file);
        }
    }
}

fn expand(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut expanded = Decompressor::new(bytes)?;
    std::iter::from_fn(|| expanded.byte().transpose()).collect()
}

#[test]
fn long_data_round_trips() {
    // Longer than the maximum window, with repetitions near and far.
    let bytes: Vec<u8> = (0..9_000_000u32).map(|at| ((at / 7) ^ (at >> 11)) as u8).collect();
    for level in [1, 9] {
        assert!(expand(&compress(&bytes, level).unwrap()).unwrap() == bytes, "level {level}");
    }
}

#[test]
fn window_sizes_are_bounded() {
    // Magic, a descriptor without a size, a window of 2^(10 + 20) bytes.
    let error = Decompressor::new(&[0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3]).err().unwrap();
    assert!(error.to_string().contains("too big"), "{error}");
}

#[test]
fn data_after_a_frame_is_detected() {
    let mut bytes = compress(b"pegs", 1).unwrap();
    for more in [false, true] {
        let mut expanded = Decompressor::new(&bytes).unwrap();
        while expanded.byte().unwrap().is_some() {}
        assert_eq!(expanded.has_more(), more);
        bytes.push(0);
    }
}

proptest! {
    #[test]
    fn data_round_trips(bytes in prop::collection::vec(0u8..4, 0..5000), level in 1..20) {
        prop_assert_eq!(expand(&compress(&bytes, level).unwrap()).unwrap(), bytes);
    }

    #[test]
    fn any_data_is_decompressed_or_refused(noise in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..40) {
        let mut bytes = compress(b"the same again, the same again", 1).unwrap();
        bytes.truncate(at.min(bytes.len()));
        bytes.extend(noise);
        let _ = expand(&bytes);
    }
}

#[cfg(feature = "files")]
#[test]
fn saving_replaces_a_file_atomically() {
    let folder = std::env::temp_dir().join(format!("pegwise-tree-file-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("tree.pegtree");
    let (one, other) = (samples::file("2x3", "knuth"), samples::file("3x4", "knuth"));
    one.save(&path).unwrap();
    assert_eq!(TreeFile::load(&path).unwrap(), one);
    other.save(&path).unwrap();
    assert_eq!(TreeFile::load(&path).unwrap(), other);
    let mut wrong = one;
    wrong.tree.root.branches.reverse();
    assert!(wrong.save(&path).is_err());
    assert_eq!(TreeFile::load(&path).unwrap(), other);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(&folder).unwrap();
}
