// Generated from the OpenAPI document by a test; do not edit.

export interface Analysis {
  /** Total of the guesses lost. */
  lost: number | null;
  lost_interval?: number[];
  lost_is: Certainty;
  luck: number | null;
  luck_interval?: number[];
  luck_is: Certainty;
  others: ReferenceGame[];
  possible: Code[];
  remaining: Count | null;
  remaining_interval?: Count[];
  remaining_is: Certainty;
  rules: Rules;
  secret: Code | null;
  skill: number | null;
  skill_interval?: number[];
  skill_is: Certainty;
  solved: boolean;
  summary: string;
  turns: TurnAnalysis[];
}
export interface BestGuess {
  consistent: boolean;
  /** Expected number of remaining codes. */
  expected: number | null;
  expected_interval?: number[];
  expected_is: Certainty;
  guess: Code;
}
export interface CatalogEntry {
  about: string;
  family: string;
  name: string;
  paper: string;
  parameters: Parameter[];
  /** True if it can play the given rules. */
  playable: boolean | null;
  plays: string;
  published: PublishedRow[];
  title: string;
}
/** Kind of the number beside it: exact, an estimate with a 95 % confidence interval, or an upper bound. Null for an unknown number. */
export type Certainty = "exact" | "estimate" | "bound" | null;
/** Color of each cell, numbered from 1. */
export type Code = number[];
/** A code as a list of colors, or as text such as 1122. */
export type CodeText = Code | string;
export interface Contradiction {
  /** True if nothing is missing. */
  complete: boolean;
  /** Two mistakes, if no single one explains the turns. */
  pairs: RepairPair[];
  /** Single mistakes, most likely first. */
  repairs: Repair[];
  /** Smallest sets of conflicting turns, numbered from 1. */
  turns: number[][];
}
/** A number of codes: text beyond 2^53. */
export type Count = number | string;
export interface Error {
  error: { code: string; hint: string | null; message: string; };
}
export interface Hint {
  alternatives: RatedGuess[];
  /** proven, scored, consistent, planned, or best effort with its reason. */
  basis: string;
  guess: Code;
  /** The consistent codes, if there are at most ten. */
  possible: Code[];
  rated: RatedGuess | null;
  remaining: Count | null;
  remaining_interval?: Count[];
  remaining_is: Certainty;
  why: string;
}
export interface Limits {
  body: number;
  cells: number;
  colors: number;
  connections: number;
  connections_each: number;
  queue: number;
  /** Seconds for the head of a request, and again for its body. */
  sending: number;
  /** Seconds in the queue, and again on a worker. */
  time: number;
  turns: number;
  workers: number;
}
export interface Load {
  waiting: number;
  working: number;
}
/** Feedback of one line, by the kind of feedback. Null for unknown parts. */
export type Mark = { [name: string]: number | null } | ("nothing" | "white" | "black" | null)[];
export interface Measured {
  /** Sources of randomness in the mean number of guesses. */
  basis: string;
  consistent?: Summary;
  examined: Summary;
  failed: number;
  /** Failure reason of the first failed game. */
  failure?: string;
  games: number;
  /** Guesses per solved game. Null if none is solved. */
  guesses: Summary | null;
  lost: number;
  rules: Rules;
  seconds: Summary;
  /** Number of different secrets that were solved. */
  secrets: number;
  solved: number;
  /** Wilson's 95 % confidence interval of the share of games solved. */
  solved_ci95?: number[];
  strategy: Strategy;
  /** Total number of guesses, if nothing is random. */
  total?: number;
}
export interface Parameter {
  about: string;
  default: string;
  /** choice, integer, decimal or code-or, with its values. */
  kind: object;
  name: string;
}
export interface PlayedTurn {
  basis: string;
  before: Count | null;
  /** A mark for each line of the board. */
  feedback: Mark[];
  guess: Code;
}
export interface PublishedRow {
  exhibit: string;
  label: string;
  numbers: string[][];
  paper: string;
  rules: Rules;
  strategy: Strategy;
}
export interface RatedGuess {
  /** Probability that it is the secret. */
  chance: number | null;
  chance_interval?: number[];
  chance_is: Certainty;
  /** True if it can be the secret. */
  consistent: boolean;
  /** Expected number of remaining codes. */
  expected_remaining: number | null;
  expected_remaining_interval?: number[];
  expected_remaining_is: Certainty;
  guess: Code;
  /** Expected guesses lost against the best guess. */
  lost: number | null;
  lost_interval?: number[];
  lost_is: Certainty;
  /** 1 plus the number of significantly better guesses. */
  rank: number;
  score: number | null;
  score_interval?: number[];
  score_is: Certainty;
  /** Unit of the score. */
  unit: string;
}
export interface ReferenceGame {
  guesses: number;
  solved: boolean;
  strategy: string;
  turns: ReferenceTurn[];
}
export interface ReferenceTurn {
  after: Count | null;
  after_interval?: Count[];
  after_is: Certainty;
  /** A mark for each line of the board. */
  feedback: Mark[];
  guess: Code;
}
export interface Repair {
  /** Pegs taken for another kind, a wrong number, black and white swapped, neighboring pegs swapped, a peg of another color, or the answer of another row. */
  kind: "misread" | "number" | "swapped" | "neighbors" | "peg" | "row";
  /** Number of codes consistent with the corrected turns. */
  leaves: Count | null;
  leaves_interval?: Count[];
  leaves_is: Certainty;
  /** Posterior probability among those listed. */
  likelihood: number;
  now: Turn;
  /** The turn, numbered from 1. */
  turn: number;
  was: Turn;
  words: string;
}
export interface RepairPair {
  /** Number of codes consistent with the corrected turns. */
  leaves: Count | null;
  leaves_interval?: Count[];
  leaves_is: Certainty;
  /** Posterior probability among those listed. */
  likelihood: number;
  repairs: Repair[];
}
/** Rules in notation: 4x6, 4x10:no-repeats, 20x20:black-only, grid:4x4x6. */
export type Rules = string;
/** Random seed. */
export type Seed = number;
/** A strategy with its parameters: knuth, entropy(guesses=consistent). */
export type Strategy = string;
export interface Summary {
  ci95: number[] | null;
  max: number;
  mean: number;
  median: number;
  min: number;
  sd: number | null;
}
export interface Turn {
  /** A mark for each line of the board. */
  feedback: Mark[];
  /** The guess; null for unknown pegs. */
  guess: (number | null)[];
}
export interface TurnAnalysis {
  advice: string;
  after: Count | null;
  after_interval?: Count[];
  after_is: Certainty;
  before: Count | null;
  before_interval?: Count[];
  before_is: Certainty;
  best: BestGuess | null;
  consistent: boolean | null;
  exact: boolean;
  /** Expected number of remaining codes. */
  expected: number | null;
  expected_interval?: number[];
  expected_is: Certainty;
  /** A mark for each line of the board. */
  feedback: Mark[];
  /** The guess; null for unknown pegs. */
  guess: (number | null)[];
  /** Expected guesses lost against the best guess. */
  lost: number | null;
  lost_interval?: number[];
  lost_is: Certainty;
  /** 0 to 100: luck of the answer; 50 is average. */
  luck: number | null;
  luck_interval?: number[];
  luck_is: Certainty;
  /** 0 to 100: expected guesses of the best guess relative to this one. */
  skill: number | null;
  skill_interval?: number[];
  skill_is: Certainty;
}
/** A turn, or text such as 1122=1,0, with ? for unknown parts. */
export type TurnText = Turn | string;
export type Turns = TurnText[];
export interface RulesQuestion {
  rules: Rules;
}
export interface SecretQuestion {
  /** Include the code in the answer. */
  reveal?: boolean;
  rules: Rules;
  sealed?: string | null;
  secret?: CodeText;
  seed?: Seed | null;
}
export interface FeedbackQuestion {
  guess: CodeText;
  rules: Rules;
  sealed?: string | null;
  secret?: CodeText;
}
export interface HintQuestion {
  /** Number of next best guesses to return, at most 100. */
  alternatives?: number | null;
  /** Further codes that may be guessed; any code, if omitted. */
  guesses?: CodeText[] | null;
  rules: Rules;
  /** Thinking time, for strategies that can use more. */
  seconds?: number | null;
  /** Possible secrets, if they are listed; the turns must then be complete. */
  secrets?: CodeText[] | null;
  seed?: Seed | null;
  strategy?: Strategy | null;
  turns?: Turns;
}
export interface RemainingQuestion {
  /** List the codes if there are at most this many; at most 4096. */
  list?: number | null;
  rules: Rules;
  /** Possible secrets, if they are listed. */
  secrets?: CodeText[] | null;
  turns?: Turns;
}
export interface SplitQuestion {
  guess: CodeText;
  rules: Rules;
  /** Possible secrets, if they are listed. */
  secrets?: CodeText[] | null;
  turns?: Turns;
}
export interface MendQuestion {
  rules: Rules;
  turns?: Turns;
}
export interface AnalyzeQuestion {
  /** Further codes that may be guessed; any code, if omitted. */
  guesses?: CodeText[] | null;
  rules: Rules;
  secret?: CodeText;
  /** Possible secrets, if they are listed. */
  secrets?: CodeText[] | null;
  turns: Turns;
}
export interface WatchQuestion {
  rules: Rules;
  sealed?: string | null;
  secret?: CodeText;
  seed?: Seed | null;
  strategy?: Strategy | null;
}
export interface StrategiesQuestion {
  rules?: Rules;
}
export interface Questions {
  rules: RulesQuestion;
  secret: SecretQuestion;
  feedback: FeedbackQuestion;
  hint: HintQuestion;
  remaining: RemainingQuestion;
  split: SplitQuestion;
  mend: MendQuestion;
  analyze: AnalyzeQuestion;
  watch: WatchQuestion;
  strategies: StrategiesQuestion;
}
export interface RulesAnswer {
  cells: number;
  codes: Count;
  colors: number;
  /** Base-10 logarithm of the number of codes. */
  digits: number;
  feedback: "black-white" | "black-only" | "color-only" | "per-cell" | "higher-lower" | "distance" | "city-block";
  /** Every kind of feedback. */
  feedback_kinds: string[];
  /** True if the ten colors are written as digits, 0 for the tenth. */
  in_digits: boolean;
  /** Cells of each line, numbered from 1. */
  lines: number[][];
  max_guesses: number | null;
  /** Names of the numbers of a mark, in written order. */
  number_names: string[];
  /** The same for people, such as bulls and cows. */
  number_words: string[];
  repeats: boolean;
  rules: Rules;
  shape: "row" | "grid" | "triangle" | "cube" | "ring" | "lines";
  sides: number[];
  /** The winning feedback. */
  winning: Mark[];
}
export interface SecretAnswer {
  rules: Rules;
  sealed: string;
  secret: Code | null;
}
export interface FeedbackAnswer {
  /** A mark for each line of the board. */
  feedback: Mark[];
  solved: boolean;
}
export interface HintAnswer {
  /** Null if some code is consistent. */
  contradiction: Contradiction | null;
  examined: number;
  hint: Hint | null;
  scored: number;
  seconds: number;
  /** True if the last turn found the code. */
  solved: boolean;
}
export interface RemainingAnswer {
  codes: Code[];
  /** Base-10 logarithm. */
  digits: number | null;
  remaining: Count | null;
  remaining_interval?: Count[];
  remaining_is: Certainty;
}
export interface SplitAnswer {
  /** True if the guess is consistent. */
  consistent: boolean | null;
  /** Expected number of remaining codes. */
  expected: number | null;
  /** Index of the part of each code, in the order in which the codes are listed. */
  part_of: number[];
  /** The parts, largest first; empty if the codes cannot be listed. */
  parts: { codes: number; feedback: Mark[]; }[];
}
export interface MendAnswer {
  /** Null if some code is consistent. */
  contradiction: Contradiction | null;
}
export interface AnalyzeAnswer {
  analysis: Analysis | null;
  /** Null if some code is consistent. */
  contradiction: Contradiction | null;
}
export interface WatchAnswer {
  examined: number;
  outcome: "solved" | "out-of-guesses" | "abandoned";
  rules: Rules;
  scored: number;
  seconds: number;
  secret: Code;
  strategy: Strategy;
  turns: PlayedTurn[];
}
export interface StrategiesAnswer {
  rules: Rules | null;
  strategies: CatalogEntry[];
}
export interface Answers {
  rules: RulesAnswer;
  secret: SecretAnswer;
  feedback: FeedbackAnswer;
  hint: HintAnswer;
  remaining: RemainingAnswer;
  split: SplitAnswer;
  mend: MendAnswer;
  analyze: AnalyzeAnswer;
  watch: WatchAnswer;
  strategies: StrategiesAnswer;
}
