//! Property: a strategy that parses prints back to text that parses to the same strategy.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_solve::Spec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
});
