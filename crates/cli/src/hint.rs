//! `pegwise hint`: the next guess for a game.

use std::io::Write as _;

use pegwise_coach::{Hint, HintError, Note, RatedGuess, Uncertain};
use pegwise_game::{Code, Rules, Space};
use pegwise_solve::{Search, Spec, clock::Moment, tree::TreePlayer};
use serde::Serialize;

use crate::{
    arguments::{self, DEFAULT_SEED, GameArgs, OutputFormat, StrategyArgs},
    contradiction,
    exit::Exit,
    files::FileArg,
    settings::ColorNamesArg,
    ui::{self, BoardRenderer, Screen, TextBlock, TextTable, number, style},
};

/// Suggest the next guess for a game.
///
/// Write every turn so far as GUESS=FEEDBACK: 1122=1,0 is the guess 1122 with one black and no white peg. Use a question
/// mark for a peg or number that you do not remember, in quotes for the shell: '11?2=1,?'.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise hint                                       a good first guess
  pegwise hint 1122=1,1 1344=0,2                     a guess after two turns
  pegwise hint 4x6 1122=1,1 --strategy knuth         the guess that Knuth's strategy plays
  pegwise hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5   letters for ten or more colors
  pegwise hint '11?2=1,?' 1344=0,2                   an unknown peg and number
  pegwise hint 4x10:no-repeats 1234=1,1              bulls and cows, in digits
  pegwise hint RGYB=1,1 --colors red,green,yellow,blue,orange,purple
  pegwise hint --tree knuth.tree 1122=1,1            the guess of a tree
  pegwise hint 4x6 1122=1,1 1344=0,2 --json          for programs"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    player: StrategyArgs,

    #[command(flatten)]
    colors: ColorNamesArg,

    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,

    /// Number of alternatives to show.
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<u16>(0..=MAX_ALTERNATIVES))]
    alternatives: u16,
}

const MAX_ALTERNATIVES: u64 = 1000;

#[derive(Debug, Serialize)]
struct HintOutput<'a> {
    rules: &'a Rules,
    strategy: &'a Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeUse<'a>>,
    /// Number of listed secrets.
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

/// Tree given with --tree.
#[derive(Debug, Serialize)]
struct TreeUse<'a> {
    file: &'a FileArg,
    /// True if the position is in the tree, so that the guess is the tree's.
    used: bool,
}

pub(crate) fn run(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let threads = args.player.threads;
    threads.install(|| find_hint(args, format))
}

fn find_hint(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let Args { game, player, colors, seed, alternatives } = args;
    let (rules, tree) = player.rules(game.rules())?;
    let rules = colors.apply(rules)?;
    let notes = game.notes(&rules, None)?;

    let secrets = player.secrets.load(&rules)?;
    let complete = notes.history();
    if secrets.is_some() && complete.is_none() {
        anyhow::bail!("--secrets needs complete turns: replace each '?', or omit --secrets");
    }
    let mut strategy = arguments::build_for(&player.strategy, &rules, secrets.as_ref())?;
    let in_tree = tree
        .as_ref()
        .map(|file| complete.as_ref().is_some_and(|history| file.tree.equivalent_position(history).is_some()));
    if let Some(file) = tree {
        strategy = Box::new(TreePlayer::new(file, strategy));
    }
    let mut search = Search::new(seed).with_limits(player.limits());
    search.alternatives = alternatives.into();
    let start = Moment::now();
    let hint = match complete.as_ref().filter(|_| secrets.is_some()) {
        Some(history) => pegwise_coach::hint_among(history, &mut *strategy, &mut search),
        None => pegwise_coach::hint(&notes, &mut *strategy, &mut search),
    };
    let seconds = start.elapsed().as_secs_f64();
    let hint = match hint {
        Ok(hint) => hint,
        Err(HintError::Contradiction(found)) => return contradiction::report(&found, &notes, seconds, format),
        Err(error) => return Err(error.into()),
    };
    let output = HintOutput {
        rules: &rules,
        strategy: &player.strategy,
        tree: player.tree.as_ref().zip(in_tree).map(|(file, used)| TreeUse { file, used }),
        listed: secrets.as_ref().map(|secrets| secrets.len()),
        seed,
        turns: notes.notes(),
        hint: &hint,
        examined: search.counts().examined,
        scored: search.counts().scored,
        seconds,
    };
    ui::print(format, &output, |screen| show(&output, screen))
}

