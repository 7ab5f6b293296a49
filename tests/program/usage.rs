//! Help, errors, output formats, colors, pipes and signals.

use std::process::Stdio;

use crate::{
    TestFolder, assert_contains, assert_errors, command, done, fields, finish, json, parse, pegwise, pty::Pty, refused,
    scorers::SCORER, words,
};

/// Subcommands; trees and stores come before the commands whose examples read them.
const COMMANDS: &str = "tree, tree build, tree verify, tree show, tree export, tree import, tree diff, tree split, \
    tree join, lab, lab run, lab report, lab plot, lab info, lab export, lab merge, lab bench, lab list, \
    lab reproduce, solve, hint, analyze, play, serve, engine, static, check-scorer, identify-rules, strategies, settings, completions, manual";

/// Returns the program itself, and all subcommands.
fn commands() -> impl Iterator<Item = &'static str> {
    std::iter::once("").chain(COMMANDS.split(", "))
}

#[test]
fn the_command_line_reference() {
    let mut reference = String::new();
    for command in commands() {
        let mut help = done(&format!("{command} --help"));
        assert_eq!(done(&format!("help {command}")), help, "{command}");
        if let Some(start) = help.find("Global options:\n").filter(|_| !command.is_empty()) {
            // They are the same for every subcommand; the section ends at the next line that is not indented.
            let end = help[start..].lines().skip(1).find(|line| !line.is_empty() && !line.starts_with(' '));
            let end = end.and_then(|line| help[start + 1..].find(&format!("\n{line}\n"))).map(|end| start + end + 2);
            help.replace_range(start..end.unwrap_or(help.len()), "");
        }
        reference += &format!("# {}\n\n{}\n\n", format!("pegwise {command}").trim_end(), help.trim_end());
    }
    insta::assert_snapshot!(reference);
}

