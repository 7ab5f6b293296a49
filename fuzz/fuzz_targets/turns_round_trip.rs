//! Property: a turn that parses under some rules prints back to text that parses to the same turn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_game::Turn;

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let rules = pegwise_fuzz::rules(which);
    if let Ok(turn) = Turn::parse(&rules, text) {
        let printed = turn.notation(&rules).to_string();
        assert_eq!(Turn::parse(&rules, &printed), Ok(turn));
    }
});
