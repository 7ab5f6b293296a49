//! `pegwise lab` where something is wrong: with the disk, the folder, the experiment or the parts.

use crate::folder::Folder;

const RUN: &str = "lab run --strategy random-consistent --games 100000 --seed 3 --threads 2 -o";

fn games(folder: &Folder, store: &str) -> String {
    folder.done(&format!("lab export {store} --format csv --without-times"))
}

/// A limit on the size of files stands for a full disk: writing fails all the same.
#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_costs_nothing_that_was_finished() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_pegwise");
    let limited = format!("trap '' XFSZ; ulimit -f 2000; exec '{program}' {RUN} full.db");
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &limited]).current_dir(folder.path("")).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: full.db: the disk "), "{stderr}");
    let kept = games(&folder, "full.db").lines().count();
    folder.done(&format!("{RUN} full.db"));
    folder.done(&format!("{RUN} whole.db"));
    assert!(kept > 1, "finished games are kept");
    assert_eq!(games(&folder, "full.db"), games(&folder, "whole.db"));
}

/// Nobody can make files there, not even the superuser.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let refused = Folder::new().refused("lab run -s knuth --games 3 -o /proc/games.db");
    assert!(refused.contains("/proc/games.db: the store cannot be written"), "{refused}");
}

#[test]
fn mistakes_in_an_experiment_are_named_by_file_and_line() {
    let folder = Folder::new();
    let start = "rules = '3x4'\nstrategies = 'random-consistent'\n";
    for (rest, words) in [
        ("games = 0", "own.toml:3: "),
        ("games = 'some'", "own.toml:3: "),
        ("games = 3\nrepeats = 0", "own.toml:4: "),
        ("games = 3\nseed = -1", "own.toml:4: "),
        ("games = 3\nlimits = { seconds = 0 }", "own.toml:4: write seconds, more than zero"),
        ("games = 3\n[limits]\nsteps = 3", "own.toml:5: there is no key 'steps'"),
        ("games = 3\ngames = 4", "own.toml:4: "),
        ("games = 3\nseed = [", "own.toml:4: "),
        ("secrets = 'none.txt'", "none.txt cannot be read"),
    ] {
        folder.write("own.toml", format!("{start}{rest}\n").as_bytes());
        let refused = folder.refused("lab run --experiment own.toml -o a.db");
        assert!(refused.contains(words), "{rest}: {refused}");
    }
    for (strategy, words) in [("nobody", "is not a strategy"), ("knuth(first=9999)", "first")] {
        folder.write("own.toml", format!("rules = '3x4'\n\nstrategies = '{strategy}'\ngames = 3\n").as_bytes());
        let refused = folder.refused("lab run --experiment own.toml -o a.db");
        assert!(refused.contains("own.toml:3: ") && refused.contains(words), "{strategy}: {refused}");
    }
    assert_eq!(folder.names(), ["own.toml"], "nothing is made for a bad experiment");
}

#[test]
fn a_store_may_be_among_the_parts_that_are_joined_to_it() {
    let folder = Folder::new();
    let run = "lab run -s random-consistent --games 50 --seed 3 -o";
    folder.done(&format!("{run} whole.db"));
    for shard in [1, 2] {
        folder.done(&format!("{run} {shard}.db --shard {shard}/2"));
    }
    assert_eq!(folder.json("lab merge ./1.db 2.db 2.db -o 1.db")["games"], 50);
    assert_eq!(games(&folder, "1.db"), games(&folder, "whole.db"));
    assert_eq!(folder.json("lab merge 2.db -o 2.db")["games"], 25);
    assert!(folder.refused("lab merge new.db 1.db -o new.db").contains("new.db: there is no such store"));
    assert!(!folder.names().contains(&"new.db".to_owned()));
}
