//! Many simultaneous games, for the vectorized Gymnasium environment.

use pegwise_game::{Code, Color, Judge, Rules as Inner, Space};
use pegwise_solve::Rng;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use rayon::prelude::*;

use crate::{array::array, error::RulesError, rules::rules};

/// Maximum number of codes for a matrix of marks, which is needed to count the remaining codes.
const MAX_MATRIX_CODES: usize = 4096;
/// Minimum number of games per thread.
const MIN_GAMES_PER_THREAD: usize = 64;

/// State shared by all games.
struct ArenaContext {
    rules: Inner,
    max_guesses: usize,
    lines: usize,
    /// Length of the longest mark.
    width: usize,
    /// Marks of all pairs of codes in row-major order, for small spaces.
    marks: Option<Vec<u8>>,
    codes: usize,
}

struct ArenaGame {
    rng: Rng,
    judge: Judge,
    secret: Code,
    /// Rank of the secret, if there is a matrix.
    rank: usize,
    turn: usize,
    over: bool,
    /// Ranks of the consistent codes, if there is a matrix.
    left: Vec<u16>,
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
    fn new(py: Python<'_>, rules: &Bound<'_, PyAny>, games: usize, most_guesses: usize, seed: u64) -> PyResult<Self> {
        let shared = self::rules(rules)?;
        let rules = shared.rules.clone();
        if games == 0 || games > 1 << 24 || !(1..=255).contains(&most_guesses) {
            return Err(PyValueError::new_err("there can be 1 to 16777216 games of 1 to 255 guesses"));
        }
        if rules.lies() > 0 {
            return Err(RulesError::new_err("environments do not support lies"));
        }
        if rules.colors() > 254 {
            return Err(RulesError::new_err(format!(
                "vectorized environments have at most 254 colors, not {}",
                rules.colors()
            )));
        }
        let codes = Space::new(&rules).count().exact().and_then(|count| usize::try_from(count).ok());
        let codes = codes.filter(|&codes| codes <= MAX_MATRIX_CODES);
        let lines = rules.board().line_count();
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let width = rules.feedback().model().arity(longest);
        let ground = py.detach(|| {
            let lanes = shared.partitioner.batch_kernel().zip(codes).zip(shared.all().ok());
            let marks = lanes.map(|((lanes, codes), table)| {
                let mut marks = vec![0; codes * codes];
                marks.par_chunks_exact_mut(codes).enumerate().for_each(|(row, marks)| {
                    lanes.marks_into(&table.code(row), table, marks);
                });
                marks
            });
            ArenaContext {
                max_guesses: most_guesses,
                lines,
                width,
                marks,
                codes: codes.unwrap_or(0),
                rules: rules.clone(),
            }
        });
        let game = |number: usize| ArenaGame {
            rng: Rng::for_path(seed, [&b"arena"[..], &number.to_le_bytes()]),
            judge: Judge::new(&rules),
            secret: Space::new(&rules).first(),
            rank: 0,
            turn: 0,
            over: true,
            left: Vec::new(),
        };
        let cells = rules.cells();
        let mut arena = Self {
            games: (0..games).map(game).collect(),
            guesses: vec![0; games * most_guesses * cells],
            feedback: vec![0; games * most_guesses * lines * width],
            turns: vec![0; games],
            context: ground,
        };
        arena.begin(seed);
        Ok(arena)
    }

    /// Restarts all games with random secrets.
    fn begin(&mut self, seed: u64) {
        let Self { context, games, guesses, feedback, turns } = self;
        for (number, game) in games.iter_mut().enumerate() {
            game.rng = Rng::for_path(seed, [&b"arena"[..], &number.to_le_bytes()]);
            game.begin(context);
        }
        guesses.fill(0);
        feedback.fill(0);
        turns.fill(0);
    }

