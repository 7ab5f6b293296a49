//! Text files that people write: lists of secrets, boards.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

use anyhow::{Context as _, anyhow, bail};

/// The largest file that is read: no list that a game can use is longer.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a text file; an error names it.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    read_bytes(path)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| anyhow!("it is not UTF-8 text")))
        .with_context(|| path.display().to_string())
}

fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!("there is no such file"),
        Err(error) => return Err(anyhow::Error::new(error).context("it cannot be opened")),
    };
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        bail!("it is a folder, not a file");
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).context("it cannot be read")?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("it is larger than {} MiB, the most that is read", MOST_BYTES >> 20);
    }
    Ok(bytes)
}
