//! Many simultaneous games, for the vectorized Gymnasium environment.

use std::sync::Arc;

use pegwise_game::{Code, Judge, Rules as Inner, Space, Table, Turn};
use pegwise_solve::{Rng, candidates::listed::Filter, parallel};
use pyo3::{prelude::*, types::PyDict};
use rayon::prelude::*;

use crate::{
    array::array,
    convert::Whole,
    error::{PegwiseError, RulesError},
    rules::{SharedRules, rules},
};

/// Maximum number of codes that are counted.
const MAX_COUNTED_CODES: usize = 1 << 20;
/// Minimum number of games per thread.
const MIN_GAMES_PER_THREAD: usize = 64;
/// Maximum size of the observations in bytes.
const MAX_BYTES: usize = 1 << 34;

/// State shared by all games.
struct ArenaContext {
    shared: Arc<SharedRules>,
    max_guesses: usize,
    lines: usize,
    /// Length of the longest mark.
    width: usize,
    /// All codes, if the consistent ones are counted.
    codes: Option<Arc<Table>>,
}

impl ArenaContext {
    fn rules(&self) -> &Inner {
        &self.shared.rules
    }
}

struct ArenaGame {
    /// Stream of the secrets: its seed, and the number of games played.
    seed: u64,
    played: u64,
    judge: Judge,
    secret: Code,
    turn: usize,
    over: bool,
    left: Left,
}

/// Consistent codes.
enum Left {
    All,
    /// After one turn they are only counted: many games end the next turn with few codes, so they are listed then.
    After(Turn, usize),
    /// Their rows among all codes.
    Listed(Vec<u32>, Table),
}

/// Buffers of a thread.
struct Buffers {
    filter: Filter,
    counts: Vec<u32>,
}

/// Simultaneous games with the same rules. A finished game restarts with the next step, whose guess is ignored.
#[pyclass(name = "Arena", module = "pegwise._native")]
pub(crate) struct Arena {
    context: ArenaContext,
    games: Vec<ArenaGame>,
    guesses: Vec<u8>,
    feedback: Vec<u16>,
    turns: Vec<u8>,
}

