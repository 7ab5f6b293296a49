//! The first guess on boards too large for all to be scored.

use pegwise_game::{Code, Rules};

use super::scoring::Scorer;
use crate::rng::Rng;

/// The most patterns that are compared.
const MOST_PATTERNS: usize = 24;
/// Cells up to which comparing patterns pays; beyond, any random code is as good.
const MOST_CELLS: usize = 40;

/// Codes in the first so many colors, each about as often, side by side or in turn.
fn patterns(rules: &Rules) -> Vec<Code> {
    let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
    let most = cells.min(colors);
    let step = most.div_ceil(MOST_PATTERNS / 2);
    let side_by_side = |used: usize| Code::from_indices((0..cells).map(|cell| (cell * used / cells) as u16));
    let in_turn = |used: usize| Code::from_indices((0..cells).map(|cell| (cell % used) as u16));
    if !rules.repeats() {
        return vec![in_turn(colors)];
    }
    let used = (1..=most).step_by(step).chain([most]);
    let mut codes: Vec<Code> = used.flat_map(|used| [side_by_side(used), in_turn(used)]).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The pattern that tells most about a sample of codes; always the same for the same rules.
pub(super) fn opening(rules: &Rules, scorer: Option<&mut Scorer>) -> Option<Code> {
    if rules.cells() > MOST_CELLS {
        return None;
    }
    let scorer = scorer?;
    let mut rng = Rng::for_path(0, [rules.to_string().as_bytes()]);
    let sample: Vec<Code> = (0..scorer.sample_size()).map(|_| rng.code(rules)).collect();
    scorer.best(&sample, patterns(rules), |_| true, 0).into_iter().next()
}
