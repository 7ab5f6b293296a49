//! Lists the published tables and figures of the folder `papers`, so that they are part of the program.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("papers");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut list = String::from("&[\n");
    for paper in entries(&folder)?.iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", paper.display());
        for file in entries(paper)?.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        {
            let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let id = format!("{}/{}", paper.file_name().unwrap_or_default().to_string_lossy(), name(file));
            list += &format!("    ({id:?}, include_str!({:?})),\n", fs::canonicalize(file)?);
        }
    }
    list += "]";
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("papers.rs"), list)
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
