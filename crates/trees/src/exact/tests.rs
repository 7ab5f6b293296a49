use std::time::Duration;

use pegwise_game::{Table, feedback};

use super::{bounds::IMPOSSIBLE, matrix::FeedbackMatrix, search::Searcher, *};
use crate::samples::NaiveSolver;
use pegwise_search::{Position, Rng};

fn report(rules: &str, options: &Options) -> Report {
    let rules: Rules = rules.parse().unwrap();
    let report = solve(&rules, options, Watch::default(), |_| ()).unwrap();
    let stats = report.tree.stats();
    assert_eq!((stats.total, stats.max), (report.total, report.depth), "{rules}");
    assert_eq!(u128::from(stats.codes), Space::new(&rules).count().exact().unwrap(), "{rules}");
    assert!(report.proven && report.lower_bound <= report.total, "{rules}");
    report
}

fn with_objective(objective: Objective) -> Options {
    Options { objective, ..Options::default() }
}

#[test]
fn small_boards_agree_with_a_search_without_bounds() {
    for rules in [
        "1x4", "2x3", "3x2", "2x4:no-repeats", "3x3:no-repeats", "2x4:black-only", "2x3:per-cell", "2x3:higher-lower",
        "2x4",
    ] {
        let parsed: Rules = rules.parse().unwrap();
        for consistent_only in [false, true] {
            let mut naive = NaiveSolver::new(&parsed, consistent_only);
            let all: Vec<usize> = (0..naive.codes.len()).collect();
            let least = (1..).find(|&guesses| naive.total(&all, guesses).is_some()).unwrap();
            for guesses in 1..least + 2 {
                let options = Options { max_depth: Some(guesses), consistent_only, ..Options::default() };
                let total = naive.total(&all, guesses);
                if let Some(total) = total {
                    assert_eq!(report(rules, &options).total, u64::from(total), "{rules} {guesses} {consistent_only}");
                } else {
                    let error = solve(&parsed, &options, Watch::default(), |_| ()).unwrap_err();
                    assert_eq!(error, ExactError::NoTree { max_depth: guesses }, "{rules} {consistent_only}");
                }
            }
            for objective in [Objective::Worst, Objective::WorstThenMean] {
                let report = report(rules, &Options { objective, consistent_only, ..Options::default() });
                assert_eq!(report.depth, least, "{rules} {consistent_only}");
            }
        }
    }
}

#[test]
fn sets_of_codes_agree_with_a_search_without_bounds() {
    let mut rng = Rng::new(1);
    for rules in ["3x4", "4x3", "4x4:black-only", "3x5:no-repeats"] {
        let rules: Rules = rules.parse().unwrap();
        let matrix = FeedbackMatrix::new(&rules, Watch::default()).unwrap();
        for consistent_only in [false, true] {
            let options = Options { consistent_only, ..Options::default() };
            let mut searcher = Searcher::new(&rules, &matrix, &options, Watch::default(), &|_| (), None);
            let mut naive = NaiveSolver::new(&rules, consistent_only);
            for round in 0..30 {
                let mut set: Vec<usize> = (0..3 + round % 7).map(|_| rng.index(matrix.len())).collect();
                set.sort_unstable();
                set.dedup();
                let rows: Vec<u16> = set.iter().map(|&code| code as u16).collect();
                for guesses in [2, 3, 4, UNLIMITED] {
                    let found = searcher.solve(&rows, guesses, searcher.any_width(), IMPOSSIBLE).unwrap().low();
                    let expected = naive.total(&set, guesses).unwrap_or(IMPOSSIBLE);
                    assert_eq!(found, expected, "{rules} {set:?} {guesses} {consistent_only}");
                }
            }
        }
    }
}