#[test]
fn examples_in_the_help_run() {
    let folder = TestFolder::new();
    folder.write("pins.txt", b"1234 5\n4321\n");
    folder.write("answers.txt", b"crane\nslate\n");
    folder.write("words.txt", b"adieu\n");
    // This program as an external strategy.
    folder.write("bot", format!("#!/bin/sh\nexec {} engine\n", env!("CARGO_BIN_EXE_pegwise")).as_bytes());
    folder.write("scorer", SCORER.as_bytes());
    folder.write("games.txt", b"2341 1122=0,2 2344=3,0\n");
    for file in ["bot", "scorer"] {
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(file), executable).expect("our own file");
    }
    for command in commands() {
        let help = pegwise(&format!("{command} -h")).stdout;
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        for example in examples.lines().filter_map(|line| line.strip_prefix("  pegwise")) {
            let (line, _) = example.split_once("   ").unwrap_or((example, ""));
            if line.starts_with(" play") || line.starts_with(" serve") {
                // These have their own tests.
                continue;
            }
            let line = line.replace('\'', "");
            let mut run = folder.run(&line);
            if run.stderr.contains("already exists") {
                run = folder.run(&format!("{line} -f"));
            }
            let code = i32::from(command == "tree diff");
            assert_eq!((run.code, run.stderr.as_str()), (code, ""), "pegwise{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn outputs_follow_links_and_write_to_pipes() {
    use std::{fs, os::unix::fs::symlink, process::Command};
    let folder = TestFolder::new();
    let export = |name: &str| folder.run(&format!("tree export 3x4.tree --format json -o {name}"));
    assert_eq!(folder.run("tree build 3x4 -s knuth -o 3x4.tree").code, 0);
    assert_eq!(export("expected.json").code, 0);
    let expected = fs::read(folder.path("expected.json")).unwrap();

    symlink("target.json", folder.path("link.json")).unwrap();
    assert_eq!(export("link.json").code, 0);
    assert!(folder.path("link.json").is_symlink());
    assert_eq!(fs::read(folder.path("target.json")).unwrap(), expected);

    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let pipe = folder.path("pipe");
    let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
    assert_eq!(export("pipe").code, 0);
    assert_eq!(reader.join().unwrap(), expected);
    assert!(!folder.path("pipe").is_file());

    let mut permissions = fs::metadata(folder.path("target.json")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("target.json"), permissions).unwrap();
    let refused = export("link.json");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("the file is read-only"), "{}", refused.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_writes_to_standard_output_devices_and_sockets() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let folder = TestFolder::with_knuth();
    assert_eq!(folder.run("lab run 3x4 -s knuth -s entropy --games all -o games.db").code, 0);
    for (device, name) in [("/dev/null", "null"), ("/dev/full", "full")] {
        symlink(device, folder.path(name)).unwrap();
    }
    let _socket = UnixListener::bind(folder.path("socket")).unwrap();
    let before = folder.names();
    for (line, ending) in [
        ("analyze 1122=1,1 1344=0,2", "svg"),
        ("tree build 3x4 -s knuth", "tree"),
        ("tree build 3x4 --optimal", "tree"),
        ("tree export knuth.tree --format json", "json"),
        ("lab export games.db --without-times", "csv"),
        ("lab report games.db --format html", "html"),
        ("lab plot games.db --kind histogram", "svg"),
    ] {
        let run = |output: &str| {
            let ended = folder.command(words(&format!("{line} -o {output}"))).output().expect("the program runs");
            (ended.status.code(), ended.stdout, String::from_utf8(ended.stderr).unwrap())
        };
        let file = format!("file.{ending}");
        assert_eq!(run(&file).0, Some(0), "{line}");
        let expected = folder.read(&file);
        std::fs::remove_file(folder.path(&file)).unwrap();
        let (code, stdout, _) = run("-");
        assert_eq!((code, &stdout), (Some(0), &expected), "{line} -o -");
        let named: &[&str] = if line.contains("plot") { &[] } else { &["/dev/stdout", "/dev/fd/1"] };
        for output in named {
            let (code, stdout, stderr) = run(output);
            assert!(code == Some(0) && stdout.starts_with(&expected), "{line} -o {output}: {stderr}");
        }
        if !line.contains("plot") {
            assert_eq!(run("null").0, Some(0), "{line}");
            let (code, _, stderr) = run("full");
            assert!(code == Some(2) && stderr.contains("full cannot be written: No space left"), "{line}: {stderr}");
            let (code, _, stderr) = run("socket");
            assert!(code == Some(2) && stderr.contains("socket cannot be written"), "{line}: {stderr}");
        }
        assert_eq!(folder.names(), before, "{line}");
        assert!(folder.path("null").is_symlink() && folder.path("full").is_symlink(), "{line}");
    }
    for line in ["lab run 3x4 -s knuth --games all -o", "lab merge games.db -o"] {
        assert!(folder.refused(&format!("{line} -")).contains("-o -: a store cannot be written"), "{line}");
        assert!(folder.refused(&format!("{line} null")).contains("is not a regular file"), "{line}");
    }
    assert!(folder.refused("manual -o -").contains("write the name of a folder"));
    assert_eq!(folder.names(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_obeys_the_exit_codes() {
    for line in commands() {
        let run = |option: &str, full: bool| {
            let mut command = command(words(&format!("{line} {option}")));
            if full {
                command.stdout(std::fs::File::options().write(true).open("/dev/full").expect("/dev/full"));
            }
            command.output().expect("the program runs").status.code()
        };
        assert_eq!(run("--help", false), Some(0), "{line}");
        assert_eq!(run("--help", true), Some(2), "{line}");
        assert_eq!(run("--version", true), Some(2), "{line}");
        assert_eq!(run("--no-such-option", false), Some(2), "{line}");
    }
}

#[test]
fn every_command_has_a_version() {
    assert_eq!(pegwise("--version").stdout, format!("pegwise {}\n", env!("CARGO_PKG_VERSION")));
    for line in ["hint -V", "lab run -V", "tree build --version"] {
        let run = pegwise(line);
        assert!(run.code == 0 && run.stdout.trim_end().ends_with(env!("CARGO_PKG_VERSION")), "{line}: {}", run.stdout);
    }
}

#[test]
fn every_shell_completes_commands_and_strategies() {
    let catalog = json("strategies");
    let names = catalog.as_array().expect("a list").iter().map(|row| row["name"].as_str().expect("a name"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = done(&format!("completions {shell}"));
        for word in commands().flat_map(|command| command.split(' ')) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // The generators for these two do not complete values.
        if !["powershell", "elvish"].contains(&shell) {
            assert!(names.clone().all(|name| script.contains(name)), "{shell}");
        }
    }
}

#[test]
fn shells_complete_rules_exhibits_and_files() {
    let exhibits = json("lab list");
    let ids: Vec<&str> = exhibits.as_array().expect("a list").iter().filter_map(|row| row["id"].as_str()).collect();
    assert!(ids.len() > 50);
    let zsh = pegwise("completions zsh").stdout;
    for word in ids.into_iter().chain(["4x6", "grid", "no-repeats", "_files -/"]) {
        assert!(zsh.contains(word), "{word}");
    }
    // Other values are still accepted.
    assert_eq!(pegwise("solve 3x3 --strategy knuth --seed 1").code, 0);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TestFolder::new();
    assert_eq!(folder.run("manual -o man").code, 0);
    for command in commands() {
        let page = done(&format!("manual {command}"));
        let name = format!("pegwise {command}").trim_end().replace(' ', "-");
        assert_contains(&page, &[".SH NAME", ".SH SYNOPSIS"]);
        assert!(!page.contains('\u{1b}'), "{name} has colors in it");
        assert_eq!(folder.read(&format!("man/{name}.1")), page.as_bytes(), "{name}");
    }
    assert_contains(&refused("manual tree biuld"), &["tree build"]);
}

#[test]
fn invalid_input_is_refused() {
    let folder = TestFolder::new();
    // Tests of the game have all messages about rules and feedback.
    let rules = [("0x6", "a board needs at least one cell"), ("99999999999999999999x6", "at most 4096 cells")];
    folder.assert_errors("solve {}", &rules);
    folder.assert_errors("hint {} 1122=1,1", &rules);
    let codes = [
        ("112", "it has 3 cells, but the board has 4"),
        ("11223", "it has 5 cells, but the board has 4"),
        ("1127", "'7' is not a color"),
        ("0122", "'0' is not a color"),
        ("1,1,2,70000", "'70000' is not a color"),
        ("", "it has 0 cells"),
    ];
    folder.assert_errors("solve --secret '{}'", &codes);
    folder.assert_errors("hint 4x6 {}=1,1", &codes);
    let turns = [("1122=4,1", "5 pegs on a line of 4"), ("1122=", "is not a number"), ("1122", "as in 1122=2,1")];
    folder.assert_errors("hint 4x6 {}", &turns);
    folder.assert_errors("hint {}", &turns);
    folder.assert_errors("hint 4x6 1122=1,1 {}", &turns.map(|(turn, _)| (turn, "turn 2: ")));
    let limits = "1e400 1e30 -1 -1s nan inf 0 0ms '' soon 1d".split(' ');
    let limits: Vec<_> = limits.map(|limit| (limit, "'--time-per-guess <TIME>'")).collect();
    folder.assert_errors("solve --time-per-guess {}", &limits);
    folder.assert_errors("hint --time-per-guess {}", &limits);
    let seeds = ["-1", "1.5", "18446744073709551616", "x"];
    let seeds = seeds.map(|seed| (seed, "write a whole number from 0 to 18446744073709551615"));
    folder.assert_errors("solve --seed {}", &seeds);
    assert_errors(&[
        ("solve 4x6:no-repeats --secret 1123", "a color appears twice"),
        ("solve 4x12 --secret 1123", "write letters"),
        ("solve --strategy knut", "did you mean knuth?"),
        ("hint --strategy entropy(ties=never)", "use consistent-lowest, lowest, random"),
        ("solve --strategy entropy(first=11)", "it has 2 cells"),
        ("solve --strategy entropy(ties", "name(parameter=value"),
        ("solve --strategy ''", "is not a strategy"),
        ("strategies nobody", "'nobody' is not a strategy"),
        ("hint --alternatives 1001", "write a whole number from 0 to 1000"),
        ("hint --alternatives -1", "write a whole number from 0 to 1000"),
        ("solve --threads 0", "write a whole number from 1 to 1024"),
        ("play --threads 0", "write a whole number from 1 to 1024"),
        ("solve --threads 99999999999999999999", "write a whole number from 1 to 1024"),
        ("tree show a.tree --depth 0", "write a whole number from 1 to 1024"),
        ("tree split a.tree -o parts --parts 70000", "write a whole number from 1 to 65535"),
        ("tree build 4x6 --optimal --max-depth -1", "write a whole number from 1 to 1024"),
        ("static --max-nodes x", "write a whole number from 0 to 18446744073709551615"),
        ("lab run -s knuth --games all -o a.db --repeats 0", "write a whole number from 1 to 4294967295"),
        ("bogus", "unrecognized subcommand 'bogus'"),
        ("solve 4x6 5x8", "unexpected argument '5x8'"),
        ("solve --format yaml", "[possible values: text, json]"),
        ("completions", "<SHELL>"),
        ("completions csh", "possible values: bash"),
    ]);
}

#[test]
fn games_too_large_for_a_strategy() {
    for row in json("strategies").as_array().expect("a list") {
        let name = row["name"].as_str().expect("a name");
        if pegwise(&format!("hint 1000x1000 --time-per-guess 0.2 --strategy {name}")).code != 0 {
            let words = format!("{name} cannot play 1000x1000: it plays ");
            for command in ["hint", "solve"] {
                assert_contains(&refused(&format!("{command} 1000x1000 --strategy {name}")), &[&words]);
            }
        }
    }
    assert_contains(&refused("solve 100x100 --strategy entropy"), &["one of these strategies: adaptive, "]);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let bytes = OsStr::from_bytes(b"4x6\xff");
    for args in [&["solve"][..], &["hint"], &["hint", "4x6"], &["strategies"], &["solve", "--secret"], &[]] {
        let run = finish(command(args.iter().map(OsStr::new).chain([bytes])));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    }
}

#[test]
fn errors_are_short_for_long_input() {
    let long = "9".repeat(100_000);
    let error = refused(&format!("hint 4x6 {long}=1,1"));
    assert!(error.len() < 300, "{error}");
}

#[test]
fn errors_are_json_if_requested() {
    for (line, words) in [
        ("hint 4x6 1122=9,9 --format json", "pegs"),
        ("solve 4x0 --format=json", "4x0"),
        ("--format json no-such-command", "no-such-command"),
        ("strategies knut --format json", "knuth"),
    ] {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        let error = parse(&run.stderr);
        assert_eq!(error["exit"], 2, "{line}");
        let text = error["error"].as_str().expect("a text");
        assert!(text.contains(words) && !text.starts_with("error"), "{line}: {text}");
    }
    // After `--` it is not an option.
    assert!(pegwise("hint 4x6 -- --format json").stderr.starts_with("error: "));
}

const ANSWERS: [&str; 8] = [
    "", "solve --seed 1", "hint 1122=1,1", "strategies", "strategies knuth", "completions bash",
    "solve --seed 1 --format json", "--help",
];

#[test]
fn without_arguments_a_sample_game_is_played() {
    let text = done("");
    assert!(text.starts_with("Pegwise "), "{text}");
    assert_contains(&text, &["Solved in ", "still possible", "pegwise hint ", "strategies  "]);
    let welcome = json("");
    assert_eq!(fields(&welcome), ["about", "commands", "example", "name", "version"]);
    assert_eq!(welcome["example"]["solved"], true);
}

#[test]
fn a_pipe_gets_plain_text() {
    for line in ANSWERS {
        assert!(!pegwise(line).stdout.contains('\x1b'), "{line}");
    }
    assert!(!pegwise("solve --secret 1").stderr.contains('\x1b'));
}

#[test]
fn variables_and_an_argument_decide_about_color() {
    let is_colored = |line: &str, variables: &[&str]| {
        let mut command = command(words(line));
        command.envs(variables.iter().map(|variable| (variable, "1")));
        let run = finish(command);
        format!("{}{}", run.stdout, run.stderr).contains("\x1b[")
    };
    for (line, variables, expected) in [
        ("solve --seed 1", &["CLICOLOR_FORCE"][..], true),
        ("solve --seed 1", &["CLICOLOR_FORCE", "NO_COLOR"], false),
        ("solve --seed 1 --format json", &["CLICOLOR_FORCE"], false),
        ("solve 3x3 --seed 1 --color always", &["NO_COLOR"], true),
        ("solve 3x3 --seed 1 --color never", &["CLICOLOR_FORCE"], false),
        ("solve 3x3 --seed 1 --color auto", &["CLICOLOR_FORCE"], true),
        ("solve 4x0 --color always", &[], true),
        ("solve 4x0 --color never", &[], false),
    ] {
        assert_eq!(is_colored(line, variables), expected, "{line} with {variables:?}");
    }
    assert_eq!(pegwise("solve 4x6 --color sometimes").code, 2);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = TestFolder::with_knuth();
    let trees = ["tree export knuth.tree --format json", "tree verify knuth.tree", "tree show knuth.tree --depth 5"];
    for line in ANSWERS.into_iter().chain(trees) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = folder.command(words(line)).stdout(writer).stderr(Stdio::piped()).spawn();
        let output = child.and_then(std::process::Child::wait_with_output).expect("the program runs");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for line in ["solve --seed 1", "strategies", "solve --seed 1 --format json", "completions fish"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let mut command = command(line.split_whitespace());
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(2), "{line}");
        let error: &[u8] = if line.ends_with("json") { b"{\"error\":" } else { b"error: " };
        assert!(output.stderr.starts_with(error), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_program_by_its_signal() {
    use std::{
        io::Read as _,
        os::unix::process::ExitStatusExt as _,
        process::Command,
        thread,
        time::{Duration, Instant},
    };
    const SIGINT: i32 = 2;
    // The board is too large for the game to end before the interrupt. A shell that runs tests in the background makes
    // them ignore interrupts, which the program would inherit.
    let program = command([""; 0]).get_program().to_owned();
    let mut command = Command::new("env");
    command.arg("--default-signal=INT").arg(program);
    command.args(["solve", "100x100", "--strategy", "random-consistent", "--seed", "1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut started = [0];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut started).expect("the program writes");
    let kill = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let deadline = Instant::now() + Duration::from_secs(600);
    let status = loop {
        match child.try_wait().expect("the program is there") {
            Some(status) => break status,
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().expect("the program can be ended");
                panic!("the interrupt did not end the program");
            }
        }
    };
    assert_eq!(status.signal(), Some(SIGINT), "which shells report as 130");
}

const COLUMNS: u16 = 60;

/// Commands whose output must fit a narrow terminal.
const NARROW_LINES: [&str; 16] = [
    "hint",
    "hint 1122=1,1 1344=0,2",
    "hint 1122=1,1 1344=0,2 --color never",
    "hint 5x8 11223=1,1 14256=1,2",
    "hint 4x10:no-repeats 1234=1,1",
    "hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=2,5 --color never",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=2,5",
    "hint grid:3x3x4 112233441=1,1/0,1/1,0/1,1/0,1/0,1",
    "hint 1122=1,0 1344=0,1 3526=0,3 1462=1,1 3162=2,1",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=1,10 AABBCCDDEEFFGGHHIIJJ=2,10",
    "analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0",
    "analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0 --color never",
    "analyze 4x10:no-repeats 1234=1,1 1567=0,1",
    "analyze 20x20 AABBCCDDEEFFGGHHIIJJ=2,5 --time-per-guess 200ms",
    "analyze grid:3x3x4 112233441=1,1/0,1/1,0/1,1/0,1/0,1 --color never",
];

#[test]
fn hints_and_analyses_fit_sixty_columns() {
    // The last line shows that the whole output is on the screen.
    let script = r#""$0" "$@"; code=$?; echo THE END; exit $code"#;
    for line in NARROW_LINES {
        let words = ["-c", script, env!("CARGO_BIN_EXE_pegwise")].into_iter().chain(line.split_whitespace());
        let mut pty = Pty::start("sh", &words.collect::<Vec<_>>(), &[], (COLUMNS, 300));
        let code = pty.end_clean();
        pty.see("THE END");
        assert!(code == 0 || pty.text().contains("no code fits"), "{line}: {}", pty.text());
        assert!(pty.broken().is_empty(), "{line}: {:#?}\n{}", pty.broken(), pty.text());
    }
}

#[test]
fn old_spellings_name_the_new_ones() {
    assert_errors(&[
        ("hint --time-limit 2", "'--time-limit' was replaced by '--time-per-guess'"),
        ("hint -a 2", "'-a' was replaced by '--alternatives'"),
        ("analyze 1122=1,1 --svg x.svg", "'--svg' was replaced by '-o FILE'"),
        ("strategies --rules 4x6", "'--rules' was replaced by `pegwise strategies RULES`"),
        ("serve --workers 2", "'--workers' was replaced by '--threads'"),
        ("--color never lab run --store a.db", "'--store' was replaced by '-o STORE'"),
        ("lab report --store a.db", "'--store' was replaced by `pegwise lab report STORE`"),
        ("tree show x.tree -d 3", "'-d' was replaced by '--depth'"),
        ("tree export x.tree --to=dot", "'--to' was replaced by '--format'"),
    ]);
}

#[test]
fn json_and_quiet_are_global() {
    let guess = json("hint 1122=1,1")["guess"].take();
    for line in ["--json hint 1122=1,1", "hint 1122=1,1 --format json", "--format=json hint 1122=1,1"] {
        assert_eq!(parse(&pegwise(line).stdout)["guess"], guess, "{line}");
    }
    assert_errors(&[("lab export x.db --format yaml", "[possible values: csv, pandas, jsonl, json]")]);
    assert_eq!(pegwise("solve --json --format text").code, 2);
    let error = parse(&pegwise("completions bash --json").stderr);
    assert!(error["error"].as_str().is_some_and(|error| error.contains("no JSON output")), "{error}");
    assert!(pegwise("solve 3x3 -s knuth").stdout.contains("Play this game again"));
    assert!(!pegwise("solve 3x3 -s knuth -q").stdout.contains("Play this game again"));
}
