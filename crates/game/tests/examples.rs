//! The examples find what they say.

#[path = "../examples/remaining_codes.rs"]
mod remaining_codes;

#[test]
fn what_is_left_is_right() {
    remaining_codes::main();
}
