//! `pegwise solve`: one game of a strategy against a codemaker, shown turn by turn. Also the sample game of `pegwise`
//! without arguments.

use std::{
    io::{self, Write as _},
    ops::ControlFlow,
    sync::Arc,
};

use anyhow::{Context as _, bail};
use clap::CommandFactory as _;
use pegwise_game::{Code, Count, Feedback, History, Rules, Space, Turn};
use pegwise_solve::{
    Basis, GameTurn, Limits, Search, Spec, Strategy,
    candidates::CandidateTracker,
    codemaker::{Codemaker, Fixed},
    play,
    secrets::SecretList,
    seeds,
    tree::{TreeFile, TreePlayer},
};
use serde::Serialize;
use serde_json::json;

use crate::{
    Cli,
    arguments::{self, DEFAULT_RULES, DEFAULT_STRATEGY, ExternalStrategyArgs, OutputFormat, SecretsArg, StrategyArgs},
    codemaker::CodemakerArgs,
    exit::{self, Exit},
    files::FileArg,
    hint::feedback_heading,
    settings::ColorNamesArg,
    ui::{BoardRenderer, Screen, TextBlock, number, style},
};

/// Play one game: a strategy against a secret code.
///
/// The secret is given, or drawn from the seed. Alternatively, the codemaker may change its code as long as its answers
/// stay true, or an external program answers. The same seed always gives the same game.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise solve                                        the classic game
  pegwise solve 4x6 --secret 3632 --strategy knuth     a given secret
  pegwise solve 5x8 -s 'entropy(guesses=consistent)'   a strategy with a parameter
  pegwise solve 4x10:no-repeats --seed 7               the same game every time
  pegwise solve --tree knuth.tree                      a game played from a tree
  pegwise solve 4x6 -s knuth --codemaker worst         the longest possible game
  pegwise solve 4x9 --secrets pins.txt                 a secret from a list
  pegwise solve 5x26:per-cell --secrets answers.txt --guesses words.txt
  pegwise solve --strategy-command ./bot               an external strategy
  pegwise solve 4x6 --secret 3632 --json               for programs

Exits with 1 if the allowed guesses (4x6:max-guesses=5) are used up, or if an
external strategy lost by not answering with a guess."))]
pub(crate) struct Args {
    /// Rules: PEGSxCOLORS and options [default: 4x6, or those of the tree].
    #[arg(value_parser = arguments::rules)]
    rules: Option<Rules>,

    #[command(flatten)]
    codemaker: CodemakerArgs,

    #[command(flatten)]
    player: StrategyArgs,

    #[command(flatten)]
    colors: ColorNamesArg,

    #[command(flatten)]
    external: ExternalStrategyArgs,

    /// Random seed [default: a random one, which is printed].
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
}

/// Game that is ready to be played.
pub(crate) struct GameSetup {
    pub(crate) rules: Rules,
    pub(crate) strategy: Spec,
    /// Tree to play from.
    tree: Option<FileArg>,
    /// Possible secrets, if they are listed.
    pub(crate) secrets: Option<Arc<SecretList>>,
    pub(crate) seed: u64,
    /// Name of the codemaker, unless it is a truthful one with a fixed code.
    opponent: Option<String>,
    codemaker: Box<dyn Codemaker>,
    limits: Limits,
    player: Box<dyn Strategy>,
}

#[derive(Debug, Serialize)]
struct GameOutput {
    rules: Rules,
    strategy: Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<FileArg>,
    /// Number of listed secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<usize>,
    seed: u64,
    #[serde(rename = "codemaker", skip_serializing_if = "Option::is_none")]
    opponent: Option<String>,
    /// The hidden code, or one that fits all answers; `None` if an external codemaker's code was not found.
    secret: Option<Code>,
    solved: bool,
    /// Reason why an external strategy lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    guesses: usize,
    examined: u64,
    scored: u64,
    seconds: f64,
    turns: Vec<PlayedTurn>,
}

#[derive(Debug, Serialize)]
struct PlayedTurn {
    guess: Code,
    feedback: Feedback,
    /// Number of codes still possible after the turn, if it was counted.
    remaining: Option<Count>,
    basis: Basis,
}

#[derive(Debug, Clone, Copy)]
enum GameEvent<'a> {
    /// A guess was answered.
    Turn(&'a GameTurn),
    /// Number of codes still possible, if it was counted. Sent once after each turn, before the next.
    Remaining(Option<Count>),
}

