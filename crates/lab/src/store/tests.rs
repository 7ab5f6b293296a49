//! Tests of stores under adverse conditions.

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::{RunError, RunProgress, Runner, Secrets};

fn experiment(games: u64) -> Experiment {
    let strategy = "random-consistent".parse().unwrap();
    Experiment::new(vec!["4x6".parse().unwrap()], vec![strategy], Secrets::Drawn(games)).unwrap()
}

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    (folder, path)
}

#[test]
fn a_full_disk_keeps_committed_games() {
    let (_folder, path) = folder();
    let experiment = experiment(20_000);
    let mut store = Store::create(&path, &experiment).unwrap();
    store.connection.pragma_update(None, "max_page_count", 40).unwrap();
    let error = Runner { threads: 2, ..Runner::new(&experiment) }.run(&mut store, &RunProgress::default()).unwrap_err();
    let kept = store.count().unwrap();
    assert!(matches!(error, RunError::Store(StoreError::DiskFull(_, Some(games))) if games == kept), "{error}");
    assert!(error.to_string().contains(&format!("the disk is full; {kept} games are stored")), "{error}");
    store.connection.pragma_update(None, "max_page_count", 1_000_000).unwrap();
    let progress = RunProgress::default();
    Runner::new(&experiment).run(&mut store, &progress).unwrap();
    assert!(kept < 20_000 && store.count().unwrap() == 20_000);
}

#[test]
fn other_databases_are_not_changed() {
    let (_folder, path) = folder();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    assert!(matches!(Store::create(&path, &experiment(1)), Err(StoreError::NotAStore(_))));
    assert!(matches!(Store::open(&path), Err(StoreError::NotAStore(_))));
    assert_eq!(other.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)), Ok(1));
}

#[test]
fn stores_of_other_versions_are_rejected() {
    for other in [OLDEST_VERSION - 1, VERSION + 1] {
        let (_folder, path) = folder();
        let store = Store::create(&path, &experiment(1)).unwrap();
        store.connection.pragma_update(None, "user_version", other).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path), Err(StoreError::Version(_, version)) if version == other));
    }
}

#[test]
fn a_missing_folder_is_reported() {
    let (folder, _) = folder();
    let error = Store::create(&folder.path().join("none/games.db"), &experiment(1)).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly(..)), "{error}");
}

#[test]
fn parts_that_disagree_are_not_merged() {
    let (folder, path) = folder();
    let experiment = experiment(10);
    let parts = ["a.db", "b.db"].map(|name| folder.path().join(name));
    for part in &parts {
        let (store, _) = play(part, &experiment);
        if part.ends_with("b.db") {
            store.connection.execute("UPDATE trials SET examined = examined + 1 WHERE id = 3", []).unwrap();
        }
    }
    let error = Store::merge(&path, &parts, Mixing::Refused).unwrap_err();
    assert!(matches!(error, MergeError::Disagreement(_, _, 1)), "{error}");
}

/// Counts that the test's strategies do not produce are stored and read back.
#[test]
fn all_counts_round_trip() {
    let (_folder, path) = folder();
    let experiment = experiment(3);
    let (store, _) = play(&path, &experiment);
    store.connection.execute("UPDATE trials SET examined = 1, consistent = 2, scored = 3, nodes = 4", []).unwrap();
    let expected = pegwise_solve::Counts { examined: 1, consistent: 2, scored: 3, nodes: 4 };
    let mut games = 0;
    let check = |_: &str, _: &str, _: &pegwise_game::Rules, trial: &Trial| {
        assert_eq!(trial.counts, expected);
        games += 1;
        Ok::<(), StoreError>(())
    };
    store.for_each_trial(check).unwrap();
    assert_eq!(games, 3);
}

/// Ten million games should fit into a gibibyte: 107 bytes each.
#[test]
fn games_are_small() {
    let (_folder, path) = folder();
    let experiment = experiment(10_000);
    let (store, _) = play(&path, &experiment);
    drop(store);
    let bytes = std::fs::metadata(&path).unwrap().len();
    assert!(bytes < 60 * 10_000, "{bytes}");
}

