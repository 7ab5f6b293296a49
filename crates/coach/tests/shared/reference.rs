//! Naive reference for every number of a hint and an analysis: lists all codes, counts feedback peg by peg, and reads
//! only the JSON of the answers.

use std::collections::{BTreeMap, HashMap};

use pegwise_coach::{Notes, analyze, hint};
use pegwise_game::{Code, Rules, Turn};
use pegwise_solve::{Rng, Search, catalog};
use serde_json::Value;

/// A code as in JSON, with one-based colors.
type Colors = Vec<u8>;
/// Black and white pegs of each line.
type LineAnswers = Vec<[u64; 2]>;

/// Counts of compared numbers.
#[derive(Debug, Default)]
pub(crate) struct ComparisonTally {
    pub(crate) positions: usize,
    /// Exact numbers, all of them correct.
    pub(crate) exact: usize,
    /// Estimates, and those whose interval contains the true value.
    pub(crate) estimates: usize,
    pub(crate) covered: usize,
    /// Bounds and unknown numbers.
    pub(crate) others: usize,
}

impl ComparisonTally {
    /// Returns the percentage of intervals that contain the true value.
    #[allow(dead_code, reason = "each of those who share this module uses a part of it")]
    pub(crate) fn coverage(&self) -> f64 {
        100.0 * self.covered as f64 / self.estimates.max(1) as f64
    }

    /// Compares the field `name` of an answer with the true value.
    fn compare(&mut self, answer: &Value, name: &str, truth: f64) {
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        let value = number(&answer[name]);
        match answer[format!("{name}_is")].as_str() {
            Some("exact") => {
                let value = value.unwrap_or_else(|| panic!("{name} of {answer}"));
                // Logarithms may differ in the last digit.
                let near = (value - truth).abs() <= 1e-12 * truth.abs();
                let right = if name == "score" || name == "skill" { near } else { value == truth };
                assert!(right, "{name} is {truth}, not {value}: {answer}");
                self.exact += 1;
            }
            Some("estimate") => {
                let ends: Vec<f64> = (0..2).filter_map(|at| number(&answer[format!("{name}_interval")][at])).collect();
                let [low, high] = ends[..] else { panic!("{name} has no interval: {answer}") };
                self.estimates += 1;
                // Tolerance for rounded output.
                self.covered += usize::from(low * (1.0 - 1e-6) <= truth && truth <= high * (1.0 + 1e-6));
            }
            Some("bound") => {
                assert!(value.is_some_and(|value| truth <= value * (1.0 + 1e-9)), "{name} is {truth}: {answer}");
                self.others += 1;
            }
            _ => {
                assert!(answer[name].is_null(), "{name} has no certainty: {answer}");
                self.others += 1;
            }
        }
    }
}

/// Naive implementation of a game, by its definition.
pub(crate) struct Reference {
    rules: Rules,
    lines: Vec<Vec<usize>>,
    codes: Vec<Colors>,
}

impl Reference {
    /// Creates the reference for rules with repeats and black and white pegs, and lists every code.
    pub(crate) fn new(text: &str) -> Self {
        let rules: Rules = text.parse().unwrap();
        let (cells, colors) = (rules.cells(), u8::try_from(rules.colors()).unwrap());
        let mut codes = vec![Vec::new()];
        for _ in 0..cells {
            codes = codes.iter().flat_map(|code: &Colors| (1..=colors).map(move |color| with(code, color))).collect();
        }
        Self { lines: rules.board().lines().map(<[usize]>::to_vec).collect(), rules, codes }
    }

