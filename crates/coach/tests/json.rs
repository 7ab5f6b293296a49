//! What is written as JSON is read back as it was.

use pegwise_coach::{Hint, Mode, Notes, RepairKind, hint};
use pegwise_game::Rules;
use pegwise_solve::{Search, catalog};

#[test]
fn hints_come_back() {
    let rules: Rules = "4x6".parse().unwrap();
    let notes = Notes::parse(&rules, ["1122=1,1", "13?4=0,2"]).unwrap();
    let mut search = Search::new(1);
    search.alternatives = 2;
    let hint = hint(&notes, &mut *catalog::strategy("adaptive", &rules).unwrap(), &mut search).unwrap();
    assert_eq!(hint.alternatives.len(), 2);
    let json = serde_json::to_string(&hint).unwrap();
    assert_eq!(serde_json::from_str::<Hint>(&json).unwrap(), hint, "{json}");
}

#[test]
fn words_come_back() {
    for mode in Mode::ALL {
        let json = serde_json::to_string(&mode).unwrap();
        assert_eq!(serde_json::from_str::<Mode>(&json).unwrap(), mode, "{json}");
    }
    for kind in [RepairKind::Misread, RepairKind::Number, RepairKind::Swapped, RepairKind::Neighbors, RepairKind::Peg] {
        let json = serde_json::to_string(&kind).unwrap();
        assert_eq!(serde_json::from_str::<RepairKind>(&json).unwrap(), kind, "{json}");
    }
}
