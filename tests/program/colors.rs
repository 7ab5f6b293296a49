//! Colors by name and letter, and bulls and cows in digits.

use crate::{folder::Folder, json, pegwise};

const SET: &str = "--colors red,green,yellow,blue,orange,purple";

#[test]
fn codes_are_read_and_written_by_first_letters() {
    let plain = json("hint 4x6 1234=1,1 1122=0,1");
    assert_eq!(json(&format!("hint 4x6 RGYB=1,1 rrgg=0,1 {SET}"))["guess"], plain["guess"]);
    assert_eq!(json(&format!("hint red,green,yellow,blue=1,1 1122=0,1 {SET}"))["guess"], plain["guess"]);
    let text = pegwise(&format!("hint RGYB=1,1 RRGG=0,1 {SET}")).stdout;
    assert!(text.contains("RGYB") && text.contains("RRGG") && !text.contains("1234"), "{text}");
    let game = pegwise(&format!("solve 4x6 --secret PORG --seed 1 {SET}")).stdout;
    assert!(game.lines().any(|line| line.contains("PORG")), "{game}");
    let judged = pegwise(&format!("analyze RRGG=1,0 ORRP=0,2 {SET}"));
    assert_eq!(judged.code, 0, "{}", judged.stderr);
    assert!(judged.stdout.contains("RRGG") && judged.stdout.contains("ORRP"), "{}", judged.stdout);
}

#[test]
fn names_that_cannot_be_are_refused() {
    for (line, expected) in [
        ("hint --colors red,green", "2 names were given, and the game has 6 colors"),
        ("hint --colors red,green,yellow,blue,black,white", "blue and black both begin with B"),
        ("hint 4x2 --colors red,9", "'9' is "),
        ("solve 4x2 --colors red,", "'' is "),
        ("hint 4x3 RRXX=0,0 --colors red,green,blue", "'X' is not a color; the colors are R, G, B"),
        ("settings --colors red,rose", "red and rose both begin with R"),
    ] {
        let run = pegwise(line);
        assert_eq!(run.code, 2, "{line}");
        assert!(run.stderr.contains(expected), "{line}: {}", run.stderr);
    }
}

#[test]
fn names_are_kept() {
    let folder = Folder::new();
    assert!(folder.done("settings").starts_with("no settings"));
    assert!(folder.done(&format!("settings {SET}")).starts_with("colors = red, green, yellow, blue, orange, purple"));
    assert!(folder.done("hint RGYB=1,1").contains("RGYB"));
    // Boards with fewer colors take the first names, and those with more none.
    assert!(folder.done("hint 3x4 RGB=1,1").contains("RGB"));
    assert!(folder.done("hint 4x8 1122=1,1").contains("1122"));
    assert!(folder.done("hint 1122=1,1 --colors none").contains("1122"));
    // A saved game and JSON have numbers.
    assert_eq!(folder.json("settings")["colors"][5], "purple");
    assert!(folder.done("settings --colors none").starts_with("no settings"));
    assert_eq!(folder.run("hint RGYB=1,1").code, 2);
    folder.write("config/pegwise/settings", b"colours = red\n");
    let run = folder.run("hint");
    assert!(run.code == 2 && run.stderr.contains("line 1: write colors = "), "{}", run.stderr);
}

#[test]
fn bulls_and_cows_are_digits() {
    let text = pegwise("hint 4x10:no-repeats 1234=1,1 ABCJ=0,2").stdout;
    assert!(text.contains("1234") && text.contains("1230") && text.contains("bulls,cows"), "{text}");
    let guess = |turn: &str| json(&format!("hint 4x10:no-repeats {turn}"))["guess"].clone();
    assert_eq!(guess("1230=1,1"), guess("ABCJ=1,1"));
    assert_eq!(guess("1230=1,1"), guess("1,2,3,10=1,1"));
    let wrong = pegwise("hint 4x10:no-repeats 1234=1,1 1234=2,0").stderr;
    assert!(wrong.contains("as bulls instead of cows: 2,0") && !wrong.contains("black"), "{wrong}");
    // Where colors may come twice they are letters as ever.
    let letters = pegwise("hint 4x10 ABCD=1,1");
    assert!(letters.code == 0 && letters.stdout.contains("ABCD"), "{}", letters.stderr);
    assert_eq!(pegwise("hint 4x10 1234=1,1").code, 2);
}
