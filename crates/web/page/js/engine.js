// The engine behind the page, and the only file that knows where it is: over HTTP here. A page without a server brings
// another file with the same functions.

import { words } from "./words.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Turn} Turn */
/** @typedef {import("./types.js").Watcher} Watcher */

const BASE = "api/v1/";
const TRIES = 4;

/** What the engine could not do. */
export class EngineError extends Error {
  /** @param {string} code @param {string} message @param {string | null} hint */
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function reach(path, options) {
  for (let tried = 1; ; tried += 1) {
    let response;
    try {
      response = await fetch(BASE + path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new EngineError("unreachable", words.engine.unreachable, words.engine.unreachableHint);
    }
    if (response.status !== 503 || tried === TRIES) return response;
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds * tried));
    options.signal?.throwIfAborted();
  }
}

/** @param {any} value */
function checked(value) {
  if (value?.error) throw new EngineError(value.error.code, value.error.message, value.error.hint ?? null);
  return value;
}

/** @param {string} path @param {AbortSignal} [signal] */
async function get(path, signal) {
  const response = await reach(path, { signal });
  return checked(await response.json());
}

/**
 * Asks, and tells the watcher how it gets on.
 * @param {string} path @param {object} question @param {Watcher} [watcher]
 */
async function ask(path, question, watcher = {}) {
  const by_line = Boolean(watcher.progress || watcher.line);
  const headers = { "content-type": "application/json", accept: by_line ? "application/x-ndjson" : "application/json" };
  const response = await reach(path, {
    method: "POST",
    headers,
    body: JSON.stringify(question),
    signal: watcher.signal,
  });
  if (!by_line || !response.ok || !response.body) return checked(await response.json());
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new EngineError("broken", words.engine.broken, null);
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((text) => checked(JSON.parse(text)))) {
      if ("answer" in line) return line.answer;
      if (line.job) watcher.job?.(line.job);
      else if (line.progress) watcher.progress?.(line.progress);
      else watcher.line?.(line);
    }
  }
}

/** What rules mean. @param {string} rules @param {AbortSignal} [signal] @returns {Promise<Rules>} */
export const describe = (rules, signal) => ask("rules", { rules }, { signal });

/** Draws a secret, sealed. @param {string} rules @param {number} seed @returns {Promise<{sealed: string}>} */
export const deal = (rules, seed) => ask("secret", { rules, seed });

/** Seals a secret. @param {string} rules @param {number[]} secret @returns {Promise<{sealed: string}>} */
export const seal = (rules, secret) => ask("secret", { rules, secret });

/** Opens a seal. @param {string} rules @param {string} sealed @returns {Promise<{secret: number[]}>} */
export const reveal = (rules, sealed) => ask("secret", { rules, sealed, reveal: true });

/** What a guess is answered. @param {string} rules @param {number[]} guess @param {string} sealed @returns {Promise<{feedback: import("./types.js").Mark[], solved: boolean}>} */
export const judge = (rules, guess, sealed) => ask("feedback", { rules, guess, sealed });

/** What a guess is answered to an open code. @param {string} rules @param {number[]} guess @param {number[]} secret @returns {Promise<{feedback: import("./types.js").Mark[], solved: boolean}>} */
export const judgeOpen = (rules, guess, secret) => ask("feedback", { rules, guess, secret });

/** The next guess. @param {{rules: string, turns: Turn[], strategy?: string, alternatives?: number}} question @param {Watcher} [watcher] @returns {Promise<import("./types.js").HintAnswer>} */
export const hint = (question, watcher) => ask("hint", question, watcher);

/** How many codes fit. @param {{rules: string, turns: Turn[], list?: number}} question @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Left>} */
export const remaining = (question, signal) => ask("remaining", question, { signal });

/** How a guess would split the codes that fit. @param {{rules: string, turns: Turn[], guess: number[]}} question @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Split>} */
export const split = (question, signal) => ask("split", question, { signal });

/** What is wrong with turns that no code fits. @param {{rules: string, turns: Turn[]}} question @param {Watcher} [watcher] @returns {Promise<{contradiction: import("./types.js").Contradiction | null}>} */
export const mend = (question, watcher) => ask("mend", question, watcher);

/** How well a game was played. @param {{rules: string, turns: Turn[], secret?: number[]}} question @param {Watcher} [watcher] @returns {Promise<any>} */
export const analyze = (question, watcher) => ask("analyze", question, watcher);

/** A strategy's game. @param {{rules: string, strategy: string, sealed: string, seed: number}} question @param {Watcher} watcher @returns {Promise<any>} */
export const watch = (question, watcher) => ask("watch", question, watcher);

/** Many games of a strategy. @param {{rules: string, strategy: string, games: number, seed: number}} question @param {Watcher} watcher @returns {Promise<any>} */
export const measure = (question, watcher) => ask("measure", question, watcher);

/** The catalog. @param {string} [rules] @param {AbortSignal} [signal] @returns {Promise<{strategies: any[]}>} */
export const strategies = (rules, signal) =>
  get(rules ? `strategies?rules=${encodeURIComponent(rules)}` : "strategies", signal);

/** The report of the store. @param {AbortSignal} [signal] @returns {Promise<any>} */
export const lab = (signal) => get("lab", signal);

/** A plot of the report, as SVG. @param {string} name @param {AbortSignal} [signal] */
export async function figure(name, signal) {
  const response = await reach(`lab/figures/${encodeURIComponent(name)}.svg`, { signal });
  if (!response.ok) return checked(await response.json());
  return response.text();
}

/** What was measured of every strategy, as it is kept with the page. @param {AbortSignal} [signal] @returns {Promise<{games: number, seed: number, rows: {rules: string, strategy: string, games: number, solved: number, mean: number, margin: number | null, worst: number, seconds: number}[]}>} */
export const results = async (signal) => (await fetch("results.json", { signal })).json();

/** Stops a job, which then answers with the best it has. @param {string} job */
export const stop = (job) => fetch(`${BASE}jobs/${job}`, { method: "DELETE" });
