//! `pegwise lab plot`.

use crate::folder::Folder;

/// Two boards, several strategies, and a parameter with three values.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.done(
        "lab run 3x4 3x5 -s random-consistent -s entropy(bonus=[0|1|2]) --games 20 -o games.db",
    );
    folder
}

#[test]
fn every_kind_of_plot_is_drawn() {
    let folder = folder();
    let drawn = folder.json("lab plot games.db -o plots/");
    let files: Vec<&str> = drawn.as_array().expect("a list").iter().filter_map(|plot| plot["file"].as_str()).collect();
    for kind in ["histogram", "box", "evaluations", "examined", "sweep-entropy-bonus"] {
        for rules in ["3x4", "3x5"] {
            assert!(files.contains(&format!("plots/{rules}-{kind}.svg").as_str()), "{files:?}");
        }
    }
    assert!(files.contains(&"plots/scaling-guesses.svg") && files.contains(&"plots/scaling-time.svg"), "{files:?}");
    for file in files {
        assert!(folder.read(file).starts_with(b"<svg "), "{file}");
    }
}

#[test]
fn one_plot_goes_to_a_file_or_the_standard_output() {
    let folder = folder();
    let svg = folder.done("lab plot games.db --kind box 3x5");
    assert!(svg.starts_with("<svg ") && svg.contains("random-consistent"));
    folder.done("lab plot games.db --kind box 3x5 -o box.svg");
    assert_eq!(folder.read("box.svg"), svg.as_bytes());
    folder.done("lab plot games.db --kind box 3x5 -o box.pdf --width 85 --height 60");
    assert!(folder.read("box.pdf").starts_with(b"%PDF-1.4"));
    let png = "lab plot games.db --kind sweep 3x5 -o sweep.PNG";
    if cfg!(feature = "png") {
        folder.done(png);
        assert!(folder.read("sweep.PNG").starts_with(b"\x89PNG"));
    } else {
        assert!(folder.refused(png).contains("built without PNG"));
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = folder();
    for (options, words) in [
        ("--kind histogram", "2 plots are available: 3x4-histogram, 3x5-histogram"),
        ("4x6", "not enough data for this plot; available: 3x4-histogram"),
        ("--kind box 3x4 -o box.gif", "box.gif: use an ending .svg, .png or .pdf"),
        ("--kind box 3x4 -o none/box.svg", "the folder none does not exist"),
    ] {
        let refused = folder.refused(&format!("lab plot games.db {options}"));
        assert!(refused.contains(words), "{options}: {refused}");
    }
    assert_eq!(folder.names(), ["games.db"]);
}
