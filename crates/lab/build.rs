//! Embeds the folders `papers` and `results` into the program, and records commit, compiler and target of the build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for (folder, extension) in [("papers", "toml"), ("results", "txt")] {
        let mut list = String::from("&[\n");
        embed(&home.join(folder), "", extension, &mut list)?;
        fs::write(out.join(format!("{folder}.rs")), list + "]")?;
    }
    println!("cargo::rustc-env=PEGWISE_COMMIT={}", commit(&home));
    let compiler = env::var_os("RUSTC").and_then(|rustc| output(Command::new(rustc).arg("--version")));
    println!("cargo::rustc-env=PEGWISE_COMPILER={}", compiler.unwrap_or_else(|| "unknown".to_owned()));
    println!("cargo::rustc-env=PEGWISE_TARGET={}", env::var("TARGET").unwrap_or_default());
    Ok(())
}

/// Lists the files in the subfolders of a folder with their ids: the relative path without the extension.
fn embed(folder: &Path, prefix: &str, extension: &str, list: &mut String) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for path in entries(folder)? {
        let id = format!("{prefix}{}", path.file_stem().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            embed(&path, &format!("{id}/"), extension, list)?;
        } else if !prefix.is_empty() && path.extension().is_some_and(|own| own == extension) {
            *list += &format!("    ({id:?}, include_str!({:?})),\n", fs::canonicalize(&path)?);
        }
    }
    Ok(())
}

/// Returns the commit of the build, with a `+` if files differ from it, or `unknown` outside a repository. The variable
/// `PEGWISE_COMMIT` overrides it, for sources without history.
fn commit(home: &Path) -> String {
    println!("cargo::rerun-if-env-changed=PEGWISE_COMMIT");
    if let Ok(commit) = env::var("PEGWISE_COMMIT") {
        return commit;
    }
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(home).args(arguments));
    for name in ["HEAD", "logs/HEAD"] {
        // Every commit appends to the log of HEAD, wherever the branch is stored.
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            println!("cargo::rerun-if-changed={}", home.join(path).display());
        }
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).filter(|commit| !commit.is_empty());
    commit.map_or_else(|| "unknown".to_owned(), |commit| commit + if changed { "+" } else { "" })
}

/// Returns the output of a program, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
