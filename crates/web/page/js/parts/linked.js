// The rules and turns that a link names.

import * as engine from "../engine.js";
import { readTurn } from "../notation.js";
import { words } from "../words.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */
/** @typedef {import("../types.js").Query} Query */

/**
 * Reads them; what is already known of the rules is not asked again.
 * @param {Query} query @param {Rules | undefined} known @returns {Promise<{ rules: Rules, turns: Turn[] }>}
 */
export async function linkedGame(query, known) {
  const named = query.rules ?? "4x6";
  const rules = known?.rules === named ? known : await engine.describe(named);
  const texts = (query.turns ?? "").split(";").filter(Boolean);
  const turns = texts.map((text) => readTurn(rules, text));
  const wrong = turns.indexOf(null);
  if (wrong >= 0) {
    throw { message: words.play.unreadableTurn(texts[wrong], rules.rules), hint: words.play.unreadableHint };
  }
  return { rules, turns: /** @type {Turn[]} */ (turns) };
}
