//! Rows added by other programs.

use pegwise_game::{History, Rules};
use pegwise_solve::catalog::{self, RegisterError, Row};
use pegwise_solve::{Basis, Proposal, Search, Strategy, StrategyError};

/// Strategy that plays a single code.
struct OneCode;

impl Strategy for OneCode {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        assert!(!history.is_solved(), "the wrapper rejects solved games");
        let code = history.rules().parse_code("1234").map_err(|_| StrategyError::NO_CODE_FITS)?;
        search.examine(1);
        if history.is_consistent(&code) {
            Ok(Proposal::new(code, Basis::Consistent))
        } else {
            Err(StrategyError::NO_CODE_FITS)
        }
    }
}

const ROW: Row = Row {
    name: "one-code",
    plays: "4x6",
    can_play: |rules| rules.to_string() == "4x6",
    build: |_, _, _| Ok(Box::new(OneCode)),
    ..Row::BLANK
};

/// A single test, because the catalog is global.
#[test]
fn a_registered_row_is_a_row_like_any_other() {
    let before = catalog::rows().len();
    assert_eq!(
        "one-code".parse::<pegwise_solve::Spec>().unwrap_err().to_string().split(';').next(),
        Some("'one-code' is not a strategy")
    );
    catalog::register(ROW).unwrap();
    assert_eq!(catalog::register(ROW), Err(RegisterError::NameTaken("one-code")));
    assert_eq!(catalog::rows().len(), before + 1);
    assert_eq!(catalog::rows().last().map(|row| row.name), Some("one-code"));
    assert_eq!(catalog::nearest("one-cod"), Some("one-code"));

    let rules: Rules = "4x6".parse().unwrap();
    let other = catalog::strategy("one-code", &"4x7".parse().unwrap()).err().unwrap().to_string();
    assert_eq!(other, "one-code cannot play 4x7: it plays 4x6");
    let mut strategy = catalog::strategy("one-code", &rules).unwrap();
    let mut ask = |turns: &[&str]| {
        let history = History::parse(&rules, turns.iter().copied()).unwrap();
        strategy.next_guess(&history, &mut Search::new(1)).map(|proposal| proposal.guess.notation(6).to_string())
    };
    assert_eq!(ask(&[]).as_deref(), Ok("1234"));
    assert_eq!(ask(&["1234=4,0"]), Err(StrategyError::AlreadySolved));
    let blamed = ask(&["1111=2,0", "2345=1,1", "2222=3,0"]);
    assert_eq!(blamed, Err(StrategyError::Contradiction { turns: vec![1, 3] }));
}
