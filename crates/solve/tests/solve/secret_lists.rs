//! One-step strategies and `adaptive` with a list of secrets.

use std::sync::Arc;

use pegwise_game::{Code, Count, History, Rules, Space};
use pegwise_solve::{Rng, Search, Strategy, StrategyError, catalog, codemaker::Fixed, secrets::SecretList};

#[test]
fn equal_weights_give_the_usual_scores() {
    let rules: Rules = "4x4".parse().unwrap();
    let all = Space::new(&rules).iter().map(|code| (1, code, 2.5));
    let secrets = Arc::new(SecretList::new(&rules, all).unwrap());
    for name in ["worst-case", "expected-size", "entropy", "most-parts"] {
        let mut usual = catalog::strategy(name, &rules).unwrap();
        let mut listed = usual.for_secrets(&secrets).unwrap();
        for turns in [&[][..], &["1123=1,1"], &["1123=0,2", "2414=1,1"]] {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            let guess = |player: &mut Box<dyn Strategy>| {
                let mut search = Search::new(1);
                search.alternatives = 1;
                let proposal = player.next_guess(&history, &mut search).unwrap();
                (proposal.remaining, proposal.rated.unwrap().score)
            };
            let (usual, listed) = (guess(&mut usual), guess(&mut listed));
            assert_eq!(usual.0, listed.0, "{name} {turns:?}");
            assert!((usual.1 - listed.1).abs() < 1e-6, "{name} {turns:?}: {usual:?} {listed:?}");
        }
    }
}

#[test]
fn ties_go_to_the_likelier_code() {
    let rules: Rules = "4x6".parse().unwrap();
    let list = "1111\n2222\n3333 5\n4444\n";
    let secrets = Arc::new(SecretList::parse(&rules, list).unwrap());
    for name in ["adaptive", "entropy", "norvig", "kooi(guesses=consistent)"] {
        let mut player = catalog::strategy(name, &rules).unwrap().for_secrets(&secrets).unwrap();
        let proposal = player.next_guess(&History::new(rules.clone()), &mut Search::new(1)).unwrap();
        let expected = if name == "norvig" || name.starts_with("kooi") { "3333" } else { "" };
        let guess = proposal.guess.notation(6).to_string();
        assert!(expected.is_empty() || guess == expected, "{name}: {guess}");
        assert_eq!(proposal.remaining, Some(Count::Exact(4)));
        let history = History::parse(&rules, ["1234=0,0"]).unwrap();
        let error = player.next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::NotListed, "{name}");
    }
}

#[test]
fn every_listed_secret_is_found_on_every_board() {
    for text in ["3x4", "3x5:no-repeats", "4x3:black-only", "3x4:distance", "grid:2x2x3", "ring:4x3", "30x30"] {
        let rules: Rules = text.parse().unwrap();
        let mut rng = Rng::new(3);
        let codes = (0..20).map(|_| rng.code(&rules)).collect::<std::collections::BTreeSet<Code>>();
        let items = codes.iter().enumerate().map(|(at, code)| (at, code.clone(), 1.0 + at as f64));
        let secrets = Arc::new(SecretList::new(&rules, items).unwrap());
        let mut player = catalog::strategy("adaptive", &rules).unwrap().for_secrets(&secrets).unwrap();
        for secret in secrets.codes() {
            let mut codemaker = Fixed::new(&rules, secret.clone()).unwrap();
            let game = crate::game(&rules, &mut *player, &mut codemaker, &mut Search::new(1));
            assert!(game.guesses() <= 9, "{text}");
        }
    }
}

/// Every guess is compared on lists as long as those of word games, and the best one is that of a plain count.
#[test]
fn long_lists_of_words_are_compared_exactly() {
    const CELLS: usize = 5;
    let rules: Rules = "5x26:per-cell".parse().unwrap();
    let mut rng = Rng::new(11);
    let mut words: Vec<[u8; CELLS]> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    while words.len() < 12_972 {
        // Common letters are more frequent, as in a language.
        let word = [(); CELLS].map(|()| (rng.below(26) * rng.below(26) / 26) as u8);
        if seen.insert(word) {
            words.push(word);
        }
    }
    let code = |word: &[u8; CELLS]| Code::from_indices(word.map(u16::from));
    let list = |words: &[[u8; CELLS]]| SecretList::new(&rules, words.iter().map(|word| (1, code(word), 1.0))).unwrap();
    let answers = &words[..2_315];
    let secrets = Arc::new(list(answers).with_guesses(&list(&words)));
    let mut player = catalog::strategy("entropy", &rules).unwrap().for_secrets(&secrets).unwrap();
    let mut search = Search::new(1);
    search.alternatives = 1;
    let proposal = player.next_guess(&History::new(rules.clone()), &mut search).unwrap();
    assert_eq!(search.counts().scored, 12_972 * 2_315);

    let entropy = |guess: &[u8; CELLS]| {
        let mut parts = [0u32; 243];
        for answer in answers {
            parts[mark(guess, answer)] += 1;
        }
        let total = answers.len() as f64;
        parts
            .iter()
            .filter(|&&size| size > 0)
            .map(|&size| f64::from(size) / total * (total / f64::from(size)).log2())
            .sum::<f64>()
    };
    let best = words.iter().map(entropy).fold(0.0f64, f64::max);
    let guess: Vec<u8> = proposal.guess.iter().map(|color| color.index() as u8).collect();
    let found: f64 = entropy(&guess.try_into().unwrap());
    assert!((found - best).abs() < 1e-9, "{found} {best}");
    assert!((proposal.rated.unwrap().score - best).abs() < 1e-6);
}

/// Returns the mark of a word game: two for a letter in its place, one for a letter elsewhere, to base three.
fn mark(guess: &[u8; 5], answer: &[u8; 5]) -> usize {
    let mut cells = [0; 5];
    let mut used = [false; 5];
    for at in 0..5 {
        if guess[at] == answer[at] {
            (cells[at], used[at]) = (2, true);
        }
    }
    for at in 0..5 {
        let free = (0..5).find(|&other| cells[at] == 0 && !used[other] && answer[other] == guess[at]);
        if let Some(other) = free {
            (cells[at], used[other]) = (1, true);
        }
    }
    cells.iter().fold(0, |mark, cell| 3 * mark + cell)
}
