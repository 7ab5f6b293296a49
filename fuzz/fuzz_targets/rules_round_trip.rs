//! Property: rules that parse print back to text that parses to the same rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_game::{Rules, Space};

fuzz_target!(|text: &str| {
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse(), Ok(rules.clone()));
        assert!(!Space::new(&rules).count().to_string().is_empty());
    }
});
