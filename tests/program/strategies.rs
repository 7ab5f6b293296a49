//! `pegwise strategies`.

use serde_json::{Value, json as value};

use crate::{fields, json, pegwise};

fn named<'a>(catalog: &'a Value, name: &str) -> &'a Value {
    let rows = catalog.as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name} is in the catalog"))
}

#[test]
fn the_catalog_says_all_about_every_strategy() {
    let catalog = json("strategies");
    for row in catalog.as_array().expect("a list") {
        assert_eq!(fields(row), ["about", "family", "name", "paper", "parameters", "plays", "title"]);
        for parameter in row["parameters"].as_array().expect("a list") {
            assert_eq!(fields(parameter), ["about", "default", "kind", "name"]);
        }
    }
    for name in ["random-consistent", "shapiro", "swaszek", "worst-case", "expected-size", "entropy", "most-parts"] {
        named(&catalog, name);
    }
    for preset in ["knuth", "irving", "norvig", "neuwirth", "bestavros-max-entropy", "bestavros-max-min", "kooi"] {
        assert_ne!(named(&catalog, preset)["paper"], "", "{preset}");
    }
    let guesses = |name: &str| named(&catalog, name)["parameters"][0].clone();
    assert_eq!(guesses("entropy")["kind"], value!({ "choice": ["all", "consistent"] }));
    assert_eq!(guesses("entropy")["default"], "all");
    assert_eq!(guesses("norvig")["default"], "consistent", "a preset's own default");
}

#[test]
fn one_strategy_is_told_about_alone() {
    let catalog = json("strategies");
    assert_eq!(&json("strategies knuth"), named(&catalog, "knuth"));
    let text = pegwise("strategies norvig").stdout;
    assert!(text.contains("  guesses  all | consistent  (default: consistent)\n"), "{text}");
}

#[test]
fn text_lists_every_strategy() {
    let text = pegwise("strategies").stdout;
    for row in json("strategies").as_array().expect("a list") {
        for field in ["name", "title", "family", "about", "paper"] {
            let word = row[field].as_str().expect("text");
            assert!(text.contains(word), "{word}");
        }
    }
}

#[test]
fn every_strategy_of_the_catalog_plays() {
    for row in json("strategies").as_array().expect("a list") {
        let name = row["name"].as_str().expect("a name");
        let solve = |rules| format!("solve {rules} --seed 1 --strategy {name}");
        // What plays no row plays grids.
        let rules = if pegwise(&solve("4x6")).code == 0 { "4x6" } else { "grid:2x2x3" };
        assert_eq!(json(&solve(rules))["solved"], true, "{name}");
    }
}
