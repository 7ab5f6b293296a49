//! Output files, written as `cp` and `sort -o` write them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// Maximum number of links followed to the file they name, as on Linux.
const MAX_LINKS: usize = 40;

/// Writes a file with `write`.
///
/// A regular file is replaced by a rename, so it appears completely or not at all, and keeps its permissions; a read-only
/// one is refused. Symbolic links are followed. Devices and pipes are written to directly.
///
/// ```
/// use std::io::Write as _;
/// use pegwise_trees::write_output;
/// let path = std::env::temp_dir().join(format!("pegwise-{}.txt", std::process::id()));
/// write_output(&path, |file| file.write_all(b"4x6\n"))?;
/// assert_eq!(std::fs::read(&path)?, b"4x6\n");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_output<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut fs::File) -> Result<(), E>,
) -> Result<(), E> {
    let (path, permissions) = match OutputTarget::of(path)? {
        OutputTarget::Stream => return write(&mut open_existing(path)?),
        OutputTarget::File(path, permissions) => (path, permissions),
    };
    let unfinished = unfinished_name(&path)?;
    let written = create(&unfinished, permissions).map_err(E::from).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        Ok(fs::rename(&unfinished, &path)?)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Returns an error if [`write_output`] would refuse the path, for a check before long work.
pub fn check_output(path: &Path) -> io::Result<()> {
    OutputTarget::of(path).map(drop)
}

/// Way in which a path is written.
enum OutputTarget {
    /// A device or pipe, also one that is only reached through its path, such as `/dev/stdout`.
    Stream,
    /// A regular file to replace, with its permissions, or a new one.
    File(PathBuf, Option<fs::Permissions>),
}

impl OutputTarget {
    fn of(path: &Path) -> io::Result<Self> {
        let named = follow_links(path)?;
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() || !named.is_file() => Ok(Self::Stream),
            Ok(found) if found.permissions().readonly() => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"))
            }
            // A file that this user may not write must not be replaced, either.
            Ok(found) => open_existing(path).map(|_| Self::File(named, Some(found.permissions()))),
            Err(_) => Ok(Self::File(named, None)),
        }
    }
}

fn open_existing(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).open(path)
}

/// Returns the file that a chain of symbolic links names, whether or not it exists.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn create(path: &Path, permissions: Option<fs::Permissions>) -> io::Result<fs::File> {
    let file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
    Ok(file)
}

/// Returns a name beside `path` that no other process or call uses.
fn unfinished_name(path: &Path) -> io::Result<PathBuf> {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file"))?;
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let unfinished = format!(".{}.{}-{call}.unfinished", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(unfinished))
}