    /// Checks the hint and the analysis of a position after `turns` random guesses.
    pub(crate) fn check_position(&self, turns: usize, seed: u64, tally: &mut ComparisonTally) {
        let mut rng = Rng::for_path(seed, [&b"twin"[..]]);
        let draw = |rng: &mut Rng| self.codes[rng.index(self.codes.len())].clone();
        let secret = draw(&mut rng);
        let mut guesses: Vec<Colors> = (0..turns).map(|_| draw(&mut rng)).collect();
        guesses.retain(|guess| *guess != secret);
        let mut notes = Notes::new(self.rules.clone());
        for guess in &guesses {
            let code = Code::from_indices(guess.iter().map(|color| u16::from(color - 1)));
            let numbers: Vec<Vec<u64>> = self.answer(guess, &secret).into_iter().map(Vec::from).collect();
            let turn = Turn { guess: code, feedback: self.rules.feedback_from_numbers(&numbers).unwrap() };
            notes.push(turn.into()).unwrap();
        }
        let mut left: Vec<Vec<&Colors>> = vec![self.codes.iter().collect()];
        for guess in &guesses {
            let answer = self.answer(guess, &secret);
            let last = &left[left.len() - 1];
            left.push(last.iter().copied().filter(|code| self.answer(guess, code) == answer).collect());
        }
        tally.positions += 1;
        self.check_hint(&notes, &left[guesses.len()], seed, tally);
        self.check_analysis(&notes, &guesses, &left, &secret, seed, tally);
    }

    fn check_hint(&self, notes: &Notes, left: &[&Colors], seed: u64, tally: &mut ComparisonTally) {
        let mut search = Search::new(seed);
        search.alternatives = 3;
        let mut strategy = catalog::strategy("adaptive", &self.rules).unwrap();
        let hint = serde_json::to_value(hint(notes, &mut *strategy, &mut search).unwrap()).unwrap();
        tally.compare(&hint, "remaining", left.len() as f64);
        for code in hint["possible"].as_array().unwrap() {
            assert!(left.contains(&&colors(code)), "{code} does not fit");
        }
        let rated = std::iter::once(&hint["rated"]).chain(hint["alternatives"].as_array().unwrap());
        let mut best = BestPlay { reference: self, known: HashMap::new() };
        for rated in rated.filter(|rated| !rated.is_null()) {
            let guess = colors(&rated["guess"]);
            let parts = self.parts(&guess, left);
            let (count, sizes) = (left.len() as f64, parts.values().map(|part| part.len() as f64));
            let possible = left.contains(&&guess);
            assert_eq!(rated["consistent"], possible, "{rated}");
            tally.compare(rated, "chance", if possible { 1.0 / count } else { 0.0 });
            tally.compare(rated, "expected_remaining", self.expected(&guess, left));
            if rated["unit"] == "bits" {
                tally.compare(rated, "score", sizes.map(|size| size / count * (count / size).log2()).sum());
            }
            if left.len() <= MAX_SEARCHED && rated["lost_is"] == "exact" {
                let lost = best.after(&guess, left) - best.least(left);
                tally.compare(rated, "lost", lost as f64 / count);
            }
        }
    }

    fn check_analysis(
        &self,
        notes: &Notes,
        guesses: &[Colors],
        left: &[Vec<&Colors>],
        secret: &Colors,
        seed: u64,
        tally: &mut ComparisonTally,
    ) {
        let analysis = analyze(notes, None, &mut Search::new(seed)).unwrap();
        let analysis = serde_json::to_value(analysis).unwrap();
        tally.compare(&analysis, "remaining", left[guesses.len()].len() as f64);
        for (at, guess) in guesses.iter().enumerate() {
            let turn = &analysis["turns"][at];
            let (before, count) = (&left[at], left[at].len() as f64);
            tally.compare(turn, "before", count);
            tally.compare(turn, "after", left[at + 1].len() as f64);
            tally.compare(turn, "expected", self.expected(guess, before));
            assert_eq!(turn["consistent"], before.contains(&guess), "{turn}");
            let parts = self.parts(guess, before);
            if parts.len() > 1 {
                let own = left[at + 1].len();
                let to_try = |answer: &LineAnswers, part: &Vec<&Colors>| {
                    if *answer == self.answer(guess, guess) { 0 } else { part.len() }
                };
                let kinder = parts.iter().map(|(answer, part)| match to_try(answer, part).cmp(&own) {
                    std::cmp::Ordering::Greater => part.len() as f64,
                    std::cmp::Ordering::Equal => part.len() as f64 / 2.0,
                    std::cmp::Ordering::Less => 0.0,
                });
                tally.compare(turn, "luck", 100.0 * kinder.sum::<f64>() / count);
            } else {
                assert!(turn["luck"].is_null(), "{turn}");
            }
            if !turn["best"].is_null() {
                let best = colors(&turn["best"]["guess"]);
                tally.compare(&turn["best"], "expected", self.expected(&best, before));
                assert_eq!(turn["best"]["consistent"], before.contains(&&best), "{turn}");
            }
            if before.len() <= MAX_SEARCHED && turn["lost_is"] == "exact" {
                let mut best = BestPlay { reference: self, known: HashMap::new() };
                let (own, least) = (best.after(guess, before), best.least(before));
                tally.compare(turn, "lost", (own - least) as f64 / count);
                let uninformative = parts.len() == 1 && !before.contains(&guess);
                tally.compare(turn, "skill", if uninformative { 0.0 } else { 100.0 * least as f64 / own as f64 });
            }
        }
        assert!(left[guesses.len()].contains(&secret));
    }