pub(crate) fn run(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let threads = args.player.threads;
    threads.install(|| play_game(args, format))
}

fn play_game(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let Args { rules, codemaker, player, colors, external, seed } = args;
    let (rules, tree) = player.rules(rules)?;
    let rules = colors.apply(rules)?;
    let secret = codemaker.secret.as_ref().map(|secret| rules.parse_code(secret)).transpose().context("--secret")?;
    let limits = player.limits();
    let (seed_given, secret_given) = (seed.is_some(), secret.is_some());
    let secrets = player.secrets.load(&rules)?;
    let seed = seed.unwrap_or_else(random_seed);
    if external.is_present() || !codemaker.is_reproducible() {
        exit::kill_programs_on_interrupt()?;
    }
    let mut setup = GameSetup::new(rules, external.or(player.strategy)?, secret, secrets, seed, limits)?;
    setup = codemaker.apply(setup, tree.as_ref(), limits)?;
    if let (Some(source), Some(tree)) = (player.tree, tree) {
        setup = setup.with_tree(source, tree);
    }
    let mut screen = Screen::new();
    let game = if format == OutputFormat::Json {
        let game = setup.play(|_| Ok(()))?;
        screen.json(&game)?;
        game
    } else {
        let game = show(setup, &mut screen)?;
        if !seed_given && codemaker.is_reproducible() && !external.is_present() {
            let command = game.command(secret_given, &player.secrets);
            screen.note(format!("Play this game again: {command}"))?;
        }
        game
    };
    Ok(Exit::from_result(game.solved))
}

fn show(setup: GameSetup, screen: &mut Screen) -> anyhow::Result<GameOutput> {
    let rules = setup.rules.clone();
    let name = |text: &dyn std::fmt::Display| style::paint(style::NAME, text);
    let (title, strategy, seed) = (style::paint(style::HEADING, &rules), name(&setup.strategy), setup.seed);
    let tree = setup.tree.as_ref().map(|tree| format!("{}, else ", name(tree))).unwrap_or_default();
    let opponent = setup.opponent.as_ref().map(|opponent| format!(" · against {}", name(opponent))).unwrap_or_default();
    let codes = match &setup.secrets {
        Some(secrets) => number::things(secrets.len(), "listed code", "listed codes"),
        None => number::codes(Space::new(&rules).count()),
    };
    writeln!(screen, "{title} · {codes} · {tree}{strategy}{opponent} · seed {seed}\n")?;

    let mut transcript = Transcript::start(screen, &rules)?;
    let game = setup.play(|event| transcript.write(event))?;
    transcript.finish()?;

    let guesses = number::things(game.guesses, "guess", "guesses");
    let verdict = if game.solved {
        style::paint(style::GOOD, format!("Solved in {guesses}."))
    } else if let Some(failure) = &game.failure {
        style::paint(style::BAD, format!("Lost after {guesses}: {failure}."))
    } else {
        let secret = game.secret.as_ref().map(|secret| secret.notation(rules.palette()).to_string());
        let end = match (secret, &game.opponent) {
            (None, _) => ".".to_owned(),
            (Some(secret), None) => format!(": the secret was {secret}."),
            (Some(secret), Some(_)) => format!(": {secret} fits every answer."),
        };
        style::paint(style::BAD, format!("Not solved in {guesses}{end}"))
    };
    let (examined, scored) = (number::grouped(game.examined), number::grouped(game.scored));
    let effort = format!("{examined} codes examined, {scored} pairs scored, {}", number::seconds(game.seconds));
    writeln!(screen, "\n{verdict}\n{}", style::paint(style::DIM, effort))?;
    Ok(game)
}

impl GameSetup {
    /// Prepares a game. Without `secret`, the secret is drawn from the seed.
    pub(crate) fn new(
        rules: Rules,
        strategy: Spec,
        secret: Option<Code>,
        secrets: Option<Arc<SecretList>>,
        seed: u64,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let player = arguments::build_for(&strategy, &rules, secrets.as_ref())?;
        let secret = match (secret, &secrets) {
            (Some(secret), Some(secrets)) if secrets.weight(&secret) == 0.0 => {
                bail!("--secret: {} is not listed in --secrets", secret.notation(rules.palette()))
            }
            (Some(secret), _) => secret,
            (None, Some(secrets)) => seeds::listed_secret(seed, secrets),
            (None, None) => seeds::secret(seed, &rules),
        };
        let codemaker = Box::new(Fixed::new(&rules, secret)?.with_seed(seeds::lies(seed, &rules)));
        Ok(Self { rules, strategy, tree: None, secrets, seed, opponent: None, codemaker, limits, player })
    }

