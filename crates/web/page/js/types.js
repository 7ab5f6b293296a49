// Types of the messages between engine and page. Not a module, so that every file knows them.

/**
 * @typedef {object} Rules
 * @property {string} rules
 * @property {"row" | "grid" | "triangle" | "cube" | "ring" | "lines"} shape
 * @property {number[]} sides
 * @property {number} cells
 * @property {number} colors
 * @property {boolean} repeats
 * @property {string} feedback
 * @property {number | null} max_guesses
 * @property {number[][]} lines
 * @property {number | string} codes
 * @property {number} digits
 * @property {Mark[]} winning
 * @property {string[]} number_names
 * @property {string[]} number_words
 * @property {boolean} in_digits
 */

/** Numbers by name, or one word per cell for per-cell feedback; null is forgotten. @typedef {Record<string, any>} Mark */
/** @typedef {{guess: (number | null)[], feedback: Mark[]}} Turn */
/** @typedef {{guess: number[], consistent: boolean, score: number, unit: string, expected_remaining: number, lost: number, lost_is?: string}} Alternative */
/** @typedef {{guess: number[], basis: string, remaining: number | string | null, rated: Alternative | null, alternatives: Alternative[], why: string}} Hint */
/** Consistent codes. @typedef {{remaining: number | string | null, digits: number | null, codes: number[][], remaining_is?: string}} Left */
/** @typedef {{parts: {feedback: Mark[], codes: number}[], part_of: number[], expected: number | null, consistent: boolean | null}} Split */
/** @typedef {{turn: number, kind: string, was: Turn, now: Turn, leaves: number | string | null, words: string}} Repair */
/** @typedef {{repairs: Repair[], leaves: number | string | null}} Pair */
/** @typedef {{turns: number[][], repairs: Repair[], pairs: Pair[], complete: boolean}} Contradiction */
/** @typedef {{hint: Hint | null, contradiction: Contradiction | null, solved: boolean, seconds: number, examined: number}} HintAnswer */
/** @typedef {{state: string, seconds: number, examined: number, nodes: number}} Progress */
/** @typedef {{signal?: AbortSignal, progress?: (progress: Progress) => void, job?: (name: string) => void, line?: (line: any) => void}} Watcher */
/** @typedef {Record<string, string>} Query */
/** An open page. @typedef {{update: (query: Query) => void, close?: () => void}} Page */
