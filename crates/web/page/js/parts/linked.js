// The game in an address.

import * as engine from "../engine.js";
import { readTurn } from "../notation.js";
import { words } from "../words.js";

/**
 * Reads rules and turns; `known` avoids a request for the rules.
 * @param {Query} query @param {Rules | undefined} known @returns {Promise<{ rules: Rules, turns: Turn[] }>}
 */
export async function linkedGame(query, known) {
  const named = query.rules ?? "4x6";
  const rules = known?.rules === named ? known : await engine.describe(named);
  const texts = (query.turns ?? "").split(";").filter(Boolean);
  const turns = texts.map((text) => readTurn(rules, text));
  const wrong = turns.indexOf(null);
  if (wrong >= 0) throw { message: words.play.notATurn(texts[wrong], rules.rules), hint: words.play.howTurns };
  return { rules, turns: /** @type {Turn[]} */ (turns) };
}

/** Error for an invalid address. @param {string} [message] */
export const unreadable = (message = words.play.unreadable) => ({ message, hint: words.play.unreadableHint });
