//! Rules, codes and feedback, written for this crate alone.

use std::fmt;

/// Row of pegs and its codes, with the feedback of every pair.
///
/// Codes are numbered by their highest color, then lexicographically, so that the codes with colors below `k` are the
/// first ones. Files number them lexicographically ([`Board::rank`]). Colors begin with 0.
pub struct Board {
    rules: String,
    /// Number of pegs.
    pub pegs: usize,
    /// Number of colors.
    pub colors: usize,
    repeats: bool,
    /// Number of feedbacks. They are numbered in ascending order of (black, white); the last one wins.
    pub feedbacks: usize,
    /// Black and white pegs of each feedback.
    marks: Vec<(u64, u64)>,
    /// True if feedback has no white pegs.
    pub black_only: bool,
    /// Colors of all codes, `pegs` bytes each.
    codes: Vec<u8>,
    ranks: Vec<u16>,
    by_rank: Vec<u16>,
    /// Code by its colors, read as a number in base `colors`; [`NONE`] if the rules exclude it.
    by_number: Vec<u16>,
    /// Number of codes with colors below `k`.
    below: Vec<usize>,
    /// Feedback of each pair of codes.
    pairs: Vec<u8>,
    /// Bit `feedback % 16` for each pair of codes, in rows of `stride` codes; one plane per 16 feedbacks. The winning
    /// feedback has none.
    planes: Vec<Vec<u16>>,
    /// `sizes[k][n]` is [`Board::size`].
    sizes: Vec<Vec<u32>>,
}

/// Rules in the notation of the game.
struct Rules {
    pegs: usize,
    colors: usize,
    repeats: bool,
    black_only: bool,
    /// Black and white pegs of each feedback, ascending.
    marks: Vec<(u64, u64)>,
}

impl Rules {
    fn parse(rules: &str) -> Result<Self, String> {
        let refuse = |why: &str| Err(format!("{rules}: {why}; PxN, PxN:no-repeats and PxN:black-only can be checked"));
        let mut options = rules.split(':');
        let size = options.next().and_then(|size| size.split_once('x'));
        let number = |text: &str| text.parse::<usize>().ok().filter(|n| n.to_string() == text && (1..256).contains(n));
        let Some((Some(pegs), Some(colors))) = size.map(|(pegs, colors)| (number(pegs), number(colors))) else {
            return refuse("not a row of pegs and colors");
        };
        let (mut repeats, mut black_only) = (true, false);
        for option in options {
            match option {
                "no-repeats" if repeats && pegs <= colors => repeats = false,
                "black-only" if !black_only => black_only = true,
                other => return refuse(&format!("the option '{other}' is not supported")),
            }
        }
        if colors.checked_pow(pegs as u32).is_none_or(|numbers| numbers > Board::MAX_CODES) {
            return refuse(&format!("more than {} ways to color the pegs are too many", Board::MAX_CODES));
        }
        let mut marks = Vec::new();
        for black in 0..=pegs as u64 {
            for white in 0..=if black_only { 0 } else { pegs as u64 - black } {
                if (black, white) != (pegs as u64 - 1, 1) {
                    marks.push((black, white));
                }
            }
        }
        if marks.len() > 32 {
            return refuse("more than 32 feedbacks are too many");
        }
        Ok(Self { pegs, colors, repeats, black_only, marks })
    }
}

const NONE: u16 = u16::MAX;
/// Number of guesses in a block of the mask pass.
const BLOCK: usize = 64;

impl Board {
    /// Maximum number of ways to color the pegs.
    pub const MAX_CODES: usize = 1 << 15;

    /// Checks that the rules are supported.
    pub fn check_rules(rules: &str) -> Result<(), String> {
        Rules::parse(rules).map(|_| ())
    }

