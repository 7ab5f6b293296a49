//! `pegwise hint`: the next guess for a game on somebody's table.

use std::{io::Write as _, time::Instant};

use anyhow::Context as _;
use pegwise_game::{Code, Count, History, Rules, Space, Turn};
use pegwise_solve::{Alternative, Basis, Search, Spec, StrategyError, candidates::contradiction, tree::TreePlayer};
use serde::Serialize;

use crate::{
    arguments::{self, Format, Player},
    exit::Exit,
    game::Counter,
    rules,
    tree::file::Source,
    ui::{Align, Block, Drawing, Screen, Table, number, style},
};

/// Find the next guess for a game on your table, from any position.
///
/// Give every turn so far as GUESS=FEEDBACK: 1122=1,0 is the guess 1122, answered with one black and no white peg.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The rules [default: 4x6, or those of the tree].
    #[arg(value_parser = First::parse)]
    rules: Option<First>,

    /// The turns so far, first to last.
    #[arg(value_name = "TURN")]
    turns: Vec<String>,

    #[command(flatten)]
    player: Player,

    /// Decides all that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,

    /// How many of the next best guesses to show.
    #[arg(long, short, value_name = "K", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(..=MOST_ALTERNATIVES))]
    alternatives: u16,
}

/// More could not be read, and strategies rank them all.
const MOST_ALTERNATIVES: i64 = 1000;

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise hint                                       a good first guess
  pegwise hint 1122=1,1 1344=0,2                     a guess after two turns
  pegwise hint 4x6 1122=1,1 --strategy knuth         as Knuth would go on
  pegwise hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5   letters from ten colors on
  pegwise hint --tree knuth.tree 1122=1,1            as a tree goes on
  pegwise hint 4x6 1122=1,1 1344=0,2 --format json   for programs";

/// The first argument: the rules, or the first turn of a classic game.
#[derive(Debug, Clone)]
enum First {
    Rules(Rules),
    Turn(String),
}

impl First {
    fn parse(text: &str) -> Result<Self, String> {
        // Rules have options with a value too, but those come after a colon.
        if text.contains('=') && !text.contains(':') {
            return Ok(Self::Turn(text.to_owned()));
        }
        rules::parse(text).map(Self::Rules).map_err(|error| match text.parse::<u64>() {
            Ok(_) => format!("a turn needs its feedback, as in {text}=2,1"),
            Err(_) => error,
        })
    }
}

/// A hint for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    rules: &'a Rules,
    strategy: &'a Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<FromTree<'a>>,
    /// How many codes could be the secret, where they were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<usize>,
    seed: u64,
    turns: &'a [Turn],
    guess: &'a Code,
    basis: &'a Basis,
    /// Codes possible before the guess, where they were counted.
    remaining: Option<Count>,
    /// How the guess itself compares with the alternatives.
    rated: Option<&'a Alternative>,
    alternatives: &'a [Alternative],
    examined: u64,
    scored: u64,
    seconds: f64,
}

/// The tree that was given.
#[derive(Debug, Serialize)]
struct FromTree<'a> {
    file: &'a Source,
    /// Whether the game is still in it, so that the guess is the tree's.
    used: bool,
}

pub(crate) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    let Args { rules, turns, player, seed, alternatives } = args;
    let (rules, first) = match rules {
        Some(First::Rules(rules)) => (Some(rules), None),
        Some(First::Turn(turn)) => (None, Some(turn)),
        None => (None, None),
    };
    let (rules, tree) = player.rules(rules)?;
    let mut history = History::new(rules.clone());
    for (number, text) in (1..).zip(first.into_iter().chain(turns)) {
        let turn = Turn::parse(&rules, &text).with_context(|| format!("turn {number}"))?;
        history.push(turn)?;
    }

    let secrets = player.secrets.load(&rules).context("--secrets")?;
    let mut strategy = arguments::build_for(&player.strategy, &rules, secrets.as_ref())?;
    let in_tree = tree.as_ref().map(|file| file.tree.position(history.turns()).is_ok());
    if let Some(file) = tree {
        strategy = Box::new(TreePlayer::new(file, strategy));
    }
    let mut search = Search::new(seed).with_limits(player.limits());
    search.alternatives = alternatives.into();
    let thinking = Instant::now();
    let proposal = strategy.next_guess(&history, &mut search).map_err(|error| explain(error, &history))?;
    let answer = Answer {
        rules: &rules,
        strategy: &player.strategy,
        tree: player.tree.as_ref().zip(in_tree).map(|(file, used)| FromTree { file, used }),
        listed: secrets.as_ref().map(|secrets| secrets.len()),
        seed,
        turns: history.turns(),
        guess: &proposal.guess,
        basis: &proposal.basis,
        remaining: proposal.remaining.or_else(|| Counter::new(&rules, secrets.as_ref()).after(&history)),
        rated: proposal.rated.as_ref(),
        alternatives: &proposal.alternatives,
        examined: search.counts.examined,
        scored: search.counts.scored,
        seconds: thinking.elapsed().as_secs_f64(),
    };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => show(&answer, &mut screen)?,
    }
    Ok(Exit::Done)
}

