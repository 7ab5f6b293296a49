//! Journal of a long build.
//!
//! A journal is a file to which finished parts of a tree are appended, each with a checksum. Parts survive any end of
//! the program; a truncated part is dropped when the journal is opened again.
//!
//! Format: `PEGJRNL\0`, then records. A record is the length of its content (4 bytes, little endian), the CRC-32 of its
//! content (4 bytes), and the content. The first record is the subject of the build as JSON. Every other record is a
//! part: the length of its path (4 bytes), the path as text (`1122=1,0 1344=0,2`), and its positions as in the body of
//! a tree file.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use pegwise_game::Rules;
use serde::{Deserialize, Serialize};

use super::{FileError, Node, Summary, file};

const MAGIC: [u8; 8] = *b"PEGJRNL\0";
/// Maximum length of a record, in bytes: far longer than any part.
const MAX_RECORD_BYTES: u32 = 1 << 30;

/// A compression level that does not slow down the build.
const FAST_LEVEL: i32 = 1;

/// Finished parts of a tree that is being built.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    rules: Rules,
    known: HashMap<String, Node>,
    file: Mutex<File>,
}

/// Error of a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another build uses the journal.
    #[error("another process is building this tree: wait for it, or write to another file")]
    InUse,
    /// The file is not a journal.
    #[error("this is not a journal of a tree being built")]
    NotAJournal,
    /// The journal belongs to another tree.
    #[error("the journal is for {found}, not for {wanted}: build that, or remove the journal")]
    OtherTree {
        /// Subject of the journal.
        found: String,
        /// Subject of the build.
        wanted: String,
    },
    /// A part cannot be encoded.
    #[error(transparent)]
    Part(#[from] FileError),
}

/// Rules and strategy of a build.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Subject {
    rules: Rules,
    strategy: String,
}

impl Journal {
    /// Opens or creates a journal. Fails if it belongs to other rules or another strategy.
    pub fn open(path: impl Into<PathBuf>, rules: &Rules, strategy: &str) -> Result<Self, JournalError> {
        let path = path.into();
        let subject = Subject { rules: rules.clone(), strategy: strategy.to_owned() };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        file.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => JournalError::InUse,
            fs::TryLockError::Error(error) => error.into(),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (known, kept) = match recover(&bytes, &subject)? {
            Some(recovered) => recovered,
            None => {
                let mut begun = MAGIC.to_vec();
                let json = serde_json::to_vec(&subject).map_err(io::Error::other)?;
                append_record(&mut begun, &json);
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(&begun)?;
                (HashMap::new(), begun.len())
            }
        };
        // The last record may be truncated.
        file.set_len(kept as u64)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self { path, rules: rules.clone(), known, file: Mutex::new(file) })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of codes in the parts that earlier runs finished.
    #[must_use]
    pub fn codes_known(&self) -> u64 {
        self.known.values().map(|part| Summary::of(part).codes).sum()
    }

    /// Returns the part at `path`, if it is finished.
    pub(super) fn known(&self, path: &str) -> Option<&Node> {
        self.known.get(path)
    }

    /// Appends a finished part.
    pub(super) fn keep(&self, path: &str, part: &Node) -> Result<(), JournalError> {
        self.append(&Self::part(&self.rules, path, part)?)
    }

    /// Appends a part that another process built. Returns true if it was not known.
    pub fn take(&mut self, content: &[u8]) -> Result<bool, JournalError> {
        let (path, part) = parse_part(content, &self.rules).ok_or(JournalError::NotAJournal)?;
        if self.known.contains_key(&path) {
            return Ok(false);
        }
        self.append(content)?;
        self.known.insert(path, part);
        Ok(true)
    }

    /// Returns true if the part after these turns is finished.
    #[must_use]
    pub fn has(&self, turns: &str) -> bool {
        self.known.contains_key(turns)
    }

    /// Encodes a part as the content of a record.
    pub(super) fn part(rules: &Rules, path: &str, part: &Node) -> Result<Vec<u8>, JournalError> {
        let mut content = (path.len() as u32).to_le_bytes().to_vec();
        content.extend(path.as_bytes());
        content.extend(file::pack(rules, part, FAST_LEVEL)?);
        Ok(content)
    }

    fn append(&self, content: &[u8]) -> Result<(), JournalError> {
        let mut record = Vec::with_capacity(content.len() + 8);
        append_record(&mut record, content);
        // One call, so that records of several threads do not mix.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_all(&record)?)
    }