    /// Reads the rules and computes the feedback of all pairs of codes.
    pub fn new(rules: &str) -> Result<Self, String> {
        let Rules { pegs, colors, repeats, black_only, marks } = Rules::parse(rules)?;
        let numbers = colors.pow(pegs as u32);
        let mut listed: Vec<Vec<u8>> = Vec::new();
        for number in 0..numbers {
            let code: Vec<u8> = (0..pegs).rev().map(|peg| (number / colors.pow(peg as u32) % colors) as u8).collect();
            if repeats || (0..pegs).all(|peg| !code[..peg].contains(&code[peg])) {
                listed.push(code);
            }
        }
        let highest = |code: &[u8]| code.iter().copied().max().map_or(0, usize::from);
        let mut by_rank: Vec<u16> = vec![0; listed.len()];
        let mut ranks: Vec<u16> = (0..listed.len() as u16).collect();
        ranks.sort_by_key(|&rank| highest(&listed[usize::from(rank)]));
        let mut board = Self {
            rules: rules.to_owned(),
            pegs,
            colors,
            repeats,
            feedbacks: marks.len(),
            marks,
            black_only,
            codes: ranks.iter().flat_map(|&rank| listed[usize::from(rank)].clone()).collect(),
            by_number: vec![NONE; numbers],
            below: (0..=colors).map(|k| listed.iter().filter(|code| highest(code) < k).count()).collect(),
            pairs: Vec::new(),
            planes: Vec::new(),
            sizes: Vec::new(),
            by_rank: Vec::new(),
            ranks,
        };
        for index in 0..board.len() as u16 {
            by_rank[usize::from(board.rank(index))] = index;
            let number = board.number(board.code(index).iter().copied());
            board.by_number[number] = index;
        }
        board.by_rank = by_rank;
        board.judge_all();
        board.sizes = (0..board.feedbacks).map(|k| sizes(board.len(), k)).collect();
        Ok(board)
    }

    /// Returns the number of the feedback with the given numbers of black and white pegs.
    pub fn feedback(&self, black: u64, white: u64) -> Option<usize> {
        self.marks.iter().position(|&mark| mark == (black, white))
    }

    /// Returns the black and white pegs of a feedback.
    pub fn mark(&self, feedback: usize) -> (u64, u64) {
        self.marks[feedback]
    }

    /// Computes the feedback of all pairs.
    fn judge_all(&mut self) {
        let (all, width, colors) = (self.len(), self.pegs + 1, self.colors);
        let mut numbers = vec![0u8; width * width];
        for (number, &(black, white)) in self.marks.iter().enumerate() {
            numbers[black as usize * width + white as usize] = number as u8;
        }
        let mut counts = vec![0u8; all * colors];
        for (at, &color) in self.codes.iter().enumerate() {
            counts[at / self.pegs * colors + usize::from(color)] += 1;
        }
        for (code, pegs) in self.codes.chunks(self.pegs).zip(counts.chunks(colors)) {
            for (guess, others) in self.codes.chunks(self.pegs).zip(counts.chunks(colors)) {
                let black = code.iter().zip(guess).filter(|(one, other)| one == other).count();
                let both: u8 = pegs.iter().zip(others).map(|(one, other)| one.min(other)).sum();
                let white = if self.black_only { 0 } else { usize::from(both) - black };
                self.pairs.push(numbers[black * width + white]);
            }
        }
        for plane in 0..self.feedbacks.div_ceil(16) {
            let mut bits = vec![0; all * self.stride()];
            for (at, &mark) in self.pairs.iter().enumerate() {
                if usize::from(mark) / 16 == plane && usize::from(mark) < self.feedbacks - 1 {
                    bits[at / all * self.stride() + at % all] = 1 << (mark % 16);
                }
            }
            self.planes.push(bits);
        }
    }

    /// Returns the number of codes.
    #[expect(clippy::len_without_is_empty, reason = "a board has at least one code")]
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    fn stride(&self) -> usize {
        self.len().next_multiple_of(BLOCK)
    }

    /// Returns the colors of a code.
    pub fn code(&self, index: u16) -> &[u8] {
        &self.codes[usize::from(index) * self.pegs..][..self.pegs]
    }

