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
    assert_eq!(answer["disagree"], 0, "{answer}");
    assert!(answer["agree"].as_u64() > Some(300), "{answer}");
    let expected = ["games", "measure", "ours", "published", "row", "rules", "standard_errors", "strategy", "verdict"];
    assert_eq!(fields(&answer["exhibits"][1]["findings"][0]), expected);
    let again = folder
        .json("lab reproduce merelo-2010/table-2 singley-2005/section-3-1 --quick --seed 1 --keep games --threads 1");
    assert_eq!(again, answer, "what is kept is not played again, and threads change nothing");
}

#[test]
fn what_agrees_what_errs_and_what_is_missing_is_told() {
    let folder =
        with_table("[[row]]\nlabel = 'Wrong'\nstrategy = 'kooi'\nguesses = { mean = '4.2', errs = 'a slip' }\n");
    let text = folder.done("lab reproduce author-2020 --papers own --markdown page.md");
    assert!(text.contains("missing: strategy nobody is not built"), "{text}");
    assert!(text.contains("paper errs: a slip"), "{text}");
    assert!(
        text.ends_with("4 numbers: 2 agree, 0 disagree, 1 where the paper errs, 1 missing, 0 for information.\n"),
        "{text}"
    );
    let page = String::from_utf8(folder.read("page.md")).expect("text");
    assert!(page.contains("| Knuth | guesses mean | 4.476 | 4.4761 | 1,296 |  | agrees |"), "{page}");
}

#[test]
fn a_disagreement_is_the_exit_code() {
    let folder = with_table("[[row]]\nlabel = 'Wrong'\nstrategy = 'kooi'\nguesses = { mean = '4.2' }\n");
    let answer = folder.no("lab reproduce all --papers own");
    let findings = answer["exhibits"][0]["findings"].as_array().expect("a list");
    assert_eq!(findings.last().map(|finding| &finding["verdict"]), Some(&Value::from("disagrees")));
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