    /// Replaces the codemaker.
    pub(crate) fn against(mut self, name: String, codemaker: Box<dyn Codemaker>) -> Self {
        self.opponent = Some(name);
        self.codemaker = codemaker;
        self
    }

    /// Plays from a tree; the strategy plays where the tree has no guess.
    fn with_tree(mut self, source: FileArg, file: TreeFile) -> Self {
        self.tree = Some(source);
        self.player = Box::new(TreePlayer::new(file, self.player));
        self
    }

    /// Plays the game until it ends or `observe` fails.
    fn play(self, observe: impl FnMut(GameEvent<'_>) -> io::Result<()>) -> anyhow::Result<GameOutput> {
        let Self { rules, strategy, tree, secrets, seed, opponent, mut codemaker, limits, mut player } = self;
        let mut search = Search::with_rng(seeds::strategy(seed, &rules, &strategy)).with_limits(limits);
        let mut observer = Observer {
            history: History::new(rules.clone()),
            counter: CandidateCounter::new(&rules, secrets.as_ref()),
            remaining: Vec::new(),
            observe,
            result: Ok(()),
        };
        let game = play(&rules, &mut *player, &mut *codemaker, &mut search, |turn| observer.turn(turn))?;
        let remaining = observer.finish()?;

        let (solved, guesses) = (game.is_solved(), game.guesses());
        let turn = |(turn, remaining): (GameTurn, Option<Count>)| {
            let GameTurn { guess, feedback, basis, .. } = turn;
            PlayedTurn { guess, feedback, remaining, basis }
        };
        Ok(GameOutput {
            rules,
            strategy,
            tree,
            listed: secrets.map(|secrets| secrets.len()),
            seed,
            opponent,
            secret: codemaker.reveal(),
            solved,
            failure: game.failure,
            guesses,
            examined: game.counts.examined,
            scored: game.counts.scored,
            seconds: game.seconds,
            turns: game.turns.into_iter().zip(remaining).map(turn).collect(),
        })
    }
}

impl GameOutput {
    fn command(&self, secret_given: bool, secrets: &SecretsArg) -> String {
        let Self { rules, strategy, tree, seed, secret, opponent, .. } = self;
        let strategy = strategy.to_string();
        // Shells interpret parentheses.
        let strategy = if strategy.contains('(') { format!("'{strategy}'") } else { strategy };
        let tree = tree.as_ref().map(|tree| format!(" --tree {tree}")).unwrap_or_default();
        let secret = match (secret, opponent) {
            (_, Some(name)) => format!(" --codemaker {name}"),
            (Some(secret), None) if secret_given => format!(" --secret {}", secret.notation(rules.palette())),
            _ => String::new(),
        };
        let secrets = secrets.words();
        format!("pegwise solve {rules}{secret}{secrets}{tree} --strategy {strategy} --seed {seed}")
    }
}

/// Observer that counts the possible codes after each turn and sends the events in order.
struct Observer<F> {
    history: History,
    counter: CandidateCounter,
    /// Counts of all turns; the last may be missing until the next guess.
    remaining: Vec<Option<Count>>,
    observe: F,
    /// First error of `observe`.
    result: io::Result<()>,
}

impl<F: FnMut(GameEvent<'_>) -> io::Result<()>> Observer<F> {
    fn turn(&mut self, turn: &GameTurn) -> ControlFlow<()> {
        if self.remaining.len() < self.history.len() {
            // In a space that is too large to list, the strategy reports its count with its next guess.
            self.count(turn.before);
        }
        self.send(GameEvent::Turn(turn));
        // The codemaker has checked the guess against the rules.
        let _ = self.history.push(Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() });
        let count = self.counter.count(&self.history);
        if count.is_some() {
            self.count(count);
        }
        if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn count(&mut self, count: Option<Count>) {
        self.remaining.push(count);
        self.send(GameEvent::Remaining(count));
    }

    fn send(&mut self, event: GameEvent<'_>) {
        if self.result.is_ok() {
            self.result = (self.observe)(event);
        }
    }

    fn finish(mut self) -> io::Result<Vec<Option<Count>>> {
        if self.remaining.len() < self.history.len() {
            self.count(None);
        }
        self.result.map(|()| self.remaining)
    }
}

/// Counter of the possible codes, independent of the strategy.
enum CandidateCounter {
    Listed(Arc<SecretList>),
    /// `None` if the space is too large to list.
    Space(Option<Box<CandidateTracker>>),
}

impl CandidateCounter {
    fn new(rules: &Rules, secrets: Option<&Arc<SecretList>>) -> Self {
        match secrets {
            Some(secrets) => Self::Listed(Arc::clone(secrets)),
            None => Self::Space(CandidateTracker::listed(rules).map(Box::new)),
        }
    }

