//! Many games side by side, for those who learn from them.

use pegwise_game::{Code, Color, Judge, Rules as Inner, Space};
use pegwise_solve::Rng;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use rayon::prelude::*;

use crate::{array::array, error::RulesError, rules::rules};

/// Up to so many codes the marks of all pairs are kept, and with them how many codes are left after each turn.
const MOST_CODES: usize = 4096;
/// Games that a thread plays at a time.
const SHARE: usize = 64;

/// What all games share.
struct Ground {
    rules: Inner,
    /// Guesses a game.
    most: usize,
    lines: usize,
    /// Numbers of the longest mark.
    width: usize,
    /// The marks of all pairs of codes, row by row, where they are kept.
    marks: Option<Vec<u8>>,
    codes: usize,
}

/// One of the games.
struct Game {
    rng: Rng,
    judge: Judge,
    secret: Code,
    /// The secret's number, where marks are kept.
    number: usize,
    turn: usize,
    over: bool,
    /// The numbers of the codes that fit, where marks are kept.
    left: Vec<u16>,
}

/// Games of a codebreaker under the same rules, played a guess each at a time on all cores. A game that is over begins anew
/// with the next step, whose guess is not played.
#[pyclass(name = "Arena", module = "pegwise._native")]
pub(crate) struct Arena {
    ground: Ground,
    games: Vec<Game>,
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
            return Err(PyValueError::new_err("an arena has 1 to 16777216 games of 1 to 255 guesses"));
        }
        if rules.lies() > 0 {
            return Err(RulesError::new_err("an arena's answers are true; leave lies= away"));
        }
        if rules.colors() > 254 {
            return Err(RulesError::new_err(format!("an arena has at most 254 colors, not {}", rules.colors())));
        }
        let codes = Space::new(&rules).count().exact().and_then(|count| usize::try_from(count).ok());
        let codes = codes.filter(|&codes| codes <= MOST_CODES);
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
            Ground { most: most_guesses, lines, width, marks, codes: codes.unwrap_or(0), rules: rules.clone() }
        });
        let game = |number: usize| Game {
            rng: Rng::for_path(seed, [&b"arena"[..], &number.to_le_bytes()]),
            judge: Judge::new(&rules),
            secret: Space::new(&rules).first(),
            number: 0,
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
            ground,
        };
        arena.begin(seed);
        Ok(arena)
    }

    /// Begins all games anew, with secrets drawn by a seed.
    fn begin(&mut self, seed: u64) {
        let Self { ground, games, guesses, feedback, turns } = self;
        for (number, game) in games.iter_mut().enumerate() {
            game.rng = Rng::for_path(seed, [&b"arena"[..], &number.to_le_bytes()]);
            game.begin(ground);
        }
        guesses.fill(0);
        feedback.fill(0);
        turns.fill(0);
    }

    /// Plays a guess in every game. `guesses` are the colors from 0 on as 8-byte numbers, game by game.
    ///
    /// Gives rewards, whether each game was won, whether it ran out of guesses, the codes left, and the bits gained; the last
    /// two are -1 and 0 where codes are not counted.
    fn step<'py>(&mut self, py: Python<'py>, guesses: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let cells = self.ground.rules.cells();
        let games = self.games.len();
        let (given, rest) = guesses.as_chunks::<8>();
        if given.len() != games * cells || !rest.is_empty() {
            return Err(PyValueError::new_err(format!("a step has {games} guesses of {cells} colors each")));
        }
        let colors = i64::from(self.ground.rules.colors());
        let repeats = self.ground.rules.repeats();
        let told = py.detach(|| {
            let Self { ground, games, guesses, feedback, turns } = self;
            let mut told: Vec<Told> = vec![Told::default(); games.len()];
            let (seen, marked) = (ground.most * cells, ground.most * ground.lines * ground.width);
            games
                .par_iter_mut()
                .with_min_len(SHARE)
                .zip(given.par_chunks_exact(cells))
                .zip(guesses.par_chunks_exact_mut(seen))
                .zip(feedback.par_chunks_exact_mut(marked))
                .zip(turns.par_iter_mut())
                .zip(told.par_iter_mut())
                .for_each(|(((((game, given), guesses), feedback), turn), told)| {
                    if game.over {
                        game.begin(ground);
                        guesses.fill(0);
                        feedback.fill(0);
                        *turn = 0;
                        told.left = if ground.marks.is_some() { ground.codes as i64 } else { -1 };
                        return;
                    }
                    let numbers = given.iter().map(|&bytes| i64::from_ne_bytes(bytes));
                    if !numbers.clone().all(|number| (0..colors).contains(&number)) {
                        told.wrong = true;
                        return;
                    }
                    let guess = Code::from_indices(numbers.map(|number| number as u16));
                    if !repeats && guess.has_repeats() {
                        told.wrong = true;
                        return;
                    }
                    *told = game.play(ground, &guess, guesses, feedback);
                    *turn = game.turn as u8;
                });
            told
        });
        if let Some(wrong) = told.iter().position(|told| told.wrong) {
            let rules = &self.ground.rules;
            let problem = format!("the guess of game {wrong} is not a code of {rules}; colors are 0 to {}", colors - 1);
            return Err(PyValueError::new_err(problem));
        }
        let shape = [games];
        Ok(vec![
            array(py, told.iter().map(|told| told.reward).collect::<Vec<f64>>(), &shape)?,
            array(py, told.iter().map(|told| u8::from(told.won)).collect::<Vec<u8>>(), &shape)?,
            array(py, told.iter().map(|told| u8::from(told.lost)).collect::<Vec<u8>>(), &shape)?,
            array(py, told.iter().map(|told| told.left).collect::<Vec<i64>>(), &shape)?,
            array(py, told.iter().map(|told| told.bits).collect::<Vec<f64>>(), &shape)?,
        ])
    }

    /// What is seen of all games: guesses with colors from 1 on, feedback, and how many turns were played.
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Ground { most, lines, width, rules, .. } = &self.ground;
        let games = self.games.len();
        let seen = PyDict::new(py);
        seen.set_item("guesses", array(py, self.guesses.clone(), &[games, *most, rules.cells()])?)?;
        seen.set_item("feedback", array(py, self.feedback.clone(), &[games, *most, *lines, *width])?)?;
        seen.set_item("turn", array(py, self.turns.iter().map(|&turn| turn.into()).collect::<Vec<i64>>(), &[games])?)?;
        Ok(seen)
    }

    /// The secrets, colors from 1 on, a row each.
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pegs = self.games.iter().flat_map(|game| game.secret.iter().map(|color| color.index() as u8 + 1));
        array(py, pegs.collect::<Vec<u8>>(), &[self.games.len(), self.ground.rules.cells()])
    }

    /// Numbers of the longest mark, and lines of the board.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.ground.lines, self.ground.width)
    }
}

