//! Guesses on boards whose codes cannot be listed: codes are sampled by parallel tempering, and hill climbing finds an
//! informative guess.
//!
//! On large boards the answers soon determine a code that no sampler finds. To avoid that, guesses ask about a window: first
//! about the counts of some colors, omitting the other unsettled ones; then about the places of some colors, or the colors
//! of some cells. As the window moves on, the earlier turns become easier to satisfy.
//!
//! With few colors, the cells outside the window keep the color of the last guess, so that their black pegs cancel between
//! turns. With many colors, a few cells have hardly any black pegs and are not informative; so guesses only use the colors
//! that fill as many cells, the most frequent first, in any cell.

use pegwise_game::{Code, Color, History, Rules, Turn};

use super::endgame::Endgame;
use super::entropy::Climber;
use super::scoring;
use super::settings::{EndgameSettings, MAX_CLIMB_WORK, MAX_SAMPLE_WORK, STEPS_PER_CLOCK_CHECK, Settings};
use pegwise_sampling::tempering::{Effort, TemperingSampler};
use pegwise_search::{Rng, Search, Watch, clock};

/// State that is kept from turn to turn.
#[derive(Debug, Clone)]
pub(super) struct SamplingPlayer {
    codes: TemperingSampler,
    counts: CountSampler,
    windows: Windows,
    climber: Option<Climber>,
    turns: usize,
    is_row: bool,
}

/// Sampler of color counts.
#[derive(Debug, Clone)]
struct CountSampler {
    sampler: TemperingSampler,
    /// The counts found last, as codes with sorted colors.
    found: Vec<Code>,
    /// True if `found` has a single entry that is considered correct.
    known: bool,
}

/// Codes that guesses are scored on.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Consistent codes, followed by nearly consistent ones.
    pub(super) codes: Vec<Code>,
    /// Number of consistent codes.
    pub(super) consistent: usize,
    /// True if there are probably no other consistent codes.
    pub(super) complete: bool,
}

impl Sample {
    /// Returns true if all candidates are known and few. On boards of several lines the next answer distinguishes nearly
    /// all codes whatever the guess, so that some of the candidates suffice.
    fn is_endgame(&self, settings: &EndgameSettings, is_row: bool) -> bool {
        self.consistent > 0 && self.consistent <= settings.max_codes && (self.complete || !is_row)
    }
}

impl SamplingPlayer {
    pub(super) fn new(rules: &Rules, settings: &Settings, rng: &mut Rng) -> Self {
        let codes = TemperingSampler::new(rules, settings.tempering, rng);
        let counts = TemperingSampler::of_counts(rules, settings.count_tempering, rng);
        Self {
            codes,
            counts: CountSampler { sampler: counts, found: Vec::new(), known: false },
            windows: Windows::new(rules, rng),
            climber: Climber::supports(rules).then(|| Climber::new(rules, settings.black_weight)),
            turns: 0,
            is_row: rules.board().is_row(),
        }
    }

    /// Returns true if [`SamplingPlayer::rank`] supports the rules.
    pub(super) fn can_climb(&self) -> bool {
        self.climber.is_some()
    }

    /// Samples codes with `work` times the default work.
    pub(super) fn sample(
        &mut self,
        history: &History,
        settings: &Settings,
        work: f64,
        watch: Watch<'_>,
        search: &mut Search<'_>,
    ) -> Sample {
        let is_late = history.len() > self.turns + 1;
        self.turns = history.len();
        let work = work * if is_late { settings.late_start_factor } else { 1.0 };
        let extended = |count: u64| (count as f64 * work) as u64;
        // A larger sample has diminishing returns.
        let codes = (settings.codes as f64 * work.min(MAX_SAMPLE_WORK).sqrt()) as usize;
        if settings.count_moves > 0 {
            let effort = Effort { codes, moves: extended(settings.count_moves) };
            self.sample_counts(history, effort, search.watch_share(settings.count_share), search);
        }
        let effort = Effort { codes, moves: extended(settings.moves).max(1) };
        let found = self.codes.sample(history, effort, watch, search);
        let mut codes = found.codes;
        let consistent = codes.len();
        if consistent < settings.min_consistent && !found.complete {
            let mut near = found.near;
            search.rng.shuffle(&mut near);
            near.truncate(effort.codes - consistent);
            codes.extend(near.into_iter().map(|(_, code)| code));
            if codes.is_empty() {
                codes.push(found.closest);
            }
        }
        Sample { codes, consistent, complete: found.complete }
    }

