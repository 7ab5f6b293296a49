//! Lists of secrets as text: a code a line, its weight after it where it has one.

use pegwise_game::{Code, Rules};

use super::{SecretList, SecretListError};

impl SecretList {
    /// Reads a list: one code a line, then, after a space or a comma, its weight, which is one where none is written.
    /// Whatever follows a `#` is a comment, and empty lines do not matter.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, SecretListError> {
        let mut items = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                let (code, weight) = item(rules, line).map_err(|problem| SecretListError::Item { number, problem })?;
                items.push((number, code, weight));
            }
        }
        Self::new(rules, items)
    }
}

/// The code and the weight of a line. Codes may have spaces and commas too, but a code has a known number of cells.
fn item(rules: &Rules, line: &str) -> Result<(Code, f64), String> {
    let alone = match rules.parse_code(line) {
        Ok(code) => return Ok((code, 1.0)),
        Err(error) => error,
    };
    let parts = |char: char| char.is_whitespace() || char == ',';
    let Some((code, weight)) = line.rsplit_once(parts) else { return Err(alone.to_string()) };
    // A line with a word for each cell is a code that is wrong, and not a shorter one with a weight.
    let words = line.split(parts).filter(|word| !word.is_empty()).count();
    let wrong =
        |error: pegwise_game::CodeError| if words == rules.cells() { alone.to_string() } else { error.to_string() };
    let code = rules.parse_code(code.trim_end_matches(parts)).map_err(wrong)?;
    let digits = weight.starts_with(|char: char| char.is_ascii_digit() || char == '.');
    let number = weight.parse::<f64>().ok().filter(|weight| digits && weight.is_finite());
    let shown: String = weight.chars().take(20).collect();
    Ok((code, number.ok_or_else(|| format!("the weight '{shown}' is not a number from zero on, as in 2 or 0.5"))?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(rules: &str, text: &str) -> Result<Vec<(String, f64)>, String> {
        let rules: Rules = rules.parse().unwrap();
        let list = SecretList::parse(&rules, text).map_err(|error| format!("{:?}: {error}", error.number()))?;
        let weight = |code: &Code| (code.notation(rules.colors()).to_string(), list.weight(code));
        Ok(list.codes().iter().map(weight).collect())
    }

    #[test]
    fn a_line_has_a_code_and_perhaps_a_weight() {
        let list = read("4x6", "# known\n\n1122\n3456 2 # likely\n 1 2 3 4, 3 \n1,1,1,1\t0\n").unwrap();
        let expected = [("1122", 0.5), ("1234", 1.5), ("3456", 1.0)];
        assert_eq!(list, expected.map(|(code, weight)| (code.to_owned(), weight)));
        let list = read("2x300", "1 2\r\n12, 300, 1\n").unwrap();
        assert_eq!(list.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            ("", "None: no code is listed"),
            ("# nothing\n", "None: no code is listed"),
            ("1122 0\n", "None: no code is listed"),
            ("1122\n1177\n", "Some(2): "),
            ("1 1 7 2\n", "Some(1): '1 1 7 2' is not a code"),
            ("1122 -1", "Some(1): the weight '-1' is not a number from zero on"),
            ("1122 nan", "Some(1): the weight 'nan'"),
            ("1122 inf", "Some(1): the weight 'inf'"),
            ("1122 1e999", "Some(1): the weight '1e999'"),
            ("1122 1 1", "Some(1): "),
            ("1122\n\n1122", "Some(3): 1122 is listed already, as number 1"),
            ("\u{0}\u{1}", "Some(1): "),
        ] {
            let error = read("4x6", text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[1-7 ,.#a\\-\n]{0,40}") {
            if let Ok(list) = SecretList::parse(&"2x6".parse().unwrap(), &text) {
                prop_assert!(!list.is_empty() && list.codes().is_sorted());
            }
        }
    }
}
