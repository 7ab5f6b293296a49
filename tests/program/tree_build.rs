//! `pegwise tree build`.

#[cfg(unix)]
use std::{
    fs,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use serde_json::json as value;

use crate::{fields, folder::Folder, parse};

#[test]
fn a_build_says_what_the_tree_achieves() {
    let folder = Folder::new();
    let answer = folder.json("tree build 4x6 --strategy knuth");
    let expected = [
        "codes",
        "deepest",
        "histogram",
        "lower_bound",
        "made_by",
        "max",
        "mean",
        "nodes",
        "pairs",
        "proven",
        "rules",
        "seconds",
        "total",
    ];
    assert_eq!(fields(&answer), expected);
    assert_eq!((&answer["total"], &answer["made_by"]), (&value!(5801), &value!("knuth")));
    assert_eq!(folder.names(), [] as [&str; 0], "nothing is written without -o");
}

#[test]
fn the_tree_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    for threads in [1, 2] {
        folder.done(&format!("tree build 4x7 --strategy entropy --threads {threads} -o {threads}.tree"));
    }
    assert_eq!(folder.read("1.tree"), folder.read("2.tree"));
    assert_eq!(folder.names(), ["1.tree", "2.tree"], "no journal is left");
    assert!(folder.refused("tree build 4x6 --strategy knuth --threads 0").contains("--threads"));
}

