//! Tree files on disk.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use super::{FileError, TreeFile};

impl TreeFile {
    /// Reads a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::read(io::BufReader::new(fs::File::open(path)?))
    }

    /// Writes a file. It appears whole or not at all: the bytes go to another name in the same folder first.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        let unfinished = unfinished_name(path)?;
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&unfinished)?;
        let written =
            self.write(&mut file).and_then(|()| Ok(file.sync_all()?)).and_then(|()| Ok(fs::rename(&unfinished, path)?));
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&unfinished);
        }
        written
    }
}

/// A name beside `path` that no other process and no other call uses.
fn unfinished_name(path: &Path) -> io::Result<PathBuf> {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let unfinished = format!(".{}.{}-{call}.unfinished", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(unfinished))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::samples;

    #[test]
    fn saving_replaces_a_file_whole() {
        let folder = std::env::temp_dir().join(format!("pegwise-tree-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("tree.pegtree");
        let (one, other) = (samples::file("2x3", "knuth"), samples::file("3x4", "knuth"));
        one.save(&path).unwrap();
        assert_eq!(TreeFile::load(&path).unwrap(), one);
        other.save(&path).unwrap();
        assert_eq!(TreeFile::load(&path).unwrap(), other);
        let mut wrong = one;
        wrong.tree.root.branches.reverse();
        assert!(wrong.save(&path).is_err());
        assert_eq!(TreeFile::load(&path).unwrap(), other);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