#[pymethods]
impl Arena {
    #[new]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        games: Whole<1, { 1 << 24 }>,
        max_guesses: Whole<1, 255>,
    ) -> PyResult<Self> {
        let shared = self::rules(rules)?;
        let (games, max_guesses) = (games.0 as usize, max_guesses.0 as usize);
        let rules = &shared.rules;
        if rules.lies() > 0 {
            return Err(RulesError::new_err("environments do not support lies"));
        }
        if rules.colors() > 254 {
            let text = format!("vectorized environments have at most 254 colors, not {}", rules.colors());
            return Err(RulesError::new_err(text));
        }
        let lines = rules.board().line_count();
        let longest = rules.board().longest_line();
        let width = rules.feedback().model().arity(longest);
        let bytes = games.saturating_mul(max_guesses).saturating_mul(rules.cells() + 2 * lines * width);
        if bytes > MAX_BYTES {
            let text = format!("{games} games of {max_guesses} guesses do not fit into memory; use fewer of them");
            return Err(PegwiseError::new_err(text));
        }
        let size = Space::new(rules).count().exact().and_then(|count| usize::try_from(count).ok());
        let is_counted = size.is_some_and(|codes| codes <= MAX_COUNTED_CODES);
        let codes = py.detach(|| shared.all().ok().filter(|_| is_counted).cloned());
        let game = |_| ArenaGame {
            seed: 0,
            played: 0,
            judge: Judge::new(rules),
            secret: Space::new(rules).first(),
            turn: 0,
            over: true,
            left: Left::All,
        };
        Ok(Self {
            games: (0..games).map(game).collect(),
            guesses: vec![0; games * max_guesses * rules.cells()],
            feedback: vec![0; games * max_guesses * lines * width],
            turns: vec![0; games],
            context: ArenaContext { max_guesses, lines, width, codes, shared: Arc::clone(&shared) },
        })
    }

    /// Restarts the games for which `chosen` is true, with new seeds if there are some, and with the given secrets instead of
    /// random ones.
    fn begin(
        &mut self,
        seeds: Option<Vec<u64>>,
        secrets: Option<Vec<Bound<'_, PyAny>>>,
        chosen: Vec<bool>,
    ) -> PyResult<()> {
        let games = self.games.len();
        if chosen.len() != games
            || seeds.as_ref().is_some_and(|seeds| seeds.len() != games)
            || secrets.as_ref().is_some_and(|secrets| secrets.len() != games)
        {
            return Err(PegwiseError::new_err(format!(
                "give one seed, secret and choice for each of the {games} games"
            )));
        }
        let code = |secret: &Bound<'_, PyAny>| crate::convert::code(self.context.rules(), secret);
        let secrets = secrets.map(|secrets| secrets.iter().map(code).collect::<PyResult<Vec<_>>>()).transpose()?;
        let cells = self.context.max_guesses * self.context.rules().cells();
        let marks = self.context.max_guesses * self.context.lines * self.context.width;
        for number in (0..games).filter(|&number| chosen[number]) {
            let game = &mut self.games[number];
            if let Some(seeds) = &seeds {
                (game.seed, game.played) = (seeds[number], 0);
            }
            game.begin(&self.context);
            if let Some(secrets) = &secrets {
                game.secret = secrets[number].clone();
            }
            self.guesses[number * cells..][..cells].fill(0);
            self.feedback[number * marks..][..marks].fill(0);
            self.turns[number] = 0;
        }
        Ok(())
    }

    /// Plays a guess in every game. `guesses` are the colors from 0 as 8-byte integers, game by game.
    ///
    /// Returns the guesses counted, games won, games over, remaining codes and bits gained; the last two are -1 and 0 if codes are
    /// not counted. Under rules without repeats, a guess with a repeated color costs a turn and has no feedback.
    fn step<'py>(&mut self, py: Python<'py>, guesses: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let cells = self.context.rules().cells();
        let games = self.games.len();
        let (given, rest) = guesses.as_chunks::<8>();
        if given.len() != games * cells || !rest.is_empty() {
            return Err(PegwiseError::new_err(format!("a step has {games} guesses of {cells} colors each")));
        }
        let colors = i64::from(self.context.rules().colors());
        let is_wrong = |bytes: &[u8; 8]| !(0..colors).contains(&i64::from_ne_bytes(*bytes));
        if let Some(place) = given.iter().position(is_wrong) {
            let (game, color) = (place / cells, i64::from_ne_bytes(given[place]));
            let text = format!("{color} in game {game} is not a color; in actions they are 0 to {}", colors - 1);
            return Err(PegwiseError::new_err(text));
        }
        let results = py.detach(|| {
            let Self { context, games, guesses, feedback, turns } = self;
            let mut results: Vec<StepResult> = vec![StepResult::default(); games.len()];
            let (seen, marked) = (context.max_guesses * cells, context.max_guesses * context.lines * context.width);
            let buffers = || Buffers { filter: Filter::new(context.rules()), counts: Vec::new() };
            parallel::run(|| {
                games
                    .par_iter_mut()
                    .with_min_len(MIN_GAMES_PER_THREAD)
                    .zip(given.par_chunks_exact(cells))
                    .zip(guesses.par_chunks_exact_mut(seen))
                    .zip(feedback.par_chunks_exact_mut(marked))
                    .zip(turns.par_iter_mut())
                    .zip(results.par_iter_mut())
                    .for_each_init(buffers, |buffers, (((((game, given), guesses), feedback), turn), result)| {
                        if game.over {
                            game.begin(context);
                            guesses.fill(0);
                            feedback.fill(0);
                            result.left = context.codes.as_ref().map_or(-1, |codes| codes.len() as i64);
                        } else {
                            let guess = Code::from_indices(given.iter().map(|&bytes| i64::from_ne_bytes(bytes) as u16));
                            *result = game.play(context, guess, guesses, feedback, buffers);
                        }
                        *turn = game.turn as u8;
                    });
            });
            results
        });
        let shape = [games];
        Ok(vec![
            array(py, results.iter().map(|result| f64::from(u8::from(result.played))).collect::<Vec<f64>>(), &shape)?,
            array(py, results.iter().map(|result| u8::from(result.won)).collect::<Vec<u8>>(), &shape)?,
            array(py, results.iter().map(|result| u8::from(result.over)).collect::<Vec<u8>>(), &shape)?,
            array(py, results.iter().map(|result| result.left).collect::<Vec<i64>>(), &shape)?,
            array(py, results.iter().map(|result| result.bits).collect::<Vec<f64>>(), &shape)?,
        ])
    }

    /// Returns the observations: guesses with colors from 1, feedback, and numbers of turns.
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ArenaContext { max_guesses: most, lines, width, .. } = &self.context;
        let games = self.games.len();
        let seen = PyDict::new(py);
        seen.set_item("guesses", array(py, self.guesses.clone(), &[games, *most, self.context.rules().cells()])?)?;
        seen.set_item("feedback", array(py, self.feedback.clone(), &[games, *most, *lines, *width])?)?;
        seen.set_item("turn", array(py, self.turns.iter().map(|&turn| turn.into()).collect::<Vec<i64>>(), &[games])?)?;
        Ok(seen)
    }

    /// Returns for each game which of all codes are consistent, in the order of the codes.
    fn masks<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { context, games, .. } = self;
        let size = context.codes.as_ref().map_or(0, |codes| codes.len());
        let masks = py.detach(|| {
            let mut masks = vec![0u8; games.len() * size];
            let mut filter = Filter::new(context.rules());
            for (game, mask) in games.iter_mut().zip(masks.chunks_exact_mut(size.max(1))) {
                match game.list(context, &mut filter) {
                    Some(rows) => rows.iter().for_each(|&row| mask[row as usize] = 1),
                    None => mask.fill(1),
                }
            }
            masks
        });
        array(py, masks, &[self.games.len(), size])
    }

    /// Returns the secrets with colors from 1, one row per game.
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pegs = self.games.iter().flat_map(|game| game.secret.iter().map(|color| color.index() as u8 + 1));
        array(py, pegs.collect::<Vec<u8>>(), &[self.games.len(), self.context.rules().cells()])
    }

    /// Returns the state: for each game its seed, the number of games played with it and the number of turns, and the secrets and
    /// guesses of all games with colors from 1.
    fn state(&self) -> ArenaState {
        let games = self.games.iter().map(|game| (game.seed, game.played, game.turn));
        let pegs = self.games.iter().flat_map(|game| game.secret.iter().map(|color| color.index() as u8 + 1));
        (games.collect(), pegs.collect(), self.guesses.clone())
    }

    /// Restores a state by playing its guesses again.
    fn restore(&mut self, state: ArenaState) -> PyResult<()> {
        let (streams, secrets, guesses) = state;
        let Self { context, games, .. } = self;
        let (cells, colors) = (context.rules().cells(), context.rules().colors());
        let is_color = |&peg: &u8| u16::from(peg) <= colors;
        let is_valid = streams.len() == games.len()
            && secrets.len() == games.len() * cells
            && guesses.len() == self.guesses.len()
            && secrets.iter().all(|peg| *peg > 0 && is_color(peg))
            && guesses.iter().all(is_color)
            && streams.iter().all(|&(_, _, turns)| turns <= context.max_guesses);
        if !is_valid {
            return Err(PegwiseError::new_err("this state belongs to other games"));
        }
        let code = |pegs: &[u8]| Code::from_indices(pegs.iter().map(|&peg| u16::from(peg.max(1)) - 1));
        let mut buffers = Buffers { filter: Filter::new(context.rules()), counts: Vec::new() };
        let (seen, marked) = (context.max_guesses * cells, context.max_guesses * context.lines * context.width);
        for (number, (seed, played, turns)) in streams.into_iter().enumerate() {
            let game = &mut games[number];
            game.begin(context);
            (game.seed, game.played, game.secret) = (seed, played, code(&secrets[number * cells..][..cells]));
            let slots = (&mut self.guesses[number * seen..][..seen], &mut self.feedback[number * marked..][..marked]);
            for guess in guesses[number * seen..][..turns * cells].chunks_exact(cells) {
                game.play(context, code(guess), slots.0, slots.1, &mut buffers);
            }
            self.turns[number] = turns as u8;
        }
        Ok(())
    }
}

