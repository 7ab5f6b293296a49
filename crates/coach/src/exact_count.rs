//! Exact counting of consistent codes by dynamic programming.
//!
//! A state holds the partial sums of the marks, and the table maps each state to the number of partial codes that reach
//! it:
//!
//! - one turn on a row: color by color, by the number of pegs of the color. Inclusion and exclusion over the fixed pegs
//!   determines the black ones, so that a state only holds numbers of pegs ([`feedback_counts`]);
//! - several turns on a row: color by color, by the number of pegs in each class of cells that all guesses color alike;
//! - feedback that does not count colors: cell by cell, on any board.
//!
//! Uses checked integer arithmetic. Returns `None` on overflow and beyond the step limit.

use std::collections::HashMap;

use pegwise_game::{CellTerm, Code, Count, History, Rules, Space, Turn};
use pegwise_solve::{Search, candidates::lines_by_cell, clock};

/// Maximum number of steps of a count: a few tenths of a second.
const MAX_STEPS: u64 = 800_000;

/// Counts the codes consistent with a history, if one of the methods applies.
pub(crate) fn count(history: &History, search: &mut Search<'_>) -> Option<u128> {
    let rules = history.rules();
    let model = rules.feedback().model();
    match history.turns() {
        [] => Space::new(rules).count().exact(),
        _ if model.per_cell => None,
        [turn] if counts_by_color(rules) => {
            let sums = turn.feedback.marks().first()?.sums();
            let wanted = (sums[0] as usize, sums[1] as usize);
            Some(feedback_counts(rules, &turn.guess, search)?.get(&wanted).copied().unwrap_or(0))
        }
        turns if model.colors || !rules.repeats() => count_by_cell_class(rules, turns, search),
        turns => count_by_cell(rules, turns, search),
    }
}

/// Returns true if [`feedback_counts`] applies to the rules.
pub(crate) fn counts_by_color(rules: &Rules) -> bool {
    let model = rules.feedback().model();
    model.is_classic() && rules.board().is_row() && rules.repeats()
}

/// Returns the number of codes for every feedback of a guess, keyed by black pegs and by black plus white pegs.
///
/// Suppose that a code has `m` pegs of a color and the guess has `n`. Select `a` black pegs in C(n, a) ways and place
/// the other `m - a` pegs anywhere. Summed over all colors, this counts each code with `b` black pegs C(b, a) times,
/// which inclusion and exclusion corrects.
pub(crate) fn feedback_counts(
    rules: &Rules,
    guess: &Code,
    search: &mut Search<'_>,
) -> Option<HashMap<(usize, usize), u128>> {
    let cells = rules.cells();
    let choose = binomials(cells)?;
    let mut shown = vec![0usize; rules.colors().into()];
    guess.iter().for_each(|color| shown[color.index()] += 1);
    // Indexed by selected black pegs, pegs in common, and freely placed pegs.
    let at = |marked: usize, common: usize, free: usize| (marked * (cells + 1) + common) * (cells + 1) + free;
    let mut ways = vec![0i128; (cells + 1).pow(3)];
    ways[0] = 1;
    for &of_guess in &shown {
        let mut next = vec![0i128; ways.len()];
        for marked in 0..=cells {
            for common in marked..=cells {
                for free in 0..=cells - marked {
                    let way = ways[at(marked, common, free)];
                    if way == 0 {
                        continue;
                    }
                    if search.watch().stop().is_some() {
                        return None;
                    }
                    clock::work((cells - marked - free) as u64 * clock::STEP_COST);
                    for pegs in 0..=cells - marked - free {
                        let in_common = pegs.min(of_guess);
                        if common + in_common > cells {
                            break;
                        }
                        for black in 0..=in_common {
                            let others = pegs - black;
                            let more =
                                way.checked_mul(choose[of_guess][black])?.checked_mul(choose[free + others][others])?;
                            let to = &mut next[at(marked + black, common + in_common, free + others)];
                            *to = to.checked_add(more)?;
                        }
                    }
                }
            }
        }
        ways = next;
    }
    let mut counts = HashMap::new();
    for common in 0..=cells {
        for black in 0..=common {
            let mut codes = 0i128;
            for (marked, row) in choose.iter().enumerate().take(common + 1).skip(black) {
                let met = row[black].checked_mul(ways[at(marked, common, cells - marked)])?;
                codes = if (marked - black).is_multiple_of(2) {
                    codes.checked_add(met)?
                } else {
                    codes.checked_sub(met)?
                };
            }
            if codes > 0 {
                counts.insert((black, common), codes as u128);
            }
        }
    }
    Some(counts)
}

