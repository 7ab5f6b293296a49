//! Asks for a hint with a forgotten peg, and repairs contradictory notes: `cargo run -p pegwise-coach --example
//! ask_the_coach`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use pegwise_coach::{Notes, hint, mend};
use pegwise_game::Rules;
use pegwise_solve::{Search, catalog};

pub(crate) fn main() {
    let rules: Rules = "4x6".parse().expect("four pegs in six colors");
    let mut adaptive = catalog::strategy("adaptive", &rules).expect("a strategy for these rules");

    let notes = Notes::parse(&rules, ["1122=1,1", "13?4=0,2"]).expect("two turns");
    let hint = hint(&notes, &mut *adaptive, &mut Search::new(1)).expect("some code fits");
    println!("{}: {}", hint.guess.notation(rules.palette()), hint.why);
    assert_eq!(hint.remaining.exact(), Some(97));

    let wrong = Notes::parse(&rules, ["1122=0,0", "3344=0,1", "5566=0,0"]).expect("three turns");
    let mended = mend(&wrong, &mut Search::new(1)).expect("no code fits");
    println!("{}", mended.repairs[0].words);
    assert_eq!(mended.turns, [[1, 2, 3]]);
}