    /// Plays a guess in every game. `guesses` are the colors from 0 as 8-byte integers, game by game.
    ///
    /// Returns rewards, games won, games out of guesses, remaining codes and bits gained; the last two are -1 and 0 if codes are
    /// not counted.
    fn step<'py>(&mut self, py: Python<'py>, guesses: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let cells = self.context.rules.cells();
        let games = self.games.len();
        let (given, rest) = guesses.as_chunks::<8>();
        if given.len() != games * cells || !rest.is_empty() {
            return Err(PyValueError::new_err(format!("a step has {games} guesses of {cells} colors each")));
        }
        let colors = i64::from(self.context.rules.colors());
        let repeats = self.context.rules.repeats();
        let results = py.detach(|| {
            let Self { context, games, guesses, feedback, turns } = self;
            let mut results: Vec<StepResult> = vec![StepResult::default(); games.len()];
            let (seen, marked) = (context.max_guesses * cells, context.max_guesses * context.lines * context.width);
            games
                .par_iter_mut()
                .with_min_len(MIN_GAMES_PER_THREAD)
                .zip(given.par_chunks_exact(cells))
                .zip(guesses.par_chunks_exact_mut(seen))
                .zip(feedback.par_chunks_exact_mut(marked))
                .zip(turns.par_iter_mut())
                .zip(results.par_iter_mut())
                .for_each(|(((((game, given), guesses), feedback), turn), result)| {
                    if game.over {
                        game.begin(context);
                        guesses.fill(0);
                        feedback.fill(0);
                        *turn = 0;
                        result.left = if context.marks.is_some() { context.codes as i64 } else { -1 };
                        return;
                    }
                    let numbers = given.iter().map(|&bytes| i64::from_ne_bytes(bytes));
                    if !numbers.clone().all(|number| (0..colors).contains(&number)) {
                        result.invalid = true;
                        return;
                    }
                    let guess = Code::from_indices(numbers.map(|number| number as u16));
                    if !repeats && guess.has_repeats() {
                        result.invalid = true;
                        return;
                    }
                    *result = game.play(context, &guess, guesses, feedback);
                    *turn = game.turn as u8;
                });
            results
        });
        if let Some(game) = results.iter().position(|result| result.invalid) {
            let rules = &self.context.rules;
            let problem =
                format!("the guess of game {game} is not a valid code for {rules}; colors are 0 to {}", colors - 1);
            return Err(PyValueError::new_err(problem));
        }
        let shape = [games];
        Ok(vec![
            array(py, results.iter().map(|result| result.reward).collect::<Vec<f64>>(), &shape)?,
            array(py, results.iter().map(|result| u8::from(result.won)).collect::<Vec<u8>>(), &shape)?,
            array(py, results.iter().map(|result| u8::from(result.lost)).collect::<Vec<u8>>(), &shape)?,
            array(py, results.iter().map(|result| result.left).collect::<Vec<i64>>(), &shape)?,
            array(py, results.iter().map(|result| result.bits).collect::<Vec<f64>>(), &shape)?,
        ])
    }

    /// Returns the observations: guesses with colors from 1, feedback, and numbers of turns.
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ArenaContext { max_guesses: most, lines, width, rules, .. } = &self.context;
        let games = self.games.len();
        let seen = PyDict::new(py);
        seen.set_item("guesses", array(py, self.guesses.clone(), &[games, *most, rules.cells()])?)?;
        seen.set_item("feedback", array(py, self.feedback.clone(), &[games, *most, *lines, *width])?)?;
        seen.set_item("turn", array(py, self.turns.iter().map(|&turn| turn.into()).collect::<Vec<i64>>(), &[games])?)?;
        Ok(seen)
    }

    /// Returns the secrets with colors from 1, one row per game.
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pegs = self.games.iter().flat_map(|game| game.secret.iter().map(|color| color.index() as u8 + 1));
        array(py, pegs.collect::<Vec<u8>>(), &[self.games.len(), self.context.rules.cells()])
    }
}

/// Result of a guess.
#[derive(Debug, Clone, Default)]
struct StepResult {
    reward: f64,
    won: bool,
    lost: bool,
    left: i64,
    bits: f64,
    invalid: bool,
}

impl ArenaGame {
    fn begin(&mut self, context: &ArenaContext) {
        self.secret = self.rng.code(&context.rules);
        self.turn = 0;
        self.over = false;
        if context.marks.is_some() {
            self.rank = rank(&context.rules, &self.secret);
            self.left.clear();
        }
    }

    fn play(&mut self, context: &ArenaContext, guess: &Code, guesses: &mut [u8], feedback: &mut [u16]) -> StepResult {
        let cells = context.rules.cells();
        let place = self.turn;
        for (seen, color) in guesses[place * cells..][..cells].iter_mut().zip(guess.iter()) {
            *seen = color.index() as u8 + 1;
        }
        let marked = &mut feedback[place * context.lines * context.width..][..context.lines * context.width];
        for (line, mark) in marked.chunks_exact_mut(context.width).zip(self.judge.marks(guess, &self.secret)) {
            for (seen, number) in line.iter_mut().zip(mark.numbers()) {
                *seen = number.min(u16::MAX.into()) as u16;
            }
        }
        self.turn += 1;
        let won = *guess == self.secret;
        let lost = !won && self.turn >= context.max_guesses;
        self.over = won || lost;
        let (left, bits) = self.narrow(context, guess);
        StepResult { reward: -1.0, won, lost, left, bits, invalid: false }
    }

    /// Returns the number of remaining codes after a guess, and the bits gained.
    fn narrow(&mut self, context: &ArenaContext, guess: &Code) -> (i64, f64) {
        let Some(marks) = &context.marks else { return (-1, 0.0) };
        let row = &marks[rank(&context.rules, guess) * context.codes..][..context.codes];
        let mark = row[self.rank];
        let before = if self.turn == 1 { context.codes } else { self.left.len() };
        if self.turn == 1 {
            self.left.extend((0u16..).zip(row).filter(|(_, other)| **other == mark).map(|(code, _)| code));
        } else {
            self.left.retain(|&code| row[usize::from(code)] == mark);
        }
        (self.left.len() as i64, (before as f64 / self.left.len().max(1) as f64).log2())
    }
}

/// Returns the rank of a code among all codes.
fn rank(rules: &Inner, code: &[Color]) -> usize {
    if rules.repeats() {
        let colors = usize::from(rules.colors());
        return code.iter().fold(0, |number, color| number * colors + color.index());
    }
    Space::new(rules).rank(code).map_or(0, |rank| rank as usize)
}
