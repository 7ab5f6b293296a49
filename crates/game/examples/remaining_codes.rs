//! Which codes are left after some turns: `cargo run -p pegwise-game --example remaining_codes`.

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use pegwise_game::{History, Rules, Space, feedback};

pub(crate) fn main() {
    let rules: Rules = "4x6".parse().expect("four pegs in six colors");
    let secret = rules.parse_code("3632").expect("a code of these rules");
    let guess = rules.parse_code("1122").expect("a code of these rules");
    assert_eq!(feedback(&rules, &guess, &secret).to_string(), "1,0");

    let history = History::parse(&rules, ["1122=1,0", "1344=0,1", "3526=1,2"]).expect("three turns");
    let left: Vec<String> = Space::new(&rules)
        .iter()
        .filter(|code| history.is_consistent(code))
        .map(|code| code.notation(rules.colors()).to_string())
        .collect();
    println!("{}", left.join(" "));
    assert!(left.len() == 7 && left.contains(&"3632".to_owned()));
}
