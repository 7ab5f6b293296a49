//! Codemakers of `pegwise solve` other than one that hides a code: those that switch codes, and other programs.

use serde_json::json as value;

use crate::{Run, finish, folder::Folder, json, pegwise};

#[test]
fn the_worst_codemaker_takes_as_long_as_the_worst_code_of_the_tree() {
    for (line, guesses) in [
        ("solve 4x6 --strategy knuth --codemaker worst --seed 1", 5),
        ("solve 4x6 --strategy optimal --codemaker worst --seed 1", 6),
        ("solve 4x10:no-repeats --strategy optimal --codemaker worst --seed 1", 7),
    ] {
        let game = json(line);
        assert_eq!((&game["guesses"], &game["codemaker"]), (&value!(guesses), &value!("worst")), "{line}");
    }
    let folder = Folder::with_knuth();
    let game = folder.json("solve --tree knuth.tree --codemaker worst --strategy random-consistent --seed 1");
    assert_eq!((&game["guesses"], &game["tree"]), (&value!(5), &value!("knuth.tree")));
}

#[test]
fn an_adversary_leaves_most_and_settles_on_a_code_in_the_end() {
    let game = json("solve 4x6 --strategy knuth --codemaker adversary --seed 1");
    assert_eq!(game["turns"][0]["remaining"], 256);
    assert_eq!(game["secret"], game["turns"].as_array().expect("turns").last().expect("a turn")["guess"]);

    let run = pegwise("solve 4x6:max-guesses=2 --strategy knuth --codemaker adversary --seed 1");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout.contains("· against adversary ·") && run.stdout.contains("fits every answer."),
        "{}",
        run.stdout
    );

    let again = pegwise("solve 4x6 --codemaker adversary --strategy entropy").stdout;
    assert!(again.contains("pegwise solve 4x6 --codemaker adversary --strategy entropy --seed "), "{again}");
}

#[test]
fn codemakers_that_cannot_be_are_refused() {
    for (line, words) in [
        ("solve --codemaker adversary --secret 1122", "has no fixed secret"),
        ("solve --codemaker nobody", "[possible values: fixed, adversary, worst]"),
        ("solve --codemaker worst --strategy random-consistent", "needs the whole tree of the strategy"),
        ("solve --codemaker-command sh --secret 1122", "cannot be used with"),
        ("solve --codemaker-command sh --codemaker worst", "cannot be used with"),
        ("solve --codemaker-command no-such-program", "'no-such-program' cannot be started"),
        ("solve --reply-timeout 3", "--codemaker-command <PROGRAM>"),
        ("solve --codemaker-command sh --reply-timeout 0", "write a time above zero"),
    ] {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(words), "{line}: {}", run.stderr);
    }
}

/// A game of two colors and a peg against a shell script, which reads the question into `line`.
#[cfg(unix)]
fn against(folder: &Folder, script: &str, more: &[&str]) -> Run {
    folder.write("maker.sh", script.as_bytes());
    let args = ["solve", "1x2", "--seed", "1", "--codemaker-command", "sh maker.sh"];
    finish(folder.command(args.iter().chain(more)))
}

#[cfg(unix)]
#[test]
fn a_program_is_asked_for_every_feedback() {
    let folder = Folder::new();
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
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let game = crate::parse(&run.stdout);
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
    let folder = Folder::new();
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
        ("exec cat /dev/zero", "gave no answer in 0.3 s"),
        ("head -c 2000000 /dev/zero | tr '\\0' x; echo", "wrote a line of more than 1048576 bytes"),
        (
            "while read -r line; do echo '{\"feedback\":\"0,0\"}'; done",
            "contradicts itself: no code fits: turns 1 and 2",
        ),
        ("yes '{\"feedback\":\"0,0\"}'", "contradicts itself"),
    ] {
        // Only scripts that never answer are given little time.
        let timeout = if script.contains("exec") { "0.3" } else { "600" };
        let run = against(&folder, script, &["--format", "json", "--reply-timeout", timeout]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{script}: {}", run.stderr);
        let error: serde_json::Value = serde_json::from_str(&run.stderr).expect("an error as JSON");
        let error = error["error"].as_str().expect("words");
        assert!(error.contains(words), "{script}: {error}");
        assert!(error.contains("'sh maker.sh' "), "{script}: {error}");
    }
}

/// On boards too large for a contradiction to be proven, the game ends all the same.
#[cfg(unix)]
#[test]
fn a_program_that_lies_does_not_play_forever() {
    let folder = Folder::new();
    for (rules, feedback) in [("25x3", "0,1"), ("16x17:black-only", "1"), ("12x40", "0,1")] {
        let script = format!("while read -r line; do echo '{{\"feedback\":\"{feedback}\"}}'; done");
        folder.write("maker.sh", script.as_bytes());
        let args = [
            "solve",
            rules,
            "--seed",
            "1",
            "-t",
            "0.005",
            "--codemaker-command",
            "sh maker.sh",
            "--reply-timeout",
            "600",
        ];
        let run = finish(folder.command(args));
        assert_eq!((run.code, run.stderr.starts_with("error: ")), (2, true), "{rules}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn the_worst_codemaker_has_a_time_limit() {
    let run = pegwise("solve 6x9 --strategy entropy --codemaker worst -t 0.05");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the time was up"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_silent_program_does_not_outlive_the_game() {
    let folder = Folder::new();
    // On a busy machine the script may take longer to start than it is waited for.
    let pid = ["0.3", "3", "30", "300"].into_iter().find_map(|timeout| {
        let run = against(&folder, "echo $$ > pid; exec sleep 6000", &["--reply-timeout", timeout]);
        assert_eq!(run.code, 2);
        std::fs::read_to_string(folder.path("pid")).ok().filter(|pid| pid.ends_with('\n'))
    });
    let pid = pid.expect("the script starts");
    let status = std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert!(!status.contains("sleep"), "{status}");
}
