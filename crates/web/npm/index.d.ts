// Types of the engine. Those of questions and answers are generated from the description of the HTTP API.

import type { Answers, AnalyzeQuestion, AnalyzeAnswer, FeedbackQuestion, FeedbackAnswer, HintQuestion, HintAnswer, Questions, RemainingQuestion, RemainingAnswer, WatchQuestion, WatchAnswer } from "./types.js";

export * from "./types.js";

/** State of a question that is being answered. */
export interface Progress {
  state: "waiting" | "working";
  seconds: number;
  examined: number;
  nodes: number;
}

export interface Watcher {
  /** Aborting it rejects the question with the reason, and ends its worker. */
  signal?: AbortSignal;
  progress?(progress: Progress): void;
  /** Receives the name of the question for `stop`. */
  job?(name: string): void;
  /** Receives intermediate results, such as the turns of `solve`. */
  line?(line: object): void;
}

/** A refused question, with a short `code` for programs; or `unreachable`, `broken` and `stopped`. */
export class EngineError extends Error {
  constructor(code: string, message: string, hint?: string | null);
  readonly code: string;
  /** Suggested action. */
  readonly hint: string | null;
}

/** Locations of the files; bundlers that move them need to give both. */
export interface Files {
  wasm?: string | URL;
  worker?: string | URL;
}

export interface Engine {
  /** Compiles the engine, unless it is compiled. */
  ready(): Promise<this>;
  /** Returns the next guess, at any position, by any strategy. */
  hint(question: HintQuestion, watcher?: Watcher): Promise<HintAnswer>;
  /** Rates every guess of a game. */
  analyze(question: AnalyzeQuestion, watcher?: Watcher): Promise<AnalyzeAnswer>;
  /** Counts the consistent codes, and lists them if there are at most `list`. */
  remaining(question: RemainingQuestion, watcher?: Watcher): Promise<RemainingAnswer>;
  /** Plays a game of a strategy against a secret. */
  solve(question: WatchQuestion, watcher?: Watcher): Promise<WatchAnswer>;
  /** Returns the feedback of a guess. */
  score(question: FeedbackQuestion, watcher?: Watcher): Promise<FeedbackAnswer>;
  /** Asks any question of the HTTP API that needs no server. */
  ask<Name extends keyof Questions>(name: Name, question: Questions[Name], watcher?: Watcher): Promise<Answers[Name]>;
  /** Rejects a question with `stopped`, and ends its worker. */
  stop(job: string): void;
  /** Rejects all questions, and ends the workers; the next question starts them again. */
  close(): void;
}

/** Returns an engine that is loaded. */
export function load(files?: Files): Promise<Engine>;
/** Returns an engine that is loaded at its first question. */
export function connect(files?: Files): Engine;