/// Returns Pascal's triangle up to row `max`, or `None` on overflow.
fn binomials(max: usize) -> Option<Vec<Vec<i128>>> {
    let mut rows: Vec<Vec<i128>> = vec![vec![1]];
    for row in 1..=max {
        let above = &rows[row - 1];
        let inner = (1..row).map(|at| above[at - 1].checked_add(above[at]));
        let row = std::iter::once(Some(1)).chain(inner).chain([Some(1)]).collect::<Option<Vec<i128>>>()?;
        rows.push(row);
    }
    Some(rows)
}

/// Counts cell by cell, for feedback that sums cell terms, with repeats.
fn count_by_cell(rules: &Rules, turns: &[Turn], search: &mut Search<'_>) -> Option<u128> {
    let (model, board) = (rules.feedback().model(), rules.board());
    let max_term = model.cell.max_contribution(rules.colors());
    let lines = board.line_count();
    let goals: Vec<[u64; 2]> = turns.iter().flat_map(|turn| turn.feedback.marks()).map(|mark| mark.sums()).collect();
    let mut left: Vec<u64> = board.lines().map(|line| line.len() as u64).collect();
    let mut states: HashMap<Vec<[u64; 2]>, u128> = HashMap::from([(vec![[0; 2]; goals.len()], 1)]);
    let mut steps = 0;
    for (cell, through) in lines_by_cell(board).iter().enumerate() {
        through.iter().for_each(|&line| left[line] -= 1);
        let mut next: HashMap<Vec<[u64; 2]>, u128> = HashMap::new();
        for (state, ways) in states {
            for color in 0..u64::from(rules.colors()) {
                steps += turns.len() as u64;
                clock::work(turns.len() as u64 * clock::STEP_COST);
                if steps > MAX_STEPS || search.stop().is_some() {
                    return None;
                }
                let mut reached = state.clone();
                let mut fits = true;
                for (number, turn) in turns.iter().enumerate() {
                    let gain = model.cell.contribution(turn.guess[cell].index() as u64, color);
                    for &line in through {
                        let sums = &mut reached[number * lines + line];
                        *sums = [sums[0] + gain[0], sums[1] + gain[1]];
                        fits &= model.can_reach(*sums, goals[number * lines + line], left[line], max_term);
                    }
                }
                if fits {
                    let to = next.entry(reached).or_default();
                    *to = to.checked_add(ways)?;
                }
            }
        }
        states = next;
    }
    Some(states.into_values().sum())
}

/// State of a partial code: free cells of each class, and the sums of each turn.
type CountState = (Vec<u16>, Vec<[u64; 2]>);

