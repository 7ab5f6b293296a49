//! Runs the examples.

#[path = "../examples/duel.rs"]
mod duel;

#[test]
fn duel_is_right() {
    duel::main();
}
