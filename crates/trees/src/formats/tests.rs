use proptest::prelude::*;

use super::*;
use crate::{samples, verify};

fn exported(file: &TreeFile, format: Format) -> String {
    let mut bytes = Vec::new();
    export(file, format, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn contest(rules: &str, text: &str) -> Result<TreeFile, ImportError> {
    import(Format::Contest, Some(&rules.parse().unwrap()), text.as_bytes())
}

/// Example of the contest, with its score.
const EXAMPLE: &str = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";

#[test]
fn the_example_of_the_contest_scores_as_published() {
    let file = contest("2x3", EXAMPLE).unwrap();
    assert_eq!(verify(&file).unwrap().total, 21);
    assert_eq!(exported(&file, Format::Contest), "{AB:{00:CC,01:{BC:{01:CA}},02:BA,10:{AC:{00:BB,01:CB,10:AA}}}}\n");
}

#[test]
fn contest_takes_white_space_and_a_single_code() {
    let spaced = EXAMPLE.replace(':', " :\n").replace('{', "{ ");
    assert_eq!(contest("2x3", &spaced).unwrap(), contest("2x3", EXAMPLE).unwrap());
    assert!(verify(&contest("3x1", "AAA").unwrap()).is_ok());
}

#[test]
fn contest_errors_have_a_position() {
    let message = |text: &str| contest("2x3", text).unwrap_err().to_string();
    assert_eq!(message(""), "line 1, column 1: expected a guess, but the text ends");
    assert_eq!(message("{AB:{10:AA"), "line 1, column 11: expected ',' and another reply, or '}', but the text ends");
    assert_eq!(
        message("{AB:\n{1:AA}}"),
        "line 2, column 2: expected a reply of two digits, black then white, but '1' was found"
    );
    assert_eq!(message("{AB:{20:AA}}"), "line 1, column 6: the winning reply has no strategy");
    assert_eq!(
        message("{AB:{11:AA}}"),
        "line 1, column 6: mark 1 of '1,1': one peg in the wrong place with all others right is impossible"
    );
    assert!(
        message("{AD:{10:AA}}")
            .starts_with("line 1, column 2: 'AD' is not a valid code for these rules: 'D' is not a color")
    );
    assert_eq!(message("AA AB"), "line 1, column 4: expected the end, but 'A' was found");
    assert_eq!(message("{AB:{10:AA,10:AC}}"), "at the start: the branch of 1,0 is duplicated or out of order");
    assert_eq!(
        message("{AB:{}}"),
        "line 1, column 6: expected a reply of two digits, black then white, but '}' was found"
    );
    let deep = "{AB:{10:".repeat(1 << 20);
    assert!(message(&deep).ends_with("the tree is deeper than 1024 guesses"));
}

#[test]
fn contest_is_for_rows_in_black_and_white() {
    for rules in ["grid:2x2x3", "3x4:black-only", "3x4:per-cell", "1x30"] {
        let file = samples::file(rules, "shapiro(order=numeric)");
        let error = export(&file, Format::Contest, Vec::new()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("the contest format cannot express {rules}")), "{error}");
        assert!(matches!(contest(rules, "A"), Err(ImportError::Rules(_))));
    }
    assert!(matches!(import(Format::Contest, None, &b"A"[..]), Err(ImportError::NoRules(_))));
}

#[test]
fn drawings_cannot_be_imported() {
    let error = import(Format::Dot, None, &b"digraph"[..]).unwrap_err();
    assert_eq!(error.to_string(), "dot files cannot be imported; use pegtree, json, contest or knuth");
}

#[test]
fn other_rules_than_given_are_refused() {
    let json = exported(&samples::file("2x3", "knuth"), Format::Json);
    let rules: Rules = "2x4".parse().unwrap();
    let error = import(Format::Json, Some(&rules), json.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "the tree is for 2x3, not for 2x4");
}

#[test]
fn json_is_as_documented() {
    let file = TreeFile { made_by: "a \"quoted\" name".to_owned(), ..contest("1x2", "{A:{00:B}}").unwrap() };
    assert_eq!(
        exported(&file, Format::Json),
        concat!(
            r#"{"format":"pegwise-tree","version":1,"rules":"1x2","made_by":"a \"quoted\" name","#,
            r#""codes":2,"total":3,"max":2,"proven":false,"lower_bound":null,"#,
            r#""tree":{"guess":[1],"wins":true,"branches":["#,
            r#"{"feedback":[{"black":0,"white":0}],"guess":[2],"wins":true}]}}"#,
            "\n"
        )
    );
}

#[test]
fn json_errors_have_a_position() {
    let json = exported(&samples::file("2x3", "knuth"), Format::Json);
    let message = |text: &str| import(Format::Json, None, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(message("{"), "line 1, column 1: EOF while parsing an object");
    assert!(message(&json.replace("pegwise-tree", "other")).ends_with("this is not a pegwise-tree of version 1"));
    assert!(
        message(&json.replacen("\"white\":0", "\"lower\":0", 1))
            .ends_with("a black-white mark has black and white, and nothing else")
    );
    assert!(message(&json.replacen("\"white\":0", "\"white\":7", 1)).ends_with("7 pegs on a line of 2"));
    assert!(
        message(&json.replacen("\"guess\":[1", "\"guess\":[9", 1)).starts_with("at the start: the guess is not a code")
    );
    assert!(message(&json.replacen("\"guess\":[1", "\"guess\":[0", 1)).contains("colors are numbered from 1"));
    assert!(message(&json.replacen("\"wins\":true", "\"wins\":false", 9)).contains("no branch follows it"));
    let (head, _) = json.split_once("{\"guess\"").unwrap();
    let deep = format!("{head}{}", "{\"branches\":[".repeat(1 << 20));
    assert!(message(&deep).contains("recursion limit exceeded"));
}

#[test]
fn deep_trees_round_trip_as_json() {
    let file = samples::file("1x60", "shapiro(order=numeric)");
    assert_eq!(file.claim.max, 60);
    assert_eq!(import(Format::Json, None, exported(&file, Format::Json).as_bytes()).unwrap(), file);
}

#[test]
fn drawings_have_an_edge_for_each_branch() {
    let file = TreeFile { made_by: "a\"b\\".to_owned(), ..samples::file("2x3", "knuth") };
    let drawing = exported(&file, Format::Dot);
    assert!(drawing.starts_with("digraph \"2x3 a\\\"b\\\\\" {\n"));
    assert_eq!(
        drawing.matches(" -> ").count() + 1,
        drawing.matches("  n").count() - drawing.matches(" -> ").count() - 1
    );
}

#[test]
fn formats_are_named() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert!("xml".parse::<Format>().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tree_round_trips(file in samples::any_file()) {
        let json = exported(&file, Format::Json);
        prop_assert_eq!(&import(Format::Json, Some(&file.tree.rules), json.as_bytes()).unwrap(), &file);
        let mut text = Vec::new();
        match export(&file, Format::Contest, &mut text) {
            Ok(()) => {
                let same = import(Format::Contest, Some(&file.tree.rules), &text[..]).unwrap();
                prop_assert_eq!((same.tree, same.claim), (file.tree, file.claim));
            }
            Err(error) => prop_assert!(matches!(error, ExportError::Rules(_))),
        }
    }

    #[test]
    fn any_text_is_a_tree_or_an_error(text in "[{}:,ABC012]{0,40}") {
        let _ = contest("2x3", &text);
    }
}

fn knuth(rules: &str, text: &str) -> Result<TreeFile, ImportError> {
    import(Format::Knuth, Some(&rules.parse().unwrap()), text.as_bytes())
}

/// Tree of 2x3 with all features of the notation: parts in place and separate, a guess that identifies its codes, a
/// star.
const PRINTED: &str = "9 (12: 1, 2A, 1; 4 (13: 0, 1, 1; 1; 1); 1) A = (22*)";

#[test]
fn printed_trees_are_read_and_replayed() {
    let file = knuth("2x3", PRINTED).unwrap();
    let verdict = verify(&file).unwrap();
    // 12 is found at once, 13, 21 and 33 by the second guess, the other five by the third.
    assert_eq!((verdict.total, verdict.histogram), (1 + 3 * 2 + 5 * 3, vec![1, 3, 5]));
    // Parts of two codes are not printed separately by this program.
    assert_eq!(exported(&file, Format::Knuth), "9 (12: 1, 2 (22*), 1; 4 (13); 1)\n");
    let spaced = PRINTED.replace(' ', "\n  ").replace("A =", "A\t=\n2");
    assert_eq!(knuth("2x3", &spaced).unwrap(), file);
    assert_eq!(knuth("3x1", "1").unwrap().tree.stats().total, 1);
    assert_eq!(knuth("2x2", "4 (12: 1, 0, 0; 2 (11); 1)").unwrap().tree.stats().total, 1 + 2 + 2 + 3);
}

#[test]
fn trees_round_trip_in_the_notation_of_knuth() {
    for (rules, strategy) in
        [("4x6", "knuth"), ("4x6", "entropy"), ("3x5", "irving"), ("4x7:no-repeats", "entropy"), ("2x26", "entropy")]
    {
        let file = samples::file(rules, strategy);
        let text = exported(&file, Format::Knuth);
        let back = knuth(rules, &text).unwrap();
        assert_eq!(back.tree, file.tree, "{rules} {strategy}");
        assert_eq!(verify(&back).unwrap().total, file.claim.total);
    }
    let text = exported(&samples::file("4x6", "knuth"), Format::Knuth);
    assert!(text.starts_with("1296 (1122: 1, 16A, 96B, 256C, 256D; 0, 36E, 208F, 256G; 4 ("), "{text:.80}");
}

#[test]
fn knuth_errors_have_a_position() {
    let message = |text: &str| knuth("2x3", text).unwrap_err().to_string();
    assert_eq!(message(""), "line 1, column 1: expected how many codes are left, but the text ends");
    assert_eq!(message("8 (12)"), "line 1, column 1: 8 codes are printed here, and 9 fit");
    assert_eq!(
        message("99999999999999999999999999 (12)"),
        "line 1, column 1: 99999999999999999999 codes are printed here, and 9 fit"
    );
    assert_eq!(message("9"), "line 1, column 2: expected '(' and a guess, or the name of a part, but the text ends");
    assert_eq!(message("9 (:"), "line 1, column 4: expected a guess, but ':' was found");
    assert!(
        message("9 (14: 1").starts_with("line 1, column 4: '14' is not a valid code for these rules"),
        "{}",
        message("9 (14: 1")
    );
    assert_eq!(message("9 (12)"), "line 1, column 4: 2 codes are left after 0,1, and no guess for them is printed");
    assert_eq!(message("9 (12*: 1"), "line 1, column 6: the guess can be the code, and has a star");
    assert_eq!(message("9 (12: 1,\n 2 (22)"), "line 2, column 5: the guess cannot be the code, and has no star");
    assert_eq!(
        message("9 (12: 1; 2"),
        "line 1, column 9: expected ',' and the part with one white peg less, but ';' was found"
    );
    assert_eq!(
        message("9 (12: 1, 2 (22*), 1, 4"),
        "line 1, column 21: expected ';' and the parts with 1 black pegs, but ',' was found"
    );
    assert_eq!(message("9 (12: 1, 2A, 1; 4 (13: 0, 1, 1; 1; 1); 1)"), "line 1, column 12: A is not printed anywhere");
    assert_eq!(message(&format!("{PRINTED} B = (11)")), "line 1, column 54: B is printed, but no part has this name");
    assert_eq!(message(&format!("{PRINTED} A = (11)")), "line 1, column 54: A is printed twice");
    assert_eq!(
        message("9 (12: 1, 2 (22*), 1; 4 (13: 0, 1, 1; 1; 1); 1) 5"),
        "line 1, column 49: expected the end, or a part that is printed apart, but '5' was found"
    );
    // A part that is defined by itself splits nothing, and does not hang.
    assert!(message("9A A = (11: 0, 0, 4A; 4A; 1)").contains("line 1, column"));
    assert!(message("9A A = (12: 9A").contains("codes are printed here"));
    for end in 0..PRINTED.len() {
        assert!(knuth("2x3", &PRINTED[..end]).is_err(), "{end}");
    }
    for rules in ["grid:2x2x3", "3x4:black-only", "1x30"] {
        assert!(matches!(knuth(rules, "1"), Err(ImportError::Rules(_))), "{rules}");
    }
    assert!(matches!(import(Format::Knuth, None, &b"1"[..]), Err(ImportError::NoRules(_))));
}

proptest! {
    #[test]
    fn garbled_printed_text_is_an_error_or_a_tree(at in 0..PRINTED.len(), byte in prop::sample::select(b"0129AB(),;:*= \n\xff".to_vec())) {
        let mut text = PRINTED.as_bytes().to_vec();
        text[at] = byte;
        if let Ok(file) = import(Format::Knuth, Some(&"2x3".parse().unwrap()), &text[..]) {
            prop_assert!(verify(&file).is_ok());
        }
    }
}
