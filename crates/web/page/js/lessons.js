// Lessons: positions drawn by seed, so that each can be practiced again. The engine computes the right answers.

/** Answers of the engine that lessons are drawn with. @typedef {{score: (guess: number[], secret: number[]) => Promise<Mark[]>, left: (turns: Turn[]) => Promise<number[][]>, expected: (turns: Turn[], guess: number[]) => Promise<number>}} Ask */
/** @typedef {{kind: "feedback", guess: number[], secret: number[]}} Reading */
/** Codes to choose from: all that are possible, or the best guess. @typedef {{kind: "fit" | "pick", turns: Turn[], codes: number[][]}} Choosing */

export const RULES = "4x6";
const [CELLS, COLORS] = [4, 6];

/** Returns random numbers below a limit, for a seed (mulberry32). @param {number} seed */
function dice(seed) {
  return (/** @type {number} */ limit) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** @typedef {ReturnType<typeof dice>} Dice */

/** @template T @param {Dice} die @param {T[]} items */
function shuffled(die, items) {
  const left = [...items];
  return items.map(() => left.splice(die(left.length), 1)[0]);
}

/** @param {Dice} die */
const anyCode = (die) => Array.from({ length: CELLS }, () => 1 + die(COLORS));

/** Renames the colors and the cells of codes. @param {Dice} die */
function renaming(die) {
  const colors = shuffled(die, [1, 2, 3, 4, 5, 6]);
  const cells = shuffled(die, [0, 1, 2, 3]);
  return (/** @type {number[]} */ code) => cells.map((cell) => colors[code[cell] - 1]);
}

/** Draws until `good` accepts. @template T @param {() => Promise<T> | T} draw @param {(drawn: T) => boolean} good */
async function until(draw, good) {
  for (;;) {
    const drawn = await draw();
    if (good(drawn)) return drawn;
  }
}

/** Draws turns of one game whose answers have one to three pegs. @param {Dice} die @param {Ask} ask @param {number} count */
function drawTurns(die, ask, count) {
  return until(async () => {
    const secret = anyCode(die);
    const guesses = Array.from({ length: count }, () => anyCode(die));
    return Promise.all(guesses.map(async (guess) => ({ guess, feedback: await ask.score(guess, secret) })));
  }, (turns) => turns.every(({ feedback: [{ black, white }] }) => black + white > 0 && black + white < CELLS));
}

/** Two codes that are possible and two that are not. @param {Dice} die @param {Ask} ask @param {number} count @returns {Promise<Choosing>} */
async function fitting(die, ask, count) {
  const [turns, left] = await until(
    async () => {
      const drawn = await drawTurns(die, ask, count);
      return /** @type {[Turn[], number[][]]} */ ([drawn, await ask.left(drawn)]);
    },
    ([, codes]) => codes.length > 3,
  );
  const texts = new Set(left.map(String));
  const out = () => until(() => anyCode(die), (code) => !texts.has(String(code)));
  const wrong = await out();
  const other = await until(out, (code) => String(code) !== String(wrong));
  return { kind: "fit", turns, codes: shuffled(die, [...shuffled(die, left).slice(0, 2), wrong, other]) };
}

/** @type {Record<string, (die: Dice, ask: Ask) => Promise<Reading | Choosing> | Reading | Choosing>} */
const DRAW = {
  async read(die, ask) {
    const four = () => shuffled(die, [1, 2, 3, 4, 5, 6]).slice(0, CELLS);
    const draw = async () => {
      const [guess, secret] = [four(), four()];
      return { guess, secret, mark: (await ask.score(guess, secret))[0] };
    };
    const { guess, secret } = await until(draw, ({ mark }) => mark.black > 0 && mark.white > 0 && mark.black < CELLS);
    return { kind: "feedback", guess, secret };
  },
  twice(die) {
    const name = renaming(die);
    return { kind: "feedback", guess: name([1, 1, 2, 2]), secret: shuffled(die, name([3, 1, 4 + die(3), 4 + die(3)])) };
  },
  fit: (die, ask) => fitting(die, ask, 1),
  two: (die, ask) => fitting(die, ask, 2),
  async split(die, ask) {
    const turns = await drawTurns(die, ask, 1);
    const codes = [Array(CELLS).fill(1 + die(COLORS)), anyCode(die), anyCode(die)];
    const worth = await Promise.all(codes.map((code) => ask.expected(turns, code)));
    // The best guess must be the only one.
    if (worth.filter((value) => value === Math.min(...worth)).length > 1) return DRAW.split(die, ask);
    return { kind: "pick", turns, codes: shuffled(die, codes) };
  },
  worst(die) {
    const name = renaming(die);
    return { kind: "pick", turns: [], codes: shuffled(die, [[1, 1, 1, 1], [1, 1, 1, 2], [1, 1, 2, 3]].map(name)) };
  },
  probe(die) {
    const name = renaming(die);
    const turns = [[1, 1, 2, 3], [1, 1, 2, 4]].map((guess) => ({ guess: name(guess), feedback: [{ black: 3, white: 0 }] }));
    return { kind: "pick", turns, codes: shuffled(die, [[1, 1, 2, 5], [1, 1, 5, 6], [3, 3, 4, 4]].map(name)) };
  },
};

/** Names of the lessons. */
export const LESSONS = Object.keys(DRAW);

/** Draws the position of a lesson. @param {string} id @param {number} seed @param {Ask} ask */
export const drawLesson = async (id, seed, ask) => DRAW[id](dice(seed), ask);