/// Seed, number of games played and number of turns of each game; secrets; guesses.
type ArenaState = (Vec<(u64, u64, usize)>, Vec<u8>, Vec<u8>);

/// Result of a guess.
#[derive(Debug, Clone, Default)]
struct StepResult {
    played: bool,
    won: bool,
    over: bool,
    left: i64,
    bits: f64,
}

impl ArenaGame {
    fn begin(&mut self, context: &ArenaContext) {
        let path = [&b"arena"[..], &self.played.to_le_bytes()];
        self.secret = Rng::for_path(self.seed, path).code(context.rules());
        (self.played, self.turn, self.over, self.left) = (self.played + 1, 0, false, Left::All);
    }

    fn play(
        &mut self,
        context: &ArenaContext,
        guess: Code,
        guesses: &mut [u8],
        feedback: &mut [u16],
        buffers: &mut Buffers,
    ) -> StepResult {
        let rules = context.rules();
        let (cells, place) = (rules.cells(), self.turn);
        for (seen, color) in guesses[place * cells..][..cells].iter_mut().zip(guess.iter()) {
            *seen = color.index() as u8 + 1;
        }
        self.turn += 1;
        self.over = self.turn >= context.max_guesses;
        let before = self.count(context);
        let (mut left, mut won) = (before, false);
        if rules.repeats() || !guess.has_repeats() {
            let answer = self.judge.feedback(&guess, &self.secret);
            let marked = &mut feedback[place * context.lines * context.width..][..context.lines * context.width];
            for (line, mark) in marked.chunks_exact_mut(context.width).zip(answer.marks()) {
                for (seen, number) in line.iter_mut().zip(mark.numbers()) {
                    *seen = number.min(u16::MAX.into()) as u16;
                }
            }
            won = answer.is_winning(rules);
            self.over |= won;
            left = self.narrow(context, Turn { guess, feedback: answer }, buffers);
            if won && left > 0 {
                left = 0;
            }
        }
        let bits = if before > 0 { (before as f64 / left.max(1) as f64).log2() } else { 0.0 };
        StepResult { played: true, won, over: self.over, left, bits }
    }

