//! The genetic algorithm that Temporel and Kovacs propose in section 6: populations of induced codes are mixed.
//!
//! Each guess whose answer has pegs has a population of codes induced from it as by `shc`, with the color pool of weight 45.
//! A child takes its parents from two populations at random (which may be the same), each by a tournament of two for the
//! smaller distance to the history. It gets the cells between two cuts from the second parent, and with a probability of one
//! quarter a random color in one cell. It replaces the loser of the first tournament unless its distance is larger. After
//! some generations all codes are induced again. The first consistent code is played.
//!
//! The paper leaves sizes, operators and rates open; those here are the defaults of this program.
//!
//! # References
//! A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UK Workshop on Computational
//! Intelligence, 189-196, 2003.

use pegwise_game::{Code, Color, History, Rules, Turn};

use super::climb::{ColorPool, HillClimb, Inducer, Score};
use super::shc::{DEFAULT_PENALTY, allow_colors};
use pegwise_search::candidates::TurnSet;
use pegwise_search::{Arguments, Built, Proposal, Proposed, Rng, Search, Strategy, Watch};

struct GeneticClimber {
    first: Option<Code>,
    population: usize,
    /// Number of children per code before all codes are induced again.
    generations: usize,
    climb: HillClimb,
    inducer: Inducer,
    pool: ColorPool,
    allowed: Vec<bool>,
    turns: TurnSet,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    Ok(Box::new(GeneticClimber {
        first: arguments.code("first", rules),
        population: arguments.integer("population") as usize,
        generations: arguments.integer("generations") as usize,
        climb: HillClimb::new(rules, true),
        inducer: Inducer::new(rules.cells()),
        pool: ColorPool::new(rules.colors()),
        allowed: vec![true; usize::from(rules.colors())],
        turns: TurnSet::new(rules),
    }))
}

impl Strategy for GeneticClimber {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if history.is_empty() {
            return Ok(Proposal::opening(self.first.as_ref(), history.rules(), search));
        }
        let Self { population, generations, climb, inducer, pool, allowed, turns, .. } = self;
        allow_colors(history, allowed);
        turns.follow(history);
        let with_pegs = |turn: &&Turn| Score::of(turn).pegs > 0;
        let sources: Vec<&Turn> = history.turns().iter().filter(with_pegs).collect();
        let mut populations = Populations::new(sources.len(), *population);
        let children = *generations * *population * sources.len();
        let found = climb.find(history, search, Watch::default(), inducer, |inducer, rng| {
            if sources.is_empty() {
                inducer.open_all();
                pool.even(allowed);
                return inducer.fill(|_| pool.draw(rng));
            }
            match populations.next_to_fill() {
                Some(number) => {
                    let guess = &sources[number].guess;
                    if !inducer.keep_and_shift(guess, Score::of(sources[number]), false, rng) {
                        return false;
                    }
                    pool.diverse(allowed, inducer.discarded(guess), inducer.inherited(guess), DEFAULT_PENALTY);
                    if !inducer.fill(|_| pool.draw(rng)) {
                        return false;
                    }
                    populations.add(number, inducer.code(), turns.distance(inducer.code()));
                }
                None => {
                    pool.even(allowed);
                    populations.breed(pool, |code| turns.distance(code), rng);
                    inducer.set_code(&populations.child);
                    if populations.children == children {
                        populations.clear();
                    }
                }
            }
            true
        })?;
        Ok(found.unwrap_or_else(|| Proposal::last_resort(history.rules(), None, search)))
    }
}

/// A code and its distance to the history.
type Member = (u32, Vec<Color>);

/// One population for each guess whose answer has pegs.
struct Populations {
    size: usize,
    members: Vec<Vec<Member>>,
    child: Vec<Color>,
    /// Number of children since the codes were induced.
    children: usize,
}

impl Populations {
    fn new(count: usize, size: usize) -> Self {
        Self { size, members: vec![Vec::with_capacity(size); count], child: Vec::new(), children: 0 }
    }