    /// Removes the file, after the whole tree was saved.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

fn append_record(bytes: &mut Vec<u8>, content: &[u8]) {
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(content).to_le_bytes());
    bytes.extend(content);
}

/// Parts by path, and the number of bytes in complete records.
type Recovered = (HashMap<String, Node>, usize);

/// Decodes the complete records; `None` if even the beginning is missing.
fn recover(bytes: &[u8], subject: &Subject) -> Result<Option<Recovered>, JournalError> {
    let begun = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(begun) {
        return Err(JournalError::NotAJournal);
    }
    let mut rest = &bytes[begun.len()..];
    let Some(first) = next_record(&mut rest) else { return Ok(None) };
    let found: Subject = serde_json::from_slice(first).map_err(|_| JournalError::NotAJournal)?;
    if found != *subject {
        let name = |subject: &Subject| format!("{} at {}", subject.strategy, subject.rules);
        return Err(JournalError::OtherTree { found: name(&found), wanted: name(subject) });
    }
    let mut known = HashMap::new();
    let mut kept = bytes.len() - rest.len();
    while let Some((path, part)) = next_record(&mut rest).and_then(|content| parse_part(content, &subject.rules)) {
        known.insert(path, part);
        kept = bytes.len() - rest.len();
    }
    Ok(Some((known, kept)))
}

/// Removes the next complete record from the bytes.
fn next_record<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (checksum, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length);
    if length > MAX_RECORD_BYTES {
        return None;
    }
    let (content, rest) = rest.split_at_checked(length as usize)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    *bytes = rest;
    Some(content)
}

fn parse_part(content: &[u8], rules: &Rules) -> Option<(String, Node)> {
    let (length, rest) = content.split_first_chunk::<4>()?;
    let (path, body) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let path = str::from_utf8(path).ok()?;
    Some((path.to_owned(), file::unpack(rules, body).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;
    use pegwise_search::{Watch, tree::Tree};
    use pegwise_solve::catalog;

    fn rules() -> Rules {
        "4x7".parse().unwrap()
    }

    fn build(journal: Option<Journal>) -> Tree {
        let strategy = catalog::strategy("knuth", &rules()).unwrap().position_strategy().unwrap();
        let builder = Builder::new(&rules(), Watch::default());
        let builder = if let Some(journal) = journal { builder.with_journal(journal) } else { builder };
        let tree = builder.build(&*strategy).unwrap();
        assert_eq!(builder.done(), 2401);
        tree
    }

    /// Temporary folder of a test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("pegwise-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_truncated_journal_gives_the_same_tree() {
        let folder = Folder::new("journal");
        let path = folder.0.join("tree.journal");
        let whole = build(None);
        assert_eq!(build(Some(Journal::open(&path, &rules(), "knuth").unwrap())), whole);
        let bytes = fs::read(&path).unwrap();
        let all = Journal::open(&path, &rules(), "knuth").unwrap().codes_known();
        assert!(all > 2000, "{all} codes kept");
        for length in (0..bytes.len()).step_by(401).chain([bytes.len() - 1]) {
            fs::write(&path, &bytes[..length]).unwrap();
            let journal = Journal::open(&path, &rules(), "knuth").unwrap();
            assert!(journal.codes_known() <= all);
            assert_eq!(build(Some(journal)), whole, "{length} bytes");
        }
    }

    #[test]
    fn two_builds_cannot_share_a_journal() {
        let folder = Folder::new("journal-lock");
        let path = folder.0.join("tree.journal");
        let _open = Journal::open(&path, &rules(), "knuth").unwrap();
        assert!(matches!(Journal::open(&path, &rules(), "knuth"), Err(JournalError::InUse)));
    }

    #[test]
    fn damage_is_dropped_and_other_trees_are_refused() {
        let folder = Folder::new("journal-damage");
        let path = folder.0.join("tree.journal");
        build(Some(Journal::open(&path, &rules(), "knuth").unwrap()));
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(build(Some(Journal::open(&path, &rules(), "knuth").unwrap())), build(None));
        let error = Journal::open(&path, &rules(), "entropy").unwrap_err().to_string();
        assert_eq!(error, "the journal is for knuth at 4x7, not for entropy at 4x7: build that, or remove the journal");
        fs::write(&path, b"something else").unwrap();
        assert!(matches!(Journal::open(&path, &rules(), "knuth"), Err(JournalError::NotAJournal)));
        assert_eq!(fs::read(&path).unwrap(), b"something else", "foreign files are left alone");
    }
}
