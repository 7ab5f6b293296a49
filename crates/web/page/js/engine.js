// Client of the engine. Static sites replace the connection, engine/http.js, by the package @pegwise/engine; both give the same answers
// for the same seed.

import * as transport from "./engine/http.js";
import { KNOWN } from "./engine/known.js";

const { ask, get } = transport;

/** Descriptions that are available before the engine has loaded. @type {Record<string, Rules>} */
const known = KNOWN;

/** Strategy of hints and first lane of races: the default of the API. */
export const DEFAULT_STRATEGY = "adaptive";

/** Describes rules. @param {string} rules @param {AbortSignal} [signal] @returns {Promise<Rules>} */
export async function describe(rules, signal) {
  return (known[rules] ??= await ask("rules", { rules }, { signal }));
}

/** Lists the kinds of feedback. @returns {Promise<string[]>} */
export const feedbackKinds = async () => (await ask("rules", { rules: "1x2" })).feedback_kinds;

/** Draws a sealed secret. @param {string} rules @param {number} seed @returns {Promise<{sealed: string}>} */
export const drawSecret = (rules, seed) => ask("secret", { rules, seed });

/** Seals a secret. @param {string} rules @param {number[]} secret @returns {Promise<{sealed: string}>} */
export const seal = (rules, secret) => ask("secret", { rules, secret });

/** Opens a seal. @param {string} rules @param {string} sealed @returns {Promise<{secret: number[]}>} */
export const reveal = (rules, sealed) => ask("secret", { rules, sealed, reveal: true });

/** Scores a guess against a sealed secret. @param {string} rules @param {number[]} guess @param {string} sealed @returns {Promise<{feedback: Mark[], solved: boolean}>} */
export const score = (rules, guess, sealed) => ask("feedback", { rules, guess, sealed });

/** Scores a guess against an open secret. @param {string} rules @param {number[]} guess @param {number[]} secret @returns {Promise<{feedback: Mark[], solved: boolean}>} */
export const scoreOpen = (rules, guess, secret) => ask("feedback", { rules, guess, secret });

/** Finds the next guess. @param {{rules: string, turns: Turn[], strategy?: string, alternatives?: number}} question @param {Watcher} [watcher] @returns {Promise<HintAnswer>} */
export const hint = (question, watcher) => ask("hint", question, watcher);

/** Counts the consistent codes. @param {{rules: string, turns: Turn[], list?: number}} question @param {AbortSignal} [signal] @returns {Promise<Left>} */
export const remaining = (question, signal) => ask("remaining", question, { signal });

/** Partitions the consistent codes by a guess. @param {{rules: string, turns: Turn[], guess: number[]}} question @param {AbortSignal} [signal] @returns {Promise<Split>} */
export const split = (question, signal) => ask("split", question, { signal });

/** Rates a game. @param {{rules: string, turns: Turn[], secret?: number[]}} question @param {Watcher} [watcher] @returns {Promise<any>} */
export const analyze = (question, watcher) => ask("analyze", question, watcher);

/** Plays a game with a strategy. @param {{rules: string, strategy: string, sealed: string, seed: number}} question @param {Watcher} watcher @returns {Promise<any>} */
export const watch = (question, watcher) => ask("watch", question, watcher);

/** Measures a strategy over many games. @param {{rules: string, strategy: string, games: number, seed: number}} question @param {Watcher} watcher @returns {Promise<any>} */
export const measure = (question, watcher) => ask("measure", question, watcher);

/** Lists the strategies. @param {string} [rules] @param {AbortSignal} [signal] @returns {Promise<{strategies: any[]}>} */
export const strategies = (rules, signal) =>
  get(rules ? `strategies?rules=${encodeURIComponent(rules)}` : "strategies", signal);

/** Returns the report of the store. @param {AbortSignal} [signal] @returns {Promise<any>} */
export const lab = (signal) => get("lab", signal);

/** Returns a plot of the report as SVG. */
export const { figure } = transport;

/** Returns the measurements shipped with the page. @param {AbortSignal} [signal] @returns {Promise<{games: number, seed: number, rows: {rules: string, strategy: string, games: number, solved: number, mean: number, margin: number | null, worst: number, seconds: number}[]}>} */
export const results = async (signal) => (await fetch("results.json", { signal })).json();

/** Stops a job; the server then answers with the best result so far. */
export const { stop } = transport;

export const { only, hasServer } = transport;
