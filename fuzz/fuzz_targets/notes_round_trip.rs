//! Property: a note that parses under some rules prints back to text that parses to the same note.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_coach::Note;

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let rules = pegwise_fuzz::rules(which);
    if let Ok(note) = Note::parse(&rules, text) {
        let printed = note.notation(&rules).to_string();
        assert_eq!(Note::parse(&rules, &printed), Ok(note));
    }
});
