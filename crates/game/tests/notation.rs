//! Property tests of the notations, and the example.

#[path = "../examples/remaining_codes.rs"]
mod remaining_codes;

use pegwise_game::{Board, Color, FeedbackKind, Rules, Shape, Turn, feedback};
use proptest::prelude::*;

fn any_shape() -> impl Strategy<Value = Shape> {
    let small = 1..6usize;
    prop_oneof![
        (1..40usize).prop_map(Shape::Row),
        (small.clone(), small.clone()).prop_map(|(rows, columns)| Shape::Grid { rows, columns }),
        small.clone().prop_map(Shape::Triangle),
        prop::collection::vec(small, 3..5).prop_map(Shape::Cube),
        (1..20usize).prop_map(Shape::Ring),
        (1..8usize).prop_map(|cells| Shape::Lines((0..cells).map(|first| (first..cells).collect()).collect())),
    ]
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let kinds = prop::sample::select(FeedbackKind::ALL.to_vec());
    (any_shape(), 1..60u16, any::<bool>(), kinds, prop::option::of(1..50u32)).prop_map(
        |(shape, colors, repeats, kind, limit)| {
            let rules = Rules::new(Board::new(shape).unwrap(), colors).unwrap();
            let rules = rules.clone().with_feedback(kind).unwrap_or(rules);
            let rules = rules.with_max_guesses(limit.and_then(std::num::NonZeroU32::new));
            if repeats { rules } else { rules.clone().without_repeats().unwrap_or(rules) }
        },
    )
}

/// Returns a valid code derived from arbitrary numbers.
fn code_from(rules: &Rules, numbers: &[u16]) -> pegwise_game::Code {
    let mut free: Vec<u16> = (0..rules.colors()).collect();
    let pick = |cell: usize| {
        let at = usize::from(numbers[cell % numbers.len()]) % free.len();
        if rules.repeats() { free[at] } else { free.remove(at) }
    };
    pegwise_game::Code::from_indices((0..rules.cells()).map(pick).collect::<Vec<u16>>())
}

proptest! {
    #[test]
    fn rules_print_and_parse_back(rules in any_rules()) {
        prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
    }

    #[test]
    fn turns_print_and_parse_back(rules in any_rules(), guess in prop::collection::vec(any::<u16>(), 1..60), secret in prop::collection::vec(any::<u16>(), 1..60)) {
        let (guess, secret) = (code_from(&rules, &guess), code_from(&rules, &secret));
        let turn = Turn { feedback: feedback(&rules, &guess, &secret), guess };
        let printed = turn.notation(&rules).to_string();
        prop_assert_eq!(Turn::parse(&rules, &printed), Ok(turn), "{}", printed);
    }

    #[test]
    fn arbitrary_text_never_panics(rules in any_rules(), text in "\\PC{0,60}") {
        let _ = text.parse::<Rules>();
        let _ = rules.parse_code(&text);
        let _ = rules.parse_feedback(&text);
        let _ = Turn::parse(&rules, &text);
    }

    #[test]
    fn nearly_valid_rules_never_panic(text in "(row|grid|cube|ring|lines|triangle)?:?[0-9x./:]{0,24}(:no-repeats|:distance|:max-guesses=[0-9]{1,12})*") {
        if let Ok(rules) = text.parse::<Rules>() {
            prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
        }
    }
}

#[test]
fn codes_serialize_as_one_based_numbers() {
    let rules: Rules = "4x12".parse().unwrap();
    let code = rules.parse_code("A,12,3,1").unwrap();
    assert_eq!(serde_json::to_string(&code).unwrap(), "[1,12,3,1]");
    assert_eq!(serde_json::from_str::<pegwise_game::Code>("[1,12,3,1]").unwrap(), code);
    assert!(serde_json::from_str::<Color>("0").is_err());
    assert_eq!(serde_json::to_string(&rules).unwrap(), "\"4x12\"");
    let mark = rules.parse_feedback("2,1").unwrap();
    assert_eq!(serde_json::to_string(&mark).unwrap(), r#"[{"black":2,"white":1}]"#);
}

/// Games far too large for a table have rules, codes and feedback, too.
#[test]
fn thousands_of_cells_and_colors() {
    let rules: Rules = "1024x1024".parse().unwrap();
    let guess = code_from(&rules, &(0..1024).collect::<Vec<u16>>());
    let secret = code_from(&rules, &(1..1025).collect::<Vec<u16>>());
    assert_eq!(feedback(&rules, &guess, &secret).to_string(), "0,1024");
    assert_eq!(feedback(&rules, &guess, &guess).to_string(), "1024,0");
}

#[test]
fn the_example_runs() {
    remaining_codes::main();
}