    /// Returns the number of codes left; `None` if it is unknown, or if no code is consistent.
    fn count(&mut self, history: &History) -> Option<Count> {
        if history.is_solved() {
            return Some(Count::Exact(0));
        }
        match self {
            Self::Listed(secrets) => Some(secrets.remaining(history)),
            Self::Space(remaining) => remaining.as_mut()?.after(history, &mut Search::new(0)).ok()?.count,
        }
    }
}

/// Returns a random seed that is short enough to type.
pub(crate) fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()) ^ now.as_secs()) % 1_000_000
}

/// Table of turns that grows while the game is played.
struct Transcript<'a> {
    screen: &'a mut Screen,
    renderer: BoardRenderer,
    space: Count,
    widths: Widths,
    turns: usize,
    /// Width of an unfinished line, whose count may arrive with the next guess.
    unfinished: Option<usize>,
    /// Turns whose guess is only the best one found within the limits, and why.
    best_effort: Vec<(usize, String)>,
}

struct Widths {
    guess: usize,
    feedback: usize,
    remaining: usize,
}

const TURN: &str = "turn";
const GUESS: &str = "guess";
const REMAINING: &str = "still possible";
const GAP: usize = 3;
/// Length of the bar of the whole code space.
const BAR: usize = 14;

impl<'a> Transcript<'a> {
    /// Writes the headings.
    fn start(screen: &'a mut Screen, rules: &Rules) -> io::Result<Self> {
        let renderer = BoardRenderer::new(rules, screen.info());
        let space = Space::new(rules);
        let feedback = feedback_heading(rules);
        let widths = Widths {
            guess: renderer.code(&space.first()).width().max(GUESS.len()),
            feedback: renderer.feedback(&Feedback::winning(rules)).width().max(feedback.len()),
            remaining: number::count(space.count()).len().max(REMAINING.len()),
        };
        let heading = |text: &str| TextBlock::new(style::COLUMN, text);
        let line = widths.columns(heading(TURN), heading(GUESS), heading(feedback));
        writeln!(screen, "{}", line.beside(GAP, heading(REMAINING).pad_left(widths.remaining)))?;
        Ok(Self { screen, renderer, space: space.count(), widths, turns: 0, unfinished: None, best_effort: Vec::new() })
    }

    fn write(&mut self, event: GameEvent<'_>) -> io::Result<()> {
        match event {
            GameEvent::Turn(turn) => self.turn(turn),
            GameEvent::Remaining(count) => self.remaining(count),
        }
    }

    fn turn(&mut self, turn: &GameTurn) -> io::Result<()> {
        self.turns += 1;
        let number = TextBlock::new(style::DIM, self.turns.to_string());
        let (guess, feedback) = (self.renderer.code(&turn.guess), self.renderer.feedback(&turn.feedback));
        let drawn = self.widths.columns(number, guess, feedback);
        if drawn.height() > 1 && self.turns > 1 {
            writeln!(self.screen)?;
        }
        if let Basis::BestEffort(why) = &turn.basis {
            self.best_effort.push((self.turns, why.clone()));
        }
        self.unfinished = Some(drawn.last_width());
        write!(self.screen, "{drawn}")?;
        self.screen.flush()
    }

