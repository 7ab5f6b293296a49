//! `pegwise hint`: the next guess for a game on somebody's table.

use std::io::Write as _;

use anyhow::Context as _;
use pegwise_coach::{Hint, HintError, Note, RatedGuess, Uncertain};
use pegwise_game::{Code, Rules, Space};
use pegwise_solve::{Search, Spec, clock::Moment, tree::TreePlayer};
use serde::Serialize;

use crate::{
    arguments::{self, DEFAULT_STRATEGY, Format, Player},
    exit::Exit,
    mended,
    settings::Colors,
    tree::file::Source,
    turns::Turns,
    ui::{Align, Block, Drawing, Screen, Table, number, style},
};

/// Find the next guess for a game on your table, from any position.
///
/// Give every turn so far as GUESS=FEEDBACK: 1122=1,0 is the guess 1122, answered with one black and no white peg. A peg or
/// a number that you do not remember is a question mark, in quotes for the shell: '11?2=1,?'.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    turns: Turns,

    #[command(flatten)]
    player: Player,

    #[command(flatten)]
    colors: Colors,

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
  pegwise hint '11?2=1,?' 1344=0,2                   a peg and a number forgotten
  pegwise hint 4x10:no-repeats 1234=1,1              bulls and cows, in digits
  pegwise hint RGYB=1,1 --colors red,green,yellow,blue,orange,purple
  pegwise hint --tree knuth.tree 1122=1,1            as a tree goes on
  pegwise hint 4x6 1122=1,1 1344=0,2 --format json   for programs";

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
    turns: &'a [Note],
    #[serde(flatten)]
    hint: &'a Hint,
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
    let Args { turns, player, colors, seed, alternatives } = args;
    let (rules, tree) = player.rules(turns.rules())?;
    let rules = colors.of(rules)?;
    let notes = turns.read(&rules)?;

    let secrets = player.secrets.load(&rules).context("--secrets")?;
    let whole = notes.history();
    if secrets.is_some() && whole.is_none() {
        anyhow::bail!("a list of secrets needs whole turns: fill in what is written as '?', or leave --secrets out");
    }
    let mut strategy = arguments::build_for(&player.strategy, &rules, secrets.as_ref())?;
    let in_tree =
        tree.as_ref().map(|file| whole.as_ref().is_some_and(|history| file.tree.position(history.turns()).is_ok()));
    if let Some(file) = tree {
        strategy = Box::new(TreePlayer::new(file, strategy));
    }
    let mut search = Search::new(seed).with_limits(player.limits());
    search.alternatives = alternatives.into();
    let thinking = Moment::now();
    let hint = match whole.as_ref().filter(|_| secrets.is_some()) {
        Some(history) => pegwise_coach::hint_among(history, &mut *strategy, &mut search),
        None if in_tree.is_none() && player.strategy.row().name == DEFAULT_STRATEGY => {
            pegwise_coach::best_hint(&notes, &mut *strategy, &mut search)
        }
        None => pegwise_coach::hint(&notes, &mut *strategy, &mut search),
    };
    let hint = match hint {
        Ok(hint) => hint,
        Err(HintError::Contradiction(contradiction)) => {
            if format == Format::Json {
                let seconds = thinking.elapsed().as_secs_f64();
                let (rules, turns) = (&rules, notes.notes());
                Screen::new().json(&mended::Answer { rules, turns, contradiction: &contradiction, seconds })?;
            }
            anyhow::bail!(mended::text(&contradiction, &notes));
        }
        Err(error) => return Err(error.into()),
    };
    let answer = Answer {
        rules: &rules,
        strategy: &player.strategy,
        tree: player.tree.as_ref().zip(in_tree).map(|(file, used)| FromTree { file, used }),
        listed: secrets.as_ref().map(|secrets| secrets.len()),
        seed,
        turns: notes.notes(),
        hint: &hint,
        examined: search.counts().examined,
        scored: search.counts().scored,
        seconds: thinking.elapsed().as_secs_f64(),
    };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => show(&answer, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(answer: &Answer<'_>, screen: &mut Screen) -> std::io::Result<()> {
    let drawing = Drawing::new(answer.rules, screen.look());
    let space = match answer.listed {
        Some(listed) => number::things(listed, "listed code", "listed codes"),
        None => number::codes(Space::new(answer.rules).count()),
    };
    let played = number::things(answer.turns.len(), "turn", "turns");
    let position = match answer.hint.remaining {
        _ if answer.turns.is_empty() => format!("{space} · nothing played yet"),
        Uncertain::Unknown => format!("{space} · too many still possible to count after {played}"),
        remaining => format!("{remaining} of {space} still possible after {played}"),
    };
    writeln!(screen, "{}\n", heading(answer.rules, &position, screen))?;
    if !answer.turns.is_empty() {
        writeln!(screen, "{}\n", turns(answer, &drawing).fitted(screen.look().width))?;
    }

    let mut guess = drawing.code(&answer.hint.guess);
    if screen.look().color {
        guess = guess.beside(3, drawing.notation(&answer.hint.guess));
    }
    let by = match &answer.tree {
        Some(FromTree { file, used: true }) => file.to_string(),
        Some(FromTree { file, used: false }) => format!("{}: the game has left {file}", answer.strategy),
        None => answer.strategy.to_string(),
    };
    let why = format!("{} ({by})", answer.hint.why);
    let play = Block::new(style::GOOD, "Play");
    guess.below(Block::wrapped(style::DIM, &why, screen.text_width(play.width() + 3)));
    writeln!(screen, "{}", play.beside(3, guess))?;

    if !answer.hint.possible.is_empty() && !answer.turns.is_empty() {
        writeln!(screen, "\n{}", still_possible(&answer.hint.possible, answer.rules, screen))?;
    }
    if let Some(rated) = &answer.hint.rated {
        let ranked: Vec<&RatedGuess> = std::iter::once(rated).chain(&answer.hint.alternatives).collect();
        writeln!(screen, "\nThe best guesses\n{}", alternatives(&ranked, &drawing).fitted(screen.look().width))?;
        if ranked.iter().any(|rated| matches!(rated.expected_remaining, Uncertain::Estimate { .. })) {
            let note = "~ is an estimate from a sample, with the error it has 95 times out of 100; guesses whose errors overlap rank alike.";
            writeln!(screen, "{}", Block::wrapped(style::DIM, note, screen.text_width(0)))?;
        }
    }
    Ok(())
}

/// The rules, and what there is to say of them, in the width there is.
pub(crate) fn heading(rules: &Rules, text: &str, screen: &Screen) -> Block {
    let name = rules.to_string();
    let lines = Block::wrapped(style::PLAIN, &format!("· {text}"), screen.text_width(name.chars().count() + 1));
    Block::new(style::HEADING, name).beside(1, lines)
}

/// The last few codes, by name.
pub(crate) fn still_possible(codes: &[Code], rules: &Rules, screen: &Screen) -> Block {
    let codes: Vec<String> = codes.iter().map(|code| code.notation(rules.palette()).to_string()).collect();
    let left = Block::new(style::GOOD, "Still possible");
    let width = screen.text_width(left.width() + 2);
    left.beside(2, Block::wrapped(style::PLAIN, &codes.join(" "), width))
}

fn turns(answer: &Answer<'_>, drawing: &Drawing) -> Table<'static> {
    let feedback = feedback_heading(answer.rules);
    let mut table = Table::new([("turn", Align::Right), ("guess", Align::Left), (feedback, Align::Left)]);
    for (number, turn) in (1..).zip(answer.turns) {
        let number = Block::new(style::DIM, format!("{number}"));
        table.row([number, drawing.guess(&turn.guess), drawing.marks(&turn.feedback)]);
    }
    table
}

/// What stands over the answers.
pub(crate) fn feedback_heading(rules: &Rules) -> &'static str {
    if rules.is_bulls_and_cows() { "bulls,cows" } else { "feedback" }
}

fn alternatives<'a>(alternatives: &[&'a RatedGuess], drawing: &Drawing) -> Table<'a> {
    let unit = alternatives.first().map_or("score", |best| &best.unit);
    let priced = alternatives.iter().any(|rated| !rated.lost.is_unknown());
    let mut columns =
        vec![("rank", Align::Right), ("guess", Align::Left), (unit, Align::Right), ("left", Align::Right)];
    if priced {
        columns.push(("lost", Align::Right));
    }
    columns.push(("can be it", Align::Left));
    let mut table = Table::new(columns);
    let whole = alternatives.iter().all(|rated| rated.score.exact_value().is_some_and(|score| score.fract() == 0.0));
    let plain = |text: String| Block::new(style::PLAIN, text);
    for rated in alternatives {
        let secret = if rated.consistent { Block::new(style::GOOD, "yes") } else { Block::new(style::DIM, "no") };
        let score = match rated.score {
            Uncertain::Exact(score) if whole => format!("{score:.0}"),
            Uncertain::Exact(score) => format!("{score:.3}"),
            other => other.short(),
        };
        let mut row = vec![
            Block::new(style::DIM, format!("{}", rated.rank)),
            drawing.code(&rated.guess),
            plain(score),
            plain(rated.expected_remaining.short()),
        ];
        if priced {
            row.push(plain(lost(rated.lost)));
        }
        row.push(secret);
        table.row(row);
    }
    table
}

/// Guesses lost, for a table: a small loss is no loss of none.
pub(crate) fn lost(lost: Uncertain<f64>) -> String {
    match lost {
        Uncertain::Exact(0.0) => "0".to_owned(),
        Uncertain::Exact(lost) => format!("{lost:.3}"),
        lost => lost.short(),
    }
}
