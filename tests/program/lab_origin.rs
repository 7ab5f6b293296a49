//! Who played the games of a store.

use std::fs;

use crate::folder::Folder;

const RUN: &str = "lab run 3x4 -s knuth -s random-consistent --games 25 --seed 7 --repeats 2 -o";

/// Made by the program before origins were kept, with the command `RUN`.
const BEFORE: &[u8] = include_bytes!("stores/layout-2.db");

#[test]
fn a_store_says_who_played_it() {
    let folder = Folder::new();
    folder.done(&format!("{RUN} a.db --threads 2"));
    let info = folder.json("lab info a.db");
    assert_eq!((&info["games"], &info["expected"], &info["layout"]), (&100.into(), &100.into(), &3.into()));
    let origin = &info["origins"][0];
    assert_eq!((&origin["games"], &origin["known"], &origin["threads"]), (&100.into(), &true.into(), &2.into()));
    assert_eq!(origin["program"], format!("pegwise {}", env!("CARGO_PKG_VERSION")));
    for field in ["commit", "compiler", "machine", "date"] {
        assert!(origin[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {origin}");
    }
    assert_eq!(origin["behaviors"].as_array().map(Vec::len), Some(2));
    assert_eq!(origin["behaviors"][0]["behavior"].as_str().map(str::len), Some(16));
    let text = folder.done("lab info a.db");
    assert!(text.contains("100 of 100") && text.contains("100 games played by"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_store_of_the_program_before_is_read_reported_and_gone_on_with() {
    let folder = Folder::new();
    folder.write("old.db", BEFORE);
    let info = folder.json("lab info old.db");
    assert_eq!((&info["layout"], &info["games"]), (&2.into(), &100.into()));
    assert_eq!(info["origins"][0]["known"], false);
    assert!(folder.done("lab info old.db").contains("100 games of unknown origin"));
    // The program before printed a mean of 3.52 and of 3.4.
    let report = folder.done("lab report old.db");
    assert!(report.contains("3.520") && report.contains("3.400"), "{report}");
    assert_eq!(folder.read("old.db"), BEFORE, "reading changes nothing");
    folder.done(&format!("{RUN} old.db"));
    folder.done(&format!("{RUN} new.db"));
    let games = |store: &str| folder.done(&format!("lab export {store} --format csv --without-times"));
    assert_eq!(games("old.db"), games("new.db"), "the program plays today as it played then");
    assert_eq!(folder.json("lab info old.db")["layout"], 3);
}

#[test]
fn games_that_behaved_otherwise_are_mixed_only_on_demand() {
    let folder = Folder::new();
    folder.done(&format!("{RUN} a.db --shard 1/2"));
    // Another program would have left another number.
    let bytes = fs::read(folder.path("a.db")).expect("a store");
    let info = folder.json("lab info a.db");
    let behavior = info["origins"][0]["behaviors"][0]["behavior"].as_str().expect("a behavior").as_bytes();
    let place = bytes.windows(16).position(|window| window == behavior).expect("it is kept as text");
    let mut other = bytes;
    other[place..place + 16].copy_from_slice(b"0123456789abcdef");
    folder.write("b.db", &other);
    let refused = folder.refused(&format!("{RUN} b.db"));
    assert!(refused.contains("knuth at 3x4 behaves otherwise") && refused.contains("--allow-mixed"), "{refused}");
    folder.done(&format!("{RUN} b.db --allow-mixed"));
    let refused = folder.refused("lab merge a.db b.db -o c.db");
    assert!(refused.contains("behaves otherwise there") && refused.contains("--allow-mixed"), "{refused}");
    assert_eq!(folder.json("lab merge a.db b.db -o c.db --allow-mixed")["games"], 100);
}

#[test]
fn memory_is_no_store() {
    let folder = Folder::new();
    assert!(folder.refused(&format!("{RUN} :memory:")).contains("would not store the games"));
    assert!(folder.names().is_empty());
}

/// The superuser may write there all the same: then it is a part like any other.
#[cfg(unix)]
#[test]
fn a_part_may_lie_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    fs::create_dir(folder.path("shut")).expect("a folder");
    folder.done(&format!("{RUN} shut/a.db"));
    let shut = |mode: u32| {
        fs::set_permissions(folder.path("shut/a.db"), fs::Permissions::from_mode(mode & 0o666)).expect("set");
        fs::set_permissions(folder.path("shut"), fs::Permissions::from_mode(mode)).expect("set");
    };
    shut(0o555);
    let merged = folder.json("lab merge shut/a.db -o whole.db");
    shut(0o755);
    assert_eq!(merged["games"], 100);
}
