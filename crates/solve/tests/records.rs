//! Every tree in `records/` does what the list there says.

use std::{collections::BTreeSet, path::Path};

use pegwise_solve::tree::{TreeFile, verify};

#[test]
fn trees_do_what_the_list_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
    let list = std::fs::read_to_string(folder.join("records.txt")).unwrap();
    let mut listed = BTreeSet::new();
    for row in list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, rules, total, max, proven, command] = fields[..] else { panic!("{row}") };
        let file = TreeFile::load(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let verdict = verify(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.tree.rules.to_string(), rules, "{name}");
        assert_eq!((verdict.total.to_string().as_str(), verdict.max.to_string().as_str()), (total, max), "{name}");
        assert_eq!(file.proven, proven == "proven", "{name}");
        assert!(command.starts_with(&format!("pegwise tree build {rules} ")), "{name}");
        listed.insert(name.to_owned());
    }
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let trees: BTreeSet<String> = files.filter(|name| name.ends_with(".tree")).collect();
    assert_eq!(trees, listed, "every tree is listed");
}