#[test]
fn a_read_only_store_is_readable() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a store? 100 %.db");
    drop(play(&path, &experiment(3)));
    let read = Store::open_read_only(&path).unwrap();
    assert_eq!((read.description(), read.count().unwrap()), (&ExperimentDescription::of(&experiment(3)), 3));
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, [path.file_name().unwrap()], "reading makes no other files");
    drop(read);
    // Games in a write-ahead log count, too.
    let other = folder.path().join("other.db");
    let _open = play(&other, &experiment(5));
    assert_eq!(Store::open_read_only(&other).unwrap().count().unwrap(), 5);
}

/// Reverts a store to the oldest layout.
fn revert_layout(store: &Store) {
    let back = "DROP TABLE origins; DROP TABLE behaviors; DROP TABLE claims; ALTER TABLE cells DROP COLUMN repeats; \
        ALTER TABLE trials DROP COLUMN origin; ALTER TABLE trials DROP COLUMN random; PRAGMA user_version = 2";
    store.connection.execute_batch(back).unwrap();
}

#[test]
fn every_game_has_an_origin() {
    let (_folder, path) = folder();
    let experiment = experiment(50);
    let mut store = Store::create(&path, &experiment).unwrap();
    assert_eq!(store.origins().unwrap(), [], "no games yet");
    for part in ["1/2", "2/2"] {
        let runner = Runner { threads: 2, shard: part.parse().unwrap(), ..Runner::new(&experiment) };
        runner.run(&mut store, &RunProgress::default()).unwrap();
    }
    Runner::new(&experiment).run(&mut store, &RunProgress::default()).unwrap();
    let origins = store.origins().unwrap();
    assert_eq!(origins.iter().map(|of| of.games).collect::<Vec<_>>(), [25, 25], "a run without games has no origin");
    let behavior = crate::behavior_of(&"random-consistent".parse().unwrap()).to_string();
    for of in origins {
        let origin = of.origin.unwrap();
        assert_eq!((origin.threads, &origin.program[..8]), (2, "pegwise "));
        assert_eq!(of.behaviors, [("4x6".to_owned(), "random-consistent".to_owned(), behavior.clone())]);
    }
}

#[test]
fn parts_of_different_behavior_are_not_merged() {
    let (folder, path) = folder();
    let experiment = experiment(10);
    let parts = ["a.db", "b.db"].map(|name| folder.path().join(name));
    for (part, shard) in parts.iter().zip(["1/2", "2/2"]) {
        let mut store = Store::create(part, &experiment).unwrap();
        Runner { shard: shard.parse().unwrap(), ..Runner::new(&experiment) }
            .run(&mut store, &RunProgress::default())
            .unwrap();
        if part.ends_with("b.db") {
            store.connection.execute("UPDATE behaviors SET hash = 'another'", []).unwrap();
        }
    }
    let error = Store::merge(&path, &parts, Mixing::Refused).unwrap_err();
    assert!(matches!(&error, MergeError::OtherBehavior(_, difference) if difference.contains("another")), "{error}");
    let whole = Store::merge(&path, &parts, Mixing::Allowed).unwrap();
    let origins = whole.origins().unwrap();
    assert_eq!(origins.iter().map(|of| (of.games, of.behaviors.len())).collect::<Vec<_>>(), [(5, 1), (5, 1)]);
    // Merging again adds nothing.
    let again = Store::merge(&path, &parts, Mixing::Allowed).unwrap();
    assert_eq!(again.origins().unwrap(), origins);
}

