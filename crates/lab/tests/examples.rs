//! The examples find what they say.

#[path = "../examples/duel.rs"]
mod duel;

#[test]
fn duel_is_right() {
    duel::main();
}
