// A list of codes on the device, for word games: only its codes can be the secret.

import { save, saved } from "../device.js";
import { codeText, readCode } from "../notation.js";

const kept = () => saved("list", { rules: "", words: "" });

/** Returns the list of a game as text. @param {Rules} rules */
export const listText = ({ rules }) => (kept().rules === rules ? String(kept().words) : "");

/** Parses a list; invalid and repeated codes are ignored. @param {Rules} rules @param {string} [text] @returns {number[][]} */
export function listed(rules, text = listText(rules)) {
  const codes = text.split(/\s+/).flatMap((word) => {
    const code = word && readCode(rules, word);
    return code && !code.includes(null) ? [/** @type {number[]} */ (code)] : [];
  });
  return [...new Map(codes.map((code) => [codeText(rules, code), code])).values()];
}

/** Keeps the list of a game. @param {Rules} rules @param {string} words */
export function keepList({ rules }, words) {
  if (words.trim() || kept().rules === rules) save("list", { rules: words.trim() && rules, words });
}

/** Returns a position as a question to the engine. @param {Rules} rules @param {Turn[]} turns */
export function position(rules, turns) {
  const secrets = listed(rules);
  return { rules: rules.rules, turns, ...(secrets.length ? { secrets } : {}) };
}

/** Returns rules whose number of codes is that of the list. @param {Rules} rules @returns {Rules} */
export function counted(rules) {
  const { length } = listed(rules);
  return length ? { ...rules, codes: length, digits: Math.log10(length) } : rules;
}
