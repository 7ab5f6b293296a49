//! Files given on the command line: trees, text files, and outputs that are written completely or not at all.

use std::{
    ffi::OsString,
    fmt, fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail, ensure};
use pegwise_solve::tree::{FileError, TreeFile, check_output, write_output};
use serde::{Serialize, Serializer};

/// Path on the command line; `-` is standard input or standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileArg {
    Stdio,
    Path(PathBuf),
}

impl From<OsString> for FileArg {
    fn from(text: OsString) -> Self {
        if text == "-" { Self::Stdio } else { Self::Path(text.into()) }
    }
}

impl fmt::Display for FileArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio => f.write_str("-"),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

impl Serialize for FileArg {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FileArg {
    /// Returns the path, unless this is standard input or output.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdio => None,
            Self::Path(path) => Some(path),
        }
    }

    /// Returns the path of a regular or new file, beside which unfinished work can be kept. Devices, pipes and the streams
    /// of a process have no such place.
    pub(crate) fn regular_path(&self) -> Option<&Path> {
        const STREAMS: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
        let is_stream = |path: &Path| STREAMS.iter().any(|stream| path.starts_with(stream));
        self.path().filter(|path| !is_stream(path) && path.metadata().map_or(true, |found| found.is_file()))
    }

    pub(crate) fn load_tree(&self) -> anyhow::Result<TreeFile> {
        self.read_with(|input| {
            TreeFile::read(input).map_err(|error| {
                let advice = match &error {
                    FileError::Io(_) => "",
                    FileError::NotATree => "\n  `pegwise tree import` reads other formats",
                    FileError::Version { .. } => {
                        "\n  export it to JSON with the version that wrote it, and import that"
                    }
                    _ => "\n  download or build it again",
                };
                anyhow!("{error}{advice}")
            })
        })
    }

    /// Reads with `read`; an error names the file.
    pub(crate) fn read_with<T>(&self, read: impl FnOnce(&mut dyn Read) -> anyhow::Result<T>) -> anyhow::Result<T> {
        match self {
            Self::Stdio => read(&mut io::stdin().lock()).context("standard input"),
            Self::Path(path) => open(path)
                .and_then(|file| read(&mut io::BufReader::new(file)))
                .with_context(|| path.display().to_string()),
        }
    }

    pub(crate) fn read_text(&self) -> anyhow::Result<String> {
        /// Maximum size of a file, in bytes: far more than the longest list that a game can use.
        const MAX_BYTES: u64 = 64 << 20;
        self.read_with(|input| {
            let mut bytes = Vec::new();
            input.take(MAX_BYTES + 1).read_to_end(&mut bytes).context("the file cannot be read")?;
            ensure!(bytes.len() as u64 <= MAX_BYTES, "the file is larger than {} MiB", MAX_BYTES >> 20);
            String::from_utf8(bytes).map_err(|_| anyhow!("the file is not UTF-8 text"))
        })
    }

    /// Checks that the file can be written, before long work starts. Without `force` it must not exist.
    pub(crate) fn check(&self, force: bool) -> anyhow::Result<()> {
        let Self::Path(path) = self else { return Ok(()) };
        check_parent(path)?;
        check_output(path).with_context(|| format!("{} cannot be written", path.display()))?;
        // Writing to a device or a pipe loses nothing.
        if path.metadata().is_ok_and(|found| found.is_file()) && !force {
            bail!("{} already exists\n  write to another file, or use -f to replace it", path.display());
        }
        Ok(())
    }

    /// Writes with `write`; a file appears completely or not at all.
    pub(crate) fn write(&self, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
        match self {
            Self::Stdio => write(&mut io::stdout().lock()),
            Self::Path(path) => write_atomically(path, |file| write(file)),
        }
    }

    pub(crate) fn save_tree(&self, file: &TreeFile) -> anyhow::Result<()> {
        match self {
            Self::Stdio => self.write(|out| Ok(file.write(out)?)),
            Self::Path(path) => save_tree(file, path),
        }
    }
}

fn open(path: &Path) -> anyhow::Result<fs::File> {
    ensure!(!path.is_dir(), "this is a folder, not a file");
    fs::File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("no such file"),
        _ => anyhow::Error::new(error).context("the file cannot be opened"),
    })
}

/// Reads a text file, or standard input for `-`; an error names it.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    FileArg::from(path.as_os_str().to_owned()).read_text()
}

/// Checks that `path` can name a new file.
pub(crate) fn check_parent(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if path.is_dir() || path.file_name().is_none() {
        bail!("{} is a folder; write the name of a file", path.display());
    }
    if !folder.is_dir() {
        bail!("{}: the folder {} does not exist; create it first", path.display(), folder.display());
    }
    Ok(())
}

/// Checks that `path` can name a store, which must be a regular file.
pub(crate) fn check_store(path: &Path) -> anyhow::Result<()> {
    ensure!(path != Path::new("-"), "-o -: a store cannot be written to standard output; write the name of a file");
    check_parent(path)?;
    let is_regular = path.metadata().map_or(true, |found| found.is_file());
    ensure!(is_regular, "{} is not a regular file, which a store must be; write to another file", path.display());
    Ok(())
}

pub(crate) fn create_folder(folder: &Path) -> anyhow::Result<()> {
    ensure!(folder != Path::new("-"), "'-' is standard output, not a folder; write the name of a folder");
    fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be created", folder.display()))
}

/// Returns the path of a file that accompanies `path`, by appending `ending`.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

pub(crate) fn save_tree(file: &TreeFile, path: &Path) -> anyhow::Result<()> {
    file.save(path).with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes `bytes` to a file that appears completely or not at all.
pub(crate) fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_atomically(path, |file| Ok(file.write_all(bytes.as_ref())?))
}

/// Writes a file; a regular file appears completely or not at all.
fn write_atomically(path: &Path, write: impl FnOnce(&mut fs::File) -> anyhow::Result<()>) -> anyhow::Result<()> {
    check_parent(path)?;
    write_output(path, write).with_context(|| format!("{} cannot be written", path.display()))
}
