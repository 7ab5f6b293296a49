//! Lists the files of the page as a constant expression that embeds them.

use std::{env, error::Error, fs, path::Path};

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
    for path in paths {
        let name = path.strip_prefix(&page)?.to_string_lossy().replace('\\', "/");
        list += &format!("Asset {{ path: {name:?}, bytes: include_bytes!({path:?}) }},\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("assets.rs"), list + "]")?;
    Ok(())
}