/// Returns a list of random secrets and, unless any code may be guessed, of further guesses; both also as ranks.
fn random_list(rules: &Rules, codes: &[Code], any_guess: bool, rng: &mut Rng) -> (SecretList, Vec<usize>, Vec<usize>) {
    let mut pick = |most: usize| {
        let picked = (0..most).map(|_| rng.index(codes.len()));
        picked.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<usize>>()
    };
    let (secrets, further) = (pick(9), pick(12));
    let list =
        |ranks: &[usize]| SecretList::new(rules, ranks.iter().map(|&rank| (1, codes[rank].clone(), 1.0))).unwrap();
    if any_guess {
        return (list(&secrets), secrets, (0..codes.len()).collect());
    }
    let guesses: Vec<usize> = secrets.iter().chain(&further).copied().collect();
    (list(&secrets).with_guesses(&list(&further)), secrets, guesses)
}

/// More than 128 different marks occur at five pegs of per-cell feedback.
#[test]
fn lists_agree_with_a_search_without_bounds() {
    let mut rng = Rng::new(9);
    for text in ["3x4", "3x5:no-repeats", "3x4:per-cell", "5x3:per-cell", "2x4:higher-lower", "grid:2x2x2"] {
        let rules: Rules = text.parse().unwrap();
        for round in 0..8 {
            let mut naive = NaiveSolver::new(&rules, false);
            let (list, secrets, guesses) = random_list(&rules, &naive.codes, round % 2 == 0, &mut rng);
            naive.guesses = Some(guesses);
            let options = Options { secrets: Some(Arc::new(list.clone())), ..Options::default() };
            for max_depth in [None, Some(2), Some(3)] {
                let options = Options { max_depth, anytime: round % 3 == 0, ..options.clone() };
                let found = solve(&rules, &options, Watch::default(), |_| ());
                let Some(total) = naive.total(&secrets, max_depth.unwrap_or(UNLIMITED)) else {
                    let error = ExactError::NoTree { max_depth: max_depth.unwrap() };
                    assert_eq!(found.unwrap_err(), error, "{text} {list:?}");
                    continue;
                };
                let found = found.unwrap();
                assert_eq!((found.total, found.proven), (total.into(), true), "{text} {max_depth:?} {list:?}");
                let file = crate::TreeFile::new(found.tree, "exact").of_list();
                assert_eq!(crate::verify_list(&file, &list).unwrap().total, found.total, "{text}");
            }
            let first = naive.guesses.as_ref().unwrap()[0];
            let options = Options { first_guess: Some(naive.codes[first].clone()), ..options };
            if let Some(total) = naive.after(first, &secrets, UNLIMITED) {
                let found = solve(&rules, &options, Watch::default(), |_| ()).unwrap();
                assert_eq!(found.total, u64::from(total), "{text} {first}");
            }
        }
    }
}

#[test]
fn trees_of_lists_do_not_depend_on_the_number_of_threads() {
    let rules: Rules = "4x4:per-cell".parse().unwrap();
    let mut rng = Rng::new(4);
    let codes: Vec<Code> = (0..90).map(|_| rng.code(&rules)).collect();
    let list = |codes: &[Code]| SecretList::new(&rules, codes.iter().map(|code| (1, code.clone(), 1.0))).unwrap();
    let listed = Arc::new(list(&codes[..60]).with_guesses(&list(&codes)));
    let options = Options { secrets: Some(listed.clone()), ..Options::default() };
    let on_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let exact = solve(&rules, &options, Watch::default(), |_| ()).unwrap();
            let improved = improve_list(&listed, None, None, Watch::default(), |_| (), |_| ()).unwrap();
            // The last round follows every guess.
            assert_eq!((exact.proven, improved.total), (true, exact.total));
            assert!(improved.lower_bound <= exact.total);
            let file = crate::TreeFile::new(improved.tree.clone(), "best").of_list();
            assert_eq!(crate::verify_list(&file, &listed).unwrap().total, improved.total);
            (exact.tree, improved.tree)
        })
    };
    assert_eq!(on_threads(3), on_threads(1));
}

