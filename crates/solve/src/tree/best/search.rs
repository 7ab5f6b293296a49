//! The search below one part of an opening.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

use pegwise_game::{Code, Feedback, Rules, Space, Table, partition::Partitioner};

use super::{
    guesses::{Guesses, lanes},
    values::{Found, Values},
};
use crate::{
    canonical::{set_key, splitmix64},
    one_step::Pools,
    search::Watch,
    tree::{Branch, Node, bounds::least_total, exact::Endgame},
};

/// The most positions that one search remembers; some 64 bytes each.
pub(super) const MOST_REMEMBERED: usize = 1 << 20;

/// What is known of positions, by their keys.
pub(super) type Memory = HashMap<u128, Remembered, BuildHasherDefault<Half>>;

/// Keys are random numbers already: half of one is as good as any hash of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Half(u64);

impl Hasher for Half {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = splitmix64(self.0 ^ u64::from(byte)));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// Positions with fewer codes need no search.
const FEWEST: usize = 3;

/// From this many codes on, guesses are tried in a narrower search before they are followed.
pub(super) const WORTH_PROBING: usize = 61;
/// How many guesses are tried for each that is followed, and how much narrower.
pub(super) const PROBED_FOR_ONE: usize = 4;
/// The narrowest search in which trying pays.
pub(super) const FEWEST_PROBED: usize = 4;

/// By what share a set may be better than others of its size before that is not believed.
const LUCK: u64 = 12;

/// Finds what a set of codes takes, following the guesses that promise most.
pub(super) struct Searcher {
    rules: Rules,
    partitioner: Partitioner,
    guesses: Option<Guesses>,
    pub(super) values: Values,
    kinds: usize,
    winning: Feedback,
    /// The guesses played on the way to the position being searched.
    pub(super) played: Vec<Code>,
    /// What was known before, from others too.
    pub(super) known: Arc<Memory>,
    pub(super) remembered: Memory,
    /// Positions searched.
    pub(super) positions: u64,
    /// What small positions took that were solved since the expectations were last learned.
    pub(super) solved: Found,
}

/// What a search may do in a round.
pub(super) struct Round<'a> {
    /// Up to how many codes a position is solved.
    pub(super) solved_up_to: usize,
    pub(super) watch: Watch<'a>,
    /// Solves positions that are smaller still, where memory allows.
    pub(super) endgame: Option<Endgame<'a>>,
}

/// Up to how many codes a position is solved in any round: solving so few takes less time than following guesses does.
const ALWAYS_SOLVED: usize = 40;

