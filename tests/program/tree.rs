//! `tree`.

use std::{
    fs::{self, File},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use serde_json::json as value;

use crate::{TestFolder, finish, parse};

/// Knuth's tree takes 5,801 guesses. The strategy plays where the tree has no guess.
#[test]
fn trees_are_verified_shown_compared_and_played() {
    let folder = TestFolder::with_knuth();
    folder.done("tree build 4x6 --strategy most-parts --first-guess 1122 -o parts.tree");
    folder.done("tree build 2x3 --strategy knuth -o small.tree");
    insta::assert_snapshot!(folder.transcript(
        "
        tree verify knuth.tree
        tree verify knuth.tree --json
        tree show knuth.tree 1122=1,0
        tree show knuth.tree 1122=0,4
        tree show knuth.tree 1122=1,0 1344=0,1 --depth 2
        tree show knuth.tree --depth 2 --json
        tree show knuth.tree 1122=4,0
        tree show knuth.tree 1123=1,0
        tree show knuth.tree 1122=1,3
        tree show knuth.tree 1122
        tree show knuth.tree --depth 0
        tree diff knuth.tree knuth.tree
        tree diff knuth.tree parts.tree
        tree diff knuth.tree parts.tree --json
        tree diff knuth.tree small.tree
        solve --tree knuth.tree --secret 3632 --seed 1 --json
        solve 4x6:max-guesses=9 --tree knuth.tree --seed 1
        hint --tree knuth.tree 1122=1,0
        hint --tree knuth.tree 1122=1,0 --json
        hint --tree knuth.tree 1123=1,0 --strategy entropy --json
        hint 4x6 1123=1,0 --strategy entropy --json
        solve 5x8 --tree knuth.tree
        hint 5x8 --tree knuth.tree
        hint 4x6:no-repeats --tree knuth.tree"
    ));
}

#[test]
fn a_tree_may_come_from_the_standard_input() {
    let folder = TestFolder::with_knuth();
    for line in ["tree verify -", "tree show - 1122=1,0", "tree diff - knuth.tree", "solve --tree - --seed 1"] {
        let mut command = folder.command(line.split(' '));
        command.stdin(File::open(folder.path("knuth.tree")).expect("the tree"));
        assert_eq!(finish(command).code, 0, "{line}");
    }
    assert!(folder.refused("tree diff - -").contains("only one of the trees"));
}

#[test]
fn every_changed_byte_is_noticed() {
    let folder = TestFolder::with_knuth();
    let bytes = folder.read("knuth.tree");
    for at in (0..bytes.len()).step_by(211).chain([bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        folder.write("changed.tree", &changed);
        assert!(folder.refused("tree verify changed.tree").starts_with("error: changed.tree: "), "byte {at}");
    }
    folder.write("short.tree", &bytes[..bytes.len() / 2]);
    assert!(folder.refused("tree verify short.tree").contains("short.tree: the tree file is truncated\n  "));
}

#[test]
fn missing_and_foreign_files_are_named() {
    let folder = TestFolder::with_knuth();
    folder.write("foreign.tree", b"not a tree");
    for line in
        ["tree verify", "tree show", "tree export --format dot", "tree diff knuth.tree", "solve --tree", "hint --tree"]
    {
        assert!(folder.refused(&format!("{line} missing.tree")).starts_with("error: missing.tree: no such file"));
        let foreign = folder.refused(&format!("{line} foreign.tree"));
        assert!(foreign.starts_with("error: foreign.tree: this is not a tree file\n  "), "{line}: {foreign}");
        assert!(folder.refused(&format!("{line} .")).starts_with("error: .: "), "{line}");
    }
    assert!(folder.refused("tree import missing.txt --from json -o x.tree").starts_with("error: missing.txt: "));
    assert_eq!(folder.names(), ["foreign.tree", "knuth.tree"]);
}

#[test]
fn exports_are_imported_as_they_were() {
    let folder = TestFolder::with_knuth();
    folder.done("tree export knuth.tree --format json -o knuth.json");
    folder.done("tree import knuth.json --from json -o again.tree");
    assert_eq!(folder.read("again.tree"), folder.read("knuth.tree"));

    let contest = folder.done("tree export knuth.tree --format contest");
    assert!(contest.starts_with("{AABB:{00:{CCDE:"), "{contest}");
    folder.write("knuth.txt", contest.as_bytes());
    let answer = folder.json("tree import knuth.txt 4x6 --from contest -o contest.tree");
    assert_eq!((&answer["total"], &answer["made_by"]), (&value!(5801), &value!("contest")));
    folder.done("tree diff knuth.tree contest.tree");
    assert_eq!(folder.done("tree export contest.tree --format contest"), contest);

    // Knuth's notation, with the guesses of this program where his tree differs.
    let printed = folder.done("tree export knuth.tree --format knuth");
    assert!(printed.starts_with("1296 (1122: 1, 16A, 96B, 256C, 256D; 0, 36E, 208F, 256G; "), "{printed}");
    folder.write("printed.txt", printed.as_bytes());
    let answer = folder.json("tree import printed.txt --from knuth 4x6 -o printed.tree");
    assert_eq!((&answer["total"], &answer["made_by"]), (&value!(5801), &value!("knuth")));
    folder.done("tree diff knuth.tree printed.tree");

    assert!(folder.done("tree export knuth.tree --format dot").starts_with("digraph"));
    folder.done("tree export knuth.tree --format html -o knuth.html");
    assert!(folder.read("knuth.html").starts_with(b"<!"));
    assert!(folder.names().iter().all(|name| !name.contains("unfinished")), "{:?}", folder.names());
}

#[test]
fn invalid_imports_are_refused_and_lost_games_reported() {
    let folder = TestFolder::with_knuth();
    folder.write("bad.txt", b"{AB:{10:");
    folder.write("lost.txt", b"{AB:{10:{AC:{10:AA,01:CB}},02:BA,01:{BC:{01:CA}},00:CC}}");
    let text = folder.done("tree export knuth.tree --format json");
    folder.write("boast.json", text.replace("\"total\":5801", "\"total\":5625").as_bytes());
    insta::assert_snapshot!(folder.transcript(
        "
        tree import bad.txt --from contest -o x.tree
        tree import bad.txt --from contest 2x3 -o x.tree
        tree import bad.txt --from json -o x.tree
        tree import bad.txt --from dot -o x.tree
        tree import bad.txt --from json -o no/x.tree
        tree import lost.txt --from contest 2x3 -o lost.tree
        tree verify lost.tree
        tree verify lost.tree --json
        tree import boast.json --from json -o boast.tree
        tree verify boast.tree"
    ));
    assert!(!folder.path("x.tree").exists());
}

/// Nothing is written without -o, or if no tree exists. Trees of bulls and cows are shown in digits.
#[test]
fn builds_report_the_results_of_the_tree() {
    let folder = TestFolder::new();
    insta::assert_snapshot!(folder.transcript(
        "
        tree build 4x6 --strategy knuth --json
        tree build 4x6 --optimal --json
        tree build 4x6 --optimal --max-depth 5 --json
        tree build 4x6 --optimal --objective worst-then-mean --memory 64M --json
        tree build 4x6:max-guesses=5 --optimal --json
        tree build 4x6 --optimal --consistent-only --threads 1 --json
        tree build 4x6 --optimal --max-depth 4 -o x.tree --json
        tree build 4x6 --strategy knuth(first=1234) --first-guess 1123 --json
        tree build 3x4 --optimal --first-guess 111 --json
        tree build 4x6 --strategy shapiro(order=numeric) --first-guess 1122
        tree build 4x6 --optimal --first-guess 1177
        tree build 4x6 --strategy random-consistent -o x.tree
        tree build 4x6 --strategy swaszek -o x.tree
        tree build 4x6 --strategy shapiro -o x.tree
        tree build 4x6 --strategy optimal -o x.tree
        tree build 4x6 --strategy entropy(ties=random) -o x.tree
        tree build 10x10 --strategy random-consistent"
    ));
    assert_eq!(folder.names(), [] as [&str; 0]);
    let record = include_bytes!("../../crates/solve/records/4x10-no-repeats.tree");
    folder.write("bulls.tree", record);
    insta::assert_snapshot!(folder.transcript(
        "
        tree build 4x6 --optimal -o optimal.tree
        tree verify optimal.tree --json
        hint --tree optimal.tree --json
        tree build 2x30 --strategy entropy --first-guess 1,12 -o wide.tree
        tree show wide.tree --json
        tree build grid:2x2x3 --strategy entropy -o grid.tree
        tree verify grid.tree --json
        tree show grid.tree
        tree export grid.tree --format contest
        tree show bulls.tree
        solve --tree grid.tree --seed 3"
    ));
}

#[test]
fn the_tree_is_the_same_on_any_number_of_threads() {
    let folder = TestFolder::new();
    for threads in [1, 2] {
        folder.done(&format!("tree build 4x7 --strategy entropy --threads {threads} -o {threads}.tree"));
    }
    assert_eq!(folder.read("1.tree"), folder.read("2.tree"));
    assert_eq!(folder.names(), ["1.tree", "2.tree"], "no journal is left");
}

#[test]
fn the_tree_is_the_same_on_any_device() {
    let folder = TestFolder::new();
    for device in ["auto", "cpu", "cuda"] {
        let run = folder.run(&format!("tree build 4x6 --strategy entropy --device {device} -o {device}.tree"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        // A missing GPU is only reported if it was requested.
        assert!(run.stderr.is_empty() || device == "cuda" && run.stderr.contains("the CPU is used instead"));
        assert_eq!(folder.read(&format!("{device}.tree")), folder.read("auto.tree"), "{device}");
    }
}

/// The optimum of 4x8 is 20,471 guesses, whose proof takes far longer than two seconds; until then the tree is no worse
/// than a one-step strategy.
#[test]
fn a_timed_out_proof_is_no_worse_than_one_step() {
    let folder = TestFolder::new();
    let entropy = folder.json("tree build 4x8 --strategy entropy")["total"].as_u64().unwrap();
    let answer = folder.no("tree build 4x8 --optimal --threads 1 --time-limit 2");
    let (total, low) = (answer["total"].as_u64().unwrap_or(0), answer["lower_bound"].as_u64().unwrap_or(u64::MAX));
    assert!(total <= entropy && low <= 20_471 && 20_471 <= total, "{answer}");
}

/// The best tree so far is saved with its bound.
#[test]
fn a_timed_out_proof_is_resumed() {
    let folder = TestFolder::new();
    let stopped = || {
        let answer = folder.no("tree build 4x8 --optimal --threads 1 --time-limit 1 -o tree");
        let saved = folder.json("tree verify tree");
        assert_eq!([&saved["total"], &saved["lower_bound"]], [&answer["total"], &answer["lower_bound"]]);
        assert_eq!(answer["proven"], false);
        let bounds = ["lower_bound", "total"].map(|name| answer[name].as_u64().expect("a number"));
        assert!(bounds[0] < bounds[1], "{answer}");
        (bounds[1], bounds[0])
    };
    let (total, low) = stopped();
    assert_eq!(folder.names(), ["tree", "tree.bounds"]);
    let (later_total, later_low) = stopped();
    assert!(later_total <= total && later_low >= low, "{total} and {low}, then {later_total} and {later_low}");
    let refused = folder.refused("tree build 4x7 --optimal -o tree");
    assert!(refused.contains("it is for 4x8 optimal(objective=mean), not for 4x7"), "{refused}");
    // A proof removes its bounds.
    folder.done("tree build 3x5 --optimal --time-limit 60 -o small");
    assert_eq!(folder.names(), ["small", "tree", "tree.bounds"]);
}

#[test]
fn wrong_use_is_refused() {
    let folder = TestFolder::new();
    folder.assert_errors(
        "tree build 4x6 {}",
        &[
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
            ("--optimal --device cpu", "cannot be used with"),
            ("--strategy entropy --device tpu", "possible values: auto, cpu, cuda"),
            ("--strategy knuth --threads 0", "--threads"),
        ],
    );
    assert!(folder.refused("tree build 6x9 --optimal").contains("--best finds good trees"));
}

#[test]
fn a_proof_comes_with_a_certificate() {
    let folder = TestFolder::new();
    folder.done("tree build 3x5 --optimal -o best.tree --certificate best.certificate");
    assert!(folder.read("best.certificate").starts_with(b"PEGCERT\0"));
    let again = folder.refused("tree build 3x5 --optimal --certificate best.certificate");
    assert!(again.contains("best.certificate already exists"), "{again}");
    folder.done("tree build 3x5 --optimal --certificate best.certificate --force");
    for (options, reason) in [
        ("3x5 --optimal --objective worst", "remove --objective other than mean"),
        ("3x5 --optimal --max-depth 5", "remove a maximum number of guesses"),
        ("3x5 --optimal --consistent-only", "remove --consistent-only"),
        ("3x5 --optimal --first-guess 112", "remove --first-guess"),
        ("3x5:higher-lower --optimal", "the option 'higher-lower' is not supported"),
        ("3x5 --optimal -o new.certificate", "write to two files"),
        ("3x5 --strategy knuth", "cannot be used with"),
    ] {
        let refused = folder.refused(&format!("tree build {options} --certificate new.certificate"));
        assert!(refused.contains(reason), "{options}: {refused}");
    }
    assert_eq!(folder.names(), ["best.certificate", "best.tree"]);
}

#[test]
fn a_list_of_secrets_has_a_tree() {
    let folder = TestFolder::new();
    let words = "crane\nslate\nirate\ntrace\nstale\nleast\nsteal\ntales\nreact\ncater\ncrate\ntrice\n";
    folder.write("words.txt", words.as_bytes());
    folder.write("more.txt", b"audio\nsalet\ncliff\n");
    folder.write("weights.txt", b"crane 2\nslate\n");
    folder.write("half.txt", b"crane\nslate\n");
    let lists = "--secrets words.txt --guesses more.txt";
    let proven = folder.json(&format!("tree build 5x26:per-cell --optimal {lists} -o words.tree"));
    assert_eq!((&proven["codes"], &proven["proven"]), (&12.into(), &true.into()), "{proven}");
    let best = folder.json(&format!("tree build 5x26:per-cell --best -t 2 {lists} -o best.tree"));
    assert_eq!((&best["total"], &best["proven"]), (&proven["total"], &true.into()), "{best}");
    folder.done(&format!("tree build 5x26:per-cell --best -t 1 {lists} -o best.tree"));
    let verified = folder.done(&format!("tree verify words.tree {lists}"));
    assert!(verified.contains("every listed secret is reached once and won"), "{verified}");
    assert_eq!(folder.json("tree verify best.tree")["total"], proven["total"]);
    folder.done("tree show words.tree");
    let first = folder.json(&format!("tree build 5x26:per-cell --optimal {lists} --first-guess cliff"));
    assert!(first["total"].as_u64() >= proven["total"].as_u64(), "{first}");
    let other = folder.run("tree verify words.tree --secrets half.txt");
    assert_eq!(other.code, 1);
    assert!(other.stdout.contains("which is not a listed secret"), "{}", other.stdout);
    let build = "tree build 5x26:per-cell";
    for (command, reason) in [
        (format!("{build} --optimal --secrets words.txt"), "with --guesses"),
        (format!("{build} --best --secrets words.txt"), "with --guesses"),
        (format!("{build} --optimal --secrets weights.txt --guesses more.txt"), "remove the weights"),
        (format!("{build} --strategy knuth {lists}"), "use --optimal or --best"),
        (format!("{build} --optimal {lists} --first-guess zzzzz"), "add it to the file of --guesses"),
        (format!("{build} --best --secrets half.txt --guesses more.txt -o best.tree"), "which is not a listed secret"),
        ("tree split words.tree -o parts".to_owned(), "only trees for all codes have parts"),
        ("tree join words.tree words.tree -o joined.tree".to_owned(), "only trees for all codes have parts"),
        (format!("{build} --optimal --guesses more.txt"), "--secrets"),
    ] {
        let refused = folder.refused(&command);
        assert!(refused.contains(reason), "{command}: {refused}");
    }
    folder.write("3x5.txt", b"123\n124\n135\n");
    let refused = folder.refused("tree build 3x5 --optimal --secrets 3x5.txt --certificate 3x5.certificate");
    assert!(refused.contains("remove --secrets"), "{refused}");
    assert_eq!(folder.json("tree build 3x5 --optimal --secrets 3x5.txt")["total"], 5);
}

#[test]
fn a_timed_out_build_can_be_resumed() {
    let folder = TestFolder::new();
    let run = folder.run("tree build 5x8 --strategy entropy --time-limit 1ms -o late.tree");
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(
        run.stderr.starts_with("the time was up after ") && run.stderr.contains("late.tree.journal"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.names(), ["late.tree.journal"]);
    let other = folder.refused("tree build 5x8 --strategy knuth -o late.tree");
    assert!(other.starts_with("error: late.tree.journal: the journal is for entropy at 5x8"), "{other}");
}

/// Sends `signal` to a build once it is `ready`, unless it has ended by then. Returns its status and standard error.
#[cfg(unix)]
fn interrupted(folder: &TestFolder, line: &str, signal: &str, ready: impl Fn(u32) -> bool) -> (ExitStatus, String) {
    let mut command = folder.command(line.split(' '));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let id = child.id();
    let mut has_ended = || child.try_wait().expect("a status").is_some();
    while !ready(id) && !has_ended() {
        thread::sleep(Duration::from_millis(5));
    }
    if !has_ended() {
        // Twice, as `timeout` does.
        let id = id.to_string();
        assert!(Command::new("kill").args(["-s", signal, &id, &id]).status().expect("kill runs").success());
    }
    let output = child.wait_with_output().expect("the program ends");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_is_resumed() {
    let folder = TestFolder::new();
    folder.done("tree build 5x8 --strategy entropy -o whole.tree");
    for signal in ["INT", "KILL"] {
        let (tree, journal) = (format!("{signal}.tree"), format!("{signal}.tree.journal"));
        let build = format!("tree build 5x8 --strategy entropy -o {tree}");
        // More than the header: some part was finished.
        let begun = |_| fs::metadata(folder.path(&journal)).is_ok_and(|journal| journal.len() > 1000);
        let (status, stderr) = loop {
            let seen = interrupted(&folder, &build, signal, begun);
            // A build that finished before the interrupt is repeated.
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
    let folder = TestFolder::new();
    // City-block feedback has no SIMD kernel, and the tree that is assembled after the limit has no limit.
    for line in ["5x8 --best", "4x9:city-block --optimal", "5x8 --optimal", "5x8:higher-lower --optimal"] {
        let run = folder.run(&format!("tree build {line} --threads 1 --time-limit 0.2 --format json"));
        assert!(run.code == 0 || run.code == 1, "{line}: {}", run.stderr);
        let seconds = parse(&run.stdout)["seconds"].as_f64().expect("a number");
        assert!(seconds < 0.27, "{line} took {seconds} s");
    }
}

/// Codes that cannot be searched are not listed first, which would exceed this memory.
#[cfg(unix)]
#[test]
fn refused_games_take_no_memory() {
    let program = env!("CARGO_BIN_EXE_pegwise");
    let line = format!("ulimit -v 250000; exec {program} tree build 8x8 --optimal --threads 1");
    let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: 16777216 codes are too many for an exact search"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_saves_the_best_tree_so_far() {
    const SIGINT: u32 = 2;
    let folder = TestFolder::new();
    let handles_interrupts = |id| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (SIGINT - 1) & 1 == 1))
    };
    // A proof takes hours. A search that is interrupted before it has a tree is repeated with more time.
    let tries = [0, 1, 10, 100].into_iter().map(|seconds| {
        let ready = |id| {
            let ready = handles_interrupts(id);
            thread::sleep(Duration::from_secs(if ready { seconds } else { 0 }));
            ready
        };
        interrupted(&folder, "tree build 4x9 --optimal --threads 1 -o part.tree", "INT", ready)
    });
    let mut seen = Vec::new();
    let (status, stderr) = tries
        .inspect(|(status, stderr)| seen.push((status.code(), stderr.clone())))
        .find(|(_, stderr)| stderr.is_empty())
        .expect("a tree");
    assert_eq!((status.code(), stderr.as_str()), (Some(130), ""));
    for (code, stderr) in &seen[..seen.len() - 1] {
        assert_eq!(*code, Some(130));
        assert!(stderr.contains("run the command again") && !stderr.contains("--time-limit"), "{stderr}");
    }
    let found = folder.json("tree verify part.tree");
    assert_eq!(found["proven"], false);
    // One-step entropy takes 34,940.
    assert!(found["total"].as_u64().is_some_and(|total| total <= 34_940), "{found}");
    let best = "tree build 4x8 --best --time-limit 1000m -o best.tree";
    let (status, stderr) = interrupted(&folder, best, "INT", handles_interrupts);
    assert_eq!(status.code(), Some(130), "{stderr}");
    assert!(stderr.is_empty() == folder.names().contains(&"best.tree".to_owned()), "{stderr}");
}

#[test]
fn the_best_tree_never_gets_worse() {
    let folder = TestFolder::new();
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
fn trees_that_cannot_be_improved_are_not_overwritten() {
    let folder = TestFolder::with_knuth();
    folder.write("foreign.tree", b"precious");
    folder.assert_errors(
        "tree build {}",
        &[
            ("5x8 --best -o knuth.tree", "knuth.tree cannot be improved: it is for 4x6, not 5x8"),
            ("4x6 --best --first-guess 1123 -o knuth.tree", "its first guess is 1122, not 1123"),
            ("4x6 --best -o foreign.tree", "foreign.tree: this is not a tree file"),
            ("4x6 --best --start missing.tree -o new.tree", "missing.tree: no such file"),
            ("grid:2x2x3 --best", "--strategy supports all boards"),
        ],
    );
    assert_eq!(folder.read("foreign.tree"), b"precious");
    assert_eq!(folder.json("tree verify knuth.tree")["made_by"], "knuth");
}

#[test]
fn a_tree_is_split_improved_in_parts_and_joined() {
    let folder = TestFolder::with_knuth();
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

    // Joining again changes nothing.
    let again = folder.done(&format!("tree join better.tree {files} -o better.tree"));
    assert!(again.contains("not better") && !again.contains("joined"), "{again}");
    assert_eq!(folder.json("tree verify better.tree")["total"], value!(5801 - saved));
    assert!(folder.names().iter().all(|name| !name.ends_with(".unfinished")));
}

#[test]
fn parts_tell_where_they_are() {
    let folder = TestFolder::with_knuth();
    let listed = folder.done("tree split knuth.tree -o parts");
    assert!(listed.contains("parts/001.tree") && listed.contains("after 1122="), "{listed}");
    let built = folder.done("tree build 4x6 --best --time-limit 100ms -o parts/001.tree");
    assert!(built.contains("part ") && built.contains("after 1122="), "{built}");
    // Parts of a large part.
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
    let folder = TestFolder::with_knuth();
    folder.done("tree split knuth.tree -o parts");
    folder.done("tree build 4x6 --strategy entropy --first-guess 1123 -o other.tree");
    folder.done("tree split other.tree -o others");
    folder.done("tree build 3x4 --strategy knuth -o small.tree");
    insta::assert_snapshot!(folder.transcript(
        "
        tree join knuth.tree small.tree others/001.tree parts/001.tree -o joined.tree --json
        tree verify joined.tree --json
        tree join knuth.tree small.tree -f -o joined.tree"
    ));
}

#[test]
fn mistakes_with_parts_are_explained() {
    let folder = TestFolder::with_knuth();
    folder.done("tree split knuth.tree -o parts");
    let before = fs::read(folder.path("parts/001.tree")).expect("the part");
    folder.write("bad.tree", b"no tree");
    folder.write("file", b"");
    folder.assert_errors(
        "{}",
        &[
            ("tree split knuth.tree -o parts", "parts/001.tree already exists"),
            ("tree split knuth.tree -o file", "the folder file cannot be created"),
            ("tree split missing.tree -o parts", "missing.tree: no such file"),
            ("tree split knuth.tree --parts 0 -o parts", "invalid value '0' for '--parts <N>'"),
            ("tree split knuth.tree", "--output <FOLDER>"),
            ("tree join knuth.tree -o x.tree", "<PART>..."),
            ("tree join knuth.tree parts/001.tree missing.tree -o x.tree", "missing.tree: no such file"),
            ("tree join knuth.tree bad.tree -o x.tree", "bad.tree: this is not a tree file"),
            ("tree join parts/001.tree knuth.tree -o no/x.tree", "the folder no does not exist"),
            ("tree build 4x6 --best --start parts/001.tree -o knuth.tree", "the existing tree begins at the start"),
            ("tree build 5x6 --best -o parts/001.tree", "it is for 4x6, not 5x6"),
        ],
    );
    assert_eq!(fs::read(folder.path("parts/001.tree")).expect("the part"), before);
    assert!(!folder.path("x.tree").exists(), "nothing is written when a file cannot be read");
    let swapped = folder.no("tree join parts/001.tree knuth.tree -o x.tree")["parts"][0]["refused"].clone();
    assert!(swapped.as_str().expect("a reason").starts_with("it begins at the start, but the target begins after"));

    folder.done("tree build 3x4 --strategy knuth -o small.tree");
    assert_eq!(folder.no("tree split small.tree -o none")["parts"], value!([]));
    assert!(!folder.path("none").exists());
}

#[test]
fn existing_trees_are_kept_without_force() {
    let folder = TestFolder::with_knuth();
    let before = folder.read("knuth.tree");
    folder.write("foreign.json", folder.done("tree export knuth.tree").as_bytes());
    folder.assert_errors(
        "{}",
        &[
            ("tree build 4x6 --strategy entropy -o knuth.tree", "knuth.tree already exists\n"),
            ("tree build 4x6 --optimal -o knuth.tree", "use -f to replace it"),
            ("tree import foreign.json --from json -o knuth.tree", "knuth.tree already exists"),
        ],
    );
    assert_eq!(folder.read("knuth.tree"), before);
    let written =
        folder.command(["tree", "build", "4x6", "-s", "knuth", "-o", "-"]).output().expect("the program runs");
    assert_eq!((written.status.code(), written.stdout), (Some(0), before));
    folder.done("tree build 2x3 --strategy knuth -f -o knuth.tree");
    assert_eq!(folder.json("tree verify knuth.tree")["rules"], "2x3");
}