/// A card changes nothing but the time, and so does none.
#[test]
fn the_tree_is_the_same_on_any_device() {
    let folder = Folder::new();
    for device in ["auto", "cpu", "cuda"] {
        let run = folder.run(&format!("tree build 4x6 --strategy entropy --device {device} -o {device}.tree"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        // Only who asks for a card hears that there is none.
        assert!(run.stderr.is_empty() || device == "cuda" && run.stderr.contains("the CPU is used instead"));
        assert_eq!(folder.read(&format!("{device}.tree")), folder.read("auto.tree"), "{device}");
    }
    assert!(
        folder.refused("tree build 4x6 --strategy entropy --device tpu").contains("possible values: auto, cpu, cuda")
    );
    assert!(folder.refused("tree build 4x6 --optimal --device cpu").contains("cannot be used with"));
}

/// The optimum of 4x8 is 20471 guesses; a proof takes far longer than two seconds, and what it has before is no worse than
/// one step ahead.
#[test]
fn a_proof_out_of_time_is_no_worse_than_one_step_ahead() {
    let folder = Folder::new();
    let entropy = folder.json("tree build 4x8 --strategy entropy")["total"].as_u64().unwrap();
    let answer = folder.no("tree build 4x8 --optimal --threads 1 --time-limit 2");
    let (total, low) = (answer["total"].as_u64().unwrap_or(0), answer["lower_bound"].as_u64().unwrap_or(u64::MAX));
    assert!(total <= entropy && low <= 20_471 && 20_471 <= total, "{answer}");
}

#[test]
fn a_proof_out_of_time_goes_on_where_it_was() {
    let folder = Folder::new();
    let stopped = || {
        let answer = folder.no("tree build 4x8 --optimal --threads 1 --time-limit 1 -o tree");
        (answer["total"].as_u64().unwrap(), answer["lower_bound"].as_u64().unwrap())
    };
    let (total, low) = stopped();
    assert_eq!(folder.names(), ["tree", "tree.bounds"]);
    let (later_total, later_low) = stopped();
    assert!(later_total <= total && later_low >= low, "{total} and {low}, then {later_total} and {later_low}");
    let refused = folder.refused("tree build 4x7 --optimal -o tree");
    assert!(refused.contains("it is of 4x8 optimal(objective=mean), not of 4x7"), "{refused}");
    // A proof needs it no longer.
    folder.done("tree build 3x5 --optimal --time-limit 60 -o small");
    assert_eq!(folder.names(), ["small", "tree", "tree.bounds"]);
}

#[test]
fn the_first_guess_can_be_given() {
    let folder = Folder::new();
    let answer = folder.json("tree build 4x6 --strategy knuth(first=1234) --first-guess 1123");
    assert_eq!(answer["made_by"], "knuth(first=1123)");
    folder.done("tree build 2x30 --strategy entropy --first-guess 1,12 -o wide.tree");
    assert_eq!(folder.json("tree show wide.tree")["guess"], value!([1, 12]));
    assert_eq!(folder.json("tree build 3x4 --optimal --first-guess 111")["proven"], true);
    let refused = folder.refused("tree build 4x6 --strategy shapiro(order=numeric) --first-guess 1122");
    assert!(refused.starts_with("error: --first-guess: shapiro does not support it"), "{refused}");
    assert!(folder.refused("tree build 4x6 --optimal --first-guess 1177").starts_with("error: --first-guess: "));
}

#[test]
fn strategies_without_a_tree_are_refused() {
    let folder = Folder::new();
    for strategy in ["random-consistent", "swaszek", "shapiro", "entropy(ties=random)"] {
        let refused = folder.refused(&format!("tree build 4x6 --strategy {strategy} -o x.tree"));
        assert!(refused.contains(&format!("{strategy} is random")) && refused.contains("knuth"), "{refused}");
    }
    assert!(folder.refused("tree build 10x10 --strategy random-consistent").contains("too many to list"));
    assert_eq!(folder.names(), [] as [&str; 0]);
}

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new();
    for (options, words) in [
        ("", "--strategy <SPEC>|--optimal|--best"),
        ("--strategy knuth --optimal", "cannot be used with '--optimal'"),
        ("--optimal --best", "cannot be used with '--best'"),
        ("--strategy knuth --max-depth 5", "cannot be used with '--max-depth <D>'"),
        ("--strategy knuth --start x.tree", "cannot be used with '--start <FILE>'"),
        ("--best --objective worst", "cannot be used with '--objective <OBJECTIVE>'"),
        ("--optimal --max-depth 0", "--max-depth <D>"),
        ("--optimal --memory much", "512M"),
        ("--optimal --objective best", "possible values: mean, worst, mean-then-worst, worst-then-mean"),
        ("--strategy knuth -o no/x.tree", "no/x.tree: the folder no does not exist"),
        ("--strategy knuth -o .", "is a folder"),
    ] {
        let refused = folder.refused(&format!("tree build 4x6 {options}"));
        assert!(refused.contains(words), "{options}: {refused}");
    }
    assert!(folder.refused("tree build 6x9 --optimal").contains("--best finds good trees"));
}

#[test]
fn optimal_trees_are_proven() {
    let folder = Folder::new();
    let answer = folder.json("tree build 4x6 --optimal -o optimal.tree");
    assert_eq!((&answer["total"], &answer["lower_bound"]), (&value!(5625), &value!(5625)));
    assert_eq!((&answer["proven"], &answer["made_by"]), (&value!(true), &value!("optimal(objective=mean)")));
    let verified = folder.json("tree verify optimal.tree");
    assert_eq!((&verified["total"], &verified["proven"]), (&value!(5625), &value!(true)));
    assert_eq!(folder.json("hint --tree optimal.tree")["basis"], "proven");

    let total = |line: &str| folder.json(&format!("tree build 4x6 --optimal {line}"))["total"].take();
    assert_eq!(total("--max-depth 5"), 5626);
    assert_eq!(total("--objective worst-then-mean --memory 64M"), 5626);
    assert_eq!(folder.json("tree build 4x6:max-guesses=5 --optimal")["max"], 5, "the rules limit the tree");
    assert_eq!(total("--consistent-only --threads 1"), 5660);
}

#[test]
fn what_cannot_be_is_a_no() {
    let folder = Folder::new();
    let answer = folder.no("tree build 4x6 --optimal --max-depth 4 -o x.tree");
    assert_eq!(answer["reason"], "no tree finds every code within 4 guesses");
    assert_eq!(folder.names(), [] as [&str; 0]);
}

#[test]
fn without_a_proof_the_best_tree_so_far_is_saved_with_its_bound() {
    let folder = Folder::new();
    let answer = folder.no("tree build 4x8 --optimal --threads 1 --time-limit 600ms -o part.tree");
    assert_eq!(answer["proven"], false);
    assert!(answer["lower_bound"].as_u64() < answer["total"].as_u64(), "{answer}");
    let verified = folder.json("tree verify part.tree");
    assert_eq!((&verified["total"], &verified["lower_bound"]), (&answer["total"], &answer["lower_bound"]));
}

#[test]
fn a_build_out_of_time_goes_on_later() {
    let folder = Folder::new();
    let run = folder.run("tree build 5x8 --strategy entropy --time-limit 1ms -o late.tree");
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(
        run.stderr.starts_with("the time was up after ") && run.stderr.contains("late.tree.journal"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.names(), ["late.tree.journal"]);
    let other = folder.refused("tree build 5x8 --strategy knuth -o late.tree");
    assert!(other.starts_with("error: late.tree.journal: the journal is of entropy at 5x8"), "{other}");
}

/// Sends `signal` to a build once it is `ready`, unless it has ended by then. Returns its status and standard error.
#[cfg(unix)]
fn interrupted(folder: &Folder, line: &str, signal: &str, ready: impl Fn(u32) -> bool) -> (ExitStatus, String) {
    let mut command = folder.command(line.split(' '));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let id = child.id();
    let mut has_ended = || child.try_wait().expect("a status").is_some();
    while !ready(id) && !has_ended() {
        thread::sleep(Duration::from_millis(5));
    }
    if !has_ended() {
        // Twice at once, as `timeout` does it.
        let id = id.to_string();
        assert!(Command::new("kill").args(["-s", signal, &id, &id]).status().expect("kill runs").success());
    }
    let output = child.wait_with_output().expect("the program ends");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    let folder = Folder::new();
    folder.done("tree build 5x8 --strategy entropy -o whole.tree");
    for signal in ["INT", "KILL"] {
        let (tree, journal) = (format!("{signal}.tree"), format!("{signal}.tree.journal"));
        let build = format!("tree build 5x8 --strategy entropy -o {tree}");
        // More than its beginning: some part was finished.
        let begun = |_| fs::metadata(folder.path(&journal)).is_ok_and(|journal| journal.len() > 1000);
        let (status, stderr) = loop {
            let seen = interrupted(&folder, &build, signal, begun);
            // A build that finished before it was interrupted is started again.
            if fs::remove_file(folder.path(&tree)).is_err() {
                break seen;
            }
        };
        if signal == "INT" {
            assert_eq!(status.code(), Some(130));
            assert!(stderr.starts_with("interrupted after ") && stderr.contains("the same command"), "{stderr}");
        }
        assert!(folder.names().contains(&journal) && !folder.names().contains(&tree), "{:?}", folder.names());
        folder.done(&build);
        assert_eq!(folder.read(&tree), folder.read("whole.tree"), "{signal}");
        assert!(!folder.names().contains(&journal), "the journal is gone with the build");
    }
}

#[test]
fn limits_hold_while_a_search_is_prepared() {
    let folder = Folder::new();
    // City-block feedback has no SIMD kernel, and the tree that is put together after the limit is not limited itself.
    let lines = [
        ("5x8 --best", 0.27),
        ("4x9:city-block --optimal", 25.0),
        ("5x8 --optimal", 0.27),
        ("5x8:higher-lower --optimal", 0.27),
    ];
    for (line, most) in lines {
        let run = folder.run(&format!("tree build {line} --threads 1 --time-limit 0.2 --format json"));
        assert!(run.code == 0 || run.code == 1, "{line}: {}", run.stderr);
        let seconds = parse(&run.stdout)["seconds"].as_f64().expect("a number");
        assert!(seconds < most, "{line} took {seconds} s");
    }
}

/// Codes that cannot be searched are not listed first: they would take more memory than this.
#[cfg(unix)]
#[test]
fn what_is_refused_takes_no_room() {
    let program = env!("CARGO_BIN_EXE_pegwise");
    let line = format!("ulimit -v 250000; exec {program} tree build 8x8 --optimal --threads 1");
    let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: 16777216 codes are too many to search all trees"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_saves_the_best_tree_so_far() {
    const SIGINT: u32 = 2;
    let folder = Folder::new();
    let handles_interrupts = |id| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (SIGINT - 1) & 1 == 1))
    };
    // A proof takes hours. A search that is interrupted before it has a tree is started again, with more time.
    let mut tries = [0, 1, 10, 100].into_iter().map(|seconds| {
        let ready = |id| {
            let ready = handles_interrupts(id);
            thread::sleep(Duration::from_secs(if ready { seconds } else { 0 }));
            ready
        };
        interrupted(&folder, "tree build 4x9 --optimal --threads 1 -o part.tree", "INT", ready)
    });
    let (status, stderr) = tries.find(|(_, stderr)| !stderr.contains("--time-limit")).expect("a tree");
    assert_eq!((status.code(), stderr.as_str()), (Some(1), ""));
    let found = folder.json("tree verify part.tree");
    assert_eq!(found["proven"], false);
    // One-step entropy takes 34,940.
    assert!(found["total"].as_u64().is_some_and(|total| total <= 34_940), "{found}");
}

