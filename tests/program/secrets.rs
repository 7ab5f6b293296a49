//! Secrets from a list.

use serde_json::json as value;

use crate::{command, finish, folder::Folder};

#[test]
fn a_listed_secret_is_drawn_and_found_among_the_listed() {
    let folder = Folder::new();
    folder.write("pins.txt", b"# known\n1234 5\n4321, 2\n 5 6 7 8\n9876\n1357 0\n");
    for strategy in ["adaptive", "entropy", "knuth", "kooi(guesses=consistent)"] {
        for seed in 0..4 {
            let game = folder.json(&format!("solve 4x9 --secrets pins.txt -s {strategy} --seed {seed}"));
            assert_eq!((&game["listed"], &game["solved"]), (&value!(4), &value!(true)), "{strategy}");
            assert!(game["guesses"].as_u64().is_some_and(|guesses| guesses <= 4), "{strategy}: {game}");
            assert_ne!(game["secret"], value!([1, 3, 5, 7]), "weight zero is as good as not listed");
        }
    }
    let game = folder.json("solve 4x9 --secrets pins.txt --secret 9876 --seed 1");
    assert_eq!(game["secret"], value!([9, 8, 7, 6]));
    let text = folder.done("solve 4x9 --secrets pins.txt");
    assert!(text.contains("4 listed codes") && text.contains(" --secrets pins.txt --strategy adaptive"), "{text}");

    let hint = folder.json("hint 4x9 1234=0,4 --secrets pins.txt");
    assert_eq!((&hint["listed"], &hint["remaining"], &hint["basis"]), (&value!(4), &value!(1), &value!("proven")));
}

#[test]
fn what_is_no_list_is_refused() {
    let folder = Folder::new();
    folder.write("good.txt", b"1122\n3344\n");
    for (bytes, words) in [
        (&b""[..], "list.txt: no code is listed with a weight above zero"),
        (b"1122 0\n", "list.txt: no code is listed"),
        (b"1122\n1177\n", "list.txt:2: "),
        (b"1122 -1\n", "list.txt:1: the weight '-1' is not a number from zero on"),
        (b"1122 nan\n", "list.txt:1: the weight 'nan'"),
        (b"1122 inf\n", "list.txt:1: the weight 'inf'"),
        (b"1122\n# x\n1122 2\n", "list.txt:3: 1122 is listed already"),
        (b"1122\n11", "list.txt:2: "),
        (b"\xff\xfe\x00", "list.txt: the file is not UTF-8 text"),
    ] {
        folder.write("list.txt", bytes);
        for line in ["solve 4x6 --secrets list.txt", "hint 4x6 --secrets list.txt"] {
            let error = folder.refused(line);
            assert!(error.contains(words), "{words}: {error}");
        }
    }
    for (line, words) in [
        ("solve 4x6 --secrets none.txt", "none.txt: no such file"),
        ("solve 4x6 --secrets .", "this is a folder"),
        ("solve 4x6 --secrets good.txt --secret 5566", "5566 is not listed in --secrets"),
        ("solve 4x6 --secrets good.txt --codemaker adversary", "may use any code"),
        ("solve 4x6 --secrets good.txt -s evorank", "evorank cannot play 4x6 with a list of secrets"),
        ("solve 4x6 --secrets good.txt -s evorank", "one of these strategies: adaptive, "),
        ("hint 4x6 5566=1,0 --secrets good.txt", "no code of the list fits the turns"),
    ] {
        let error = folder.refused(line);
        assert!(error.contains(words), "{line}: {error}");
    }
}

/// A file without end is read so far and no farther.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_end_is_refused() {
    let run = finish(command(["solve", "4x6", "--secrets", "/dev/zero"]));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the file is larger than 64 MiB"), "{}", run.stderr);
}
