//! Numbers of the documents are those of the results: a file `crates/lab/results/documents/NAME.csv`, printed by `pegwise lab report --to
//! csv`, holds what `docs/NAME.md` tells of its boards.

use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The numbers of a cell such as `5.464 (5.420 to 5.508)`, with how many decimals each is printed.
fn numbers(cell: &str) -> Vec<(f64, usize)> {
    let words = cell.split(|character: char| !(character.is_ascii_digit() || character == '.'));
    let number = |word: &str| {
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some((word.parse().ok()?, decimals))
    };
    words.filter_map(number).collect()
}

/// What differs between a document and its result file, a sentence each.
fn differences(document: &str, results: &str) -> Vec<String> {
    let mut lines = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().unwrap_or_default();
    let mut found = Vec::new();
    for fields in lines {
        let field = |name: &str| heading.iter().position(|other| *other == name).map_or("", |place| fields[place]);
        let (rules, games) = (field("rules"), field("games"));
        let is_row = |line: &&str| {
            let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            cells.get(1) == Some(&rules) && cells.get(2) == Some(&games)
        };
        let Some(row) = document.lines().find(is_row) else {
            found.push(format!("{rules}: the document has no row of {games} games"));
            continue;
        };
        let cells: Vec<&str> = row.split('|').collect();
        let printed = [numbers(cells[3]), numbers(cells[4])].concat();
        let measured = ["guesses_mean", "guesses_low95", "guesses_high95", "guesses_max"].map(field);
        for ((value, decimals), measured) in printed.into_iter().zip(measured.iter().filter(|text| !text.is_empty())) {
            let exact: f64 = measured.parse().expect("a number");
            if (exact - value).abs() > 0.5001 * 10f64.powi(-(decimals as i32)) {
                found.push(format!("{rules}: the document says {value}, and the results {measured}"));
            }
        }
    }
    found
}

#[test]
fn documents_say_what_was_measured() {
    let folder = root().join("crates/lab/results/documents");
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let document = fs::read_to_string(root().join(format!("docs/{name}.md"))).expect("a document of that name");
        let results = fs::read_to_string(&path).expect("text");
        assert_eq!(differences(&document, &results), [] as [String; 0], "docs/{name}.md");
    }
}

#[test]
fn a_number_that_differs_is_found() {
    let document =
        "| board | games | guesses | at most |\n|---|---|---|---|\n| 5x8 | 1000 | 5.464 (5.420 to 5.508) | 7 | 0.1 |\n";
    let results = "rules,strategy,games,guesses_mean,guesses_low95,guesses_high95,guesses_max\n\
        5x8,adaptive,1000,5.4641,5.41955,5.50849,7\n";
    assert_eq!(differences(document, results), [] as [String; 0]);
    assert_eq!(differences(document, &results.replace("5.4641", "5.4649")).len(), 1);
    assert_eq!(differences(document, &results.replace(",7\n", ",8\n")).len(), 1);
    assert_eq!(differences(document, &results.replace("5x8", "6x9")).len(), 1);
}