#[test]
fn a_store_of_the_oldest_version_is_read_and_migrated() {
    let (folder, path) = folder();
    let experiment = experiment(10);
    let mut store = Store::create(&path, &experiment).unwrap();
    Runner { shard: "1/2".parse().unwrap(), ..Runner::new(&experiment) }
        .run(&mut store, &RunProgress::default())
        .unwrap();
    revert_layout(&store);
    drop(store);
    let read = Store::open(&path).unwrap();
    let unknown = OriginSummary { origin: None, games: 5, behaviors: Vec::new() };
    assert_eq!((read.layout(), read.origins().unwrap()), (OLDEST_VERSION, vec![unknown.clone()]));
    drop(read);
    let joined = Store::merge(&folder.path().join("joined.db"), std::slice::from_ref(&path), Mixing::Refused).unwrap();
    assert_eq!((joined.layout(), joined.origins().unwrap()), (VERSION, vec![unknown.clone()]));
    assert_eq!(Store::open(&path).unwrap().layout(), OLDEST_VERSION, "a part stays as it is");
    let (store, _) = play(&path, &experiment);
    let origins = store.origins().unwrap();
    assert_eq!((store.layout(), &origins[0], origins[1].games), (VERSION, &unknown, 5));
    let mut random = Vec::new();
    let each = |_: &str, _: &str, _: &pegwise_game::Rules, trial: &Trial| {
        random.push(trial.random);
        Ok::<(), StoreError>(())
    };
    store.for_each_trial(each).unwrap();
    assert_eq!(random, [None, Some(true)].repeat(5));
}

/// An experiment at 3x4 and, if there are several boards, at 2x3.
fn sized(boards: usize, strategies: &[&str], games: u64, repeats: u32) -> Experiment {
    let rules = ["3x4", "2x3"][..boards].iter().map(|rules| rules.parse().unwrap()).collect();
    let strategies = strategies.iter().map(|strategy| strategy.parse().unwrap()).collect();
    let experiment = Experiment::new(rules, strategies, Secrets::Drawn(games)).unwrap();
    experiment.with_repeats(repeats.try_into().unwrap()).unwrap()
}

fn play(path: &Path, experiment: &Experiment) -> (Store, RunProgress) {
    let (mut store, progress) = (Store::create(path, experiment).unwrap(), RunProgress::default());
    Runner::new(experiment).run(&mut store, &progress).unwrap();
    (store, progress)
}

/// Returns every game of a store as text.
fn games_of(store: &Store) -> String {
    let mut games = Vec::new();
    crate::export::export(store, crate::export::GameFormat::Csv, false, &mut games).unwrap();
    String::from_utf8(games).unwrap()
}

#[test]
fn a_store_grows_to_what_one_run_would_have_made() {
    let (folder, path) = folder();
    let (fresh, _) = play(&folder.path().join("fresh.db"), &sized(2, &["knuth", "random-consistent"], 20, 3));
    for (experiment, added, played) in [
        (sized(1, &["random-consistent"], 7, 1), 0, 7),
        // The repeats are numbered after the secrets, so more secrets renumber them.
        (sized(1, &["random-consistent"], 7, 2), 7, 7),
        (sized(1, &["random-consistent"], 20, 2), 26, 26),
        (sized(1, &["random-consistent"], 5, 1), 0, 0),
        (sized(1, &["knuth"], 20, 3), 60, 60),
        (sized(2, &["knuth", "random-consistent"], 20, 3), 140, 140),
    ] {
        let (store, progress) = play(&path, &experiment);
        assert_eq!((store.added_games(), progress.played.into_inner()), (added, played), "{experiment:?}");
        assert_eq!(progress.done.into_inner(), experiment.games(), "{experiment:?}");
        assert_eq!(store.count().unwrap(), store.planned_games());
    }
    let grown = Store::open(&path).unwrap();
    assert_eq!((games_of(&grown), grown.description()), (games_of(&fresh), fresh.description()));
    let contradictions = [
        (sized(1, &["knuth"], 20, 3).with_seed(9), "seed: 0 there, 9 here"),
        (
            Experiment::new(vec!["3x4".parse().unwrap()], vec!["knuth".parse().unwrap()], Secrets::All).unwrap(),
            "secrets",
        ),
    ];
    for (experiment, difference) in contradictions {
        let error = Store::create(&path, &experiment).unwrap_err().to_string();
        assert!(error.contains(difference), "{error}");
    }
    assert_eq!(games_of(&Store::open(&path).unwrap()), games_of(&fresh));
}

