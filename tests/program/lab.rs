//! `pegwise lab`.

use std::fs;

use serde_json::Value;

use crate::{fields, folder::Folder};

const DUEL: &str =
    "lab run 4x6 3x4 --strategy random-consistent --strategy entropy --games 60 --seed 7";

/// The games of a store, times aside.
fn games(folder: &Folder, store: &str) -> String {
    folder.done(&format!("lab export {store} --format csv --without-times"))
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_in_any_shards() {
    let folder = Folder::new();
    for threads in [1, 2] {
        let answer = folder.json(&format!("{DUEL} --threads {threads} -o {threads}.db"));
        assert_eq!(fields(&answer), ["games", "mean", "played", "seconds", "store"]);
        assert_eq!((&answer["games"], &answer["played"]), (&Value::from(240), &Value::from(240)));
    }
    for shard in 1..=4 {
        folder.done(&format!("{DUEL} --shard {shard}/4 -o part-{shard}.db"));
    }
    assert_eq!(folder.json("lab merge part-3.db part-1.db part-4.db part-2.db part-1.db -o whole.db")["games"], 240);
    let one = games(&folder, "1.db");
    assert_eq!(one.lines().count(), 241);
    assert_eq!(games(&folder, "2.db"), one);
    assert_eq!(games(&folder, "whole.db"), one);
    let again = folder.json(&format!("{DUEL} -o 1.db"));
    assert_eq!((&again["games"], &again["played"]), (&Value::from(240), &Value::from(0)), "nothing is played twice");
    let log = folder.names().into_iter().find(|name| name.ends_with("-wal"));
    assert_eq!(log, None, "a finished run leaves one file");
}

#[test]
fn exports_say_what_was_played() {
    let folder = Folder::new();
    folder.done("lab run -s knuth --games all 4x6 -o all.db");
    let csv = games(&folder, "all.db");
    let heading = "rules,strategy,game,repeat,secret,solved,guesses,examined,consistent,scored,nodes,stop,turns";
    assert_eq!(csv.lines().next(), Some(heading));
    assert!(csv.contains("\n4x6,knuth,7,0,1122,true,1,0,"), "{csv}");
    let total: u64 = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(6).expect("guesses").parse::<u64>().expect("a number"))
        .sum();
    assert_eq!(total, 5801, "what Knuth's strategy needs in all");

    folder.done("lab export all.db --format jsonl -o all.jsonl");
    let text = String::from_utf8(folder.read("all.jsonl")).expect("text");
    let first: Value = serde_json::from_str(text.lines().next().expect("a game")).expect("JSON");
    let expected = [
        "consistent",
        "examined",
        "game",
        "guesses",
        "nodes",
        "repeat",
        "rules",
        "scored",
        "seconds",
        "secret",
        "solved",
        "stop",
        "strategy",
        "turns",
    ];
    assert_eq!(fields(&first), expected);
    assert_eq!(first["secret"], serde_json::json!([1, 1, 1, 1]));
    assert_eq!(first["turns"][0]["feedback"], serde_json::json!([{"black": 2, "white": 0}]));
}

#[test]
fn an_experiment_comes_from_a_file() {
    let folder = Folder::new();
    folder.write("codes.txt", b"1122 # the first\n\n3456\n");
    folder.write(
        "own.toml",
        b"rules = '4x6'\nstrategies = [{ strategy = 'knuth', sweep = { first = [1122, 1123] } }]\n\
        secrets = 'codes.txt'\nrepeats = 2\nseed = 3\n",
    );
    assert_eq!(folder.json("lab run --experiment own.toml -o own.db")["games"], 8);
    folder.done("lab run -s knuth(first=[1122|1123]) --secrets codes.txt --repeats 2 --seed 3 -o own.db");

    folder.write("bad.toml", b"rules = '4x6'\nstrategies = 'knuth'\ngames = 5\ngamess = 6\n");
    assert!(
        folder.refused("lab run --experiment bad.toml -o b.db").starts_with("error: bad.toml:4: there is no key")
    );
    folder.write("bad.txt", b"1122\n1177\n");
    let refused = folder.refused("lab run -s knuth --secrets bad.txt -o b.db");
    assert!(refused.starts_with("error: bad.txt:2: 4x6: '1177'"), "{refused}");
    assert!(!folder.names().contains(&"b.db".to_owned()), "nothing is made for a bad experiment");
}

