//! The examples find what they say.

#[path = "../examples/is_it_luck.rs"]
mod is_it_luck;

#[test]
fn is_it_luck_is_right() {
    is_it_luck::main();
}