/// What a guess came to.
#[derive(Debug, Clone, Default)]
struct Told {
    reward: f64,
    won: bool,
    lost: bool,
    left: i64,
    bits: f64,
    wrong: bool,
}

impl Game {
    fn begin(&mut self, ground: &Ground) {
        self.secret = self.rng.code(&ground.rules);
        self.turn = 0;
        self.over = false;
        if ground.marks.is_some() {
            self.number = number(&ground.rules, &self.secret);
            self.left.clear();
        }
    }

    fn play(&mut self, ground: &Ground, guess: &Code, guesses: &mut [u8], feedback: &mut [u16]) -> Told {
        let cells = ground.rules.cells();
        let place = self.turn;
        for (seen, color) in guesses[place * cells..][..cells].iter_mut().zip(guess.iter()) {
            *seen = color.index() as u8 + 1;
        }
        let marked = &mut feedback[place * ground.lines * ground.width..][..ground.lines * ground.width];
        for (line, mark) in marked.chunks_exact_mut(ground.width).zip(self.judge.marks(guess, &self.secret)) {
            for (seen, number) in line.iter_mut().zip(mark.numbers()) {
                *seen = number.min(u16::MAX.into()) as u16;
            }
        }
        self.turn += 1;
        let won = *guess == self.secret;
        let lost = !won && self.turn >= ground.most;
        self.over = won || lost;
        let (left, bits) = self.narrow(ground, guess);
        Told { reward: -1.0, won, lost, left, bits, wrong: false }
    }

    /// How many codes are left after a guess, and how many bits it gained.
    fn narrow(&mut self, ground: &Ground, guess: &Code) -> (i64, f64) {
        let Some(marks) = &ground.marks else { return (-1, 0.0) };
        let row = &marks[number(&ground.rules, guess) * ground.codes..][..ground.codes];
        let mark = row[self.number];
        let before = if self.turn == 1 { ground.codes } else { self.left.len() };
        if self.turn == 1 {
            self.left.extend((0u16..).zip(row).filter(|(_, other)| **other == mark).map(|(code, _)| code));
        } else {
            self.left.retain(|&code| row[usize::from(code)] == mark);
        }
        (self.left.len() as i64, (before as f64 / self.left.len().max(1) as f64).log2())
    }
}

/// The number of a code in the order of all.
fn number(rules: &Inner, code: &[Color]) -> usize {
    if rules.repeats() {
        let colors = usize::from(rules.colors());
        return code.iter().fold(0, |number, color| number * colors + color.index());
    }
    Space::new(rules).rank(code).map_or(0, |rank| rank as usize)
}
