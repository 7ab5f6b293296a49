//! Runs the examples.

#[path = "../examples/break_a_code.rs"]
mod break_a_code;

#[test]
fn break_a_code_is_right() {
    break_a_code::main();
}
