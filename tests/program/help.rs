//! Help, version and completion.

use crate::{folder::Folder, json, pegwise};

/// Trees first: the examples of others play from them.
const COMMANDS: [&str; 28] = [
    "tree",
    "tree build",
    "tree verify",
    "tree show",
    "tree export",
    "tree import",
    "tree diff",
    "tree split",
    "tree join",
    "lab",
    "lab run",
    "lab info",
    "lab export",
    "lab merge",
    "lab bench",
    "lab list",
    "lab reproduce",
    "solve",
    "hint",
    "analyze",
    "play",
    "serve",
    "engine",
    "static",
    "strategies",
    "settings",
    "completions",
    "manual",
];

#[test]
fn the_command_line_reference() {
    let mut reference = String::new();
    for command in std::iter::once("").chain(COMMANDS) {
        let run = pegwise(&format!("{command} --help"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command}");
        assert_eq!(pegwise(&format!("help {command}")).stdout, run.stdout, "{command}");
        reference += &format!("# {}\n\n{}\n", format!("pegwise {command}").trim_end(), run.stdout);
    }
    insta::assert_snapshot!(reference);
}

#[test]
fn examples_in_the_help_run() {
    let folder = Folder::new();
    folder.write("pins.txt", b"1234 5\n4321\n");
    // This program as somebody else's.
    folder.write("bot", format!("#!/bin/sh\nexec {} engine\n", env!("CARGO_BIN_EXE_pegwise")).as_bytes());
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path("bot"), executable).expect("our own file");
    for command in std::iter::once("").chain(COMMANDS) {
        let help = pegwise(&format!("{command} -h")).stdout;
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        for example in examples.lines().filter_map(|line| line.strip_prefix("  pegwise")) {
            let (line, _) = example.split_once("   ").unwrap_or((example, ""));
            if line.starts_with(" play") || line.starts_with(" serve") {
                // These want a terminal or go on until they are ended, and have tests of their own.
                continue;
            }
            let run = folder.run(&line.replace('\'', ""));
            let code = i32::from(command == "tree diff");
            assert_eq!((run.code, run.stderr.as_str()), (code, ""), "pegwise{line}");
        }
    }
}

#[test]
fn the_version_is_told() {
    let run = pegwise("--version");
    assert_eq!((run.code, run.stdout), (0, format!("pegwise {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn every_shell_completes_commands_and_strategies() {
    let catalog = json("strategies");
    let names = catalog.as_array().expect("a list").iter().map(|row| row["name"].as_str().expect("a name"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = pegwise(&format!("completions {shell}"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for word in COMMANDS.iter().flat_map(|command| command.split(' ')) {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
        // The generators for these two complete no values.
        if !["powershell", "elvish"].contains(&shell) {
            assert!(names.clone().all(|name| run.stdout.contains(name)), "{shell}");
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
    // What is only a suggestion is no limit.
    assert_eq!(pegwise("solve 3x3 --strategy knuth --seed 1").code, 0);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    assert_eq!(folder.run("manual -o man").code, 0);
    for command in std::iter::once("").chain(COMMANDS) {
        let page = pegwise(&format!("manual {command}")).stdout;
        let name = format!("pegwise {command}").trim_end().replace(' ', "-");
        assert!(page.contains(".SH NAME"), "{name}");
        assert_eq!(folder.read(&format!("man/{name}.1")), page.as_bytes(), "{name}");
    }
    let run = pegwise("manual tree biuld");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("tree build"), "{}", run.stderr);
}