    /// Samples color counts, and passes them to the sampler of codes.
    fn sample_counts(&mut self, history: &History, effort: Effort, watch: Watch<'_>, search: &mut Search<'_>) {
        let counts = &mut self.counts;
        if counts.known && satisfies_pegs(history, &counts.found[0]) {
            return;
        }
        let before = std::mem::take(&mut counts.found);
        let found = counts.sampler.sample(history, effort, watch, search);
        counts.found = found.codes;
        // Counts that are the only ones found twice in a row are considered known, until a turn contradicts them.
        counts.known = counts.found.len() == 1 && (found.complete || before == counts.found);
        match counts.found.as_slice() {
            [known] if counts.known => self.codes.fix_colors(known),
            found => {
                self.codes.release_colors();
                self.codes.repair_colors(history, found);
            }
        }
    }

    /// Returns the most informative new guess for a sample, and the requested alternatives; `None` if the rules do not
    /// support hill climbing.
    pub(super) fn rank(
        &mut self,
        sample: &Sample,
        history: &History,
        settings: &Settings,
        work: f64,
        search: &mut Search<'_>,
    ) -> Option<Vec<Code>> {
        let climber = self.climber.as_mut()?;
        let (codes, watch) = (&sample.codes, search.watch());
        let counts = if self.counts.found.is_empty() { codes } else { &self.counts.found };
        let window = self.windows.select(settings, counts, codes, history.turns().last());
        climber.set_sample(codes);
        let starts = search.rng.sample(codes.len() as u32, settings.starts);
        let starts = starts.into_iter().map(|at| window.restrict(&codes[at as usize], &mut search.rng));
        let starts: Vec<Code> = starts.collect();
        let mut scored: Vec<(f64, Code)> = Vec::with_capacity(starts.len() + settings.climbs);
        for start in starts {
            clock::work(codes.len() as u64 * clock::STEP_COST);
            scored.push((climber.set_guess(&start), start));
            if watch.stop().is_some() {
                break;
            }
        }
        search.score((scored.len() * codes.len()) as u64);
        let by_cost =
            |one: &(f64, Code), other: &(f64, Code)| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1));
        scored.sort_by(by_cost);
        let endgame = settings.endgame.extended(work);
        let is_endgame = sample.is_endgame(&endgame, self.is_row);
        let climbs = if is_endgame { endgame.climbs } else { settings.climbs };
        let starts: Vec<Code> = scored.iter().take(climbs).map(|(_, code)| code.clone()).collect();
        let steps = (settings.steps_per_cell * window.cells.len()) as f64 * work.min(MAX_CLIMB_WORK);
        for start in starts {
            scored.push(climb(climber, &start, &window, steps as usize, watch, search));
        }
        let was_played = |guess: &Code| history.turns().iter().any(|turn| turn.guess == *guess);
        scored.retain(|(_, guess)| !was_played(guess));
        if is_endgame {
            let codes = &codes[..sample.consistent];
            let mut others = scoring::pool(history.rules(), codes, endgame.variations, &mut search.rng);
            others.extend(scored.into_iter().map(|(_, guess)| guess));
            others.retain(|guess| codes.binary_search(guess).is_err() && !was_played(guess));
            others.sort_unstable();
            others.dedup();
            let table = Endgame::new(history.rules(), codes, others, endgame.guesses_per_bit, watch);
            let mut ranked = table.ranked(endgame.two_step_guesses, search);
            ranked.truncate(1 + search.alternatives);
            return Some(ranked);
        }
        if sample.consistent == codes.len() {
            for (cost, guess) in &mut scored {
                let is_consistent = codes.binary_search(guess).is_ok() || history.is_consistent(guess);
                *cost -= if is_consistent { settings.bonus_bits } else { 0.0 };
            }
        }
        scored.sort_by(by_cost);
        scored.dedup_by(|one, other| one.1 == other.1);
        Some(scored.into_iter().map(|(_, guess)| guess).take(1 + search.alternatives).collect())
    }
}

/// Climbs from `start` within a window, and returns the result with its cost.
fn climb(
    climber: &mut Climber,
    start: &Code,
    window: &GuessWindow,
    steps: usize,
    watch: Watch<'_>,
    search: &mut Search<'_>,
) -> (f64, Code) {
    climber.set_guess(start);
    let mut left = steps;
    while left > 0 && watch.stop().is_none() {
        let now = left.min(STEPS_PER_CLOCK_CHECK);
        clock::work((now * climber.codes()) as u64);
        climber.climb(now, &window.cells, &window.colors, &mut search.rng);
        left -= now;
    }
    search.score(((steps - left) * climber.codes()) as u64);
    climber.guess()
}

/// Returns true if the color counts of a code explain the number of pegs of every turn of a row.
fn satisfies_pegs(history: &History, counts: &Code) -> bool {
    let rules = history.rules();
    let is_satisfied = |turn: &Turn| {
        let answer = pegwise_game::feedback(rules, &turn.guess, counts).marks()[0].numbers();
        answer.sum::<u64>() == turn.feedback.marks()[0].numbers().sum::<u64>()
    };
    history.turns().iter().all(is_satisfied)
}

