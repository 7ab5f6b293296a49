//! `lab`.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use pegwise_solve::Rng;
use serde_json::Value;

use crate::{TestFolder, assert_contains, fields, finish};

const DUEL: &str = "lab run 4x6 3x4 --strategy random-consistent --strategy entropy --games 60 --seed 7";

/// Returns the games of a store without times.
fn games(folder: &TestFolder, store: &str) -> String {
    folder.done(&format!("lab export {store} --format csv --without-times"))
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_in_any_shards() {
    let folder = TestFolder::new();
    for threads in [1, 2] {
        let answer = folder.json(&format!("{DUEL} --threads {threads} -o {threads}.db"));
        assert_eq!(fields(&answer), ["games", "mean", "played", "seconds", "solved", "store"]);
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
fn exports_have_all_fields() {
    let folder = TestFolder::new();
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
    assert_eq!(total, 5801, "total of Knuth's strategy");

    folder.done("lab export all.db --format jsonl -o all.jsonl");
    let text = String::from_utf8(folder.read("all.jsonl")).expect("text");
    let first: Value = serde_json::from_str(text.lines().next().expect("a game")).expect("JSON");
    let expected =
        "consistent examined game guesses nodes repeat rules scored seconds secret solved stop strategy turns";
    assert_eq!(fields(&first).join(" "), expected);
    assert_eq!(first["secret"], serde_json::json!([1, 1, 1, 1]));
    assert_eq!(first["turns"][0]["feedback"], serde_json::json!([{"black": 2, "white": 0}]));
}

#[test]
fn an_experiment_comes_from_a_file() {
    let folder = TestFolder::new();
    folder.write("codes.txt", b"1122 # the first\n\n3456\n");
    folder.write(
        "own.toml",
        b"rules = '4x6'\nstrategies = [{ strategy = 'knuth', sweep = { first = [1122, 1123] } }]\n\
        secrets = 'codes.txt'\nrepeats = 2\nseed = 3\n",
    );
    assert_eq!(folder.json("lab run --experiment own.toml -o own.db")["games"], 8);
    let arguments = "lab run -s knuth(first=[1122|1123]) --repeats 2 --seed 3 -o own.db --secrets";
    folder.done(&format!("{arguments} codes.txt"));
    let mut command = folder.command(format!("{arguments} -").split(' '));
    command.stdin(fs::File::open(folder.path("codes.txt")).expect("the list"));
    let run = finish(command);
    assert!(run.stdout.contains("Already complete"), "{} {}", run.stdout, run.stderr);

    folder.write("bad.toml", b"rules = '4x6'\nstrategies = 'knuth'\ngames = 5\ngamess = 6\n");
    assert!(folder.refused("lab run --experiment bad.toml -o b.db").starts_with("error: bad.toml:4: unknown field"));
    folder.write("bad.txt", b"1122\n1177\n");
    let refused = folder.refused("lab run -s knuth --secrets bad.txt -o b.db");
    assert!(refused.starts_with("error: bad.txt:2: 4x6: '1177'"), "{refused}");
    assert!(!folder.names().contains(&"b.db".to_owned()), "nothing is made for a bad experiment");
}

#[test]
fn another_experiment_is_refused() {
    let folder = TestFolder::new();
    folder.done("lab run -s knuth --games 3 -o a.db");
    let refused = folder.refused("lab run -s knuth --games 3 --seed 8 -o a.db");
    assert!(refused.contains("a.db: the store has another experiment: seed: 1 there, 8 here"), "{refused}");
    folder.done("lab run -s knuth --games 3 --seed 8 -o b.db");
    let refused = folder.refused("lab merge a.db b.db -o c.db");
    assert!(refused.contains("b.db: the store has another experiment: seed: 8 there, 1 here"), "{refused}");
    assert!(!folder.names().contains(&"c.db".to_owned()), "nothing is made of parts that do not fit");
}

#[test]
fn other_files_are_not_overwritten() {
    let folder = TestFolder::new();
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
    let damaged = "damaged.db: the store is damaged";
    let lines =
        ["lab export damaged.db --format csv -o x.csv", "lab run -s random-consistent --games 3000 -o damaged.db"];
    folder.assert_errors("{}", &lines.map(|line| (line, damaged)));
}

#[test]
fn wrong_use_is_refused() {
    let folder = TestFolder::new();
    folder.assert_errors(
        "lab run {} -o a.db",
        &[
            ("-s knuth", "--games <N|all>"),
            ("--games 3", "--strategy <SPEC>"),
            ("-s knuth --games 0", "write a whole number from 1 to 1099511627776, or all"),
            ("-s knuth --games 99999999999999999999", "write a whole number from 1 to 1099511627776, or all"),
            ("-s knuth --games 3 --repeats 0", "--repeats"),
            ("-s knuth --games 3 --shard 3/2", "as in 1/4"),
            ("-s knuth --games 3 --threads 0", "--threads"),
            ("-s knut --games 3", "did you mean knuth?"),
            ("-s knuth --games all 30x30", "choose"),
            ("--experiment x.toml --games 3", "cannot be used with"),
            ("--experiment none.toml", "none.toml cannot be read"),
        ],
    );
    assert_eq!(folder.names(), [] as [&str; 0]);
}

/// After a change to a strategy, run `pegwise lab bench --record crates/lab/results`.
#[test]
fn the_bench_has_the_recorded_signature() {
    let folder = TestFolder::new();
    let one = folder.json("lab bench --record results");
    let recorded = include_str!("../../crates/lab/results/bench.txt");
    let now = String::from_utf8(folder.read("results/bench.txt")).expect("text");
    let changed: Vec<&str> = now.lines().filter(|line| !recorded.lines().any(|other| other == *line)).collect();
    assert_eq!(changed, [] as [&str; 0], "these play differently than recorded");
    assert_eq!(now, recorded);
    let catalog = folder.json("strategies");
    for row in catalog.as_array().expect("a list") {
        let measured = one["strategies"].as_array().expect("a list");
        assert!(measured.iter().any(|measured| measured["strategy"] == row["name"]), "{}", row["name"]);
    }
}

const ORIGIN_RUN: &str = "lab run 3x4 -s knuth -s random-consistent --games 25 --seed 7 --repeats 2 -o";

/// Store of a version without origins, made by `ORIGIN_RUN`.
const BEFORE: &[u8] = include_bytes!("stores/layout-2.db");

#[test]
fn a_store_records_its_origins() {
    let folder = TestFolder::new();
    folder.done(&format!("{ORIGIN_RUN} a.db --threads 2"));
    let info = folder.json("lab info a.db");
    assert_eq!((&info["games"], &info["expected"], &info["layout"]), (&100.into(), &100.into(), &4.into()));
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
fn old_stores_are_read_and_resumed() {
    let folder = TestFolder::new();
    folder.write("old.db", BEFORE);
    let info = folder.json("lab info old.db");
    assert_eq!((&info["layout"], &info["games"]), (&2.into(), &100.into()));
    assert_eq!(info["origins"][0]["known"], false);
    assert!(folder.done("lab info old.db").contains("100 games of unknown origin"));
    // The older version printed means of 3.52 and 3.4.
    let report = folder.done("lab report old.db");
    assert!(report.contains("3.520") && report.contains("3.400"), "{report}");
    assert_eq!(folder.read("old.db"), BEFORE, "reading changes nothing");
    folder.done(&format!("{ORIGIN_RUN} old.db"));
    folder.done(&format!("{ORIGIN_RUN} new.db"));
    let games = |store: &str| folder.done(&format!("lab export {store} --format csv --without-times"));
    assert_eq!(games("old.db"), games("new.db"), "the program plays today as it played then");
    assert_eq!(folder.json("lab info old.db")["layout"], 4);
}

#[test]
fn games_of_different_versions_are_mixed_only_on_demand() {
    let folder = TestFolder::new();
    folder.done(&format!("{ORIGIN_RUN} a.db --shard 1/2"));
    // A version that plays differently has another behavior.
    let bytes = fs::read(folder.path("a.db")).expect("a store");
    let info = folder.json("lab info a.db");
    let behavior = info["origins"][0]["behaviors"][0]["behavior"].as_str().expect("a behavior").as_bytes();
    let place = bytes.windows(16).position(|window| window == behavior).expect("it is kept as text");
    let mut other = bytes;
    other[place..place + 16].copy_from_slice(b"0123456789abcdef");
    folder.write("b.db", &other);
    let refused = folder.refused(&format!("{ORIGIN_RUN} b.db"));
    assert!(refused.contains("knuth at 3x4 plays differently") && refused.contains("--allow-mixed"), "{refused}");
    folder.done(&format!("{ORIGIN_RUN} b.db --allow-mixed"));
    let refused = folder.refused("lab merge a.db b.db -o c.db");
    assert!(refused.contains("plays differently there") && refused.contains("--allow-mixed"), "{refused}");
    assert_eq!(folder.json("lab merge a.db b.db -o c.db --allow-mixed")["games"], 100);
}

#[test]
fn a_store_in_memory_is_refused() {
    let folder = TestFolder::new();
    assert!(folder.refused(&format!("{ORIGIN_RUN} :memory:")).contains("would not store the games"));
    assert!(folder.names().is_empty());
}

/// Root can write there, too; then it is an ordinary store.
#[cfg(unix)]
#[test]
fn a_part_may_lie_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TestFolder::new();
    fs::create_dir(folder.path("shut")).expect("a folder");
    folder.done(&format!("{ORIGIN_RUN} shut/a.db"));
    let shut = |mode: u32| {
        fs::set_permissions(folder.path("shut/a.db"), fs::Permissions::from_mode(mode & 0o666)).expect("set");
        fs::set_permissions(folder.path("shut"), fs::Permissions::from_mode(mode)).expect("set");
    };
    shut(0o555);
    let merged = folder.json("lab merge shut/a.db -o whole.db");
    shut(0o755);
    assert_eq!(merged["games"], 100);
}

/// Paper with one table: Knuth's published average, and a missing strategy.
const TABLE: &str = "paper = 'A. Author, A paper'\ntitle = 'A table'\nsource = 'section 1'\nreading = 'Section 1'\nrules = '4x6'\ngames = 'all'\nexact = true\n\
    [[row]]\nlabel = 'Knuth'\nstrategy = 'knuth'\nguesses = { mean = '4.476', max = '5' }\n\
    [[row]]\nlabel = 'Nobody'\nstrategy = 'nobody'\nguesses = { mean = '4.0' }\n";

#[test]
fn the_list_names_every_table() {
    let folder = TestFolder::new();
    let list = folder.json("lab list");
    let entries = list.as_array().expect("a list");
    let expected = ["games", "id", "missing", "paper", "reading", "rows", "runnable", "source", "title"];
    assert_eq!(fields(&entries[0]), expected);
    let text = folder.done("lab list");
    for entry in entries {
        assert!(text.contains(entry["id"].as_str().expect("a name")), "{entry}");
    }
    let table = entries.iter().find(|entry| entry["id"] == "merelo-2010/table-4").expect("it is there");
    assert_eq!(table["rows"], 15);
    assert!(table["runnable"].as_u64() >= Some(5), "{table}");
    assert!(!folder.done("lab list xu").contains("merelo"));
}

#[test]
fn a_published_table_is_reproduced() {
    let folder = TestFolder::new();
    let answer =
        folder.json("lab reproduce merelo-2010/table-2 singley-2005/section-3-1 --quick --seed 1 --keep games");
    assert_eq!(answer["changes"], Value::Array(Vec::new()), "{answer}");
    assert!(answer["verdicts"]["reproduced"].as_u64() > Some(30), "{answer}");
    let finding = &answer["exhibits"][1]["findings"][0];
    for field in ["row", "measure", "published", "ours", "interval", "window", "games", "verdict"] {
        assert!(fields(finding).contains(&field), "{finding}");
    }
    let again = folder
        .json("lab reproduce merelo-2010/table-2 singley-2005/section-3-1 --quick --seed 1 --keep games --threads 1");
    assert_eq!(again, answer, "stored games are not played again, and threads change nothing");
}

/// The counts come last.
#[test]
fn own_tables_are_judged_and_recorded() {
    let folder = TestFolder::new();
    let wrong = format!("{TABLE}[[row]]\nlabel = 'Wrong'\nstrategy = 'kooi'\nguesses = {{ mean = '4.2', ");
    for (papers, text) in [
        ("right", TABLE.to_owned()),
        ("impossible", format!("{wrong}wrong = {{ mean = 'a slip' }} }}\n")),
        ("refuted", format!("{wrong}}}\n[[cause]]\nwhy = 'a slip'\nof = ['guesses']\n")),
        ("invalid", format!("{TABLE}guesses = {{ mean = 'many' }}\n")),
    ] {
        fs::create_dir_all(folder.path(&format!("{papers}/author-2020"))).expect("a folder");
        folder.write(&format!("{papers}/author-2020/table-1.toml"), text.as_bytes());
    }
    insta::assert_snapshot!(folder.transcript(
        "
        lab reproduce author-2020 --papers impossible -o page.md
        lab reproduce all --papers refuted
        lab reproduce all --papers refuted --json
        lab reproduce all --papers right --record results
        lab reproduce all --papers invalid
        lab reproduce merelo-2010/tabel-4
        lab reproduce
        lab list nobody
        lab list --papers nowhere"
    ));
    let [page, recorded] = ["page.md", "results/full/author-2020/table-1.txt"]
        .map(|name| String::from_utf8(folder.read(name)).expect("text"));
    // Comments name the machine.
    let recorded: Vec<&str> = recorded.lines().filter(|line| !line.starts_with('#')).collect();
    insta::assert_snapshot!(page + &recorded.join("\n"));
}

/// Three games of every row of every table and figure: each number must be the recorded one.
#[test]
fn a_slice_of_every_table_is_as_recorded() {
    let folder = TestFolder::new();
    let run = folder.run("lab reproduce all --slice --format json");
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (run.code, &answer["changes"]),
        (0, &Value::Array(Vec::new())),
        "`pegwise lab reproduce all --slice --record crates/lab/results` records them again"
    );
    assert_eq!(answer["exhibits"].as_array().map(Vec::len), folder.json("lab list").as_array().map(Vec::len));
}

/// Two boards, several strategies, and a parameter with three values.
fn with_games() -> TestFolder {
    let folder = TestFolder::new();
    folder.done("lab run 3x4 3x5 -s random-consistent -s entropy(bonus=[0|1|2]) --games 20 -o games.db");
    folder
}

#[test]
fn every_kind_of_plot_is_drawn() {
    let folder = with_games();
    let drawn = folder.json("lab plot games.db -o plots/");
    let files: Vec<&str> = drawn.as_array().expect("a list").iter().filter_map(|plot| plot["file"].as_str()).collect();
    for kind in ["histogram", "box", "evaluations", "examined", "sweep-entropy-bonus"] {
        for rules in ["3x4", "3x5"] {
            assert!(files.contains(&format!("plots/{rules}-{kind}.svg").as_str()), "{files:?}");
        }
    }
    assert!(files.contains(&"plots/scaling-guesses.svg") && files.contains(&"plots/scaling-time.svg"), "{files:?}");
    for file in files {
        assert!(folder.read(file).starts_with(b"<svg "), "{file}");
    }
}

#[test]
fn one_plot_goes_to_a_file_or_the_standard_output() {
    let folder = with_games();
    let svg = folder.done("lab plot games.db --kind box 3x5");
    assert!(svg.starts_with("<svg ") && svg.contains("random-consistent"));
    folder.done("lab plot games.db --kind box 3x5 -o box.svg");
    assert_eq!(folder.read("box.svg"), svg.as_bytes());
    folder.done("lab plot games.db --kind box 3x5 -o box.pdf --width 85 --height 60");
    assert!(folder.read("box.pdf").starts_with(b"%PDF-1.4"));
    let png = "lab plot games.db --kind sweep 3x5 -o sweep.PNG";
    if cfg!(feature = "png") {
        folder.done(png);
        assert!(folder.read("sweep.PNG").starts_with(b"\x89PNG"));
    } else {
        assert!(folder.refused(png).contains("built without PNG"));
    }
}

#[test]
fn invalid_plots_are_refused() {
    let folder = with_games();
    folder.assert_errors(
        "lab plot games.db {}",
        &[
            ("--kind histogram", "2 plots are available: 3x4-histogram, 3x5-histogram"),
            ("4x6", "not enough data for this plot; available: 3x4-histogram"),
            ("--kind box 3x4 -o box.gif", "box.gif: use an ending .svg, .png or .pdf"),
            ("--kind box 3x4 -o none/box.svg", "the folder none does not exist"),
        ],
    );
    assert_eq!(folder.names(), ["games.db"]);
}

const KILLED_RUN: &str = "lab run --strategy entropy --strategy random-consistent --games 8000 --seed 3 -o";
/// A run that takes hours.
const LONG_RUN: &str = "lab run --strategy entropy --strategy random-consistent --games 80000000 --seed 3 -o";

fn start(folder: &TestFolder, run: &str, store: &str) -> Child {
    let mut command = folder.command(run.split(' ').chain([store, "--json"]));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Returns the size of the write-ahead log.
fn size(folder: &TestFolder, store: &str) -> u64 {
    fs::metadata(folder.path(&format!("{store}-wal"))).map_or(0, |log| log.len())
}

#[test]
fn a_run_survives_being_killed_again_and_again() {
    let folder = TestFolder::new();
    folder.done(&format!("{KILLED_RUN} whole.db"));
    let mut kept = 0;
    for _ in 0..5 {
        let mut child = start(&folder, KILLED_RUN, "killed.db");
        // Wait until games were written.
        while size(&folder, "killed.db") < 60_000 && child.try_wait().expect("a status").is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("the program is killed");
        child.wait().expect("the program ends");
        let now = games(&folder, "killed.db").lines().count();
        assert!(now >= kept, "{now} games after {kept}");
        kept = now;
    }
    assert!(kept > 1, "finished games are kept");
    folder.done(&format!("{KILLED_RUN} killed.db"));
    assert_eq!(games(&folder, "killed.db"), games(&folder, "whole.db"));
}

#[test]
fn an_interrupt_keeps_finished_games() {
    let folder = TestFolder::new();
    let child = start(&folder, LONG_RUN, "late.db");
    while size(&folder, "late.db") < 60_000 {
        thread::sleep(Duration::from_millis(2));
    }
    let kill = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.starts_with("interrupted after ") && stderr.contains("the same command"), "{stderr}");
    assert!(games(&folder, "late.db").lines().count() > 1);
}

/// Returns the number of games that a finished run of `games` games played.
fn played(child: Child, games: u64) -> u64 {
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["games"], games, "a run ends when all games are stored");
    answer["played"].as_u64().expect("a number")
}

#[test]
fn two_processes_divide_the_games_of_a_store() {
    let folder = TestFolder::new();
    let children = ["shared.db"; 2].map(|store| start(&folder, KILLED_RUN, store));
    let played = children.map(|child| played(child, 16_000));
    assert_eq!(played.iter().sum::<u64>(), 16_000, "no game is played twice");
    folder.done(&format!("{KILLED_RUN} alone.db"));
    assert_eq!(games(&folder, "shared.db"), games(&folder, "alone.db"));
}

/// Two processes are killed at ten moments, while programs play for them that log the games they begin. A process that is not
/// killed begins no game that another has stored, so only the games in flight are played again.
#[cfg(unix)]
#[test]
fn the_claims_of_killed_processes_are_taken_over() {
    const GAMES: u64 = 1_500;
    let folder = TestFolder::new();
    let bot = r#"sh -c 'tee -a "$LOG" | "$PEGWISE" engine'"#;
    let begin = |number: usize, store: &str| {
        let games = GAMES.to_string();
        let run =
            ["lab", "run", "3x4", "--strategy-command", bot, "--guess-timeout", "10m", "--games", &games, "-o", store];
        let mut command = folder.command(run.iter().chain(&["--json"]));
        command.env("PEGWISE", env!("CARGO_BIN_EXE_pegwise")).env("LOG", folder.path(&format!("{number}.log")));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let begun = |number: usize| {
        let log = fs::read_to_string(folder.path(&format!("{number}.log"))).unwrap_or_default();
        log.matches(r#""do":"new""#).count() as u64
    };
    let path = folder.path("shared.db");
    let stored = || pegwise_lab::Store::open(&path).and_then(|store| store.count()).unwrap_or(0);
    let mut rng = Rng::new(9);
    let mut moments = [(); 10].map(|()| rng.below(GAMES * 9 / 10));
    moments.sort_unstable();
    let mut running = [0, 1].map(|number| (number, begin(number, "shared.db")));
    let mut started = running.len();
    for moment in moments {
        while stored() < moment {
            thread::sleep(Duration::from_millis(2));
        }
        let (number, child) = &mut running[rng.index(2)];
        child.kill().expect("the program is killed");
        child.wait().expect("the program ends");
        (*number, *child) = (started, begin(started, "shared.db"));
        started += 1;
    }
    for (number, child) in running {
        assert_eq!(played(child, GAMES), begun(number), "a stored game was played again");
    }
    assert_eq!(stored(), GAMES);
    assert_eq!(played(begin(started, "alone.db"), GAMES), GAMES);
    assert_eq!(games(&folder, "shared.db"), games(&folder, "alone.db"));
    let stores: Vec<String> = folder.names().into_iter().filter(|name| !name.ends_with(".log")).collect();
    assert_eq!(stores, ["alone.db", "shared.db"], "nothing else is left");
}

#[test]
fn a_store_is_extended_until_a_difference_is_found() {
    let folder = TestFolder::new();
    let run = "lab run 3x4 -s random-consistent --seed 7 -o a.db --games";
    folder.done(&format!("{run} 30"));
    let answer = folder.json(&format!("{run} 50 -s entropy"));
    assert_eq!((&answer["games"], &answer["played"], &answer["added"]), (&100.into(), &70.into(), &70.into()));
    let conclusion = folder.json("lab report a.db")["boards"][0]["conclusion"].to_string();
    let more = conclusion.split(" more games would").next().and_then(|text| text.rsplit(' ').next());
    let more: u64 = more.expect("a number").replace(',', "").parse().expect("more games are needed");
    let text = folder.done(&format!("{run} {} -s entropy", 50 + more));
    assert_contains(&text, &["The store was extended by "]);
    assert!(!folder.json("lab report a.db")["boards"][0]["conclusion"].to_string().contains("more games"));
    assert_eq!(folder.json(&format!("{run} 20"))["games"], 20, "fewer games are there already");
    folder.done("lab run 2x3 -s knuth --seed 7 --games 5 -o b.db");
    let merged = folder.json("lab merge a.db b.db -o c.db");
    assert_eq!(merged["games"], 2 * (50 + more) + 5);
    let part = folder.run("lab report c.db --format csv");
    assert_eq!((part.code, part.stderr.as_str()), (0, ""));
    folder.done(&format!("{run} 9000 --shard 1/2"));
    assert_contains(&folder.run("lab report a.db --format csv").stderr, &["Unfinished: "]);
}

const DISK_RUN: &str = "lab run --strategy random-consistent --games 100000 --seed 3 --threads 2 -o";

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_finished_games() {
    let folder = TestFolder::new();
    let program = env!("CARGO_BIN_EXE_pegwise");
    let limited = format!("trap '' XFSZ; ulimit -f 2000; exec '{program}' {DISK_RUN} full.db");
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &limited]).current_dir(folder.path("")).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: full.db: the disk "), "{stderr}");
    let kept = games(&folder, "full.db").lines().count() - 1;
    assert_contains(&stderr, &[&format!("; {kept} games are stored; ")]);
    folder.done(&format!("{DISK_RUN} full.db"));
    folder.done(&format!("{DISK_RUN} whole.db"));
    assert!(kept > 0, "finished games are kept");
    assert_eq!(games(&folder, "full.db"), games(&folder, "whole.db"));
}

/// Not even root can create files there.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_folder_is_reported() {
    let refused = TestFolder::new().refused("lab run -s knuth --games 3 -o /proc/games.db");
    assert!(refused.contains("/proc/games.db: the store cannot be written"), "{refused}");
}

