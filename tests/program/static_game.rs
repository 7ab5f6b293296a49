//! `pegwise static`.

use serde_json::json as value;

use crate::{fields, json, parse, pegwise};

#[test]
fn guesses_are_found_and_proven_to_be_the_fewest() {
    let found = json("static 2x6");
    assert_eq!(fields(&found), ["at_least", "goddard", "guesses", "minimal", "rules", "seconds", "seed"]);
    assert_eq!((found["guesses"].as_array().map(Vec::len), &found["minimal"]), (Some(4), &value!(true)));
    let codes =
        found["guesses"].as_array().expect("guesses").iter().map(|code| code.to_string().replace(['[', ']'], ""));
    let verified = json(&format!("static 2x6 --verify {}", codes.collect::<Vec<_>>().join(" ")));
    assert_eq!((&verified["decides"], &verified["decided"]), (&value!(true), &value!(36)));
    let text = pegwise("static 2x6").stdout;
    assert!(
        text.contains("4 guesses decide all 36 codes")
            && text.contains("Proven: no fewer do.\nGoddard's formula: 4.\n"),
        "{text}"
    );
    let text = pegwise("static 3x4 --proof 0").stdout;
    assert!(text.contains("Not proven: at least "), "{text}");
}

#[test]
fn greenwells_six_codes_decide_the_classic_game_and_no_five_of_them() {
    let six = ["1221", "2354", "3311", "4524", "5656", "6643"];
    let run = pegwise(&format!("static 4x6 --verify {}", six.join(" ")));
    assert_eq!((run.code, run.stdout.trim_end()), (0, "Yes: 6 guesses decide all 1,296 codes."));
    for left_out in 0..6 {
        let five: Vec<&str> = six.iter().enumerate().filter(|&(at, _)| at != left_out).map(|(_, &code)| code).collect();
        let run = pegwise(&format!("static 4x6 --verify {}", five.join(" ")));
        assert_eq!(run.code, 1);
        assert!(run.stdout.contains("answered alike: "), "{}", run.stdout);
    }
}

#[test]
fn answers_are_decoded() {
    let turns = "1221=0,1 2354=1,2 3311=1,0 4524=0,2 5656=2,0 6643=1,1";
    let decoded = json(&format!("static 4x6 --decode {turns}"));
    assert_eq!((&decoded["code"], &decoded["remaining"]), (&value!([3, 6, 5, 2]), &value!(1)), "{decoded}");
    assert_eq!(pegwise(&format!("static 4x6 --decode {turns}")).stdout, "3652\n");
    assert_eq!(pegwise("static 4x6 --decode 1122=4,0 3344=0,0").stdout, "1122\n");
    let run = pegwise("static 4x6 --decode 1122=0,0 --format json");
    assert_eq!((run.code, &parse(&run.stdout)["remaining"]), (1, &value!(256)));
}

#[test]
fn what_cannot_be_is_refused() {
    for (line, words) in [
        ("static 8x8", "16777216 codes are too many"),
        ("static 4x6 --verify 112", "it has 3 cells"),
        ("static 4x6 --decode 1122", "as in 1122=2,1"),
        ("static 4x6 --decode 1111=0,0 1112=2,0", "cannot both be true"),
        ("static 4x6 --verify 1122 --decode 1122=0,0", "cannot be used with"),
        ("static 4x6 --verify", "a value is required"),
        ("static 4x6 --proof -1", "invalid value"),
    ] {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(words), "{line}: {}", run.stderr);
    }
}
