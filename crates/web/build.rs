//! Compresses the files of the page, and lists them as constant expressions that embed them: the sources, and what is served.
//!
//! `PEGWISE_PAGE` names a folder that `site/bundle.mjs` wrote; without it, the sources are served.

use std::{
    env,
    error::Error,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, GzBuilder};

fn main() -> Result<(), Box<dyn Error>> {
    let sources = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("page");
    embed(&sources, "sources")?;
    println!("cargo::rerun-if-env-changed=PEGWISE_PAGE");
    if let Some(bundle) = env::var_os("PEGWISE_PAGE") {
        embed(&fs::canonicalize(bundle)?, "served")?;
    } else {
        fs::write(out_folder()?.join("served.rs"), "SOURCES")?;
    }
    Ok(())
}

fn out_folder() -> Result<PathBuf, env::VarError> {
    env::var("OUT_DIR").map(PathBuf::from)
}

/// Writes `list`.rs with all files below a folder, sorted by path.
fn embed(folder: &Path, list: &str) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let (mut folders, mut paths) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { &mut folders } else { &mut paths }.push(path);
        }
    }
    paths.sort();
    let mut text = String::from("&[");
    for (number, path) in paths.iter().enumerate() {
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        let gzip = out_folder()?.join(format!("{list}-{number}.gz"));
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(path)?)?;
        fs::write(&gzip, encoder.finish()?)?;
        text +=
            &format!("Asset {{ path: {name:?}, bytes: include_bytes!({path:?}), gzip: include_bytes!({gzip:?}) }},\n");
    }
    fs::write(out_folder()?.join(list).with_extension("rs"), text + "]")?;
    Ok(())
}
