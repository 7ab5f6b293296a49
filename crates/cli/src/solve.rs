//! `pegwise solve`: one game, turn by turn.

use std::{io::Write as _, path::Path};

use anyhow::Context as _;
use pegwise_game::{Rules, Space};

use crate::{
    arguments::{self, Format, Player},
    codemaker::Hiding,
    exit::Exit,
    game::{self, Record, Setup},
    outsider::Outsider,
    rules,
    settings::Colors,
    ui::{Screen, Transcript, number, style},
};

/// Break a code: one game, turn by turn.
///
/// The strategy plays against a secret that you give, or that is drawn from the seed; against a codemaker that may
/// switch codes as long as its answers stay true; or against a program of yours. The same seed plays the same game.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The rules: PEGSxCOLORS, and what differs from the classic game [default: 4x6, or those of the tree].
    #[arg(value_parser = rules::parse)]
    rules: Option<Rules>,

    #[command(flatten)]
    codemaker: Hiding,

    #[command(flatten)]
    player: Player,

    #[command(flatten)]
    colors: Colors,

    #[command(flatten)]
    outsider: Outsider,

    /// Decides all that is random; without it, one is drawn and shown.
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise solve                                        the classic game
  pegwise solve 4x6 --secret 3632 --strategy knuth     a secret of your own
  pegwise solve 5x8 -s 'entropy(guesses=consistent)'   a strategy's parameter
  pegwise solve 4x10:no-repeats --seed 7               always the same game
  pegwise solve --tree knuth.tree                      a game played from a tree
  pegwise solve 4x6 -s knuth --codemaker worst         the longest game there is
  pegwise solve 4x9 --secrets pins.txt                 a secret from a list
  pegwise solve --strategy-command ./bot               a strategy of your own
  pegwise solve 4x6 --secret 3632 --format json        for programs

Exits with 1 when the guesses that the rules allow (4x6:max-guesses=5) are used
up, or when a program of yours lost by not answering with a guess.";

pub(crate) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    let Args { rules, codemaker, player, colors, outsider, seed } = args;
    let (rules, tree) = player.rules(rules)?;
    let rules = colors.of(rules)?;
    let secret = codemaker.secret.as_ref().map(|secret| rules.parse_code(secret)).transpose().context("--secret")?;
    let limits = player.limits();
    let (seed_given, secret_given) = (seed.is_some(), secret.is_some());
    let secrets = player.secrets.load(&rules).context("--secrets")?;
    let seed = seed.unwrap_or_else(game::draw_seed);
    let mut setup = Setup::new(rules, outsider.or(player.strategy)?, secret, secrets, seed, limits)?;
    setup = codemaker.hide(setup, tree.as_ref(), limits)?;
    if let (Some(source), Some(tree)) = (player.tree, tree) {
        setup = setup.with_tree(source, tree);
    }
    let mut screen = Screen::new();
    let record = match format {
        Format::Json => {
            let record = setup.play(|_| Ok(()))?;
            screen.json(&record)?;
            record
        }
        Format::Text => {
            let record = show(setup, &mut screen)?;
            if !seed_given && codemaker.is_repeatable() && !outsider.is_there() {
                let again = format!("The same game again: {}", again(&record, secret_given, player.secrets.path()));
                writeln!(screen, "{}", style::paint(style::DIM, again))?;
            }
            record
        }
    };
    Ok(if record.solved { Exit::Done } else { Exit::No })
}

/// Plays a game on the screen.
pub(crate) fn show(setup: Setup, screen: &mut Screen) -> anyhow::Result<Record> {
    let rules = setup.rules.clone();
    let (title, strategy) = (style::paint(style::HEADING, &rules), style::paint(style::NAME, &setup.strategy));
    let tree =
        setup.tree.as_ref().map(|tree| format!("{}, else ", style::paint(style::NAME, tree))).unwrap_or_default();
    let against = setup.against.as_ref().map(|name| format!(" · against {}", style::paint(style::NAME, name)));
    let against = against.unwrap_or_default();
    let codes = match &setup.secrets {
        Some(secrets) => number::things(secrets.len(), "listed code", "listed codes"),
        None => number::codes(Space::new(&rules).count()),
    };
    let seed = setup.seed;
    writeln!(screen, "{title} · {codes} · {tree}{strategy}{against} · seed {seed}\n")?;

    let mut transcript = Transcript::start(screen, &rules)?;
    let record = setup.play(|event| transcript.happened(event))?;
    transcript.finish()?;

    let guesses = number::things(record.guesses, "guess", "guesses");
    let verdict = if record.solved {
        style::paint(style::GOOD, format!("Solved in {guesses}."))
    } else if let Some(failure) = &record.failure {
        style::paint(style::BAD, format!("Lost after {guesses}: {failure}."))
    } else {
        let secret = record.secret.as_ref().map(|secret| secret.notation(rules.palette()).to_string());
        let end = match (secret, &record.against) {
            (None, _) => ".".to_owned(),
            (Some(secret), None) => format!(": the secret was {secret}."),
            (Some(secret), Some(_)) => format!(": {secret} fits every answer."),
        };
        style::paint(style::BAD, format!("Not solved in {guesses}{end}"))
    };
    let (examined, scored) = (number::grouped(record.examined), number::grouped(record.scored));
    let spent = format!("{examined} codes examined, {scored} feedbacks scored, {}", number::seconds(record.seconds));
    writeln!(screen, "\n{verdict}\n{}", style::paint(style::DIM, spent))?;
    Ok(record)
}

/// The command that plays a game again.
fn again(record: &Record, secret_given: bool, secrets: Option<&Path>) -> String {
    let Record { rules, strategy, tree, seed, secret, against, .. } = record;
    let strategy = strategy.to_string();
    // Parentheses mean something to a shell.
    let strategy = if strategy.contains('(') { format!("'{strategy}'") } else { strategy };
    let tree = tree.as_ref().map(|tree| format!(" --tree {tree}")).unwrap_or_default();
    let secret = match (secret, against) {
        (_, Some(name)) => format!(" --codemaker {name}"),
        (Some(secret), None) if secret_given => format!(" --secret {}", secret.notation(rules.palette())),
        _ => String::new(),
    };
    let secrets = secrets.map(|path| format!(" --secrets {}", path.display())).unwrap_or_default();
    format!("pegwise solve {rules}{secret}{secrets}{tree} --strategy {strategy} --seed {seed}")
}