fn show(output: &HintOutput<'_>, screen: &mut Screen) -> std::io::Result<()> {
    let renderer = BoardRenderer::new(output.rules, screen.info());
    let space = space(output.rules, output.listed);
    let played = number::things(output.turns.len(), "turn", "turns");
    let position = match output.hint.remaining {
        _ if output.turns.is_empty() => format!("{space} · no turns yet"),
        Uncertain::Unknown => format!("{space} · too many left to count after {played}"),
        remaining => format!("{remaining} of {space} still possible after {played}"),
    };
    writeln!(screen, "{}\n", heading(output.rules, &position, screen))?;
    if !output.turns.is_empty() {
        screen.table(turns(output, &renderer))?;
        writeln!(screen)?;
    }

    let mut guess = renderer.code(&output.hint.guess);
    if screen.info().color {
        guess = guess.beside(3, renderer.notation(&output.hint.guess));
    }
    let by = match &output.tree {
        Some(TreeUse { file, used: true }) => file.to_string(),
        Some(TreeUse { file, used: false }) => format!("{}: the position is not in {file}", output.strategy),
        None => output.strategy.to_string(),
    };
    let why = format!("{} ({by})", output.hint.why);
    let play = TextBlock::new(style::GOOD, "Play");
    guess.below(TextBlock::wrapped(style::DIM, &why, screen.text_width(play.width() + 3)));
    writeln!(screen, "{}", play.beside(3, guess))?;

    if !output.hint.possible.is_empty() && !output.turns.is_empty() {
        writeln!(screen, "\n{}", still_possible(&output.hint.possible, output.rules, screen))?;
    }
    if let Some(rated) = &output.hint.rated {
        let ranked: Vec<&RatedGuess> = std::iter::once(rated).chain(&output.hint.alternatives).collect();
        writeln!(screen, "\nBest guesses")?;
        screen.table(alternatives(&ranked, &renderer))?;
        if ranked.iter().any(|rated| matches!(rated.expected_remaining, Uncertain::Estimate { .. })) {
            let note = "~ marks an estimate from a sample with its 95 % confidence interval; guesses whose intervals overlap have equal rank.";
            screen.paragraph(style::DIM, note)?;
        }
    }
    Ok(())
}

/// Returns the number of codes that can be the secret at the start: those of the rules, or of a list.
pub(crate) fn space(rules: &Rules, listed: Option<usize>) -> String {
    match listed {
        Some(listed) => number::things(listed, "listed code", "listed codes"),
        None => number::codes(Space::new(rules).count()),
    }
}

/// Writes the rules and a wrapped text.
pub(crate) fn heading(rules: &Rules, text: &str, screen: &Screen) -> TextBlock {
    let name = rules.to_string();
    let lines = TextBlock::wrapped(style::PLAIN, &format!("· {text}"), screen.text_width(name.chars().count() + 1));
    TextBlock::new(style::HEADING, name).beside(1, lines)
}

/// Lists the remaining codes.
pub(crate) fn still_possible(codes: &[Code], rules: &Rules, screen: &Screen) -> TextBlock {
    let codes: Vec<String> = codes.iter().map(|code| code.notation(rules.palette()).to_string()).collect();
    let left = TextBlock::new(style::GOOD, "Still possible");
    let width = screen.text_width(left.width() + 2);
    left.beside(2, TextBlock::wrapped(style::PLAIN, &codes.join(" "), width))
}

fn turns(output: &HintOutput<'_>, renderer: &BoardRenderer) -> TextTable {
    let mut table = TextTable::new([">turn", "guess", feedback_heading(output.rules)]);
    for (number, turn) in (1..).zip(output.turns) {
        let number = TextBlock::new(style::DIM, format!("{number}"));
        table.row([number, renderer.guess(&turn.guess), renderer.marks(&turn.feedback)]);
    }
    table
}

pub(crate) fn feedback_heading(rules: &Rules) -> &'static str {
    if rules.is_bulls_and_cows() { "bulls,cows" } else { "feedback" }
}

fn alternatives(alternatives: &[&RatedGuess], renderer: &BoardRenderer) -> TextTable {
    let unit = format!(">{}", alternatives.first().map_or("score", |best| &best.unit));
    let priced = alternatives.iter().any(|rated| !rated.lost.is_unknown());
    let lost_column = priced.then_some(">lost");
    let mut table =
        TextTable::new([">rank", "guess", &unit, ">left"].into_iter().chain(lost_column).chain(["possible"]));
    let whole = alternatives.iter().all(|rated| rated.score.exact_value().is_some_and(|score| score.fract() == 0.0));
    let plain = |text: String| TextBlock::new(style::PLAIN, text);
    for rated in alternatives {
        let secret =
            if rated.consistent { TextBlock::new(style::GOOD, "yes") } else { TextBlock::new(style::DIM, "no") };
        let score = match rated.score {
            Uncertain::Exact(score) if whole => format!("{score:.0}"),
            Uncertain::Exact(score) => format!("{score:.3}"),
            other => other.short(),
        };
        let rank = TextBlock::new(style::DIM, rated.rank.to_string());
        let left = plain(rated.expected_remaining.short());
        let lost = priced.then(|| plain(lost(rated.lost)));
        let cells = [rank, renderer.code(&rated.guess), plain(score), left].into_iter().chain(lost);
        table.row(cells.chain([secret]).collect::<Vec<_>>());
    }
    table
}

/// Formats the expected number of guesses lost; only an exact zero is `0`.
pub(crate) fn lost(lost: Uncertain<f64>) -> String {
    match lost {
        Uncertain::Exact(0.0) => "0".to_owned(),
        Uncertain::Exact(lost) => format!("{lost:.3}"),
        lost => lost.short(),
    }
}
