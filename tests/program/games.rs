//! `solve`, `static`, `strategies`, `settings`: games of strategies under all rules, with all kinds of codemakers.

use serde_json::{Value, json as value};

use crate::{
    Run, TestFolder, assert_contains, assert_errors, command, done, fields, finish, json, parse, pegwise, refused,
};

/// Returns a game without its time.
fn game(line: &str) -> Value {
    let mut game = json(line);
    game.as_object_mut().expect("an object").remove("seconds");
    game
}

/// Knuth's published game; the codes are also counted for a strategy that does not count them.
#[test]
fn games_are_shown() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        solve 4x6 --secret 3632 --strategy knuth --seed 1
        solve 4x6 --secret 3632 --strategy knuth --seed 1 --json
        solve 4x6:max-guesses=2 --secret 3632 --strategy knuth --seed 1
        solve 4x6:max-guesses=2 --secret 3632 --strategy knuth --seed 1 --json
        solve 4x6 --strategy swaszek --seed 2 --json"
    ));
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for strategy in ["adaptive", "random-consistent", "swaszek", "shapiro", "entropy(ties=random)"] {
        let play = |seed: u32| game(&format!("solve 4x6 --strategy {strategy} --seed {seed}"));
        assert_eq!(play(7), play(7), "{strategy}");
    }
    let secrets = (0..10).map(|seed| game(&format!("solve --seed {seed}"))["secret"].to_string());
    assert!(secrets.collect::<std::collections::BTreeSet<_>>().len() > 5, "seeds draw different secrets");
}

#[test]
fn a_given_secret_leaves_the_strategy_its_random_numbers() {
    let drawn = game("solve 4x6 --strategy random-consistent --seed 7");
    let colors = drawn["secret"].as_array().expect("a code").iter().map(ToString::to_string);
    let secret = colors.collect::<Vec<_>>().join(",");
    assert_eq!(game(&format!("solve 4x6 --strategy random-consistent --seed 7 --secret {secret}")), drawn);
}

#[test]
fn a_drawn_seed_is_shown_with_the_command_that_repeats_the_game() {
    for line in ["solve 4x6 --strategy random-consistent", "solve 5x8 --secret 12345 --strategy random-consistent"] {
        let first = pegwise(line).stdout;
        let again = first.lines().find_map(|line| line.strip_prefix("Play this game again: pegwise ")).expect(&first);
        let board = |text: &str| text.lines().filter(|line| line.contains('●')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(board(&pegwise(again).stdout), board(&first));
    }
    assert!(!pegwise("solve --seed 3").stdout.contains("again"), "no command if the seed was given");
}

#[test]
fn every_board_and_feedback_is_played_and_drawn() {
    let rows = "1x1 100x1 1x30 4x10:no-repeats 4x6:black-only 4x6:higher-lower 4x6:distance 4x6:city-block";
    let boards = "grid:2x3x3 triangle:3x3 cube:2x2x2x2 ring:5x3 lines:1.2.3/3.4.5x3";
    for rules in rows.split(' ').chain(boards.split(' ')) {
        assert_contains(&done(&format!("solve {rules} --seed 1")), &["Solved in "]);
    }
    let turns = json("solve grid:2x3x3 --seed 1")["turns"].take();
    let marks = |turn: &Value| turn["feedback"].as_array().map(Vec::len);
    assert!(turns.as_array().expect("turns").iter().all(|turn| marks(turn) == Some(5)), "two rows, three columns");
}

/// The worst codemaker takes as long as the worst code of the tree. An adversary leaves the most codes.
#[test]
fn codemakers_other_than_a_fixed_secret() {
    let folder = TestFolder::with_knuth();
    insta::assert_snapshot!(folder.transcript(
        "
        solve 4x6 --strategy knuth --codemaker worst --seed 1 --json
        solve 4x6 --strategy optimal --codemaker worst --seed 1 --json
        solve 4x10:no-repeats --strategy optimal --codemaker worst --seed 1 --json
        solve --tree knuth.tree --codemaker worst --strategy random-consistent --seed 1 --json
        solve 4x6 --strategy knuth --codemaker adversary --seed 1 --json
        solve 4x6:max-guesses=2 --strategy knuth --codemaker adversary --seed 1"
    ));
    let again = folder.done("solve 4x6 --codemaker adversary --strategy entropy");
    assert_contains(&again, &["pegwise solve 4x6 --codemaker adversary --strategy entropy --seed "]);
}

#[test]
fn invalid_codemakers_are_refused() {
    assert_errors(&[
        ("solve --codemaker adversary --secret 1122", "has no fixed secret"),
        ("solve --codemaker nobody", "[possible values: fixed, adversary, worst]"),
        ("solve --codemaker worst --strategy random-consistent", "needs the whole tree of the strategy"),
        ("solve --codemaker-command sh --secret 1122", "cannot be used with"),
        ("solve --codemaker-command sh --codemaker worst", "cannot be used with"),
        ("solve --reply-timeout 3", "--codemaker-command <PROGRAM>"),
        ("solve --codemaker-command sh --reply-timeout 0", "write a time above zero"),
    ]);
}

/// Plays 1x2 against a shell script.
#[cfg(unix)]
fn against(folder: &TestFolder, script: &str, more: &[&str]) -> Run {
    folder.write("maker.sh", script.as_bytes());
    let args = ["solve", "1x2", "--seed", "1", "--codemaker-command", "sh maker.sh"];
    finish(folder.command(args.iter().chain(more)))
}

#[cfg(unix)]
#[test]
fn a_program_is_asked_for_every_feedback() {
    let folder = TestFolder::new();
    let script = r#"
while read -r line; do
  echo "$line" >> asked
  case "$line" in
    *'"guess":[2]'*) echo '{"feedback":"1,0"}' ;;
    *) echo '{"feedback":[{"black":0,"white":0}]}' ;;
  esac
