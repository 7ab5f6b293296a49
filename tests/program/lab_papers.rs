//! `pegwise lab list` and `pegwise lab reproduce`.

use serde_json::Value;

use crate::{fields, folder::Folder};

/// A paper of one table, with Knuth's published average and a row for each way a number can come out.
const TABLE: &str = "paper = 'A. Author, A paper'\ntitle = 'A table'\nsource = 'section 1'\nrules = '4x6'\ngames = 'all'\nexact = true\n\
    [[row]]\nlabel = 'Knuth'\nstrategy = 'knuth'\nguesses = { mean = '4.476', max = '5' }\n\
    [[row]]\nlabel = 'Nobody'\nstrategy = 'nobody'\nguesses = { mean = '4.0' }\n";

fn with_table(more: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("own/author-2020")).expect("a folder");
    folder.write("own/author-2020/table-1.toml", format!("{TABLE}{more}").as_bytes());
    folder
}

#[test]
fn the_list_names_every_table() {
    let folder = Folder::new();
    let list = folder.json("lab list");
    let entries = list.as_array().expect("a list");
    let expected = ["games", "id", "missing", "note", "paper", "rows", "runnable", "source", "title"];
    assert_eq!(fields(&entries[0]), expected);
    let text = folder.done("lab list");
    for entry in entries {
        assert!(text.contains(entry["id"].as_str().expect("a name")), "{entry}");
    }
    let table = entries.iter().find(|entry| entry["id"] == "merelo-2010/table-4").expect("it is there");
    assert_eq!(table["rows"], 13);
    assert!(table["runnable"].as_u64() >= Some(5), "{table}");
    assert!(!folder.done("lab list xu").contains("merelo"));
}

#[test]
fn a_published_table_is_reproduced() {
    let folder = Folder::new();
    let answer =
        folder.json("lab reproduce merelo-2010/table-2 singley-2005/section-3-1 --quick --seed 1 --keep games");
    assert_eq!((&answer["refuted"], &answer["changes"]), (&0.into(), &Value::Array(Vec::new())), "{answer}");
    assert!(answer["supported"].as_u64() > Some(300), "{answer}");
    let finding = &answer["exhibits"][1]["findings"][0];
    for field in ["row", "measure", "published", "ours", "interval", "margin", "window", "games", "verdict"] {
        assert!(fields(finding).contains(&field), "{finding}");
    }
    let again = folder
        .json("lab reproduce merelo-2010/table-2 singley-2005/section-3-1 --quick --seed 1 --keep games --threads 1");
    assert_eq!(again, answer, "what is kept is not played again, and threads change nothing");
}

#[test]
fn what_is_supported_corrected_and_missing_is_told() {
    let folder = with_table(
        "[[row]]\nlabel = 'Wrong'\nstrategy = 'kooi'\n\
        guesses = { mean = '4.2', errs = 'a slip', right = { mean = '4.373' } }\n",
    );
    let text = folder.done("lab reproduce author-2020 --papers own -o page.md");
    let first = "4 numbers: 3 supported, 0 refuted (0 without a known cause), 0 undecided, 0 not judged, 1 missing.\n";
    assert!(text.starts_with(first), "what it comes to stands first: {text}");
    assert!(text.contains("missing: strategy nobody is not built"), "{text}");
    assert!(text.contains("supported: a slip"), "{text}");
    let page = String::from_utf8(folder.read("page.md")).expect("text");
    assert!(page.contains("| Knuth | guesses mean | 4.476 | 4.4761 | digits | 1,296 | supported |"), "{page}");
}

#[test]
fn what_is_refuted_is_the_exit_code_and_stands_first() {
    let folder =
        with_table("[[row]]\nlabel = 'Wrong'\nstrategy = 'kooi'\nguesses = { mean = '4.2', cause = 'a slip' }\n");
    let answer = folder.no("lab reproduce all --papers own");
    let findings = answer["exhibits"][0]["findings"].as_array().expect("a list");
    assert_eq!(findings.last().map(|finding| &finding["verdict"]), Some(&Value::from("refuted")));
    assert_eq!((&answer["refuted"], &answer["unexplained"]), (&1.into(), &0.into()));
    let run = folder.run("lab reproduce all --papers own");
    assert!(run.stdout.contains("\nrefuted: author-2020/table-1, Wrong, guesses mean: a slip\n"), "{}", run.stdout);
}

#[test]
fn what_is_found_is_recorded() {
    let folder = with_table("");
    folder.done("lab reproduce all --papers own --record results");
    let text = String::from_utf8(folder.read("results/full/author-2020/table-1.txt")).expect("text");
    assert!(text.contains("\nKnuth\tguesses mean\t4.476\t\t4.4761\t\t\t0.0005\tdigits\t1296\tsupported\n"), "{text}");
}

/// Three games of every row of every table and figure: each number must be the recorded one.
#[test]
fn a_slice_of_every_table_is_as_recorded() {
    let folder = Folder::new();
    let run = folder.run("lab reproduce all --slice --format json");
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (run.code, &answer["changes"]),
        (0, &Value::Array(Vec::new())),
        "`pegwise lab reproduce all --slice --record crates/lab/results` records them anew"
    );
    assert_eq!(answer["exhibits"].as_array().map(Vec::len), Some(63));
}

#[test]
fn wrong_names_and_files_are_refused() {
    let folder = with_table("guesses = { mean = 'many' }\n");
    let refused = folder.refused("lab reproduce merelo-2010/tabel-4");
    assert!(refused.contains("did you mean merelo-2010/table-4?"), "{refused}");
    assert!(folder.refused("lab list nobody").contains("`pegwise lab list` shows them all"));
    assert!(folder.refused("lab reproduce").contains("<NAME>"));
    let refused = folder.refused("lab reproduce all --papers own");
    assert!(refused.starts_with("error: own/author-2020/table-1.toml:15: "), "{refused}");
    assert!(folder.refused("lab list --papers nowhere").contains("nowhere cannot be read"));
}
