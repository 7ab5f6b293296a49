//! Property: a text that imports as a contest tree exports to a text that imports as the same tree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_game::Rules;
use pegwise_solve::tree::formats::{Format, export, import};

fuzz_target!(|text: &[u8]| {
    let rules: Rules = "2x3".parse().expect("well formed");
    if let Ok(file) = import(Format::Contest, Some(&rules), text) {
        let mut exported = Vec::new();
        if export(&file, Format::Contest, &mut exported).is_ok() {
            let again =
                import(Format::Contest, Some(&rules), &exported[..]).expect("an exported tree can be imported");
            assert_eq!(again.tree, file.tree);
        }
    }
});
