//! JSON round trips.

use std::fmt::Debug;

use pegwise_game::{History, Rules};
use pegwise_solve::static_game::{self, goddard};
use pegwise_solve::tree::{Stats, Summary, TreeFile, verify};
use pegwise_solve::{Basis, Counts, Outcome, Proposal, Search, Stop, Watch, catalog};
use serde::{Serialize, de::DeserializeOwned};

fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap_or_else(|error| panic!("{json}: {error}")), value, "{json}");
}

#[test]
fn proposals_round_trip() {
    let rules: Rules = "4x6".parse().unwrap();
    for strategy in ["knuth", "entropy", "random-consistent", "optimal"] {
        let history = History::parse(&rules, ["1122=1,1"]).unwrap();
        let mut search = Search::new(1);
        search.alternatives = 3;
        let proposal: Proposal =
            catalog::strategy(strategy, &rules).unwrap().next_guess(&history, &mut search).unwrap();
        round_trips(&proposal);
        round_trips(&search.counts());
    }
}

#[test]
fn words_round_trip() {
    let effort = Basis::BestEffort("no code that fits was found before the time was up".to_owned());
    for basis in [Basis::Proven, Basis::Scored, Basis::Consistent, Basis::Planned, effort] {
        round_trips(&basis);
    }
    assert!(serde_json::from_str::<Basis>("\"hearsay\"").is_err());
    for stop in [Stop::Examined, Stop::Nodes, Stop::Time, Stop::Cancelled] {
        round_trips(&stop);
    }
    for outcome in [Outcome::Solved, Outcome::OutOfGuesses, Outcome::Abandoned, Outcome::Failed] {
        round_trips(&outcome);
    }
    round_trips(&Counts { examined: 1, consistent: 2, scored: 3, nodes: u64::MAX });
}

#[test]
fn tree_statistics_round_trip() {
    let tree = crate::tree("knuth", &"3x4".parse().unwrap());
    round_trips::<Stats>(&tree.stats());
    round_trips::<Summary>(&Summary::of(&tree.root));
    round_trips(&verify(&TreeFile::new(tree, "knuth")).unwrap());
}

#[test]
fn static_games_round_trip() {
    let rules: Rules = "2x4".parse().unwrap();
    round_trips(&static_game::solve(&rules, &static_game::StaticOptions::default(), Watch::default()).unwrap());
    round_trips(&goddard(&rules).unwrap());
}