    /// Returns the rank of a code in lexicographic order.
    pub fn rank(&self, index: u16) -> u16 {
        self.ranks[usize::from(index)]
    }

    /// Returns the code with a rank in lexicographic order.
    pub fn at_rank(&self, rank: u64) -> Option<u16> {
        usize::try_from(rank).ok().and_then(|rank| self.by_rank.get(rank).copied())
    }

    fn number(&self, code: impl Iterator<Item = u8>) -> usize {
        code.fold(0, |number, color| number * self.colors + usize::from(color))
    }

    /// Returns the code with the given colors.
    ///
    /// # Panics
    /// Panics if the rules exclude it.
    pub fn find(&self, code: impl Iterator<Item = u8>) -> u16 {
        let index = self.by_number[self.number(code)];
        assert_ne!(index, NONE, "not a code");
        index
    }

    /// Returns the feedback of every code to a guess.
    pub fn row(&self, guess: u16) -> &[u8] {
        &self.pairs[usize::from(guess) * self.len()..][..self.len()]
    }

    /// Returns the number of colors in the codes, counted up to the highest one.
    pub fn highest(&self, set: &[u16]) -> usize {
        set.iter().map(|&code| self.below.partition_point(|&below| below <= usize::from(code))).max().unwrap_or(0)
    }

    /// Returns the number of leading guesses that represent all guesses at codes with colors below `k`. The other
    /// colors are interchangeable: one of them is enough, or one per peg if colors must not repeat.
    pub fn guesses(&self, k: usize) -> usize {
        let absent = if self.repeats { 1 } else { self.pegs };
        self.below[self.colors.min(k + absent)]
    }

    /// Returns the number of parts, without the winning one, that each of the first `guesses` guesses leaves of a set.
    pub fn count_parts(&self, set: &[u16], guesses: usize) -> Vec<u8> {
        let mut parts = vec![0; guesses.next_multiple_of(BLOCK)];
        for plane in &self.planes {
            for (first, parts) in (0..).step_by(BLOCK).zip(parts.chunks_mut(BLOCK)) {
                let mut masks = [0; BLOCK];
                for &code in set {
                    let row = &plane[usize::from(code) * self.stride() + first..][..BLOCK];
                    masks.iter_mut().zip(row).for_each(|(mask, &bit)| *mask |= bit);
                }
                parts.iter_mut().zip(masks).for_each(|(parts, mask)| *parts += mask.count_ones() as u8);
            }
        }
        parts.truncate(guesses);
        parts
    }

    /// Returns a lower bound of the total of `n` codes when no guess leaves more than `k` parts other than the winning
    /// one: one code takes one guess, `k` codes take two, `k * k` take three.
    pub fn size(&self, n: usize, k: usize) -> u32 {
        self.sizes[k][n]
    }

    /// Splits a set: returns the codes of each feedback.
    pub fn split(&self, guess: u16, set: &[u16]) -> Vec<Vec<u16>> {
        let row = self.row(guess);
        let mut parts = vec![Vec::new(); self.feedbacks];
        set.iter().for_each(|&code| parts[usize::from(row[usize::from(code)])].push(code));
        parts
    }

    /// Returns the text of a code, with colors from 1.
    pub fn text(&self, code: u16) -> String {
        let colors: Vec<String> = self.code(code).iter().map(|color| (color + 1).to_string()).collect();
        colors.join(if self.colors > 9 { " " } else { "" })
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules)
    }
}

/// Returns the values of [`Board::size`] for up to `codes` codes.
fn sizes(codes: usize, k: usize) -> Vec<u32> {
    let (mut depth, mut width, mut left, mut total) = (1, 1, 1, 0);
    let mut sizes = vec![0];
    for _ in 0..codes {
        if left == 0 {
            depth += 1;
            width = (width * k.max(1)).min(codes);
            left = width;
        }
        left -= 1;
        total += depth;
        sizes.push(total);
    }
    sizes
}
