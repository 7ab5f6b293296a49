//! Law: a note that parses under some rules prints back to text that parses to the same note.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_coach::Note;
use pegwise_game::Rules;

fuzz_target!(|input: (u8, &str)| {
    const RULES: [&str; 8] = [
        "4x6",
        "4x10:no-repeats",
        "3x40",
        "1x12",
        "grid:2x2x3",
        "4x6:distance",
        "3x5:higher-lower",
        "20x20:black-only",
    ];
    let (which, text) = input;
    let rules: Rules = RULES[usize::from(which) % RULES.len()].parse().expect("well formed");
    if let Ok(note) = Note::parse(&rules, text) {
        let printed = note.notation(&rules).to_string();
        assert_eq!(Note::parse(&rules, &printed), Ok(note));
    }
});