/// Order in which colors and cells enter a window, fixed for a game.
#[derive(Debug, Clone)]
struct Windows {
    colors: Vec<u16>,
    cells: Vec<usize>,
}

/// The cells of a guess that may change, and the colors that it may show.
#[derive(Debug, Clone)]
struct GuessWindow {
    cells: Vec<usize>,
    colors: Vec<u16>,
    /// Colors outside the window's cells.
    background: Option<Code>,
    /// Colors that replace omitted ones.
    substitutes: Vec<u16>,
}

impl Windows {
    fn new(rules: &Rules, rng: &mut Rng) -> Self {
        let (mut colors, mut cells): (Vec<u16>, Vec<usize>) =
            ((0..rules.colors()).collect(), (0..rules.cells()).collect());
        rng.shuffle(&mut colors);
        rng.shuffle(&mut cells);
        Self { colors, cells }
    }

    /// Selects a window. The color counts of `counts` are consistent; `codes` are consistent or nearly so.
    fn select(&self, settings: &Settings, counts: &[Code], codes: &[Code], last: Option<&Turn>) -> GuessWindow {
        let all_cells = (0..self.cells.len()).collect();
        let mut colors: Vec<u16> = (0..self.colors.len() as u16).collect();
        let exceeds = |open: usize, window: usize| open as f64 > settings.window_slack * window as f64;
        let open_colors = self.open_colors(counts, settings.agreement);
        if exceeds(open_colors.len(), settings.color_window) {
            let (substitutes, omitted) = open_colors.split_at(settings.color_window);
            colors.retain(|color| !omitted.contains(color));
            return GuessWindow { cells: all_cells, colors, background: None, substitutes: substitutes.to_vec() };
        }
        let agreed = self.agreed_colors(codes, settings.agreement);
        let open_cells: Vec<usize> = self.cells.iter().copied().filter(|&cell| agreed[cell].is_none()).collect();
        match last {
            Some(_) if exceeds(open_cells.len(), settings.cell_window) && settings.window_by_color => {
                let colors = self.unplaced_colors(counts, &agreed, settings.cell_window);
                GuessWindow { cells: all_cells, substitutes: colors.clone(), colors, background: None }
            }
            Some(last) if exceeds(open_cells.len(), settings.cell_window) => {
                let cells = open_cells[..settings.cell_window].to_vec();
                GuessWindow { cells, colors, background: Some(last.guess.clone()), substitutes: Vec::new() }
            }
            _ => GuessWindow { cells: all_cells, colors, background: None, substitutes: Vec::new() },
        }
    }

    /// Returns the most frequent colors that fill about `window` cells on which the codes do not agree.
    fn unplaced_colors(&self, counts: &[Code], agreed: &[Option<u16>], window: usize) -> Vec<u16> {
        let mut totals = vec![0usize; self.colors.len()];
        counts.iter().flat_map(|code| code.iter()).for_each(|color| totals[color.index()] += 1);
        let mut placed = vec![0; self.colors.len()];
        agreed.iter().flatten().for_each(|&color| placed[usize::from(color)] += counts.len());
        let mut order = self.colors.clone();
        order.sort_by_key(|&color| std::cmp::Reverse(totals[usize::from(color)]));
        let (mut filled, mut unplaced) = (0, Vec::new());
        for color in order {
            let open = totals[usize::from(color)].saturating_sub(placed[usize::from(color)]);
            if 2 * open >= counts.len() && filled < window * counts.len() {
                filled += open;
                unplaced.push(color);
            }
        }
        unplaced
    }

    /// Returns the colors on whose counts the codes do not agree.
    fn open_colors(&self, codes: &[Code], agreement: f64) -> Vec<u16> {
        let (cells, colors) = (self.cells.len(), self.colors.len());
        let mut frequencies = vec![0u32; colors * (cells + 1)];
        let mut counts = vec![0usize; colors];
        for code in codes {
            counts.fill(0);
            code.iter().for_each(|color| counts[color.index()] += 1);
            for (color, &count) in counts.iter().enumerate() {
                frequencies[color * (cells + 1) + count] += 1;
            }
        }
        let is_open =
            |&color: &u16| is_open(&frequencies[usize::from(color) * (cells + 1)..][..=cells], codes, agreement);
        self.colors.iter().copied().filter(is_open).collect()
    }

