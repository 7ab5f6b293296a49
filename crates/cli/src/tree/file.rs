//! Trees from files and from the standard input, and files that appear whole or not at all.

use std::{
    ffi::OsString,
    fmt, fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use pegwise_solve::tree::{FileError, TreeFile};
use serde::{Serialize, Serializer};

/// Where a tree comes from: a file, or the standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

/// From a command line, where `-` is the standard input.
impl From<OsString> for Source {
    fn from(text: OsString) -> Self {
        if text == "-" { Self::Stdin } else { Self::File(text.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Source {
    /// The name in an error.
    fn name(&self) -> String {
        match self {
            Self::Stdin => "the standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Reads the tree file.
    pub(crate) fn load(&self) -> anyhow::Result<TreeFile> {
        self.read_with(|input| TreeFile::read(input).map_err(|error| explain(error).into()))
    }

    /// Reads what is there in some format; an error names the source.
    pub(super) fn read_with<T>(&self, read: impl FnOnce(&mut dyn Read) -> anyhow::Result<T>) -> anyhow::Result<T> {
        match self {
            Self::Stdin => read(&mut io::stdin().lock()),
            Self::File(path) => match fs::File::open(path) {
                Ok(file) => read(&mut io::BufReader::new(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Err(anyhow!("there is no such file")),
                Err(error) => Err(anyhow::Error::new(error).context("it cannot be opened")),
            },
        }
        .with_context(|| self.name())
    }
}

/// Says what to do about a file that is not the tree it should be.
fn explain(error: FileError) -> Unreadable {
    let advice = match &error {
        FileError::Io(_) => "",
        FileError::NotATree => "\n  `pegwise tree import` reads other formats",
        FileError::Version { .. } => "\n  export it to json with the program that wrote it, and import that",
        _ => "\n  fetch or build it anew",
    };
    Unreadable { error, advice }
}

#[derive(Debug)]
struct Unreadable {
    error: FileError,
    advice: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.error, self.advice)
    }
}

impl std::error::Error for Unreadable {}

/// Checks that a file can be put there, before long work is spent on what goes into it.
pub(crate) fn check_place(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if path.is_dir() || path.file_name().is_none() {
        bail!("{}: this is a folder; give the name of a file", path.display());
    }
    if !folder.is_dir() {
        bail!("{}: there is no folder {} to put it in; make it first", path.display(), folder.display());
    }
    Ok(())
}

/// The file beside a tree that holds what its making needs to go on.
pub(super) fn beside(tree: &Path, ending: &str) -> PathBuf {
    let mut path = tree.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Saves a tree.
pub(super) fn save(file: &TreeFile, path: &Path) -> anyhow::Result<()> {
    file.save(path).with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes a file under another name first, so that it appears whole or not at all.
pub(crate) fn write_whole(path: &Path, write: impl FnOnce(&mut fs::File) -> anyhow::Result<()>) -> anyhow::Result<()> {
    check_place(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!(".{name}.{}.unfinished", std::process::id()));
    let written = fs::File::create(&unfinished).map_err(anyhow::Error::from).and_then(|mut file| {
        write(&mut file)?;
        file.flush()?;
        file.sync_all()?;
        Ok(fs::rename(&unfinished, path)?)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written.with_context(|| format!("{} cannot be written", path.display()))
}
