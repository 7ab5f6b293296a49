//! Positions with long computations, for tests of time limits.

use pegwise_coach::Notes;
use pegwise_game::{History, Rules, Turn};
use pegwise_solve::Rng;

/// Returns positions with many forgotten parts, many codes, or none.
pub(crate) fn hard_positions() -> Vec<Notes> {
    let written = [
        ("10x4", vec!["??????????=2,3", "??????????=2,3"]),
        ("5x8", vec!["?????=1,?", "11?23=?,1"]),
        ("8x5", vec!["????????=3,3", "?1?2?3?4=1,4", "????????=2,?"]),
        ("20x20", vec!["????????????????????=4,6", "AABBCCDDEEFFGGHHIIJJ=2,5"]),
        ("grid:4x4x6", vec!["????????????????=1,1/1,1/?/?/1,0/?/1,1/?,1"]),
        ("8x12", vec!["ABCDEFGH=?,3", "A?B?C?D?=2,2", "????????=1,1"]),
        ("grid:3x3x6", vec!["?????????=1,0/?/1,?/?/?/?", "123456123=?"]),
        ("20x20", vec!["AABBCCDDEEFFGGHHIIJJ=1,10", "AABBCCDDEEFFGGHHIIJJ=2,10"]),
        ("20x20", vec!["ABCDEFGHIJKLMNOPQRST=2,10", "AABBCCDDEEFFGGHHIIJJ=?,9", "??????????KKLLMMNNOO=1,?"]),
    ];
    let mut hard_positions: Vec<Notes> =
        written.into_iter().map(|(rules, turns)| Notes::parse(&rules.parse().unwrap(), turns).unwrap()).collect();
    let played = [
        ("20x20", 8),
        ("100x100", 4),
        ("60x90:no-repeats", 3),
        ("grid:4x4x6", 2),
        ("grid:10x10x10", 3),
        ("20x20:black-only", 12),
        ("12x12:distance", 4),
        ("9x9:lies=1", 4),
        ("cube:3x3x3x4", 2),
    ];
    let mut rng = Rng::new(3);
    for (text, turns) in played {
        let rules: Rules = text.parse().unwrap();
        let secret = rng.code(&rules);
        let mut notes = Notes::from(&History::against(&rules, &secret, (0..turns).map(|_| rng.code(&rules))));
        hard_positions.push(notes.clone());
        // An answer of another secret usually makes the notes contradictory.
        if rules.lies() == 0 {
            let (guess, other) = (rng.code(&rules), rng.code(&rules));
            notes.push(Turn::against(&rules, &other, guess).into()).unwrap();
            hard_positions.push(notes);
        }
    }
    hard_positions
}