/// Counts color by color on a row. Cells with the same color in every guess are interchangeable and form a class.
fn count_by_cell_class(rules: &Rules, turns: &[Turn], search: &mut Search<'_>) -> Option<u128> {
    let model = rules.feedback().model();
    if !rules.board().is_row() || !matches!(model.cell, CellTerm::Equal | CellTerm::Nothing) {
        return None;
    }
    let mut types: Vec<(Vec<usize>, u16)> = Vec::new();
    for cell in 0..rules.cells() {
        let shown: Vec<usize> = turns.iter().map(|turn| turn.guess[cell].index()).collect();
        match types.iter_mut().find(|(kind, _)| *kind == shown) {
            Some((_, cells)) => *cells += 1,
            None => types.push((shown, 1)),
        }
    }
    let choose = binomials(rules.cells())?;
    let goals = turns.iter().map(|turn| turn.feedback.marks().first().map(|mark| mark.sums()));
    let goals = goals.collect::<Option<Vec<[u64; 2]>>>()?;
    let shows = |turn: &Turn, color: usize| turn.guess.iter().filter(|peg| peg.index() == color).count() as u64;
    let shown: Vec<usize> =
        (0..rules.colors().into()).filter(|&color| turns.iter().any(|turn| shows(turn, color) > 0)).collect();
    let others = usize::from(rules.colors()) - shown.len();
    let fits = |sums: &[[u64; 2]]| {
        sums.iter().zip(&goals).all(|(sums, goal)| sums[0] <= goal[0] && (!model.colors || sums[1] <= goal[1]))
    };
    let start: CountState = (types.iter().map(|(_, cells)| *cells).collect(), vec![[0; 2]; turns.len()]);
    let mut states: HashMap<CountState, u128> = HashMap::from([(start, 1)]);
    let mut steps = 0;
    for &color in &shown {
        // Adds the pegs of the color class by class; the second key is the number of pegs so far.
        let mut partial: HashMap<(CountState, u64), u128> =
            states.into_iter().map(|(state, ways)| ((state, 0), ways)).collect();
        for (at, (kind, _)) in types.iter().enumerate() {
            let mut next: HashMap<(CountState, u64), u128> = HashMap::new();
            for (((free, sums), set), ways) in partial {
                for pegs in 0..=free[at] {
                    if !rules.repeats() && set + u64::from(pegs) > 1 {
                        break;
                    }
                    steps += 1 + types.len() as u64 / 4;
                    clock::work(clock::STEP_COST);
                    if steps > MAX_STEPS || search.stop().is_some() {
                        return None;
                    }
                    let mut sums = sums.clone();
                    if model.cell == CellTerm::Equal {
                        let black = |(sums, shown): (&mut [u64; 2], &usize)| {
                            sums[0] += u64::from(pegs) * u64::from(*shown == color);
                        };
                        sums.iter_mut().zip(kind).for_each(black);
                    }
                    if !fits(&sums) {
                        break;
                    }
                    let ways = ways.checked_mul(choose[usize::from(free[at])][usize::from(pegs)] as u128)?;
                    let mut free = free.clone();
                    free[at] -= pegs;
                    let to = next.entry(((free, sums), set + u64::from(pegs))).or_default();
                    *to = to.checked_add(ways)?;
                }
            }
            partial = next;
        }
        states = HashMap::new();
        for (((free, mut sums), set), ways) in partial {
            if model.colors {
                sums.iter_mut().zip(turns).for_each(|(sums, turn)| sums[1] += set.min(shows(turn, color)));
            }
            if fits(&sums) {
                let to = states.entry((free, sums)).or_default();
                *to = to.checked_add(ways)?;
            }
        }
    }
    // The remaining cells take colors that no guess contains.
    let mut codes = 0u128;
    for ((free, sums), ways) in states {
        let reached =
            sums.iter().zip(&goals).all(|(sums, goal)| sums[0] == goal[0] && (!model.colors || sums[1] == goal[1]));
        let free: usize = free.into_iter().map(usize::from).sum();
        let fills = (0..free).try_fold(1u128, |fills, at| {
            fills.checked_mul(if rules.repeats() { others } else { others.saturating_sub(at) } as u128)
        });
        if reached {
            codes = codes.checked_add(ways.checked_mul(fills?)?)?;
        }
    }
    Some(codes)
}

/// Returns the smallest count of any single turn, an upper bound for all turns together.
pub(crate) fn upper_bound(history: &History, search: &mut Search<'_>) -> Option<Count> {
    let counts = (0..history.len()).filter_map(|turn| count(&history.select([turn]), search));
    counts.min().map(Count::Exact)
}

#[cfg(test)]
mod tests {
    use pegwise_solve::Rng;

    use super::*;

    #[test]
    fn counts_are_those_of_a_list() {
        let mut rng = Rng::new(11);
        for text in [
            "4x6", "5x4", "4x5:no-repeats", "4x5:black-only", "4x6:no-repeats:black-only", "4x4:color-only",
            "4x5:higher-lower", "3x6:distance", "4x4:city-block", "grid:2x2x4:black-only", "6x2", "1x5",
        ] {
            let rules: Rules = text.parse().unwrap();
            let mut counted = 0;
            for turns in [1, 1, 1, 2, 2, 3] {
                let secret = rng.code(&rules);
                let history = History::against(&rules, &secret, (0..turns).map(|_| rng.code(&rules)));
                let listed = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).count() as u128;
                if let Some(count) = count(&history, &mut Search::new(1)) {
                    assert_eq!(count, listed, "{text}: {:?}", history.turns());
                    counted += 1;
                }
            }
            assert!(counted > 0, "{text}");
        }
    }

    #[test]
    fn all_answers_of_a_large_board_add_up() {
        let rules: Rules = "20x20".parse().unwrap();
        let guess = rules.parse_code("AABBCCDDEEFFGGHHIIJJ").unwrap();
        let counts = feedback_counts(&rules, &guess, &mut Search::new(1)).unwrap();
        assert_eq!(counts.values().sum::<u128>(), 20u128.pow(20));
        assert_eq!(counts[&(20, 20)], 1);
        // Ten colors do not occur in the guess.
        assert_eq!(counts[&(0, 0)], 10u128.pow(20));
    }
}
