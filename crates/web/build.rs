//! Compresses the files of the page, and lists them as a constant expression that embeds them.

use std::{env, error::Error, fs, io::Write as _, path::Path};

use flate2::{Compression, GzBuilder};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=page");
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("page");
    let (mut folders, mut paths) = (vec![page.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { &mut folders } else { &mut paths }.push(path);
        }
    }
    paths.sort();
    let mut list = String::from("&[");
    let out = Path::new(&env::var("OUT_DIR")?).to_owned();
    for (number, path) in paths.iter().enumerate() {
        let name = path.strip_prefix(&page)?.to_string_lossy().replace('\\', "/");
        let gzip = out.join(format!("{number}.gz"));
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(path)?)?;
        fs::write(&gzip, encoder.finish()?)?;
        list +=
            &format!("Asset {{ path: {name:?}, bytes: include_bytes!({path:?}), gzip: include_bytes!({gzip:?}) }},\n");
    }
    fs::write(out.join("assets.rs"), list + "]")?;
    Ok(())
}
