//! Breaks a code as Knuth did: `cargo run -p pegwise-solve --example break_a_code`.

#![expect(clippy::print_stdout, reason = "examples print their results")]

use pegwise_game::{History, Rules, Turn, feedback};
use pegwise_solve::{Search, catalog};

pub(crate) fn main() {
    let rules: Rules = "4x6".parse().expect("four pegs in six colors");
    let secret = rules.parse_code("3632").expect("a code of these rules");
    let mut knuth = catalog::strategy("knuth", &rules).expect("a strategy for these rules");
    let mut history = History::new(rules.clone());
    while !history.is_solved() {
        let proposal = knuth.next_guess(&history, &mut Search::new(1)).expect("the answers are true");
        let answer = feedback(&rules, &proposal.guess, &secret);
        let turn = Turn { guess: proposal.guess, feedback: answer };
        println!("{}", turn.notation(&rules));
        history.push(turn).expect("a turn of these rules");
    }
    assert_eq!(history.len(), 5);
}