done
echo over >> asked"#;
    let run = against(&folder, script, &["--format", "json", "--reply-timeout", "600"]);
    let game = parse(&run.done("solve"));
    assert_eq!((&game["solved"], &game["secret"]), (&value!(true), &value!([2])));
    assert_eq!(game["codemaker"], "sh maker.sh");
    let asked = String::from_utf8(folder.read("asked")).expect("text");
    let lines: Vec<&str> = asked.lines().collect();
    assert_eq!(lines[0], r#"{"guess":[1],"rules":"1x2","turn":1}"#);
    assert_eq!((lines.len(), lines[2]), (3, "over"), "the end of its input is the end of the game");
}

#[cfg(unix)]
#[test]
fn a_program_that_misbehaves_ends_the_game_with_an_error() {
    let folder = TestFolder::new();
    for (script, words) in [
        ("echo hello", "wrote 'hello', which is not JSON"),
        ("echo", "which is not JSON"),
        ("echo 7", "has no field \"feedback\""),
        ("echo '{\"feedback\":\"2,0\"}'", "2 pegs on a line of 1"),
        ("echo '{\"feedback\":[{\"red\":1}]}'", "a feedback is a list with a mark for each line"),
        ("printf '\\377\\n'", "not UTF-8"),
        ("echo '{\"error\":\"out of paper\"}'", "reports an error: out of paper"),
        ("exit 3", "ended without an answer (exit status: 3)"),
        ("kill -9 $$", "ended without an answer (signal: 9"),
        ("exec sleep 6000", "gave no answer in 0.3 s; increase --reply-timeout"),
        ("exec <&- sleep 6000", "gave no answer in 0.3 s"),
        ("cat /dev/zero", "wrote a line of more than 1048576 bytes"),
        ("head -c 2000000 /dev/zero | tr '\\0' x; echo", "wrote a line of more than 1048576 bytes"),
        (
            "while read -r line; do echo '{\"feedback\":\"0,0\"}'; done",
            "contradicts itself: no code fits: turns 1 and 2",
        ),
        ("yes '{\"feedback\":\"0,0\"}'", "contradicts itself"),
    ] {
        // Short only for scripts that never answer.
        let timeout = if script.contains("exec") { "0.3" } else { "600" };
        let run = against(&folder, script, &["--format", "json", "--reply-timeout", timeout]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{script}: {}", run.stderr);
        let error: Value = serde_json::from_str(&run.stderr).expect("an error as JSON");
        let error = error["error"].as_str().expect("words");
        assert!(error.contains(words), "{script}: {error}");
        assert!(error.contains("'sh maker.sh' "), "{script}: {error}");
    }
}

/// The game ends even on boards that are too large to prove a contradiction.
#[cfg(unix)]
#[test]
fn a_program_that_lies_does_not_play_forever() {
    let folder = TestFolder::new();
    for (rules, feedback) in [("25x3", "0,1"), ("16x17:black-only", "1"), ("12x40", "0,1")] {
        let script = format!("while read -r line; do echo '{{\"feedback\":\"{feedback}\"}}'; done");
        folder.write("maker.sh", script.as_bytes());
        let solve = format!("solve {rules} --seed 1 -t 0.005 --codemaker-command 'sh maker.sh' --reply-timeout 600");
        let run = folder.run(&solve);
        assert_eq!((run.code, run.stderr.starts_with("error: ")), (2, true), "{rules}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn the_worst_codemaker_has_a_time_limit() {
    assert_contains(&refused("solve 6x9 --strategy entropy --codemaker worst -t 0.05"), &["the time was up"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_silent_program_does_not_outlive_the_game() {
    let folder = TestFolder::new();
    // On a busy machine the script may start after the timeout.
    let pid = ["0.3", "3", "30", "300"].into_iter().find_map(|timeout| {
        let run = against(&folder, "echo $$ > pid; exec sleep 6000", &["--reply-timeout", timeout]);
        assert_eq!(run.code, 2);
        std::fs::read_to_string(folder.path("pid")).ok().filter(|pid| pid.ends_with('\n'))
    });
    let pid = pid.expect("the script starts");
    let status = std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert!(!status.contains("sleep"), "{status}");
}

/// Returns this program as an external strategy.
fn engine_program() -> String {
    format!("{} engine", env!("CARGO_BIN_EXE_pegwise"))
}

fn solve_with(program: &str, more: &[&str]) -> Run {
    let args = ["solve", "4x6", "--secret", "3632", "--strategy-command", program, "--guess-timeout"];
    // Short only for a program that never answers.
    let timeout = if program == "sleep 6000" { "0.3" } else { "600" };
    finish(command(args.iter().chain(&[timeout]).chain(more)))
}

#[test]
fn a_program_that_speaks_the_protocol_breaks_the_code() {
    let game = parse(&solve_with(&engine_program(), &["--format", "json"]).done("solve"));
    assert_eq!(game["solved"], true);
    assert!(game["strategy"].as_str().is_some_and(|name| name.starts_with("command-pegwise")), "{}", game["strategy"]);
    done(&format!("solve grid:2x2x3 --seed 4 --strategy-command '{}' --guess-timeout 600", engine_program()));
}

#[test]
fn a_failing_program_loses_the_game() {
    for (program, words) in [
        ("sh -c 'exit 3'", "ended without an answer (exit status: 3)"),
        ("sleep 6000", "gave no answer in 0.3 s"),
        // A line without an end takes no more memory than the longest message.
        ("cat /dev/zero", "wrote a line of more than 1048576 bytes"),
        ("sh -c 'echo hello; cat'", "which is not JSON"),
        ("cat", "instead of an answer with \"reply\":\"new\""),
        (
            r#"sh -c 'read a; echo "{\"reply\":\"new\"}"; read a; echo "{\"reply\":\"guess\",\"guess\":[9,9,9,9]}"'"#,
            "is not a color",
        ),
        (r#"sh -c 'read a; echo "{\"reply\":\"error\",\"error\":\"I am tired\"}"'"#, "reports an error: I am tired"),
    ] {
        let run = solve_with(program, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{program}");
        assert!(run.stdout.contains("Lost after") && run.stdout.contains(words), "{program}: {}", run.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TestFolder::new();
    folder.write("text", b"no program");
    folder.write("script", b"#!/no/such/interpreter\n");
    std::fs::set_permissions(folder.path("script"), std::fs::Permissions::from_mode(0o755)).expect("set");
    for program in ["no-such-program", "./text", "/", "./script"] {
        // That the interpreter is missing is only seen by starting the script.
        let is_script = program == "./script";
        let (option, reason) =
            (if is_script { "" } else { "--strategy-command" }, format!("'{program}' cannot be started: "));
        for line in ["solve", "lab run -s knuth --games 5 -o a.db"] {
            let refused = folder.run(&format!("{line} --strategy-command {program}"));
            assert_eq!(refused.code, 2, "{line} {program}: {}", refused.stdout);
            assert_contains(&refused.stderr, &[option, &reason]);
        }
        assert_contains(&folder.refused(&format!("solve 3x3 --codemaker-command {program}")), &[&reason]);
        if !is_script {
            assert_contains(&folder.refused(&format!("play 3x3 --strategy-command {program}")), &[&reason]);
        }
        assert_eq!(folder.path("a.db").exists(), is_script, "{program}");
    }
}

/// Waits until the process in the file `pid` of the folder has ended. A process that was killed ends when it is next scheduled.
#[cfg(target_os = "linux")]
fn wait_for_end(folder: &TestFolder) {
    let pid = std::fs::read_to_string(folder.path("pid")).expect("the script starts");
    let is_sleeping =
        || std::fs::read(format!("/proc/{}/cmdline", pid.trim())).is_ok_and(|line| line.starts_with(b"sleep"));
    let ended = (0..60_000).any(|_| {
        let sleeping = is_sleeping();
        if sleeping {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        !sleeping
    });
    assert!(ended, "{pid} is still running");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_ends_with_its_descendants() {
    let folder = TestFolder::new();
    std::fs::write(folder.path("bot.sh"), "sleep 6000 & echo $! > pid\nread a; exit 3\n").unwrap();
    let bot = ["--strategy-command", "sh bot.sh", "--guess-timeout", "600"];
    let solve = ["solve", "4x6", "--secret", "3632"];
    assert_eq!(finish(folder.command(solve.iter().chain(&bot))).code, 1);
    wait_for_end(&folder);
    std::fs::write(folder.path("bot.sh"), "sleep 6000 & echo $! > pid\nkill -INT $PPID; wait\n").unwrap();
    std::fs::remove_file(folder.path("pid")).unwrap();
    assert!(!folder.command(solve.iter().chain(&bot)).output().expect("the program starts").status.success());
    wait_for_end(&folder);
}

#[test]
fn a_program_plays_in_the_laboratory_and_loses_only_its_own_games() {
    let folder = TestFolder::new();
    let lab = ["lab", "run", "--games", "4", "--seed", "7", "-o", "games.db", "-s", "knuth", "--format", "json"];
    let program = ["--strategy-command", "sh -c 'exit 3'", "--guess-timeout", "600"];
    let run = finish(folder.command(lab.iter().chain(&program)));
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "a strategy failed");
    let answer = parse(&run.stdout);
    assert_eq!((&answer["solved"], answer["mean"].as_f64()), (&value!(4), Some(5.0)));
    assert_eq!((&answer["games"], answer["failures"].as_array().map(Vec::len)), (&value!(8), Some(4)));
    assert_eq!(answer["failures"][0]["strategy"], "command-sh-c-exit-3");
    let exported = folder.done("lab export games.db --without-times");
    assert_eq!(exported.lines().filter(|line| line.contains(",failed,")).count(), 4, "{exported}");
    assert_eq!(exported.lines().filter(|line| line.contains("knuth") && line.contains(",solved,")).count(), 4);
    let report = folder.done("lab report games.db");
    assert_contains(&report, &["command-sh-c-exit-3 failed in 4 of 4 games and is not ranked"]);
    assert!(!report.contains("is best"), "{report}");
}

#[test]
fn a_program_and_a_strategy_exclude_each_other_where_one_plays() {
    assert_errors(&[
        ("solve --strategy-command sh --strategy knuth", "cannot be used with"),
        ("play --strategy-command sh --strategy knuth", "cannot be used with"),
        ("solve --guess-timeout 3", "--strategy-command <PROGRAM>"),
        ("solve --strategy-command ''", "write the name of a program"),
        ("lab run --games 1 -o x.db", "--strategy"),
    ]);
}

#[test]
fn a_listed_secret_is_drawn_and_found_among_the_listed() {
    let folder = TestFolder::new();
    folder.write("pins.txt", b"# known\n1234 5\n4321, 2\n 5 6 7 8\n9876\n1357 0\n");
    for strategy in ["adaptive", "entropy", "knuth", "kooi(guesses=consistent)"] {
        for seed in 0..4 {
            let game = folder.json(&format!("solve 4x9 --secrets pins.txt -s {strategy} --seed {seed}"));
            assert_eq!((&game["listed"], &game["solved"]), (&value!(4), &value!(true)), "{strategy}");
            assert!(game["guesses"].as_u64().is_some_and(|guesses| guesses <= 4), "{strategy}: {game}");
            assert_ne!(game["secret"], value!([1, 3, 5, 7]), "weight zero is as good as not listed");
        }
    }
    let game = folder.json("solve 4x9 --secrets pins.txt --secret 9876 --seed 1");
    assert_eq!(game["secret"], value!([9, 8, 7, 6]));
    let text = folder.done("solve 4x9 --secrets pins.txt");
    assert!(text.contains("4 listed codes") && text.contains(" --secrets pins.txt --strategy adaptive"), "{text}");

    let hint = folder.json("hint 4x9 1234=0,4 --secrets pins.txt");
    assert_eq!((&hint["listed"], &hint["remaining"], &hint["basis"]), (&value!(4), &value!(1), &value!("proven")));
}

#[test]
fn word_games_take_a_list_of_guesses() {
    let folder = TestFolder::new();
    folder.write("answers.txt", b"crane\nslate\nbrick\nclick\nflick\nstick\n");
    folder.write("words.txt", b"\xef\xbb\xbfadieu\nCRANE\ncrane\nflesh\n");
    let lists = "--secrets answers.txt --guesses words.txt";
    let run = folder.run(&format!("hint 5x26:per-cell adieu=--g-- {lists} --json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let ignored = "words.txt: a byte-order mark and 1 repeated code, the first as number 3\n  this was ignored\n";
    assert_eq!(run.stderr, ignored);
    folder.write("words.txt", b"adieu\nflesh\nabcde\n");
    for feedback in ["xxgx-", "⬜⬜🟩⬛⬜", "--b--"] {
        let hint = folder.json(&format!("hint 5x26:per-cell adieu={feedback} {lists} --alternatives 100"));
        let guesses = hint["alternatives"].as_array().expect("a list").len() + 1;
        assert_eq!((&hint["remaining"], guesses), (&value!(4), 9), "{hint}");
    }
    let game = folder.json(&format!("solve 5X26:per-cell {lists} --secret flick --seed 1"));
    assert_eq!((&game["solved"], &game["listed"]), (&value!(true), &value!(6)));
    let analysis = folder.json(&format!("analyze 5x26:per-cell slate crane brick --secret brick {lists}"));
    assert_eq!(analysis["turns"][0]["before"], 6);
    assert_eq!(analysis["turns"][0]["after"], 1);
    assert_eq!((&analysis["solved"], &analysis["listed"]), (&value!(true), &value!(6)));
    let text = folder.done(&format!("analyze 5x26:per-cell slate crane brick --secret brick {lists}"));
    assert!(text.starts_with("5x26:per-cell · 6 listed codes · Solved in 3 guesses."), "{text}");
    let error = folder.refused(&format!("analyze 5x26:per-cell slate --secret stack {lists}"));
    assert!(error.contains("STACK is not on the list of secrets"), "{error}");
    assert!(folder.refused("hint 5x26:per-cell --guesses words.txt").contains("--secrets"));
    assert!(folder.refused(&format!("play 5x26:per-cell --secret stack {lists}")).contains("not listed"));
}

#[test]
fn invalid_lists_are_refused() {
    let folder = TestFolder::new();
    folder.write("good.txt", b"1122\n3344\n");
    for (bytes, words) in [
        (&b""[..], "list.txt: no code is listed, or all weights are zero"),
        (b"1122 0\n", "list.txt: no code is listed"),
        (b"1122\n1177\n", "list.txt:2: "),
        (b"1122 -1\n", "list.txt:1: the weight '-1' is not a nonnegative number"),
        (b"1122 nan\n", "list.txt:1: the weight 'nan'"),
        (b"1122 inf\n", "list.txt:1: the weight 'inf'"),
        (b"1122\n11", "list.txt:2: "),
        (b"\xff\xfe\x00", "list.txt: the file is not UTF-8 text"),
    ] {
        folder.write("list.txt", bytes);
        for line in ["solve 4x6 --secrets list.txt", "hint 4x6 --secrets list.txt"] {
            assert_contains(&folder.refused(line), &[words]);
        }
    }
    folder.assert_errors(
        "{}",
        &[
            ("solve 4x6 --secrets none.txt", "none.txt: no such file"),
            ("solve 4x6 --secrets .", "this is a folder"),
            ("solve 4x6 --secrets good.txt --secret 5566", "5566 is not listed in --secrets"),
            ("solve 4x6 --secrets good.txt --codemaker adversary", "may use any code"),
            ("solve 4x6 --secrets good.txt -s evorank", "evorank cannot play 4x6 with a list of secrets"),
            ("solve 4x6 --secrets good.txt -s evorank", "one of these strategies: adaptive, "),
            ("hint 4x6 5566=1,0 --secrets good.txt", "no code of the list fits the turns"),
        ],
    );
}

/// Reading stops at a maximum size.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_end_is_refused() {
    assert_contains(&refused("solve 4x6 --secrets /dev/zero"), &["the file is larger than 64 MiB"]);
}

/// Boards with fewer colors use the first names, boards with more use numbers.
#[test]
fn codes_are_read_and_written_by_first_letters() {
    let folder = TestFolder::new();
    insta::assert_snapshot!(folder.transcript(
        "
        hint 4x6 1234=1,1 1122=0,1 --json
        hint 4x6 RGYB=1,1 rrgg=0,1 --json --colors red,green,yellow,blue,orange,purple
        hint red,green,yellow,blue=1,1 1122=0,1 --json --colors red,green,yellow,blue,orange,purple
        hint RGYB=1,1 RRGG=0,1 --colors red,green,yellow,blue,orange,purple
        solve 4x6 --secret PORG --seed 1 --colors red,green,yellow,blue,orange,purple
        analyze RRGG=1,0 ORRP=0,2 --colors red,green,yellow,blue,orange,purple
        settings
        settings --colors red,green,yellow,blue,orange,purple
        hint RGYB=1,1
        hint 3x4 RGB=1,1
        hint 4x8 1122=1,1
        hint 1122=1,1 --colors none
        settings --json
        settings --colors none
        hint RGYB=1,1"
    ));
    folder.write("config/pegwise/settings", b"colours = red\n");
    assert_contains(&folder.refused("hint"), &["line 1: write colors = "]);
}

/// With repeats, ten colors are letters.
#[test]
fn bulls_and_cows_are_digits() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        hint 4x10:no-repeats 1234=1,1 ABCJ=0,2
        hint 4x10:no-repeats 1230=1,1 --json
        hint 4x10:no-repeats ABCJ=1,1 --json
        hint 4x10:no-repeats 1,2,3,10=1,1 --json
        hint 4x10:no-repeats 1234=1,1 1234=2,0
        hint 4x10 ABCD=1,1
        hint 4x10 1234=1,1"
    ));
}

#[test]
fn invalid_color_names_are_refused() {
    assert_errors(&[
        ("hint --colors red,green", "2 names were given, and the game has 6 colors"),
        ("hint --colors red,green,yellow,blue,blue,white", "no such letters distinguish blue from the other names"),
        ("hint 4x2 --colors red,9", "'9' is "),
        ("solve 4x2 --colors red,", "'' is "),
        ("hint 4x3 RRXX=0,0 --colors red,green,blue", "'X' is not a color; the colors are R, G, B"),
        ("settings --colors r,rose", "no such letters distinguish r from the other names"),
    ]);
}

#[test]
fn static_games_are_found_verified_and_decoded() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        static 2x6
        static 2x6 --json
        static 2x6 --verify 12 15 34 36 --json
        static 3x4 --max-nodes 0
        static 4x6 --decode 1221=0,1 2354=1,2 3311=1,0 4524=0,2 5656=2,0 6643=1,1
        static 4x6 --decode 1221=0,1 2354=1,2 3311=1,0 4524=0,2 5656=2,0 6643=1,1 --json
        static 4x6 --decode 1122=4,0 3344=0,0
        static 4x6 --decode 1122=0,0 --json"
    ));
}

#[test]
fn greenwells_six_codes_are_all_needed() {
    let six = ["1221", "2354", "3311", "4524", "5656", "6643"];
    let run = pegwise(&format!("static 4x6 --verify {}", six.join(" ")));
    assert_eq!((run.code, run.stdout.trim_end()), (0, "Yes: 6 guesses determine all 1,296 codes."));
    for left_out in 0..6 {
        let five: Vec<&str> = six.iter().enumerate().filter(|&(at, _)| at != left_out).map(|(_, &code)| code).collect();
        let run = pegwise(&format!("static 4x6 --verify {}", five.join(" ")));
        assert_eq!(run.code, 1);
        assert!(run.stdout.contains("same answers: "), "{}", run.stdout);
    }
}

#[test]
fn invalid_static_games_are_refused() {
    assert_errors(&[
        ("static 8x8", "16777216 codes are too many"),
        ("static 4x6 --verify 112", "it has 3 cells"),
        ("static 4x6 --decode 1122", "as in 1122=2,1"),
        ("static 4x6 --decode 1111=0,0 1112=2,0", " be true"),
        ("static 4x6 --verify 1122 --decode 1122=0,0", "cannot be used with"),
        ("static 4x6 --verify", "a value is required"),
        ("static 4x6 --max-nodes -1", "invalid value"),
    ]);
}

fn named<'a>(catalog: &'a Value, name: &str) -> &'a Value {
    let rows = catalog.as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name} is in the catalog"))
}

#[test]
fn the_catalog_says_all_about_every_strategy() {
    let catalog = json("strategies");
    for row in catalog.as_array().expect("a list") {
        assert_eq!(fields(row), ["about", "family", "name", "paper", "parameters", "plays", "title"]);
        for parameter in row["parameters"].as_array().expect("a list") {
            assert_eq!(fields(parameter), ["about", "default", "kind", "name"]);
        }
    }
    for name in ["random-consistent", "shapiro", "swaszek", "worst-case", "expected-size", "entropy", "most-parts"] {
        named(&catalog, name);
    }
    for preset in ["knuth", "irving", "norvig", "neuwirth", "bestavros-max-entropy", "bestavros-max-min", "kooi"] {
        assert_ne!(named(&catalog, preset)["paper"], "", "{preset}");
    }
    let guesses = |name: &str| named(&catalog, name)["parameters"][0].clone();
    assert_eq!(guesses("entropy")["kind"], value!({ "choice": ["all", "consistent"] }));
    assert_eq!(guesses("entropy")["default"], "all");
    assert_eq!(guesses("norvig")["default"], "consistent", "a preset's own default");
}

#[test]
fn one_strategy_is_described() {
    let catalog = json("strategies");
    assert_eq!(&json("strategies knuth"), named(&catalog, "knuth"));
    let text = pegwise("strategies norvig").stdout;
    assert!(text.contains("  guesses  all | consistent  (default: consistent)\n"), "{text}");
}

#[test]
fn text_lists_every_strategy() {
    let text = pegwise("strategies").stdout;
    for row in json("strategies").as_array().expect("a list") {
        for field in ["name", "title", "family", "about", "paper"] {
            let word = row[field].as_str().expect("text");
            assert!(text.contains(word), "{word}");
        }
    }
}

/// A small game of every kind.
const SMALL: &str = "3x4 3x4:no-repeats 3x4:black-only 3x4:higher-lower 3x4:distance 3x4:city-block 3x4:max-guesses=9 \
    grid:2x2x3 triangle:2x3 cube:2x2x2x2 ring:4x3 lines:1.2/2.3x3";

#[test]
fn every_rule_is_played_by_every_command() {
    let folder = TestFolder::new();
    for (number, rules) in SMALL.split(' ').enumerate() {
        for strategy in ["adaptive", "entropy", "random-consistent", "evorank"] {
            let game = folder.json(&format!("solve {rules} --strategy {strategy} --seed 3"));
            assert_eq!(game["solved"], value!(true), "{rules} {strategy}");
        }
        let hint = folder.json(&format!("hint {rules} --seed 1"));
        assert!(hint["guess"].is_array(), "{rules}");
        let can = folder.json(&format!("strategies {rules}"));
        assert!(can.as_array().is_some_and(|rows| rows.iter().any(|row| row["name"] == "adaptive")), "{rules}");
        folder.done(&format!("lab run {rules} --strategy entropy --games 5 -o {number}.db"));
        let tree = folder.json(&format!("tree build {rules} --strategy entropy -o {number}.tree"));
        let optimal = format!("tree build {rules} --optimal");
        if rules.starts_with("cube") {
            assert!(folder.refused(&optimal).contains("different feedbacks are too many for an exact search"));
        } else {
            assert!(folder.json(&optimal)["total"].as_u64() <= tree["total"].as_u64(), "{rules}");
        }
        folder.done(&format!("tree verify {number}.tree"));
        let played = folder.json(&format!("solve --tree {number}.tree --codemaker worst --seed 1"));
        assert_eq!(played["guesses"], tree["max"], "{rules}");
        let decided = folder.json(&format!("static {rules} --max-nodes 10 -t 1"));
        assert!(decided["guesses"].is_array(), "{rules}");
    }
}

/// Strategies for rows name those that support other boards.
#[test]
fn strategies_for_rows_refuse_other_boards() {
    let folder = TestFolder::new();
    for strategy in
        ["shc", "shc-genetic", "shc-xu", "shifting", "xu", "greedy-1", "greedy-2", "greedy-3", "two-swap", "tabu"]
    {
        let error = folder.refused(&format!("solve grid:2x2x3 --strategy {strategy}"));
        assert_contains(&error, &["it plays rows", "one of these strategies: adaptive, "]);
        let error = folder.refused(&format!("lab run grid:2x2x3 -s {strategy} --games 1 -o s.db"));
        assert_contains(&error, &["it plays rows"]);
    }
    assert_contains(&folder.refused("tree build grid:4x4x6 --optimal"), &["2821109907456 codes are too many"]);
}

#[test]
fn lines_come_from_a_file_as_well() {
    let folder = TestFolder::new();
    folder.write("star.txt", b"# three arms\n1 2\n1, 3 # and back\n1.4\n\n");
    let game = folder.json("solve lines:@star.txtx3:black-only --seed 1");
    assert_eq!(game["rules"], "lines:1.2/1.3/1.4x3:black-only");
    assert_eq!(folder.json("hint lines:@star.txtx3")["rules"], "lines:1.2/1.3/1.4x3");
    for (bytes, words) in [
        (&b"1 2\n2 0\n"[..], "lines.txt:2: '0' is not a cell: write numbers from 1 to 4096"),
        (b"1 2\n2 4097\n", "lines.txt:2: '4097' is not a cell"),
        (b"1 x\n", "lines.txt:1: 'x' is not a cell"),
        (b"1 2\n\n2 3\n", "lines.txt:2: the line is empty"),
        (b"1 2\n3 2 3\n", "lines.txt:2: cell 3 appears twice"),
        (b"1 2\n4 2\n", "no line visits cell 3"),
        (b"1 -2\n", "lines.txt:1: '-2' is not a cell"),
        (b"", "lines.txt:1: the file has no line of cells"),
        (b"\xff", "the file is not UTF-8 text"),
    ] {
        folder.write("lines.txt", bytes);
        for line in ["solve lines:@lines.txtx3", "hint lines:@lines.txtx3", "tree build lines:@lines.txtx3 --optimal"] {
            assert_contains(&folder.refused(line), &[words]);
        }
    }
    folder.assert_errors(
        "{}",
        &[
            ("solve lines:@none.txtx3", "no such file"),
            ("solve lines:@star.txt", "write the file and the colors"),
            ("solve lines:@star.txtx0", "star.txt: "),
            ("solve lines:@.x3", "this is a folder"),
        ],
    );
}