#[test]
fn first_guesses_and_times_of_lists_are_respected() {
    let rules: Rules = "3x5".parse().unwrap();
    let list = SecretList::parse(&rules, "123\n124\n135\n251\n533\n111\n444\n").unwrap();
    let closed = list.clone().with_guesses(&list);
    let code = |text: &str| rules.parse_code(text).unwrap();
    let improve = |list: &SecretList, first: &str, watch| {
        improve_list(list, Some(&code(first)), None, watch, |_| (), |_| ()).map(|report| report.tree.root.guess)
    };
    assert_eq!(improve(&list, "222", Watch::default()), Ok(code("222")));
    let unlisted = improve(&closed, "222", Watch::default()).unwrap_err();
    assert_eq!(unlisted.to_string(), "the first guess is not a code of 3x5 that may be guessed");
    let at_once = Watch::new(Some(Duration::ZERO), None);
    assert!(matches!(improve(&closed, "111", at_once), Err(ExactError::Stopped(_))));
    for text in ["333", "444"] {
        let alike = SecretList::parse(&rules, "112\n121\n211\n").unwrap();
        let useless = improve(&alike, text, Watch::default()).unwrap_err();
        assert_eq!(useless.to_string(), "every secret gives the same answer to the first guess");
        let options = Options { secrets: Some(Arc::new(alike)), first_guess: Some(code(text)), ..Options::default() };
        assert_eq!(solve(&rules, &options, Watch::default(), |_| ()), Err(useless));
    }
    assert_ne!(list_checksum(&list), list_checksum(&closed));
}

#[test]
fn four_cells_six_colors() {
    assert_eq!(report("4x6", &Options::default()).total, 5625);
    assert_eq!(report("4x6", &Options { max_depth: Some(5), ..Options::default() }).total, 5626);
    assert_eq!(report("4x6", &Options { consistent_only: true, ..Options::default() }).total, 5660);
    let shallow = report("4x6", &with_objective(Objective::WorstThenMean));
    assert_eq!((shallow.depth, shallow.total), (5, 5626));
    let short = report("4x6", &with_objective(Objective::MeanThenWorst));
    assert_eq!((short.total, short.depth), (5625, 6));
    assert_eq!(report("4x6", &with_objective(Objective::Worst)).depth, 5);
    for (after, codes) in [(4, 533), (5, 1)] {
        let stats = report("4x6", &Options { fewest_after: Some(after), ..Options::default() }).tree.stats();
        let later: u64 = stats.histogram.iter().skip(after as usize).sum();
        assert_eq!((stats.total, later), (5625, codes));
    }
}

/// Returns the fewest codes that take more than `left` guesses in a tree of least total, by trying all trees.
fn naive_fewest(naive: &mut NaiveSolver, set: &[usize], left: u32) -> usize {
    if left == 0 {
        return set.len();
    }
    let total = naive.total(set, UNLIMITED).unwrap();
    let guesses = 0..naive.codes.len();
    let best: Vec<usize> = guesses.filter(|&guess| naive.after(guess, set, UNLIMITED) == Some(total)).collect();
    let counts = best.into_iter().map(|guess| {
        let mut parts: std::collections::BTreeMap<pegwise_game::Feedback, Vec<usize>> = Default::default();
        for &code in set.iter().filter(|&&code| code != guess) {
            parts.entry(naive.answers[guess][code].clone()).or_default().push(code);
        }
        parts.values().map(|part| naive_fewest(naive, part, left - 1)).sum()
    });
    counts.min().unwrap()
}

#[test]
fn the_fewest_codes_that_take_many_guesses_agree_with_all_trees() {
    for text in ["2x3", "2x5", "3x2", "2x4:no-repeats", "3x3:no-repeats", "2x4:black-only", "2x3:higher-lower", "3x3"] {
        let rules: Rules = text.parse().unwrap();
        let mut naive = NaiveSolver::new(&rules, false);
        let all: Vec<usize> = (0..naive.codes.len()).collect();
        for after in 0..4 {
            let found = report(text, &Options { fewest_after: Some(after), ..Options::default() });
            let histogram = found.tree.stats().histogram;
            let codes: u64 = histogram.iter().skip(after as usize).sum();
            assert_eq!(codes, naive_fewest(&mut naive, &all, after) as u64, "{text} after {after}");
            assert_eq!(found.total, report(text, &Options::default()).total, "{text}");
        }
    }
}

