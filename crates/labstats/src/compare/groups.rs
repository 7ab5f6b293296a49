//! Groups of strategies that cannot be told apart.

/// Gives each of `count` strategies letters so that two share a letter exactly when they cannot be told apart: the
/// compact letter display.
///
/// "Cannot be told apart" may hold for the first and second, and for the second and third, but not for the first and
/// third: then the second has two letters. Letters follow the order of the strategies, so list the best first.
///
/// ```
/// use pegwise_labstats::compare::letters;
/// let differ = |a: usize, b: usize| a.abs_diff(b) > 1;
/// assert_eq!(letters(3, differ), ["a", "ab", "b"]);
/// ```
///
/// # References
///
/// H.-P. Piepho, *An algorithm for a letter-based representation of all-pairwise comparisons*, 2004.
pub fn letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    // A column is a set of strategies that will share a letter: all of them at first, then split at each difference.
    let mut columns: Vec<Vec<bool>> = vec![vec![true; count]];
    for a in 0..count {
        for b in a + 1..count {
            if !differ(a, b) {
                continue;
            }
            let (split, mut kept): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column[a] && column[b]);
            for column in split {
                for leaver in [a, b] {
                    let mut part = column.clone();
                    part[leaver] = false;
                    kept.push(part);
                }
            }
            columns = without_subsets(kept);
        }
    }
    columns.sort_by(|a, b| b.cmp(a));
    let of = |strategy: usize| -> String {
        let mine = columns.iter().enumerate().filter(|(_, column)| column[strategy]);
        mine.map(|(index, _)| letter(index)).collect()
    };
    (0..count).map(of).collect()
}

/// Only the columns that say something the others do not.
fn without_subsets(columns: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let inside = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(&a, &b)| !a || b);
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for column in columns {
        if !kept.iter().any(|other| inside(&column, other)) {
            kept.retain(|other| !inside(other, &column));
            kept.push(column);
        }
    }
    kept
}

/// `a` to `z`, `A` to `Z`, then numbers in parentheses.
fn letter(index: usize) -> String {
    match (b'a'..=b'z').chain(b'A'..=b'Z').nth(index) {
        Some(byte) => char::from(byte).to_string(),
        None => format!("({})", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_alike_and_all_unlike() {
        assert_eq!(letters(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(letters(3, |_, _| true), ["a", "b", "c"]);
        assert_eq!(letters(0, |_, _| true), Vec::<String>::new());
        assert_eq!(letters(60, |_, _| true)[59], "(60)");
    }

    #[test]
    fn two_share_a_letter_exactly_when_they_cannot_be_told_apart() {
        // Every relation among five strategies.
        let pairs: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        for relation in 0u32..1 << pairs.len() {
            let differ = |a: usize, b: usize| {
                let index = pairs.iter().position(|&pair| pair == (a.min(b), a.max(b))).unwrap();
                relation >> index & 1 == 1
            };
            let letters = letters(5, differ);
            for &(a, b) in &pairs {
                let share = letters[a].chars().any(|letter| letters[b].contains(letter));
                assert_eq!(share, !differ(a, b), "relation {relation}: {letters:?}");
            }
        }
    }
}
