use pegwise_game::feedback;
use pegwise_solve::Rng;
use proptest::{
    collection,
    prelude::{Just, any, prop_assert_eq, prop_oneof, proptest},
    sample,
};

use super::*;

fn record(line: &str) -> Result<Record, String> {
    Record::from_line(line).map_err(|error| error.to_string())
}

const RULES: [&str; 12] = [
    "4x6",
    "1x1",
    "4x10:no-repeats",
    "5x26",
    "3x27",
    "4x300",
    "8x12:max-guesses=4",
    "4x6:higher-lower",
    "4x6:distance",
    "grid:3x3x4",
    "triangle:3x5",
    "lines:1.2.3/3.4.5x6",
];

#[test]
fn both_forms_are_as_documented() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1122=1,0", "1344=0,1"]).unwrap();
    let mut record = Record {
        secret: Some(rules.parse_code("3632").unwrap()),
        strategy: Some("entropy(guesses=consistent)".parse().unwrap()),
        seed: Some(7),
        ..Record::new(Mode::Break, &history)
    };
    let words = "pegwise/1 break 4x6 1122=1,0 1344=0,1 seed:7 by:entropy(guesses=consistent)";
    let line = record.line();
    assert!(line.strip_prefix(words).is_some_and(|rest| rest.starts_with(" sealed:")), "{line}");
    record.revealed = true;
    assert_eq!(record.line(), format!("{words} secret:3632"));
    let text = "# A game of Pegwise: `pegwise play --load` with this file goes on with it.\npegwise = 1\n\
        mode = \"break\"\n\
        rules = \"4x6\"\nstrategy = \"entropy(guesses=consistent)\"\nseed = 7\nsecret = \"3632\"\n\
        turns = [\n  \"1122=1,0\",\n  \"1344=0,1\",\n]\n";
    assert_eq!(record.to_text(), text);
    for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
        assert!(Record::from_text(&text[..end]).is_err(), "cut off at {end}");
    }
    let json = serde_json::to_value(&record).unwrap();
    assert_eq!(json["turns"][0]["guess"], serde_json::json!([1, 1, 2, 2]));
    assert_eq!(json["secret"], serde_json::json!([3, 6, 3, 2]));
}

#[test]
fn damage_is_named() {
    let error = |line: &str| record(line).unwrap_err();
    assert!(error("hello").starts_with("'hello' is not a game as a line of text"));
    assert!(error("").starts_with("'' is not a game"));
    assert_eq!(error("pegwise/2 break 4x6"), "the record is of version 2, and this program reads version 1");
    assert!(error("pegwise/1 break").contains("is not a game"));
    assert_eq!(error("pegwise/1 bake 4x6"), "'bake' is not a mode; use break, make or watch");
    assert!(error("pegwise/1 break 4x").starts_with("the rules of the record: '4x' is not a size"));
    assert!(error("pegwise/1 break 4x6 1122=5,0").starts_with("turn 1 of the record: mark 1 of '5,0'"));
    assert!(error("pegwise/1 break 4x6 1122").starts_with("'1122' in the line of a game is neither"));
    assert!(error("pegwise/1 break 4x6 seed:x").starts_with("'x' is not a seed"));
    assert_eq!(error("pegwise/1 break 4x6 seed:1 seed:2"), "'seed' is given twice");
    assert_eq!(error("pegwise/1 break 4x6 secret:1111 sealed:00"), "'secret' is given twice");
    assert!(error("pegwise/1 break 4x6 sealed:0000").starts_with("the sealed code is damaged"));
    assert_eq!(
        error("pegwise/1 break 4x6 1122=0,0 secret:1111"),
        "turn 1 of the record cannot be: the code answers 2,0, not 0,0"
    );
    for text in
        ["", "pegwise = 1", "pegwise = 1\nrules = 4", "pegwise = 1\nrules = \"4x6\"\nfoo = 1", "\u{0}", "turns = ["]
    {
        assert!(Record::from_text(text).unwrap_err().to_string().starts_with("this is not a record"), "{text}");
    }
    let version = Record::from_text("pegwise = 9\nrules = \"4x6\"").unwrap_err();
    assert_eq!(version, RecordError::Version { found: "9".to_owned() });
}

