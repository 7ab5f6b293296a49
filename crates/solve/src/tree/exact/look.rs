//! What can be said of a position without searching below it.

use super::{
    agenda::{Agenda, Buckets},
    bounds::{IMPOSSIBLE, UNLIMITED, one_less},
    cache::Known,
    search::Searcher,
};

impl Searcher<'_> {
    /// A bound from below, from the number of codes.
    pub(super) fn quick_bound(&self, codes: usize, guesses: u32, most: u8) -> u32 {
        if guesses != UNLIMITED && !self.bounds.fits(codes, guesses, most) {
            return IMPOSSIBLE;
        }
        self.bounds.row(most)[codes]
    }

    /// The total of a position that takes no search: up to three codes, and codes that one of them tells all apart.
    #[inline]
    pub(super) fn settled(&self, set: &[u16], guesses: u32) -> Option<u32> {
        let codes = set.len() as u32;
        match codes {
            0 => Some(0),
            1 => Some(if guesses >= 1 { 1 } else { IMPOSSIBLE }),
            _ if guesses < 2 => Some(IMPOSSIBLE),
            2 => Some(3),
            _ if self.separator(set).is_some() => Some(2 * codes - 1),
            // Any of three codes leaves the other two together at worst.
            3 if guesses >= 3 => Some(6),
            _ => None,
        }
    }

    /// A code of the position that tells all codes apart, itself included.
    pub(super) fn separator(&self, set: &[u16]) -> Option<u16> {
        self.divider(set, 0)
    }

    /// The first code of the position that makes so many parts fewer than there are codes, or more parts.
    pub(super) fn divider(&self, set: &[u16], fewer: usize) -> Option<u16> {
        if set.len() > self.matrix.kinds() + fewer {
            return None;
        }
        set.iter().copied().find(|&guess| {
            let row = self.matrix.of_guess(guess);
            let (mut seen, mut together) = (0u128, 0);
            set.iter().all(|&code| {
                let bit = 1u128 << row[usize::from(code)];
                together += usize::from(seen & bit != 0);
                seen |= bit;
                together <= fewer
            })
        })
    }

    /// Counts the parts that each guess makes; zero for guesses that may not be played. Returns the most.
    pub(super) fn count_parts(&mut self, agenda: &mut Agenda, set: &[u16]) -> u8 {
        agenda.parts.resize(self.matrix.stride(), 0);
        self.kernel.parts(self.matrix, set, &mut agenda.parts);
        agenda.parts[self.matrix.len()..].fill(0);
        if self.consistent_only {
            let mut own = set.iter().copied().peekable();
            for (guess, parts) in (0..).zip(&mut agenda.parts) {
                if own.next_if_eq(&guess).is_none() {
                    *parts = 0;
                }
            }
        }
        agenda.parts.iter().fold(0, |most, &parts| most.max(parts))
    }

    /// A bound from below, from one look at all guesses.
    pub(super) fn look(&mut self, set: &[u16], guesses: u32, most: u8) -> u32 {
        let codes = set.len();
        if let Some(total) = self.settled(set, guesses) {
            return total;
        }
        let quick = self.quick_bound(codes, guesses, most);
        if quick >= IMPOSSIBLE {
            return quick;
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key) {
            return known.low.max(quick);
        }
        self.count_node(codes);
        if self.stopped {
            return quick;
        }
        let mut agenda = self.agendas.pop().unwrap_or_default();
        let most = self.count_parts(&mut agenda, set);
        let low = self.least_bound(&agenda, set, guesses, most).max(quick);
        self.cache.put(key, codes, Known { low, high: IMPOSSIBLE, guess: 0 });
        self.agendas.push(agenda);
        low
    }

    /// The lowest bound of all guesses, from the parts they make.
    pub(super) fn least_bound(&self, agenda: &Agenda, set: &[u16], guesses: u32, most: u8) -> u32 {
        let own = set.iter().map(|&code| agenda.parts[usize::from(code)]).max().unwrap_or(0);
        let wins = self.split_bound(most, set.len(), own, true, guesses);
        let other = self.split_bound(most, set.len(), most, false, guesses);
        wins.min(other)
    }

    /// A bound from below for guesses that make so many parts.
    fn split_bound(&self, most: u8, codes: usize, parts: u8, wins: bool, guesses: u32) -> u32 {
        // A guess that cannot win never gets the winning feedback.
        let parts = if wins { parts } else { parts.min(self.most_parts() - 1) };
        if parts == 0 || (parts == 1 && !wins) {
            return IMPOSSIBLE;
        }
        if guesses != UNLIMITED {
            let largest = codes.div_ceil(usize::from(parts));
            if !self.bounds.fits(largest, one_less(guesses), most) {
                return IMPOSSIBLE;
            }
        }
        self.bounds.split(most, codes, parts.into(), wins)
    }

    /// The bounds of guesses by the number of parts they make, the lowest bound last.
    pub(super) fn buckets(&self, agenda: &Agenda, set: &[u16], guesses: u32, most: u8) -> Buckets {
        let mut any = [false; 256];
        agenda.parts.iter().for_each(|&parts| any[usize::from(parts)] = true);
        let mut buckets = Vec::with_capacity(2 * usize::from(most));
        for parts in (1..=most).filter(|&parts| any[usize::from(parts)]) {
            for wins in [false, true] {
                let low = self.split_bound(most, set.len(), parts, wins, guesses);
                if low < IMPOSSIBLE {
                    buckets.push((low, parts, wins));
                }
            }
        }
        buckets.sort_unstable_by(|one, other| other.cmp(one));
        buckets
    }
}
