//! Guesses lost at the classic game, against two exact searches of their own.

use pegwise_coach::{Figure, Notes, analyze};
use pegwise_game::{Code, Rules, Space, Table, Turn, feedback};
use pegwise_solve::{Position, Rng, Search, Watch, tree::exact::ExactSolver};

/// Over random positions of random games: what is lost is the difference of two totals, and the best guess loses nothing.
/// `POSITIONS=2000 cargo test -p pegwise-coach --test lost` looks at more of them.
#[test]
fn lost_is_the_difference_of_two_searches() {
    let positions = std::env::var("POSITIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(120);
    let rules: Rules = "4x6".parse().unwrap();
    let outlook = ExactSolver::new(&rules, Watch::default()).unwrap();
    let mut totals = outlook.position_values();
    let mut rng = Rng::new(21);
    let (mut met, mut lossy) = (0, 0);
    while met < positions {
        let secret = rng.code(&rules);
        let guesses: Vec<Code> = (0..1 + rng.index(3)).map(|_| rng.code(&rules)).collect();
        let last = rng.code(&rules);
        if guesses.contains(&secret) {
            continue;
        }
        let mut notes = Notes::new(rules.clone());
        for guess in guesses.iter().chain([&last]) {
            notes.push(Turn { feedback: feedback(&rules, guess, &secret), guess: guess.clone() }.into()).unwrap();
        }
        let before =
            |code: &Code| guesses.iter().all(|guess| feedback(&rules, guess, code) == feedback(&rules, guess, &secret));
        let codes: Vec<Code> = Space::new(&rules).iter().filter(before).collect();
        let table = Table::from_codes(&rules, &codes).unwrap();
        let position = Position { codes: &table, guesses: &guesses };
        let least = totals.least(position, Watch::default()).unwrap();
        let own = totals.after(position, &last, Watch::default()).unwrap();
        let lost = (own - least) as f64 / codes.len() as f64;
        let analysis = analyze(&notes, None, &mut Search::new(1)).unwrap();
        let turn = analysis.turns.last().unwrap();
        assert_eq!(turn.lost, Figure::Exact(lost), "{notes:?}");
        let best = turn.best.as_ref().unwrap();
        assert_eq!(totals.after(position, &best.guess, Watch::default()), Some(least), "{notes:?}");
        met += 1;
        lossy += usize::from(lost > 0.0);
    }
    assert!(lossy > positions / 2);
}