    /// Returns the expected number of remaining codes.
    fn expected(&self, guess: &Colors, codes: &[&Colors]) -> f64 {
        let parts = self.parts(guess, codes);
        let to_try = parts.iter().filter(|(answer, _)| **answer != self.answer(guess, guess));
        to_try.map(|(_, part)| (part.len() * part.len()) as f64).sum::<f64>() / codes.len() as f64
    }

    fn parts<'a>(&self, guess: &Colors, codes: &[&'a Colors]) -> BTreeMap<LineAnswers, Vec<&'a Colors>> {
        let mut parts: BTreeMap<LineAnswers, Vec<&Colors>> = BTreeMap::new();
        codes.iter().for_each(|code| parts.entry(self.answer(guess, code)).or_default().push(code));
        parts
    }

    /// Returns black and white pegs per line; each peg of the code matches at most one peg of the guess.
    fn answer(&self, guess: &Colors, code: &Colors) -> LineAnswers {
        let answer = |line: &Vec<usize>| {
            let black = line.iter().filter(|&&cell| guess[cell] == code[cell]).count();
            let mut free: Vec<u8> =
                line.iter().filter(|&&cell| guess[cell] != code[cell]).map(|&cell| code[cell]).collect();
            let mut white = 0;
            for &cell in line.iter().filter(|&&cell| guess[cell] != code[cell]) {
                if let Some(at) = free.iter().position(|color| *color == guess[cell]) {
                    free.swap_remove(at);
                    white += 1;
                }
            }
            [black as u64, white]
        };
        self.lines.iter().map(answer).collect()
    }
}

/// Maximum number of codes searched exhaustively.
const MAX_SEARCHED: usize = 5;

/// Minimal total number of guesses, by trying every guess.
struct BestPlay<'a> {
    reference: &'a Reference,
    known: HashMap<Vec<Colors>, usize>,
}

impl BestPlay<'_> {
    fn least(&mut self, codes: &[&Colors]) -> usize {
        if codes.len() <= 2 {
            return [0, 1, 3][codes.len()];
        }
        let key: Vec<Colors> = codes.iter().map(|code| (*code).clone()).collect();
        if let Some(&least) = self.known.get(&key) {
            return least;
        }
        let mut least = usize::MAX;
        let reference = self.reference;
        for guess in &reference.codes {
            // Uninformative guesses never help.
            if reference.parts(guess, codes).len() > 1 {
                least = least.min(self.after(guess, codes));
            }
            // No guess does better than to be a code and to separate all others.
            if least == 2 * codes.len() - 1 {
                break;
            }
        }
        self.known.insert(key, least);
        least
    }

    fn after(&mut self, guess: &Colors, codes: &[&Colors]) -> usize {
        let parts = self.reference.parts(guess, codes);
        let to_try = parts.into_values().filter(|part| part[..] != [guess]);
        codes.len() + to_try.map(|part| self.least(&part)).sum::<usize>()
    }
}

fn with(code: &Colors, color: u8) -> Colors {
    let mut code = code.clone();
    code.push(color);
    code
}

fn colors(code: &Value) -> Colors {
    code.as_array().unwrap().iter().map(|color| u8::try_from(color.as_u64().unwrap()).unwrap()).collect()
}
