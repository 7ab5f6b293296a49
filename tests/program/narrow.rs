//! Answers in a narrow terminal: no line is broken where the terminal ends.

use crate::pty::Pty;

const COLUMNS: u16 = 60;

/// Positions of many boards, and what stands at the end of the answer.
const LINES: [&str; 16] = [
    "hint",
    "hint 1122=1,1 1344=0,2",
    "hint 1122=1,1 1344=0,2 --color never",
    "hint 5x8 11223=1,1 14256=1,2",
    "hint 4x10:no-repeats 1234=1,1",
    "hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=2,5 --color never",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=2,5",
    "hint grid:3x3x4 112233441=1,1/0,1/1,0/1,1/0,1/0,1",
    "hint 1122=1,0 1344=0,1 3526=0,3 1462=1,1 3162=2,1",
    "hint 20x20 AABBCCDDEEFFGGHHIIJJ=1,10 AABBCCDDEEFFGGHHIIJJ=2,10",
    "analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0",
    "analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0 --color never",
    "analyze 4x10:no-repeats 1234=1,1 1567=0,1",
    "analyze 20x20 AABBCCDDEEFFGGHHIIJJ=2,5 --time-per-guess 200ms",
    "analyze grid:3x3x4 112233441=1,1/0,1/1,0/1,1/0,1/0,1 --color never",
];

#[test]
fn hints_and_analyses_fit_sixty_columns() {
    // The last line shows that the whole answer is on the screen.
    let script = r#""$0" "$@"; code=$?; echo THE END; exit $code"#;
    for line in LINES {
        let words = ["-c", script, env!("CARGO_BIN_EXE_pegwise")].into_iter().chain(line.split_whitespace());
        let mut pty = Pty::start("sh", &words.collect::<Vec<_>>(), &[], (COLUMNS, 300));
        let code = pty.end_clean();
        pty.see("THE END");
        assert!(code == 0 || pty.text().contains("no code fits"), "{line}: {}", pty.text());
        assert!(pty.broken().is_empty(), "{line}: {:#?}\n{}", pty.broken(), pty.text());
    }
}
