//! Rules, codes and feedback, written for this crate alone.

/// Row of pegs and its codes, with the feedback of every pair.
///
/// Codes are numbered by their highest color, then lexicographically, so that the codes with colors below `k` are the
/// first ones. Files number them lexicographically ([`Board::ranks`]). Colors begin with 0.
pub struct Board {
    /// Rules in the notation of the game.
    pub rules: String,
    /// Number of pegs.
    pub pegs: usize,
    /// Number of colors.
    pub colors: usize,
    repeats: bool,
    /// True if feedback has no white pegs.
    pub black_only: bool,
    /// Black and white pegs of each feedback, ascending. The last one wins.
    pub marks: Vec<(u64, u64)>,
    /// Colors of each code.
    pub codes: Vec<Vec<u8>>,
    /// Lexicographic rank of each code.
    pub ranks: Vec<u16>,
    /// Code by its colors, read as a number in base `colors`. The rules exclude the other numbers.
    by_number: Vec<u16>,
    /// Feedback of each pair of codes.
    pairs: Vec<u8>,
    /// Bit `feedback % 16` for each pair of codes, in rows of `stride` codes; one plane per 16 feedbacks. The winning
    /// feedback has none.
    planes: Vec<Vec<u16>>,
    /// `sizes[k][n]` is a lower bound on the total of `n` codes when no guess leaves more than `k` parts other than the
    /// winning one: one code takes one guess, `k` codes take two, `k * k` take three.
    pub sizes: Vec<Vec<u32>>,
}

/// Number of guesses in a block of the mask pass.
const BLOCK: usize = 64;

impl Board {
    /// Maximum number of ways to color the pegs.
    pub const MAX_CODES: usize = 1 << 15;

    /// Reads the rules and computes the feedback of all pairs of codes.
    pub fn new(rules: &str) -> Result<Self, String> {
        let mut board = Self::without_codes(rules)?;
        board.tabulate();
        board.sizes = (0..board.marks.len()).map(|k| sizes(board.codes.len(), k)).collect();
        Ok(board)
    }

