//! Games on boards whose codes cannot be listed: walks find codes that fit, and a guess is climbed to that tells most.

use pegwise_game::{Code, History, Rules, Turn};

use super::{
    climb::Climber,
    endgame::Endgame,
    scoring,
    settings::{Ending, Settings},
    windows::{View, Windows},
};
use crate::{
    candidates::anneal::{Effort, Sampler},
    clock,
    rng::Rng,
    search::{Search, Watch},
};

/// What is kept of a game from turn to turn.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    walks: Sampler,
    /// Walks through counts of colors; what they found at last, and whether it is all there is.
    counting: Sampler,
    counts: Vec<Code>,
    known: bool,
    windows: Windows,
    climber: Option<Climber>,
    turns: usize,
    is_row: bool,
}

/// What is known before a guess.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Codes that fit, and after them codes that nearly do.
    pub(super) codes: Vec<Code>,
    /// How many fit.
    pub(super) fitting: usize,
    /// Whether no other code fits, as far as was seen.
    pub(super) all: bool,
}

impl Sample {
    /// Whether a game is near its end: all codes that fit are known and few. On boards of several lines the next answer tells
    /// nearly all codes apart whatever is asked, so that some of them do as well.
    fn ends(&self, ending: &Ending, is_row: bool) -> bool {
        self.fitting > 0 && self.fitting <= ending.codes && (self.all || !is_row)
    }
}

impl Sampled {
    pub(super) fn new(rules: &Rules, settings: &Settings, rng: &mut Rng) -> Self {
        Self {
            walks: Sampler::new(rules, settings.walks, rng),
            counting: Sampler::of_counts(rules, settings.counting, rng),
            counts: Vec::new(),
            known: false,
            windows: Windows::new(rules, rng),
            climber: Climber::can(rules).then(|| Climber::new(rules, settings.first_alone)),
            turns: 0,
            is_row: rules.board().is_row(),
        }
    }

    /// Whether guesses of these rules can be climbed to.
    pub(super) fn can_climb(&self) -> bool {
        self.climber.is_some()
    }

    /// Codes for the turns so far, with this many times the usual work.
    pub(super) fn sample(
        &mut self,
        history: &History,
        settings: &Settings,
        stretch: f64,
        watch: Watch<'_>,
        search: &mut Search<'_>,
    ) -> Sample {
        let late = history.len() > self.turns + 1;
        self.turns = history.len();
        let stretch = stretch * if late { settings.late_start } else { 1.0 };
        let stretched = |count: u64| (count as f64 * stretch) as u64;
        // More codes than usual tell more, though less and less.
        let codes = (settings.codes as f64 * stretch.min(16.0).sqrt()) as usize;
        if settings.counting_moves > 0 {
            let effort = Effort { codes, moves: stretched(settings.counting_moves) };
            self.count(history, effort, search.watch_share(settings.counting_share), search);
        }
        let effort = Effort { codes, moves: stretched(settings.moves).max(1) };
        let found = self.walks.sample(history, effort, watch, search);
        let mut codes = found.codes;
        let fitting = codes.len();
        if fitting < settings.few && !found.all {
            let mut near = found.near;
            search.rng.shuffle(&mut near);
            near.truncate(effort.codes - fitting);
            codes.extend(near.into_iter().map(|(_, code)| code));
            if codes.is_empty() {
                codes.push(found.closest);
            }
        }
        Sample { codes, fitting, all: found.all }
    }

    /// Finds out how often each color is there, and hands it to the walks.
    fn count(&mut self, history: &History, effort: Effort, watch: Watch<'_>, search: &mut Search<'_>) {
        if self.known && fits_counts(history, &self.counts[0]) {
            return;
        }
        let before = std::mem::take(&mut self.counts);
        let found = self.counting.sample(history, effort, watch, search);
        self.counts = found.codes;
        // What is found alone twice is taken for known, until a turn says otherwise.
        self.known = self.counts.len() == 1 && (found.all || before == self.counts);
        match self.counts.as_slice() {
            [known] if self.known => self.walks.keep_colors(known),
            counts => {
                self.walks.release_colors();
                self.walks.mend_colors(history, counts);
            }
        }
    }