#[test]
fn the_fewest_codes_are_those_of_trees_with_the_first_guess() {
    let rules: Rules = "3x3".parse().unwrap();
    for first in ["111", "112", "123"].map(|text| rules.parse_code(text).unwrap()) {
        let with = |fewest_after| Options { fewest_after, first_guess: Some(first.clone()), ..Options::default() };
        let total = report("3x3", &with(None)).total;
        for after in 0..5 {
            let found = report("3x3", &with(Some(after)));
            assert_eq!((&found.tree.root.guess, found.total, found.proven), (&first, total, true), "{after}");
        }
    }
}

#[test]
fn the_first_guess_can_be_set() {
    let rules: Rules = "4x6".parse().unwrap();
    let guess = rules.parse_code("1111").unwrap();
    let forced = report("4x6", &Options { first_guess: Some(guess.clone()), ..Options::default() });
    assert_eq!(forced.tree.root.guess, guess);
    assert!(forced.total > 5625);
    let foreign = Options { first_guess: Some(Code::from_indices([7u16; 4])), ..Options::default() };
    let error = solve(&rules, &foreign, Watch::default(), |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the first guess is not a code of 4x6 that may be guessed");
}

#[test]
fn without_repeats() {
    assert_eq!(report("4x6:no-repeats", &Options::default()).total, 1446);
    assert_eq!(report("4x7:no-repeats", &Options::default()).total, 3639);
}

#[test]
fn a_small_cache_finds_the_same_total() {
    assert_eq!(report("4x6", &Options { cache_bytes: 1 << 16, ..Options::default() }).total, 5625);
}

#[test]
fn boards_without_packed_marks_are_searched_too() {
    for (rules, most) in [("grid:2x2x3", 4), ("2x5:distance", 5)] {
        assert!(report(rules, &Options::default()).depth <= most, "{rules}");
    }
}

/// Reddi's distance game takes two questions, or three for one code in five; the city-block distance is much less
/// informative.
#[test]
fn distances_at_four_pegs_and_six_colors() {
    let histogram = |rules: &str| {
        let report = report(rules, &Options::default());
        assert!(report.proven, "{rules}");
        (report.total, report.tree.stats().histogram)
    };
    assert_eq!(histogram("4x6:distance"), (4125, vec![1, 9, 1038, 248]));
    assert_eq!(histogram("4x6:city-block"), (5684, vec![1, 2, 118, 550, 625]));
}

/// Returns the report of a search on `threads` threads.
fn on_threads(threads: usize, rules: &str, options: &Options) -> Report {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| report(rules, options))
}

#[test]
fn totals_and_trees_are_the_same_with_any_number_of_threads() {
    let worst = with_objective(Objective::WorstThenMean);
    let consistent = Options { consistent_only: true, ..Options::default() };
    let small_cache = Options { cache_bytes: 1 << 14, ..Options::default() };
    let plain = Options::default();
    for (rules, options) in [
        ("3x5", &plain),
        ("4x5", &plain),
        ("4x6", &plain),
        ("4x6", &worst),
        ("4x6", &consistent),
        ("4x5", &small_cache),
        ("4x7:no-repeats", &plain),
        ("5x6:no-repeats", &plain),
        ("4x4:black-only", &plain),
        ("4x4:higher-lower", &plain),
    ] {
        let alone = on_threads(1, rules, options);
        for threads in 2..=3 {
            let solve_in_parallel = on_threads(threads, rules, options);
            assert!(solve_in_parallel.nodes > 0);
            assert_eq!(Report { nodes: alone.nodes, ..solve_in_parallel }, alone, "{rules} on {threads} threads");
        }
    }
}

