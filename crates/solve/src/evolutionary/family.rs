//! Family competition: two parents and their two children, of whom the best two live on.

use pegwise_game::{Color, Rules};

use super::{examiner::Examiner, population::Population, variation::cross};
use crate::{candidates::fallback::StopCause, search::Search};

/// A population whose neighbors are families: members 0 and 1, 2 and 3, and so on; the last of an odd number has none.
///
/// Places are never shuffled, so families never mix: the published counts show it, which mixing would miss by far. Of equals
/// the parents stay, which they show as well.
#[derive(Debug)]
pub(super) struct Families {
    pub(super) members: Population,
    /// Two children in the making.
    pair: [Vec<Color>; 2],
}

impl Families {
    pub(super) fn new(rules: &Rules) -> Self {
        let child = || vec![Color::default(); rules.cells()];
        Self { members: Population::new(rules), pair: [child(), child()] }
    }

    /// Every family has two children, each changed as told once it is born, and keeps its best two. A child that fits and
    /// lives on is kept on the examiner.
    pub(super) fn compete(
        &mut self,
        examiner: &mut Examiner,
        search: &mut Search<'_>,
        mut raise: impl FnMut(&mut Examiner, &mut [Color], &mut Search<'_>) -> Result<u32, StopCause>,
    ) -> Result<(), StopCause> {
        for first in (1..self.members.len()).step_by(2).map(|second| second - 1) {
            let [one, other] = &mut self.pair;
            one.copy_from_slice(self.members.member(first));
            other.copy_from_slice(self.members.member(first + 1));
            cross(one, other, examiner.rules(), &mut search.rng);
            for child in [one, other] {
                let cost = raise(examiner, child, search)?;
                let worse = first + usize::from(self.members.cost(first) < self.members.cost(first + 1));
                if cost < self.members.cost(worse) {
                    self.members.replace(worse, child, cost);
                    if cost == 0 {
                        examiner.keep(child, search);
                    }
                }
            }
        }
        Ok(())
    }
}