    /// Returns for each cell the color on which the codes agree, if any.
    fn agreed_colors(&self, codes: &[Code], agreement: f64) -> Vec<Option<u16>> {
        let colors = self.colors.len();
        let mut frequencies = vec![0u32; self.cells.len() * colors];
        for code in codes {
            for (cell, color) in code.iter().enumerate() {
                frequencies[cell * colors + color.index()] += 1;
            }
        }
        let agreed = |frequencies: &[u32]| {
            let mode = (0..).zip(frequencies).max_by_key(|(_, frequency)| **frequency).map(|(color, _)| color);
            mode.filter(|_| !is_open(frequencies, codes, agreement))
        };
        frequencies.chunks(colors).map(agreed).collect()
    }
}

/// Returns true if no value has a share of at least `agreement` of the codes.
fn is_open(frequencies: &[u32], codes: &[Code], agreement: f64) -> bool {
    f64::from(frequencies.iter().copied().max().unwrap_or(0)) < agreement * codes.len() as f64
}

impl GuessWindow {
    /// Turns a code into a guess that only asks about the window.
    fn restrict(&self, code: &Code, rng: &mut Rng) -> Code {
        let mut guess = self.background.clone().unwrap_or_else(|| code.clone());
        for &cell in &self.cells {
            let color = code[cell];
            let is_shown = self.substitutes.is_empty() || self.colors.contains(&(color.index() as u16));
            guess.colors_mut()[cell] =
                if is_shown { color } else { Color::new(self.substitutes[rng.index(self.substitutes.len())]) };
        }
        guess
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(rules: &Rules) -> Settings {
        Settings { color_window: 3, cell_window: 2, window_by_color: false, ..Settings::new(rules) }
    }

    #[test]
    fn colors_come_first_then_cells_then_all() {
        let rules: Rules = "6x8".parse().unwrap();
        let mut rng = Rng::new(1);
        let (settings, windows) = (settings(&rules), Windows::new(&rules, &mut rng));
        let code = |text: &str| Code::from_indices(text.bytes().map(|digit| u16::from(digit - b'0')));
        let last = Turn::parse(&rules, "888888=0,0").unwrap();
        // Seven counts are open: three of these colors are shown, and the settled one.
        let different: Vec<Code> =
            ["000000", "111111", "222222", "333333", "444444", "555555", "666666"].map(code).to_vec();
        let window = windows.select(&settings, &different, &different, Some(&last));
        assert_eq!((window.cells.len(), window.colors.len()), (6, 4));
        for code in &different {
            assert!(
                window.restrict(code, &mut rng).iter().all(|color| window.colors.contains(&(color.index() as u16)))
            );
        }
        // The counts agree and the places differ: two cells change, the others stay as in the last guess.
        let arranged: Vec<Code> = ["012345", "123450", "234501"].map(code).to_vec();
        let window = windows.select(&settings, &arranged, &arranged, Some(&last));
        assert_eq!((window.cells.len(), window.colors.len()), (2, 8));
        let guess = window.restrict(&arranged[0], &mut rng);
        let changed: Vec<usize> = (0..6).filter(|&cell| guess[cell] != last.guess[cell]).collect();
        assert_eq!(changed.len(), 2);
        assert!(changed.iter().all(|cell| window.cells.contains(cell) && guess[*cell] == arranged[0][*cell]));
        // Before the first guess, and when few cells are open, there is no window.
        assert_eq!(windows.select(&settings, &arranged, &arranged, None).cells.len(), 6);
        let nearly = [code("012345"), code("012354")];
        assert_eq!(windows.select(&settings, &nearly, &nearly, Some(&last)).restrict(&nearly[0], &mut rng), nearly[0]);
    }

    #[test]
    fn the_most_frequent_unplaced_colors_are_shown() {
        let rules: Rules = "9x8".parse().unwrap();
        let mut rng = Rng::new(1);
        let settings = Settings { cell_window: 3, window_by_color: true, ..settings(&rules) };
        let windows = Windows::new(&rules, &mut rng);
        let code = |text: &str| Code::from_indices(text.bytes().map(|digit| u16::from(digit - b'0')));
        let last = Turn::parse(&rules, "888888888=0,0").unwrap();
        // The codes agree on the first four cells, and nowhere on the third color.
        let codes: Vec<Code> = ["000112202", "000120221", "000122120"].map(code).to_vec();
        let wide = windows.select(&settings, &codes, &codes, Some(&last));
        assert_eq!(wide.colors, [0, 2]);
        assert_eq!(wide.cells.len(), 9);
        let guess = wide.restrict(&codes[0], &mut rng);
        assert!(guess.iter().all(|color| [0, 2].contains(&color.index())));
        let narrow = Settings { cell_window: 1, ..settings };
        assert_eq!(windows.select(&narrow, &codes, &codes, Some(&last)).colors, [0]);
        // All open cells fit the window.
        let all = Settings { cell_window: 4, ..settings };
        assert_eq!(windows.select(&all, &codes, &codes, Some(&last)).colors.len(), 8);
    }
}