#[test]
fn spaces_that_do_not_fit_are_refused() {
    let error = |rules: &str| {
        solve(&rules.parse().unwrap(), &Options::default(), Watch::default(), |_| ()).unwrap_err().to_string()
    };
    assert_eq!(error("5x9"), "59049 codes are too many for an exact search; the maximum is 32768");
}

#[test]
fn a_known_tree_is_the_worst_answer() {
    let rules: Rules = "3x5".parse().unwrap();
    let plain = report("3x5", &Options::default());
    let start = crate::samples::tree("3x5", "knuth");
    assert!(start.stats().total > plain.total, "there is something to gain");
    for anytime in [false, true] {
        let options = Options { start: Some(start.clone()), anytime, ..Options::default() };
        let better = report("3x5", &options);
        assert_eq!((better.total, better.proven, better.lower_bound), (plain.total, true, plain.total));
        // An optimal tree is returned unchanged, with its proof.
        let options = Options { start: Some(plain.tree.clone()), ..options };
        let same = report("3x5", &options);
        assert_eq!((&same.tree, same.proven, same.lower_bound), (&plain.tree, true, plain.total));
        // Stopped at once, it returns the known tree or a better one.
        let stopped = solve(&rules, &options, Watch::new(Some(Duration::ZERO), None), |_| ()).unwrap();
        assert!(stopped.total <= plain.total && stopped.lower_bound <= plain.total);
        // A tree that begins with another guess is not used.
        let first_guess = Some(rules.parse_code("111").unwrap());
        let other = report("3x5", &Options { first_guess: first_guess.clone(), ..options });
        assert_eq!(Some(&other.tree.root.guess), first_guess.as_ref());
    }
}

#[test]
fn a_known_tree_is_returned_without_time_to_prepare() {
    let known = crate::TreeFile::read(&include_bytes!("../../../solve/records/4x9.tree")[..]).unwrap().tree;
    let options = Options { start: Some(known.clone()), ..Options::default() };
    let at_once = || Watch::new(Some(Duration::ZERO), None);
    let report = solve(&known.rules, &options, at_once(), |_| ()).unwrap();
    assert_eq!((report.total, report.depth, report.proven, report.tree == known), (34666, 8, false, true));
    assert_eq!(report.lower_bound, 2 * 6561 - 1);
    // The known tree is not returned if another first guess is requested.
    let first_guess = Some(known.rules.parse_code("1111").unwrap());
    let error = solve(&known.rules, &Options { first_guess, ..options }, at_once(), |_| ()).unwrap_err();
    assert!(matches!(error, ExactError::Stopped(_)), "{error}");
}

#[test]
fn bounds_that_rise_evenly_end_at_the_same_total() {
    for rules in ["3x4", "4x4", "4x4:no-repeats", "3x5:black-only", "2x6:higher-lower"] {
        let plain = report(rules, &Options::default());
        let anytime = report(rules, &Options { anytime: true, ..Options::default() });
        assert_eq!((anytime.total, anytime.proven), (plain.total, true), "{rules}");
    }
}

/// Returns the parts of a suboptimal tree after one and after two turns.
fn parts(tree: &Tree) -> Vec<Tree> {
    let turn = |node: &pegwise_search::tree::Node, at: usize| pegwise_game::Turn {
        guess: node.guess.clone(),
        feedback: node.branches[at].feedback.clone(),
    };
    let mut parts = Vec::new();
    for at in 0..tree.root.branches.len() {
        let first = turn(&tree.root, at);
        let below = &tree.root.branches[at].node;
        parts.push(tree.part(std::slice::from_ref(&first)).unwrap());
        for next in 0..below.branches.len() {
            parts.push(tree.part(&[first.clone(), turn(below, next)]).unwrap());
        }
    }
    parts
}

