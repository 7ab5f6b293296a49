//! Saved games.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::Path,
};

use anyhow::Context as _;
use pegwise_coach::Record;

use super::model::event::SaveError;

/// No game that anybody played is larger.
const LARGEST: u64 = 16 << 20;

/// Reads a game.
pub(super) fn load(path: &Path) -> anyhow::Result<Record> {
    let shown = path.display();
    let file = fs::File::open(path).with_context(|| format!("{shown} cannot be opened"))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(|| format!("{shown} cannot be read"))?;
    anyhow::ensure!(bytes.len() as u64 <= LARGEST, "{shown} is too large to be a saved game");
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{shown} is not a text, so not a saved game"))?;
    Record::from_text(&text).with_context(|| shown.to_string())
}

/// Writes a game, under another name first: whatever happens, the file is the old one or the new one.
pub(super) fn save(path: &Path, text: &str, overwrite: bool) -> Result<(), SaveError> {
    if !overwrite && path.exists() {
        return Err(SaveError::Exists);
    }
    write(path, text).map_err(|error| SaveError::Failed(format!("{} cannot be written: {error}", path.display())))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // What went wrong is told; the rest of it need not stay.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "pegwise = 1\nmode = \"make\"\nrules = \"4x6\"\nturns = [\"1122=1,0\"]\n";

    #[test]
    fn games_are_saved_and_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.toml");
        assert_eq!(save(&path, GAME, false), Ok(()));
        assert_eq!(load(&path).unwrap().turns.len(), 1);
        assert_eq!(save(&path, "other", false), Err(SaveError::Exists));
        assert_eq!(fs::read_to_string(&path).unwrap(), GAME);
        assert_eq!(save(&path, "other", true), Ok(()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn what_is_no_game_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            format!("{:#}", load(&path).unwrap_err())
        };
        assert!(error("cut", &GAME.as_bytes()[..40]).contains("is not a record of a game"));
        assert!(error("binary", &[0xFF, 0xFE, 0]).contains("is not a text"));
        assert!(error("empty", b"").contains("is not a record of a game"));
        assert!(format!("{:#}", load(&folder.path().join("none")).unwrap_err()).contains("cannot be opened"));
        assert!(load(folder.path()).is_err(), "a folder");
        let nowhere = folder.path().join("no").join("game.toml");
        assert!(matches!(save(&nowhere, GAME, false), Err(SaveError::Failed(_))));
    }
}