#[test]
fn the_best_tree_never_gets_worse() {
    let folder = Folder::new();
    let build = "tree build 4x6 --best --threads 1 --time-limit 500ms";
    let first = folder.json(&format!("{build} -o best.tree"))["total"].as_u64().expect("a total");
    assert!((5625..5801).contains(&first), "{first}");
    let again = folder.json(&format!("{build} -o best.tree"))["total"].as_u64().expect("a total");
    assert!((5625..=first).contains(&again), "{again}");
    assert_eq!(folder.json("tree verify best.tree")["total"], again);

    folder.done("tree build 4x6 --optimal -o optimal.tree");
    folder.done("tree build 4x6 --strategy knuth -o worse.tree");
    let given = folder.json("tree build 4x6 --best --time-limit 1ms --start optimal.tree -o worse.tree");
    assert_eq!((&given["total"], &given["proven"]), (&value!(5625), &value!(true)));
    assert!(folder.read("worse.tree") == folder.read("optimal.tree"), "the better of the two is kept");
}

#[test]
fn trees_that_cannot_be_gone_on_from_are_left_alone() {
    let folder = Folder::with_knuth();
    folder.write("foreign.tree", b"precious");
    for (line, words) in [
        ("5x8 --best -o knuth.tree", "knuth.tree cannot be improved: it is for 4x6, not 5x8"),
        ("4x6 --best --first-guess 1123 -o knuth.tree", "its first guess is 1122, not 1123"),
        ("4x6 --best -o foreign.tree", "foreign.tree: this is not a tree file"),
        ("4x6 --best --start missing.tree -o new.tree", "missing.tree: no such file"),
        ("grid:2x2x3 --best", "--strategy supports all boards"),
    ] {
        let refused = folder.refused(&format!("tree build {line}"));
        assert!(refused.contains(words), "{line}: {refused}");
    }
    assert_eq!(folder.read("foreign.tree"), b"precious");
    assert_eq!(folder.json("tree verify knuth.tree")["made_by"], "knuth");
}