#[test]
fn a_store_may_be_among_the_parts_that_are_joined_to_it() {
    let folder = TestFolder::new();
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

#[test]
fn a_dry_run_plays_nothing_and_force_replaces_a_store() {
    let folder = TestFolder::new();
    insta::assert_snapshot!(folder.transcript(
        "
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db -n --json
        lab info a.db
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db --json
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db --dry-run
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db --seed 8
        lab run 3x4 -s knuth -s entropy --games 5 -o a.db --seed 8 -f --json"
    ));
}

#[test]
fn reports_are_written_in_every_format() {
    let folder = TestFolder::new();
    folder.done("lab run 3x4 -s knuth -s entropy --games 5 -o a.db");
    assert!(folder.done("lab report a.db").contains("-o FILE.html"));
    assert!(folder.json("lab report a.db")["boards"].is_array());
    for (line, start) in [("--format latex", "\\"), ("--format csv", "rules,"), ("--format markdown -o -", "#")] {
        assert!(folder.done(&format!("lab report a.db {line}")).trim_start_matches('%').contains(start), "{line}");
    }
    assert!(folder.done("lab report a.db -o a.html").contains("Written to a.html."));
    assert!(folder.read("a.html").starts_with(b"<!"));
    assert!(!folder.done("lab report a.db -o a.md -q").contains("Written"));
    assert!(folder.path("a.plots").is_dir());
    assert!(folder.refused("lab report a.db -o a.txt").contains("use an ending"));
}
