//! The examples find what they say.

#[path = "../examples/ask_the_coach.rs"]
mod ask_the_coach;

#[test]
fn ask_the_coach_is_right() {
    ask_the_coach::main();
}