#[test]
fn seals_hide_what_codes_share() {
    let rules: Rules = "8x6".parse().unwrap();
    let sealed = |code: &str| seal(&rules, &rules.parse_code(code).unwrap());
    let (one, other) = (sealed("11111111"), sealed("11111112"));
    let same = one.bytes().zip(other.bytes()).filter(|(one, other)| one == other).count();
    assert!(same < one.len() / 2, "{one} {other}");
    assert_eq!(open(&rules, &one), rules.parse_code("11111111").ok());
    assert_eq!(open(&"8x7".parse().unwrap(), &one), None, "of other rules");
    assert_eq!(open(&rules, &one[..one.len() - 2]), None, "cut off");
}

proptest! {
    #[test]
    fn records_come_back_as_they_were(
        rules in sample::select(&RULES[..]),
        seed in any::<u64>(),
        turns in 0..6usize,
        hidden in any::<bool>(),
        revealed in any::<bool>(),
        mode in sample::select(&Mode::ALL[..]),
        strategy in prop_oneof![Just(None), Just(Some("knuth")), Just(Some("entropy(ties=random)"))],
    ) {
        let rules: Rules = rules.parse().unwrap();
        let mut rng = Rng::new(seed);
        let secret = rng.code(&rules);
        let mut history = History::new(rules.clone());
        for _ in 0..turns {
            let guess = rng.code(&rules);
            let feedback = feedback(&rules, &guess, &secret);
            history.push(Turn { guess, feedback }).unwrap();
        }
        // Only who makes a code may have it in mind alone, and a code that was found is known.
        let hidden = hidden || mode != Mode::Make || history.is_solved();
        let mut record = Record {
            secret: hidden.then_some(secret),
            strategy: strategy.map(|strategy| strategy.parse().unwrap()),
            seed: Some(seed),
            ..Record::new(mode, &history)
        };
        record.revealed = hidden && revealed && !record.is_over();
        prop_assert_eq!(record.history().unwrap(), history);
        prop_assert_eq!(&Record::from_line(&record.line()).unwrap(), &record);
        prop_assert_eq!(&Record::from_text(&record.to_text()).unwrap(), &record);
    }

    #[test]
    fn no_text_breaks_the_readers(
        text in any::<String>(),
        cut in any::<sample::Index>(),
        flips in collection::vec(any::<(sample::Index, char)>(), 0..4),
    ) {
        let line = "pegwise/1 break 4x6 1122=1,0 1344=0,1 seed:7 by:knuth secret:3632";
        let file = record(line).unwrap().to_text();
        for whole in [line, &file] {
            let mut damaged: Vec<char> = whole.chars().collect();
            for (place, char) in &flips {
                let place = place.index(damaged.len());
                damaged[place] = *char;
            }
            damaged.truncate(cut.index(damaged.len()) + 1);
            let damaged: String = damaged.into_iter().collect();
            for text in [&text, &damaged, &format!("pegwise/1 {text}")] {
                if let Ok(read) = Record::from_line(text) {
                    prop_assert_eq!(&Record::from_line(&read.line()).unwrap(), &read);
                }
                if let Ok(read) = Record::from_text(text) {
                    prop_assert_eq!(&Record::from_text(&read.to_text()).unwrap(), &read);
                }
            }
        }
    }
}

/// A person who makes the code may answer what cannot all be true, also at the end; the game is kept as it was.
#[test]
fn answers_that_cannot_be_true_are_kept() {
    let record = Record::from_line("pegwise/1 make 3x6 112=0,0 123=3,0").unwrap();
    assert_eq!((record.turns.len(), record.secret), (2, None));
    assert!(Record::from_line("pegwise/1 break 3x6 112=0,0 123=3,0").is_err());
}
