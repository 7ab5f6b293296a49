//! `pegwise tree split` and `tree join`: a tree worked on in parts.

use std::fs;

use serde_json::json as value;

use crate::folder::Folder;

#[test]
fn a_tree_is_split_improved_in_parts_and_joined() {
    let folder = Folder::with_knuth();
    let answer = folder.json("tree split knuth.tree --parts 8 -o parts");
    let parts = answer["parts"].as_array().expect("a list").clone();
    assert!((1..=8).contains(&parts.len()), "{answer}");
    assert_eq!(answer["rules"], "4x6");
    let losses: Vec<f64> = parts.iter().map(|part| part["loss"].as_f64().expect("a number")).collect();
    assert!(losses.is_sorted_by(|one, other| one >= other), "{losses:?}");

    let mut files = Vec::new();
    for part in &parts {
        let file = part["file"].as_str().expect("a name");
        let turns = part["place"].as_array().expect("turns").len() as u64;
        let before = part["total"].as_u64().expect("a total") + turns * part["codes"].as_u64().expect("codes");
        let built = folder.json(&format!("tree build 4x6 --best --time-limit 500ms --threads 1 -o {file}"));
        assert_eq!(built["place"], part["place"], "{file}");
        assert_eq!(built["codes"], part["codes"], "{file}");
        assert!(built["total"].as_u64().expect("a total") <= before, "the turns, then the part: {built}");
        files.push(file);
    }
    let files = files.join(" ");
    let joined = folder.json(&format!("tree join knuth.tree {files} -o better.tree"));
    let saved: u64 =
        joined["parts"].as_array().expect("a list").iter().map(|part| part["saved"].as_u64().unwrap()).sum();
    assert!(saved > 0, "{joined}");
    assert_eq!((&joined["before"], &joined["total"]), (&value!(5801), &value!(5801 - saved)));
    assert_eq!(folder.json("tree verify better.tree")["total"], value!(5801 - saved));

    // What was taken is no better any more, and nothing is lost by asking again.
    let again = folder.done(&format!("tree join better.tree {files} -o better.tree"));
    assert!(again.contains("not better") && !again.contains("joined"), "{again}");
    assert_eq!(folder.json("tree verify better.tree")["total"], value!(5801 - saved));
    assert!(folder.names().iter().all(|name| !name.ends_with(".unfinished")));
}

#[test]
fn parts_tell_where_they_are() {
    let folder = Folder::with_knuth();
    let listed = folder.done("tree split knuth.tree -o parts");
    assert!(listed.contains("parts/001.tree") && listed.contains("after 1122="), "{listed}");
    let built = folder.done("tree build 4x6 --best --time-limit 100ms -o parts/001.tree");
    assert!(built.contains("part ") && built.contains("after 1122="), "{built}");
    // Parts of a part: of one with more codes than are solved in no time.
    let large = folder.json("tree split knuth.tree --parts 5 -o five");
    let parts = large["parts"].as_array().expect("a list");
    let largest = parts.iter().max_by_key(|part| part["codes"].as_u64()).expect("a part");
    let inner = folder.json(&format!("tree split {} -o inner", largest["file"].as_str().expect("a name")));
    let inner = inner["parts"].as_array().expect("a list");
    assert!(!inner.is_empty());
    for part in inner {
        let (place, above) = (part["place"].as_array().expect("turns"), largest["place"].as_array().expect("turns"));
        assert!(place.len() == above.len() + 1 && place.starts_with(above), "{part}");
    }
}

#[test]
fn a_part_that_does_not_fit_is_refused_and_the_others_are_taken() {
    let folder = Folder::with_knuth();
    folder.done("tree split knuth.tree -o parts");
    folder.done("tree build 4x6 --strategy entropy --first-guess 1123 -o other.tree");
    folder.done("tree split other.tree -o others");
    folder.done("tree build 3x4 --strategy knuth -o small.tree");
    let answer = folder.no("tree join knuth.tree small.tree others/001.tree parts/001.tree -o joined.tree");
    let reasons: Vec<&str> =
        answer["parts"].as_array().expect("a list").iter().filter_map(|part| part["refused"].as_str()).collect();
    assert_eq!(reasons[0], "it is of 3x4, and the tree of 4x6");
    assert!(reasons[1].starts_with("the tree does not come to its position, after 1123="), "{reasons:?}");
    assert_eq!(reasons.len(), 2);
    assert_eq!(folder.json("tree verify joined.tree")["total"], 5801);
    let run = folder.run("tree join knuth.tree small.tree -f -o joined.tree");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("small.tree was rejected: it is of 3x4, and the tree of 4x6"), "{}", run.stdout);
}

#[test]
fn mistakes_with_parts_are_explained() {
    let folder = Folder::with_knuth();
    folder.done("tree split knuth.tree -o parts");
    let before = fs::read(folder.path("parts/001.tree")).expect("the part");
    folder.write("bad.tree", b"no tree");
    folder.write("file", b"");
    for (line, words) in [
        ("tree split knuth.tree -o parts", "parts/001.tree already exists"),
        ("tree split knuth.tree -o file", "the folder file cannot be created"),
        ("tree split missing.tree -o parts", "missing.tree: no such file"),
        ("tree split knuth.tree --parts 0 -o parts", "invalid value '0' for '--parts <N>'"),
        ("tree split knuth.tree", "--output <FOLDER>"),
        ("tree join knuth.tree -o x.tree", "<PART>..."),
        ("tree join knuth.tree parts/001.tree missing.tree -o x.tree", "missing.tree: no such file"),
        ("tree join knuth.tree bad.tree -o x.tree", "bad.tree: this is not a tree file"),
        ("tree join parts/001.tree knuth.tree -o no/x.tree", "the folder no does not exist"),
        (
            "tree build 4x6 --best --start parts/001.tree -o knuth.tree",
            "the existing tree at the start",
        ),
        ("tree build 5x6 --best -o parts/001.tree", "it is for 4x6, not 5x6"),
    ] {
        let said = folder.refused(line);
        assert!(said.contains(words), "{line}: {said}");
    }
    assert_eq!(fs::read(folder.path("parts/001.tree")).expect("the part"), before);
    assert!(!folder.path("x.tree").exists(), "nothing is written when a file cannot be read");
    let swapped = folder.no("tree join parts/001.tree knuth.tree -o x.tree")["parts"][0]["refused"].clone();
    assert!(
        swapped.as_str().expect("a reason").starts_with("it begins at the start, and what it is put into only after")
    );

    folder.done("tree build 3x4 --strategy knuth -o small.tree");
    assert_eq!(folder.no("tree split small.tree -o none")["parts"], value!([]));
    assert!(!folder.path("none").exists());
}