    /// Reads the rules; an error if they are not supported.
    pub fn without_codes(rules: &str) -> Result<Self, String> {
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
        if colors.checked_pow(pegs as u32).is_none_or(|numbers| numbers > Self::MAX_CODES) {
            return refuse(&format!("more than {} ways to color the pegs are too many", Self::MAX_CODES));
        }
        let whites = |black| 0..=if black_only { 0 } else { pegs as u64 - black };
        let marks = (0..=pegs as u64).flat_map(|black| whites(black).map(move |white| (black, white)));
        let marks: Vec<(u64, u64)> = marks.filter(|&mark| mark != (pegs as u64 - 1, 1)).collect();
        if marks.len() > 32 {
            return refuse("more than 32 feedbacks are too many");
        }
        let (codes, ranks, by_number, pairs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (rules, planes, sizes) = (rules.to_owned(), Vec::new(), Vec::new());
        Ok(Self { rules, pegs, colors, repeats, black_only, marks, codes, ranks, by_number, pairs, planes, sizes })
    }

    /// Lists the codes, and computes the feedback of all pairs.
    fn tabulate(&mut self) {
        let numbers = self.colors.pow(self.pegs as u32);
        let digit = |number, peg: usize| (number / self.colors.pow(peg as u32) % self.colors) as u8;
        let all = (0..numbers).map(|number| (0..self.pegs).rev().map(|peg| digit(number, peg)).collect::<Vec<u8>>());
        let allowed = |code: &Vec<u8>| self.repeats || (0..self.pegs).all(|peg| !code[..peg].contains(&code[peg]));
        let mut listed: Vec<(u16, Vec<u8>)> = (0..).zip(all.filter(allowed)).collect();
        listed.sort_by_key(|(_, code)| code.iter().copied().max());
        (self.ranks, self.codes) = listed.into_iter().unzip();
        self.by_number = vec![u16::MAX; numbers];
        for (index, code) in (0..).zip(&self.codes) {
            self.by_number[code.iter().fold(0, |number, &color| number * self.colors + usize::from(color))] = index;
        }
        let (all, colors, stride) = (self.codes.len(), self.colors, self.codes.len().next_multiple_of(BLOCK));
        let mut numbers = vec![vec![0u8; self.pegs + 1]; self.pegs + 1];
        for (number, &(black, white)) in (0..).zip(&self.marks) {
            numbers[black as usize][white as usize] = number;
        }
        let count = |code: &Vec<u8>, color| code.iter().filter(|&&other| usize::from(other) == color).count() as u8;
        let counts: Vec<u8> = self.codes.iter().flat_map(|code| (0..colors).map(|color| count(code, color))).collect();
        for (code, pegs) in self.codes.iter().zip(counts.chunks(colors)) {
            for (guess, others) in self.codes.iter().zip(counts.chunks(colors)) {
                let black = code.iter().zip(guess).filter(|(one, other)| one == other).count();
                let both: u8 = pegs.iter().zip(others).map(|(one, other)| one.min(other)).sum();
                let white = if self.black_only { 0 } else { usize::from(both) - black };
                self.pairs.push(numbers[black][white]);
            }
        }
        self.planes = vec![vec![0; all * stride]; self.marks.len().div_ceil(16)];
        for (at, mark) in self.pairs.iter().map(|&mark| usize::from(mark)).enumerate() {
            if mark < self.marks.len() - 1 {
                self.planes[mark / 16][at / all * stride + at % all] = 1 << (mark % 16);
            }
        }
    }

    /// Returns the code with the given lexicographic rank.
    pub fn at_rank(&self, rank: u64) -> Option<u16> {
        self.ranks.iter().position(|&other| u64::from(other) == rank).map(|index| index as u16)
    }

    /// Returns the code with the given colors.
    pub fn find(&self, code: impl Iterator<Item = u8>) -> u16 {
        self.by_number[code.fold(0, |number, color| number * self.colors + usize::from(color))]
    }

    /// Returns the feedback of every code to a guess.
    pub fn row(&self, guess: u16) -> &[u8] {
        &self.pairs[usize::from(guess) * self.codes.len()..][..self.codes.len()]
    }

    /// Returns the number of colors in a sorted set, counted up to the highest one.
    pub fn highest(&self, set: &[u16]) -> usize {
        set.last().and_then(|&code| self.codes[usize::from(code)].iter().max()).map_or(0, |&color| 1 + color as usize)
    }

    /// Number of guesses, the first ones, that stand for all guesses at a sorted set. Colors above the highest one of the
    /// set can be replaced by one of them, or by the first of them if none may repeat.
    pub fn guesses(&self, set: &[u16]) -> usize {
        let needed = self.highest(set) + if self.repeats { 1 } else { self.pegs };
        self.codes.partition_point(|code| code.iter().all(|&color| usize::from(color) < needed))
    }

    /// Number of parts, without the winning one, that each of [`Board::guesses`] leaves of a sorted set; then of some
    /// more guesses, up to a whole block, or zero.
    pub fn count_parts(&self, set: &[u16]) -> Vec<u8> {
        let mut parts = vec![0; self.guesses(set).next_multiple_of(BLOCK)];
        for plane in &self.planes {
            let stride = plane.len() / self.codes.len();
            for (first, parts) in (0..).step_by(BLOCK).zip(parts.chunks_mut(BLOCK)) {
                let mut masks = [0; BLOCK];
                for &code in set {
                    let row = &plane[usize::from(code) * stride + first..][..BLOCK];
                    masks.iter_mut().zip(row).for_each(|(mask, &bit)| *mask |= bit);
                }
                parts.iter_mut().zip(masks).for_each(|(parts, mask)| *parts += mask.count_ones() as u8);
            }
        }
        parts
    }

    /// Splits a set: returns the codes of each feedback.
    pub fn split(&self, guess: u16, set: &[u16]) -> Vec<Vec<u16>> {
        let (row, mut parts) = (self.row(guess), vec![Vec::new(); self.marks.len()]);
        set.iter().for_each(|&code| parts[usize::from(row[usize::from(code)])].push(code));
        parts
    }

    /// Returns the text of a code, with colors from 1.
    pub fn text(&self, code: u16) -> String {
        let colors: Vec<String> = self.codes[usize::from(code)].iter().map(|color| (color + 1).to_string()).collect();
        colors.join(if self.colors > 9 { " " } else { "" })
    }
}

/// Values of [`Board::sizes`] for 0, 1, 2, … codes, at least up to `codes`.
fn sizes(codes: usize, k: usize) -> Vec<u32> {
    let (mut sizes, mut depth, mut width) = (vec![0], 1, 1);
    while sizes.len() <= codes {
        let above = sizes[sizes.len() - 1];
        sizes.extend((1..=width as u32).map(|codes| above + codes * depth));
        (depth, width) = (depth + 1, (width * k.max(1)).min(codes));
    }
    sizes
}