#[test]
fn stores_of_different_strategies_are_merged() {
    let (folder, path) = folder();
    let [one, other] = ["one.db", "other.db"].map(|name| folder.path().join(name));
    play(&one, &sized(1, &["random-consistent"], 10, 2));
    play(&other, &sized(2, &["knuth", "random-consistent"], 15, 2));
    let merged = Store::merge(&path, &[one, other.clone()], Mixing::Refused).unwrap();
    assert_eq!(games_of(&merged), games_of(&Store::open(&other).unwrap()));
    assert_eq!(merged.origins().unwrap().iter().map(|of| of.games).sum::<u64>(), 120);
}

/// Closing a store without [`Store::end`] releases its lock, like the end of its process.
#[test]
fn claims_are_exclusive_and_those_of_a_lost_process_are_taken_over() {
    let (folder, path) = folder();
    let experiment = sized(1, &["random-consistent"], 100, 1);
    let begun = || {
        let mut store = Store::create(&path, &experiment).unwrap();
        let origin = crate::Origin::current(1);
        let plan = store.begin(origin, &experiment, Shard::default(), Mixing::Refused).unwrap();
        (store, plan)
    };
    let claim = |(store, plan): &mut (Store, GamePlan), most| {
        let (_, claimed) = store.exchange(&[], plan, most, 8).unwrap();
        claimed.iter().flat_map(|batch| batch.numbers.clone()).collect::<Vec<u64>>()
    };
    let (mut first, mut second) = (begun(), begun());
    assert_eq!(claim(&mut first, 10), (0..10).collect::<Vec<_>>());
    assert_eq!(claim(&mut second, 20), (10..30).collect::<Vec<_>>());
    assert_eq!(claim(&mut first, 5), (30..35).collect::<Vec<_>>());
    assert_eq!(claim(&mut second, 100), (35..100).collect::<Vec<_>>());
    assert!(claim(&mut second, 100).is_empty() && !second.1.is_finished(), "the rest is played by the first");
    drop(first);
    assert_eq!(claim(&mut second, 100), (0..10).chain(30..35).collect::<Vec<_>>());
    assert!(second.1.is_finished());
    // A process that ends in order leaves nothing behind.
    second.0.end();
    let (store, progress) = play(&path, &experiment);
    assert_eq!((progress.played.into_inner(), games_of(&store).lines().count()), (100, 101));
    drop((store, second));
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, [path.file_name().unwrap()]);
}

#[test]
fn a_store_in_use_is_not_renumbered() {
    let (_folder, path) = folder();
    let small = sized(1, &["random-consistent"], 5, 2);
    let mut store = Store::create(&path, &small).unwrap();
    store.begin(crate::Origin::current(1), &small, Shard::default(), Mixing::Refused).unwrap();
    let large = sized(1, &["random-consistent"], 6, 2);
    assert!(matches!(Store::create(&path, &large), Err(StoreError::Busy(_))));
    store.end();
    assert_eq!(Store::create(&path, &large).unwrap().added_games(), 2);
}

/// Both programs begin before either has stored a game.
#[test]
fn the_behavior_is_checked_when_games_are_added() {
    let (_folder, path) = folder();
    let experiment = sized(1, &["random-consistent"], 100, 1);
    let mut store = Store::create(&path, &experiment).unwrap();
    let mut plan = store.begin(crate::Origin::current(1), &experiment, Shard::default(), Mixing::Refused).unwrap();
    play(&path, &sized(1, &["random-consistent"], 50, 1));
    store.connection.execute("UPDATE behaviors SET hash = 'another'", []).unwrap();
    let (_, claimed) = store.exchange(&[], &mut plan, 1, 1).unwrap();
    let cell = (*claimed[0].cell).clone();
    let mut player = crate::CellPlayer::new(cell, 0, experiment.limits()).unwrap();
    let game = player.play(claimed[0].numbers[0], &false.into()).unwrap();
    let mut batch = TrialBatch::default();
    batch.push(99, CodeCodec::new(&game.game.rules), &game);
    let error = store.exchange(&[batch], &mut plan, 1, 1).unwrap_err();
    assert!(matches!(&error, StoreError::OtherBehavior(_, difference) if difference.contains("another")), "{error}");
    assert_eq!(store.count().unwrap(), 50, "the game is not added");
}
