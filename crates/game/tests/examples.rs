//! The examples find what they say.

#[path = "../examples/what_is_left.rs"]
mod what_is_left;

#[test]
fn what_is_left_is_right() {
    what_is_left::main();
}
