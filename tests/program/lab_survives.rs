//! `pegwise lab run` through kills, interrupts and company.
#![cfg(unix)]

use std::{
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use crate::folder::Folder;

const RUN: &str = "lab run --strategy entropy --strategy random-consistent --games 8000 --seed 3 -o";
/// A run that takes hours.
const LONG_RUN: &str = "lab run --strategy entropy --strategy random-consistent --games 80000000 --seed 3 -o";

fn start(folder: &Folder, run: &str, store: &str) -> Child {
    let mut command = folder.command(run.split(' ').chain([store]));
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn games(folder: &Folder, store: &str) -> String {
    folder.done(&format!("lab export {store} --format csv --without-times"))
}

/// Bytes that are written and not yet in the file proper.
fn size(folder: &Folder, store: &str) -> u64 {
    std::fs::metadata(folder.path(&format!("{store}-wal"))).map_or(0, |log| log.len())
}

#[test]
fn a_run_survives_being_killed_again_and_again() {
    let folder = Folder::new();
    folder.done(&format!("{RUN} whole.db"));
    let mut kept = 0;
    for _ in 0..5 {
        let mut child = start(&folder, RUN, "killed.db");
        // Until more than empty tables was written.
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
    folder.done(&format!("{RUN} killed.db"));
    assert_eq!(games(&folder, "killed.db"), games(&folder, "whole.db"));
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let folder = Folder::new();
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

#[test]
fn two_processes_share_a_store() {
    let folder = Folder::new();
    let children = ["shared.db"; 2].map(|store| start(&folder, RUN, store));
    for child in children {
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    folder.done(&format!("{RUN} alone.db"));
    assert_eq!(games(&folder, "shared.db"), games(&folder, "alone.db"));
}