/// Up to how many codes a position is solved when so many guesses are followed elsewhere.
pub(super) fn solved_up_to(width: usize) -> usize {
    (6 * (1 + width.ilog2() as usize)).clamp(ALWAYS_SOLVED, Endgame::MOST_CODES)
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remembered {
    pub(super) codes: u32,
    pub(super) total: u32,
    /// The rank of the guess.
    pub(super) guess: u32,
    /// How many guesses were followed.
    pub(super) width: u32,
}

impl Searcher {
    pub(super) fn new(rules: &Rules, pools: &Pools, values: Values, first: Code) -> Self {
        let lanes = lanes(rules);
        let kinds = lanes.as_ref().map_or(2, |lanes| lanes.coding().possible().len());
        Self {
            rules: rules.clone(),
            partitioner: Partitioner::new(rules),
            guesses: lanes.map(|lanes| Guesses::new(rules, lanes, pools.clone())),
            values,
            kinds,
            winning: Feedback::winning(rules),
            played: vec![first],
            known: Arc::default(),
            remembered: Memory::default(),
            positions: 0,
            solved: Found::default(),
        }
    }

    /// The tree found for these codes when so many guesses are followed, and small positions are solved; `None` when
    /// stopped before that.
    pub(super) fn improve(&mut self, codes: &Table, width: usize, round: &mut Round<'_>) -> Option<Node> {
        self.played.truncate(1);
        self.search(codes, width, round)?;
        Some(self.node(codes, round))
    }

    fn search(&mut self, codes: &Table, width: usize, round: &mut Round<'_>) -> Option<u64> {
        let size = codes.len();
        if size < FEWEST {
            return Some(2 * size as u64 - 1);
        }
        if size <= solved_up_to(width) && round.endgame.is_some() {
            let total = self.solve(codes, round)?;
            self.solved.add(size, total);
            return Some(total);
        }
        let key = set_key(codes);
        let known = self.recall(key);
        if let Some(known) = known.filter(|known| known.width as usize >= width) {
            return Some(known.total.into());
        }
        if round.watch.stop().is_some() {
            return None;
        }
        self.positions += 1;
        let mut best = known.map_or(u64::MAX, |known| known.total.into());
        let mut guess = known.map(|known| known.guess);
        let candidates = if size >= WORTH_PROBING && width >= FEWEST_PROBED {
            self.probed(codes, width, round)?
        } else {
            self.candidates(codes, width, 1, round.watch)
        };
        // Those priced in time need not be the best.
        if round.watch.stop().is_some() {
            return None;
        }
        for candidate in candidates {
            // Nothing can take less than one guess for the first code and two for every other.
            if best == 2 * size as u64 - 1 {
                break;
            }
            let total = self.follow(codes, &candidate, width, best, round)?;
            if total < best {
                best = total;
                guess = Space::new(&self.rules).rank(&candidate).map(|rank| rank as u32);
            }
        }
        let entry = Remembered { codes: size as u32, total: best as u32, guess: guess?, width: width as u32 };
        if known.is_some() || self.remembered.len() < MOST_REMEMBERED {
            self.remembered.insert(key, entry);
        }
        Some(best)
    }

    /// What a small set of codes takes at least, by searching all there is; `None` where that cannot be done, or when stopped.
    pub(super) fn solve(&mut self, codes: &Table, round: &mut Round<'_>) -> Option<u64> {
        round.endgame.as_mut()?.total(&ranks(&self.rules, codes))
    }

    /// What is known of the position with this key.
    fn recall(&self, key: u128) -> Option<Remembered> {
        self.remembered.get(&key).or_else(|| self.known.get(&key)).copied()
    }

    /// Guesses worth following, so many times as many as usual: fewer where each of them is a whole tree.
    pub(super) fn candidates(&self, codes: &Table, width: usize, times: usize, watch: Watch<'_>) -> Vec<Code> {
        let share = match codes.len() {
            0..=60 => 1,
            61..=300 => 2,
            301..=1500 => 4,
            _ => 8,
        };
        let Some(guesses) = &self.guesses else { return vec![codes.code(0)] };
        guesses.best(codes, &self.played, &self.values, (width / share).max(1) * times, watch)
    }

    /// The same number of guesses, but those that did best among several times as many in a narrower search.
    fn probed(&mut self, codes: &Table, width: usize, round: &mut Round<'_>) -> Option<Vec<Code>> {
        let candidates = self.candidates(codes, width, PROBED_FOR_ONE, round.watch);
        let kept = candidates.len().div_ceil(PROBED_FOR_ONE);
        let mut probed = Vec::with_capacity(candidates.len());
        for guess in candidates {
            probed.push((self.follow(codes, &guess, width / PROBED_FOR_ONE, u64::MAX, round)?, guess));
        }
        // Equals stay in the order of what they promised.
        probed.sort_by_key(|&(total, _)| total);
        probed.truncate(kept);
        Some(probed.into_iter().map(|(_, guess)| guess).collect())
    }

    /// What the codes take with this guess; some number of at least `best` when that is not less than `best`.
    pub(super) fn follow(
        &mut self,
        codes: &Table,
        guess: &Code,
        width: usize,
        best: u64,
        round: &mut Round<'_>,
    ) -> Option<u64> {
        let mut parts = self.partitioner.split(guess, codes);
        if parts.len() == 1 && parts[0].feedback != self.winning {
            return Some(u64::MAX);
        }
        parts.retain(|part| part.feedback != self.winning);
        // Large parts are the ones that can disappoint.
        parts.sort_by_key(|part| std::cmp::Reverse(part.rows.len()));
        let mut left: u64 = parts.iter().map(|part| self.at_least(part.rows.len())).sum();
        let mut total = codes.len() as u64;
        self.played.push(guess.clone());
        for part in parts {
            if total + left >= best {
                total = u64::MAX;
                break;
            }
            left -= self.at_least(part.rows.len());
            let below = match part.rows.len() {
                few if few < FEWEST => Some(2 * few as u64 - 1),
                _ => self.search(&codes.select(&part.rows), width, round),
            };
            let Some(below) = below else {
                self.played.pop();
                return None;
            };
            total += below;
        }
        self.played.pop();
        Some(total)
    }

    /// What so many codes take at least, if they are not much better than such sets were so far: guesses that would need
    /// that are not followed to the end.
    fn at_least(&self, codes: usize) -> u64 {
        // Rounded so that small sets may be lucky too: most parts are small.
        let usual = self.values.found(codes).map_or(0, |found| found - found.div_ceil(LUCK));
        usual.max(least_total(codes, self.kinds))
    }

    /// The tree found for these codes.
    pub(super) fn node(&mut self, codes: &Table, round: &mut Round<'_>) -> Node {
        let small = (FEWEST..=round.solved_up_to).contains(&codes.len());
        if let Some(endgame) = round.endgame.as_mut().filter(|_| small)
            && let Some(node) = endgame.node(&ranks(&self.rules, codes))
        {
            return node;
        }
        let guess = self.remembered_guess(codes, round.watch);
        let mut parts = self.partitioner.split(&guess, codes);
        let all = parts.len();
        parts.retain(|part| part.feedback != self.winning);
        let wins = parts.len() < all;
        let mut branches = Vec::with_capacity(parts.len());
        self.played.push(guess.clone());
        for part in parts {
            let node = self.node(&codes.select(&part.rows), round);
            branches.push(Branch { feedback: part.feedback, node });
        }
        self.played.pop();
        Node { guess, wins, branches }
    }

    fn remembered_guess(&mut self, codes: &Table, watch: Watch<'_>) -> Code {
        if codes.len() < FEWEST {
            return codes.code(0);
        }
        let known = self.recall(set_key(codes)).and_then(|known| Space::new(&self.rules).unrank(known.guess.into()));
        // What was forgotten for want of room is chosen anew.
        known.or_else(|| self.candidates(codes, 1, 1, watch).into_iter().next()).unwrap_or_else(|| codes.code(0))
    }

    /// Adds what was found to what others found.
    pub(super) fn report(&self, found: &mut Found) {
        for known in self.remembered.values() {
            found.add(known.codes as usize, known.total.into());
        }
        found.join(&self.solved);
    }

    /// Takes what was found as what to expect.
    pub(super) fn learn(&mut self, found: &Found) {
        self.values = self.values.learned(found);
        self.solved = Found::default();
    }
}

/// The ranks of codes whose space is small enough to be solved in parts.
fn ranks(rules: &Rules, codes: &Table) -> Vec<u16> {
    let space = Space::new(rules);
    codes.codes().filter_map(|code| space.rank(&code)).map(|rank| rank as u16).collect()
}