    /// Returns the smallest population that is not full.
    fn next_to_fill(&self) -> Option<usize> {
        let open = (0..self.members.len()).filter(|&number| self.members[number].len() < self.size);
        open.min_by_key(|&number| self.members[number].len())
    }

    fn add(&mut self, number: usize, code: &[Color], distance: u32) {
        self.members[number].push((distance, code.to_vec()));
    }

    /// Creates a child, and adds it to the population of its first parent.
    fn breed(&mut self, pool: &ColorPool, mut distance: impl FnMut(&[Color]) -> u32, rng: &mut Rng) {
        let [one, other] = [rng.index(self.members.len()), rng.index(self.members.len())];
        let (parent, loser) = tournament(&self.members[one], rng);
        let (mate, _) = tournament(&self.members[other], rng);
        self.child.clone_from(&self.members[one][parent].1);
        let cells = self.child.len();
        let [from, to] = [rng.index(cells + 1), rng.index(cells + 1)];
        let cut = from.min(to)..from.max(to);
        self.child[cut.clone()].copy_from_slice(&self.members[other][mate].1[cut]);
        if rng.below(4) == 0
            && let Some(color) = pool.draw(rng)
        {
            self.child[rng.index(cells)] = color;
        }
        let distance = distance(&self.child);
        let replaced = &mut self.members[one][loser];
        if distance <= replaced.0 {
            *replaced = (distance, self.child.clone());
        }
        self.children += 1;
    }

    fn clear(&mut self) {
        self.members.iter_mut().for_each(Vec::clear);
        self.children = 0;
    }
}

/// Draws two different members, and returns the one with the smaller distance and the other.
fn tournament(members: &[Member], rng: &mut Rng) -> (usize, usize) {
    let (one, other) = rng.two_of(members.len());
    if members[other].0 < members[one].0 { (other, one) } else { (one, other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child has each cell from one of its parents or a mutation, replaces a member that is no better, and never one of
    /// a population that it does not come from.
    #[test]
    fn children_mix_two_populations() {
        let rules: Rules = "4x6".parse().unwrap();
        let code = |text: &str| rules.parse_code(text).unwrap();
        let history = History::parse(&rules, ["1122=1,1", "3344=1,0"]).unwrap();
        let naive = |code: &[Color]| {
            let differences = history.turns().iter().map(|turn| {
                let mark = pegwise_game::feedback(&rules, &turn.guess, code).marks()[0];
                mark.residual(turn.feedback.marks()[0]).iter().map(|number| number.unsigned_abs() as u32).sum::<u32>()
            });
            differences.sum::<u32>()
        };
        let mut pool = ColorPool::new(6);
        pool.even(&[true; 6]);
        let mut rng = Rng::new(9);
        let mut mutated = 0;
        for _ in 0..500 {
            let mut populations = Populations::new(2, 2);
            for (number, text) in [(0, "1525"), (1, "3565"), (0, "1151"), (1, "4344")] {
                assert_eq!(populations.next_to_fill(), Some(number));
                populations.add(number, &code(text), naive(&code(text)));
            }
            assert_eq!(populations.next_to_fill(), None);
            let before = populations.members.clone();
            populations.breed(&pool, naive, &mut rng);
            let child = populations.child.clone();
            let inherited = |cell: usize| before.iter().flatten().any(|(_, code)| code[cell] == child[cell]);
            let foreign = (0..4).filter(|&cell| !inherited(cell)).count();
            assert!(foreign <= 1, "{child:?}");
            mutated += foreign;
            let after = populations.members.iter().flatten();
            let changed: Vec<(&Member, &Member)> =
                before.iter().flatten().zip(after).filter(|(was, is)| was != is).collect();
            assert!(changed.len() <= 1);
            for (was, is) in changed {
                assert!(is.0 <= was.0 && is.1 == child && is.0 == naive(&child));
            }
        }
        // A quarter of the children gets a color, and about half of the colors are of no parent.
        assert!((30..120).contains(&mutated), "{mutated}");
    }
}