    fn remaining(&mut self, count: Option<Count>) -> io::Result<()> {
        let Some(width) = self.unfinished.take() else { return Ok(()) };
        let tail = match count {
            Some(count) => TextBlock::new(style::PLAIN, number::count(count)),
            None => TextBlock::new(style::DIM, "not counted"),
        };
        let mut tail = tail.pad_left(self.widths.remaining);
        if let (true, Some(count)) = (self.screen.info().color, count) {
            tail = tail.beside(2, self.bar(count));
        }
        writeln!(self.screen, "{}{tail}", " ".repeat((self.widths.before_remaining() + GAP).saturating_sub(width)))
    }

    /// Draws the number of possible codes on a logarithmic scale, where good guesses shorten the bar evenly.
    fn bar(&self, count: Count) -> TextBlock {
        let used = self.widths.before_remaining() + GAP + self.widths.remaining + 2;
        let longest = self.screen.info().width.map_or(BAR, |width| width.saturating_sub(used).min(BAR));
        let share = count.log10() / self.space.log10().max(f64::MIN_POSITIVE);
        TextBlock::new(style::BAR, "▬".repeat((share * longest as f64).ceil() as usize))
    }

    /// Writes which guesses are not known to be the best of their strategy.
    fn finish(self) -> io::Result<()> {
        let Some((turn, why)) = self.best_effort.first() else { return Ok(()) };
        let number = self.best_effort.len();
        let verb = if number == 1 { "is" } else { "are" };
        let guesses = number::things(number, "guess", "guesses");
        let note = format!("{guesses} {verb} the best found, not necessarily the best (turn {turn}: {why})");
        writeln!(self.screen)?;
        self.screen.paragraph(style::DIM, &note)
    }
}

impl Widths {
    fn columns(&self, turn: TextBlock, guess: TextBlock, feedback: TextBlock) -> TextBlock {
        let feedback = feedback.widen(self.feedback);
        turn.pad_left(TURN.len()).beside(GAP, guess.widen(self.guess)).beside(GAP, feedback)
    }

    fn before_remaining(&self) -> usize {
        TURN.len() + GAP + self.guess + GAP + self.feedback
    }
}

/// Commands suggested to new users.
const SUGGESTIONS: [(&str, &str); 5] = [
    ("pegwise solve --secret 3632", "a game with your own secret"),
    ("pegwise solve 5x8 --strategy knuth", "any size, any strategy"),
    ("pegwise play", "a game in the terminal"),
    ("pegwise hint 1122=1,1 1344=0,2", "the next guess for a game"),
    ("pegwise --help", "all commands and options"),
];

/// Runs `pegwise` without arguments: prints an overview and plays a sample game.
pub(crate) fn welcome(format: OutputFormat) -> anyhow::Result<Exit> {
    let command = Cli::command();
    let about_of = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let commands: Vec<(String, String)> =
        command.get_subcommands().map(|command| (command.get_name().to_owned(), about_of(command))).collect();
    let about = about_of(&command);
    let (rules, strategy) = (DEFAULT_RULES.parse()?, DEFAULT_STRATEGY.parse()?);
    let setup = GameSetup::new(rules, strategy, None, None, random_seed(), Limits::default())?;

    let mut screen = Screen::new();
    if format == OutputFormat::Json {
        let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let commands: Vec<_> =
            commands.into_iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
        let example = setup.play(|_| Ok(()))?;
        let value =
            json!({ "name": name, "version": version, "about": about, "commands": commands, "example": example });
        screen.json(&value)?;
        return Ok(Exit::Success);
    }
    let first = about.chars().next().into_iter().flat_map(char::to_lowercase);
    let about: String = first.chain(about.chars().skip(1)).collect();
    writeln!(screen, "{} {about}\n\nA sample game:\n", style::paint(style::NAME, "Pegwise"))?;
    show(setup, &mut screen)?;
    screen.note("(● right color, right place; ○ right color, wrong place)")?;
    let commands = commands.iter().map(|(name, about)| (name.as_str(), about.as_str()));
    writeln!(screen, "\n{}\n{}", style::paint(style::HEADING, "Commands"), pairs(commands))?;
    writeln!(screen, "\n{}\n{}", style::paint(style::HEADING, "Try"), pairs(SUGGESTIONS.into_iter()))?;
    Ok(Exit::Success)
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> TextBlock {
    let width = pairs.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut block = TextBlock::default();
    for (name, about) in pairs {
        let name = TextBlock::new(style::NAME, name).widen(width);
        block.below(TextBlock::new(style::PLAIN, " ").beside(1, name).beside(3, TextBlock::new(style::PLAIN, about)));
    }
    block
}