/// Says what to do about a position that has no next guess.
pub(crate) fn explain(error: StrategyError, history: &History) -> anyhow::Error {
    let turns = match error {
        StrategyError::Contradiction { turns } => turns,
        // A last turn that claims to have won may contradict the others all the same.
        StrategyError::AlreadySolved
            if history.turns().last().is_some_and(|last| !history.is_consistent(&last.guess)) =>
        {
            contradiction(history, &mut Search::new(0))
        }
        StrategyError::AlreadySolved => return anyhow::anyhow!("{error}; there is nothing left to guess"),
        error => return error.into(),
    };
    anyhow::anyhow!("{}\n  At least one feedback was misread: look at the pegs again.", name_turns(&turns, history))
}

/// Names turns that cannot all be true, and writes them out.
pub(crate) fn name_turns(turns: &[usize], history: &History) -> String {
    let named = turns.iter().filter_map(|&number| Some((number, history.turns().get(number - 1)?)));
    let named = named.map(|(number, turn)| format!("\n  turn {number}: {}", turn.notation(history.rules())));
    let error = StrategyError::Contradiction { turns: turns.to_vec() };
    format!("{error}{}", named.collect::<String>())
}

fn show(answer: &Answer<'_>, screen: &mut Screen) -> std::io::Result<()> {
    let drawing = Drawing::new(answer.rules, screen.look());
    let space = match answer.listed {
        Some(listed) => number::things(listed, "listed code", "listed codes"),
        None => number::codes(Space::new(answer.rules).count()),
    };
    let played = number::things(answer.turns.len(), "turn", "turns");
    let position = match answer.remaining {
        _ if answer.turns.is_empty() => format!("{space} · nothing played yet"),
        Some(count) => format!("{} of {space} still possible after {played}", number::count(count)),
        None => format!("{space} · too many still possible to count after {played}"),
    };
    writeln!(screen, "{} · {position}\n", style::paint(style::HEADING, answer.rules))?;
    if !answer.turns.is_empty() {
        writeln!(screen, "{}\n", turns(answer, &drawing))?;
    }

    let mut guess = drawing.code(answer.guess);
    if screen.look().color {
        guess = guess.beside(3, drawing.notation(answer.guess));
    }
    let only = answer.remaining.and_then(Count::exact) == Some(1);
    let by = match &answer.tree {
        Some(FromTree { file, used: true }) => file.to_string(),
        Some(FromTree { file, used: false }) => format!("{}: the game has left {file}", answer.strategy),
        None => answer.strategy.to_string(),
    };
    let why = if only { "the only code left".to_owned() } else { format!("{}, by {by}", answer.basis) };
    let play = Block::new(style::GOOD, "Play");
    guess.below(Block::wrapped(style::DIM, &why, screen.text_width(play.width() + 3)));
    writeln!(screen, "{}", play.beside(3, guess))?;

    if let Some(rated) = answer.rated {
        let ranked: Vec<&Alternative> = std::iter::once(rated).chain(answer.alternatives).collect();
        writeln!(screen, "\nThe best guesses\n{}", alternatives(&ranked, rated.unit, &drawing))?;
    }
    Ok(())
}

fn turns(answer: &Answer<'_>, drawing: &Drawing) -> Block {
    let mut table = Table::new([("turn", Align::Right), ("guess", Align::Left), ("feedback", Align::Left)]);
    for (number, turn) in (1..).zip(answer.turns) {
        let number = Block::new(style::DIM, format!("{number}"));
        table.row([number, drawing.code(&turn.guess), drawing.feedback(&turn.feedback)]);
    }
    table.block()
}

fn alternatives(alternatives: &[&Alternative], unit: &'static str, drawing: &Drawing) -> Block {
    let mut table = Table::new([
        ("rank", Align::Right),
        ("guess", Align::Left),
        (unit, Align::Right),
        ("left on average", Align::Right),
        ("can be the secret", Align::Left),
    ]);
    let whole = alternatives.iter().all(|alternative| alternative.score.fract() == 0.0);
    let plain = |text: String| Block::new(style::PLAIN, text);
    for (rank, alternative) in (1..).zip(alternatives) {
        let score = alternative.score;
        let secret = if alternative.consistent { Block::new(style::GOOD, "yes") } else { Block::new(style::DIM, "no") };
        table.row([
            Block::new(style::DIM, format!("{rank}")),
            drawing.code(&alternative.guess),
            plain(if whole { format!("{score:.0}") } else { format!("{score:.3}") }),
            plain(format!("{:.2}", alternative.expected_remaining)),
            secret,
        ]);
    }
    table.block()
}
