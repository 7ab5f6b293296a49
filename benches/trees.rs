//! Time to build the tree of a strategy over all codes, in which secrets share positions, compared with playing every secret
//! separately.
//!
//! `cargo bench --bench trees`

use std::{io::Write as _, ops::ControlFlow, time::Instant};

use pegwise_game::{Rules, Table};
use pegwise_solve::{Search, Watch, catalog, codemaker::Fixed, play, tree::Builder};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "rules             strategy          total       secondstimes secret by secret")?;
    for (text, name, total, every) in [
        ("4x6", "knuth", 5801, 16),
        ("4x6", "entropy", 5719, 16),
        ("4x6", "most-parts", 5668, 16),
        ("4x10:no-repeats", "entropy", 26407, 63),
        ("5x8", "entropy", 179_796, 2048),
    ] {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let strategy = catalog::strategy(name, &rules).expect("a strategy of the catalog");
        let by_position = strategy.position_strategy().expect("ties are not random");
        let started = Instant::now();
        let stats =
            Builder::new(&rules, Watch::default()).build(&*by_position).expect("these spaces are small").stats();
        let seconds = started.elapsed().as_secs_f64();
        assert_eq!(stats.total, total, "{name} at {text}");

        // Games for a sample of the secrets, extrapolated to all: playing all of them would take minutes.
        let secrets = Table::all(&rules).expect("these spaces are small");
        let sample: Vec<_> = secrets.codes().step_by(every).collect();
        let mut player = catalog::strategy(name, &rules).expect("a strategy of the catalog");
        let started = Instant::now();
        for secret in &sample {
            let mut codemaker = Fixed::new(&rules, secret.clone()).expect("a code of these rules");
            let game = play(&rules, &mut *player, &mut codemaker, &mut Search::new(1), |_| ControlFlow::Continue(()))
                .expect("a game");
            assert!(game.is_solved());
        }
        let baseline = started.elapsed().as_secs_f64() / sample.len() as f64 * secrets.len() as f64;
        writeln!(out, "{text:<18}{name:<14}{total:>9}{seconds:>14.4}{:>22.1}", baseline / seconds)?;
    }
    Ok(())
}