#[test]
fn another_experiment_is_refused() {
    let folder = Folder::new();
    folder.done("lab run -s knuth --games 3 -o a.db");
    let refused = folder.refused("lab run -s knuth --games 3 --seed 8 -o a.db");
    assert!(refused.contains("a.db: the store holds another experiment: seed: 1 there, 8 here"), "{refused}");
    folder.done("lab run -s knuth --games 3 --seed 8 -o b.db");
    let refused = folder.refused("lab merge a.db b.db -o c.db");
    assert!(refused.contains("b.db: the store holds another experiment"), "{refused}");
    assert!(!folder.names().contains(&"c.db".to_owned()), "nothing is made of parts that do not fit");
}

#[test]
fn files_that_are_no_store_are_left_alone() {
    let folder = Folder::new();
    folder.write("notes.txt", b"precious words, and far more of them than a heading");
    let refused = folder.refused("lab run -s knuth --games 3 -o notes.txt");
    assert!(refused.contains("notes.txt: this is not a store"), "{refused}");
    assert_eq!(folder.read("notes.txt"), b"precious words, and far more of them than a heading");
    assert!(folder.refused("lab export none.db --format csv").contains("none.db: there is no such store"));
    assert!(folder.refused("lab run -s knuth --games 3 -o no/a.db").contains("the folder no does not exist"));

    folder.done("lab run -s random-consistent --games 3000 -o a.db");
    let mut bytes = folder.read("a.db");
    let end = bytes.len();
    bytes[8192..end].fill(0xA5);
    fs::write(folder.path("damaged.db"), &bytes).expect("written");
    for line in [
        "lab export damaged.db --format csv -o x.csv",
        "lab run -s random-consistent --games 3000 -o damaged.db",
    ] {
        let refused = folder.refused(line);
        assert!(refused.contains("damaged.db: the store is damaged"), "{refused}");
    }
}

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new();
    for (options, words) in [
        ("-s knuth", "--games <N|all>"),
        ("--games 3", "--strategy <SPEC>"),
        ("-s knuth --games 0", "write a number above zero"),
        ("-s knuth --games 3 --repeats 0", "--repeats"),
        ("-s knuth --games 3 --shard 3/2", "as in 1/4"),
        ("-s knuth --games 3 --threads 0", "--threads"),
        ("-s knut --games 3", "did you mean knuth?"),
        ("-s knuth --games all 30x30", "choose"),
        ("--experiment x.toml --games 3", "cannot be used with"),
        ("--experiment none.toml", "none.toml cannot be read"),
    ] {
        let refused = folder.refused(&format!("lab run {options} -o a.db"));
        assert!(refused.contains(words), "{options}: {refused}");
    }
    assert_eq!(folder.names(), [] as [&str; 0]);
}

/// Whoever changes how a strategy plays writes the file anew: `pegwise lab bench --record crates/lab/results`.
#[test]
fn the_bench_has_the_recorded_signature() {
    let folder = Folder::new();
    let one = folder.json("lab bench --record results");
    let recorded = include_str!("../../crates/lab/results/bench.txt");
    let now = String::from_utf8(folder.read("results/bench.txt")).expect("text");
    let changed: Vec<&str> = now.lines().filter(|line| !recorded.lines().any(|other| other == *line)).collect();
    assert_eq!(changed, [] as [&str; 0], "these play otherwise than recorded");
    assert_eq!(now, recorded);
    let catalog = folder.json("strategies");
    for row in catalog.as_array().expect("a list") {
        let measured = one["strategies"].as_array().expect("a list");
        assert!(measured.iter().any(|measured| measured["strategy"] == row["name"]), "{}", row["name"]);
    }
}