    /// Number of consistent codes, or -1.
    fn count(&self, context: &ArenaContext) -> i64 {
        match (&self.left, &context.codes) {
            (_, None) => -1,
            (Left::All, Some(codes)) => codes.len() as i64,
            (Left::After(_, count), _) => *count as i64,
            (Left::Listed(rows, _), _) => rows.len() as i64,
        }
    }

    /// Lists the consistent codes and returns their rows; `None` stands for all codes.
    fn list(&mut self, context: &ArenaContext, filter: &mut Filter) -> Option<&[u32]> {
        if let (Left::After(turn, _), Some(all)) = (&self.left, &context.codes) {
            let rows = filter.rows(all, turn).to_vec();
            let table = all.select(&rows);
            self.left = Left::Listed(rows, table);
        }
        if let Left::Listed(rows, _) = &self.left { Some(rows) } else { None }
    }

    /// Returns the number of consistent codes after a turn, or -1.
    fn narrow(&mut self, context: &ArenaContext, turn: Turn, Buffers { filter, counts }: &mut Buffers) -> i64 {
        let Some(all) = &context.codes else { return -1 };
        self.left = match std::mem::replace(&mut self.left, Left::All) {
            Left::All => {
                let kernel = context.shared.partitioner.batch_kernel();
                let encoded =
                    kernel.and_then(|kernel| Some((kernel, kernel.encoding().byte(turn.feedback.marks()[0])?)));
                let count = match encoded {
                    Some((kernel, mark)) => {
                        let possible = kernel.encoding().possible();
                        counts.resize(possible.len(), 0);
                        kernel.histogram(&turn.guess, all, counts);
                        possible.iter().position(|&other| other == mark).map_or(0, |place| counts[place] as usize)
                    }
                    None => filter.rows(all, &turn).len(),
                };
                Left::After(turn, count)
            }
            Left::After(first, _) => {
                let one = filter.rows(all, &first).to_vec();
                let mut other = filter.rows(all, &turn).iter().copied().peekable();
                let is_in_both = |row: &u32| {
                    while other.next_if(|other| other < row).is_some() {}
                    other.next_if_eq(row).is_some()
                };
                let rows: Vec<u32> = one.into_iter().filter(is_in_both).collect();
                let table = all.select(&rows);
                Left::Listed(rows, table)
            }
            Left::Listed(rows, table) => {
                let kept = filter.rows(&table, &turn);
                if kept.len() == rows.len() {
                    Left::Listed(rows, table)
                } else {
                    Left::Listed(kept.iter().map(|&row| rows[row as usize]).collect(), table.select(kept))
                }
            }
        };
        self.count(context)
    }
}
