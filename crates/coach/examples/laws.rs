//! Checks the laws of hints on random positions: `laws [POSITIONS [OPTIMAL [SEED]]]`, both numbers per board.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

#[path = "../tests/shared/laws.rs"]
mod laws;

use pegwise_game::Rules;
use pegwise_solve::Rng;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let (positions, optimal) = (arguments.next().unwrap_or(834), arguments.next().unwrap_or(200));
    let seed = arguments.next().unwrap_or(1);
    for board in laws::BOARDS {
        let (rules, mut rng): (Rules, Rng) = (board.parse().expect("a board"), Rng::for_path(seed, [board.as_bytes()]));
        (0..positions).for_each(|_| laws::check(&laws::position(&rules, &mut rng), &mut rng));
        println!("{board}: {positions} positions, no law broken");
    }
    for board in ["4x6", "4x7", "5x6"] {
        let (rules, mut rng): (Rules, Rng) = (board.parse().expect("a board"), Rng::for_path(seed, [board.as_bytes()]));
        let mut checked = 0;
        while checked < optimal {
            checked += u64::from(laws::check_optimal(&laws::position(&rules, &mut rng), 200));
        }
        println!("{board}: {checked} hints are optimal");
    }
}