    /// The guess that tells most about a sample, none that was played before, and as many more as asked for.
    pub(super) fn ask(
        &mut self,
        sample: &Sample,
        history: &History,
        settings: &Settings,
        stretch: f64,
        search: &mut Search<'_>,
    ) -> Option<Vec<Code>> {
        let climber = self.climber.as_mut()?;
        let (codes, watch) = (&sample.codes, search.watch());
        let counts = if self.counts.is_empty() { codes } else { &self.counts };
        let view = self.windows.view(settings, counts, codes, history.turns().last());
        climber.look_at(codes);
        let starts = search.rng.sample(codes.len() as u32, settings.starts);
        let starts = starts.into_iter().map(|at| view.through(&codes[at as usize], &mut search.rng));
        let starts: Vec<Code> = starts.collect();
        let mut priced: Vec<(f64, Code)> = Vec::with_capacity(starts.len() + settings.climbs);
        for start in starts {
            clock::work(codes.len() as u64 * clock::STEP_COST);
            priced.push((climber.ask(&start), start));
            if watch.stop().is_some() {
                break;
            }
        }
        search.score((priced.len() * codes.len()) as u64);
        priced.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        let ending = settings.ending.stretched(stretch);
        let ends = sample.ends(&ending, self.is_row);
        let climbs = if ends { ending.climbs } else { settings.climbs };
        let tops: Vec<Code> = priced.iter().take(climbs).map(|(_, code)| code.clone()).collect();
        let steps = (settings.steps_a_cell * view.cells.len()) as f64 * stretch.min(10.0);
        for top in tops {
            priced.push(climb(climber, &top, &view, steps as usize, watch, search));
        }
        let played = |guess: &Code| history.turns().iter().any(|turn| turn.guess == *guess);
        priced.retain(|(_, guess)| !played(guess));
        if ends {
            let codes = &codes[..sample.fitting];
            let mut others = scoring::pool(history.rules(), codes, ending.others, &mut search.rng);
            others.extend(priced.into_iter().map(|(_, guess)| guess));
            others.retain(|guess| codes.binary_search(guess).is_err() && !played(guess));
            others.sort_unstable();
            others.dedup();
            let endgame = Endgame::new(history.rules(), codes, others, ending, watch);
            let mut ranked = endgame.ranked(ending.wide, search);
            ranked.truncate(1 + search.alternatives);
            return Some(ranked);
        }
        if sample.fitting == codes.len() {
            for (cost, guess) in &mut priced {
                let fits = codes.binary_search(guess).is_ok() || history.is_consistent(guess);
                *cost -= if fits { settings.bonus_bits } else { 0.0 };
            }
        }
        priced.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        priced.dedup_by(|one, other| one.1 == other.1);
        Some(priced.into_iter().map(|(_, guess)| guess).take(1 + search.alternatives).collect())
    }
}

fn climb(
    climber: &mut Climber,
    start: &Code,
    view: &View,
    steps: usize,
    watch: Watch<'_>,
    search: &mut Search<'_>,
) -> (f64, Code) {
    /// Steps between looks at the clock.
    const STEPS_A_LOOK: usize = 256;
    climber.ask(start);
    let mut left = steps;
    while left > 0 && watch.stop().is_none() {
        let now = left.min(STEPS_A_LOOK);
        clock::work((now * climber.codes()) as u64);
        climber.climb(now, &view.cells, &view.colors, &mut search.rng);
        left -= now;
    }
    search.score(((steps - left) * climber.codes()) as u64);
    climber.guess()
}

/// Whether the colors of a code give every turn of a row its pegs.
fn fits_counts(history: &History, counts: &Code) -> bool {
    let rules = history.rules();
    let fits = |turn: &Turn| {
        let answered = pegwise_game::feedback(rules, &turn.guess, counts).marks()[0].numbers();
        answered.sum::<u64>() == turn.feedback.marks()[0].numbers().sum::<u64>()
    };
    history.turns().iter().all(fits)
}