#[test]
fn parts_agree_with_a_search_without_bounds() {
    for text in ["3x4", "4x3", "3x4:no-repeats", "3x4:black-only", "3x4:higher-lower"] {
        let tree = crate::samples::tree(text, "shapiro(order=numeric)");
        let mut naive = NaiveSolver::new(&tree.rules, false);
        let mut better = 0;
        for part in parts(&tree) {
            let place = part.place();
            let fits = |&code: &usize| {
                place.turns().iter().all(|turn| feedback(&tree.rules, &turn.guess, &naive.codes[code]) == turn.feedback)
            };
            let set: Vec<usize> = (0..naive.codes.len()).filter(fits).collect();
            let least = naive.total(&set, u32::MAX).unwrap() as u64 + (place.turns().len() * set.len()) as u64;
            let report = solve_part(&part, 1 << 20, Watch::default(), |_| ()).unwrap();
            assert_eq!((report.proven, report.total, report.lower_bound), (true, least, least), "{text} {place}");
            assert_eq!(report.tree.place(), place, "{text}");
            let file = crate::TreeFile::new(report.tree, "exact");
            assert_eq!(crate::verify_part(&file).unwrap().total, least, "{text} {place}");
            better += usize::from(least < part.stats().total);
        }
        assert!(better > 0, "{text}: the tree was the best already");
    }
}

#[test]
fn the_tree_of_a_part_is_the_same_with_any_number_of_threads() {
    let part = parts(&crate::samples::tree("4x5", "knuth")).into_iter().max_by_key(|part| part.stats().codes).unwrap();
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve_part(&part, 1 << 20, Watch::default(), |_| ()).unwrap())
    };
    let alone = with_threads(1);
    assert!(alone.proven);
    assert_eq!(Report { nodes: alone.nodes, ..with_threads(3) }, alone);
}

#[test]
fn a_part_is_returned_without_time() {
    let part = parts(&crate::samples::tree("5x5", "knuth")).into_iter().max_by_key(|part| part.stats().codes).unwrap();
    match solve_part(&part, 1 << 20, Watch::new(Some(Duration::ZERO), None), |_| ()) {
        Ok(report) => {
            assert!(report.lower_bound <= report.total && report.total <= part.stats().total);
            assert_eq!(report.proven, report.lower_bound == report.total);
        }
        Err(error) => assert!(matches!(error, ExactError::Stopped(_)), "{error}"),
    }
    let mut wrong = part.clone();
    wrong.root.branches[0].node.branches.pop();
    let error = solve_part(&wrong, 1 << 20, Watch::default(), |_| ()).unwrap_err();
    assert_eq!(error, ExactError::WrongPart { rules: "5x5".into() });
}

#[test]
fn position_values_agree_with_a_search_without_bounds() {
    for text in ["3x3", "2x4", "3x4:no-repeats", "2x4:higher-lower", "grid:2x2x2"] {
        let rules: Rules = text.parse().unwrap();
        let solver = ExactSolver::new(&rules, Watch::default()).unwrap();
        let mut values = solver.position_values();
        let mut naive = NaiveSolver::new(&rules, false);
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            let (first, secret) = (rng.index(naive.codes.len()), rng.index(naive.codes.len()));
            let answers = &naive.answers[first];
            let set: Vec<usize> = (0..answers.len()).filter(|&code| answers[code] == answers[secret]).collect();
            let codes: Vec<Code> = set.iter().map(|&code| naive.codes[code].clone()).collect();
            let table = Table::from_codes(&rules, &codes).unwrap();
            let position = Position { codes: &table, guesses: &[naive.codes[first].clone()] };
            let least = naive.total(&set, UNLIMITED).map(u64::from);
            assert_eq!(values.least(position, Watch::default()), least, "{text}");
            let best = values.best(position, Watch::default()).unwrap();
            assert_eq!(values.after(position, &best, Watch::default()), least, "{text}");
            let guess = rng.index(naive.codes.len());
            if let Some(after) = naive.after(guess, &set, UNLIMITED) {
                let found = values.after(position, &naive.codes[guess], Watch::default());
                assert_eq!(found, Some(after.into()), "{text}");
            }
        }
    }
}
