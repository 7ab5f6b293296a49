//! Lists the codes that are consistent with some turns: `cargo run -p pegwise-game --example remaining_codes`.

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use pegwise_game::{History, Rules, Space, feedback};

pub(crate) fn main() {
    let rules: Rules = "4x6".parse().expect("valid rules");
    let secret = rules.parse_code("3632").expect("a valid code");
    let guess = rules.parse_code("1122").expect("a valid code");
    assert_eq!(feedback(&rules, &guess, &secret).to_string(), "1,0");

    let history = History::parse(&rules, ["1122=1,0", "1344=0,1", "3526=1,2"]).expect("valid turns");
    let remaining: Vec<String> = Space::new(&rules)
        .iter()
        .filter(|code| history.is_consistent(code))
        .map(|code| code.notation(rules.colors()).to_string())
        .collect();
    println!("{}", remaining.join(" "));
    assert!(remaining.len() == 7 && remaining.contains(&"3632".to_owned()));
}
