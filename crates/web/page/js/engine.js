// The engine behind the page, and the only file that knows where it is: over HTTP, or in a worker of the page itself. Both are
// asked the same, and answer the same to the same seed.

import * as http from "./engine/http.js";
import { KNOWN } from "./engine/known.js";
import { WHERE } from "./engine/where.js";
import * as workers from "./engine/workers.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Turn} Turn */
/** @typedef {import("./types.js").Watcher} Watcher */

const transport = WHERE === "worker" ? workers : http;
const { ask, get } = transport;

/** Rules that need not be asked about, so that a board is there before the engine is. @type {Record<string, Rules>} */
const known = KNOWN;

/** What rules mean. @param {string} rules @param {AbortSignal} [signal] @returns {Promise<Rules>} */
export async function describe(rules, signal) {
  return (known[rules] ??= await ask("rules", { rules }, { signal }));
}

/** Every kind of feedback that a game may have. @returns {Promise<string[]>} */
export const feedbackKinds = async () => (await ask("rules", { rules: "1x2" })).feedback_kinds;

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

/** A plot of the report, as SVG. */
export const { figure } = transport;

/** What was measured of every strategy, as it is kept with the page. @param {AbortSignal} [signal] @returns {Promise<{games: number, seed: number, rows: {rules: string, strategy: string, games: number, solved: number, mean: number, margin: number | null, worst: number, seconds: number}[]}>} */
export const results = async (signal) => (await fetch("results.json", { signal })).json();

/** Stops a job, which then answers with the best it has, or not at all. */
export const { stop } = transport;

/** The rules and the strategy that there are, where there are no others: in a page with one tree. @type {{rules: string, strategy: string} | null} */
export const only = /** @type {any} */ (transport).only ?? null;

/** Whether there is a server, with a store and many games at once. */
export const hasServer = WHERE === "http";
