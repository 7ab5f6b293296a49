// Engine of a page with a single tree, in place of engine/http.js.

/** @typedef {{guess: number[], wins: boolean, feedback?: object[], branches?: Node[]}} Node */

const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
const rules = embedded("rules");
const { made_by, tree } = embedded("tree");

/** The only rules and strategy. */
export const only = { rules: rules.rules, strategy: made_by };

/** Number of codes below a position. @param {Node} node @returns {number} */
const codes = (node) => (node.wins ? 1 : 0) + (node.branches ?? []).reduce((sum, branch) => sum + codes(branch), 0);

/** Returns the position after turns, or null. @param {{feedback: object[]}[]} turns @returns {Node | null} */
function position(turns) {
  let node = tree;
  for (const { feedback } of turns) {
    const same = JSON.stringify(feedback);
    node = (node.branches ?? []).find((branch) => JSON.stringify(branch.feedback) === same);
    if (!node) return null;
  }
  return node;
}

/** @param {string} path @param {any} question */
export async function ask(path, question) {
  if (path === "rules") return rules;
  const node = position(question.turns ?? []);
  if (path === "hint") return { hint: node && { guess: node.guess }, contradiction: null };
  if (path === "split" && node) {
    const parts = (node.branches ?? []).map((branch) => ({ feedback: branch.feedback, codes: codes(branch) }));
    if (node.wins) parts.push({ feedback: rules.winning, codes: 1 });
    parts.sort((one, other) => other.codes - one.codes);
    return { parts };
  }
  throw new Error(`a single tree does not answer ${path}`);
}

export const hasServer = true;
export const get = async () => ({ strategies: [] });
export const figure = () => "";
export const stop = async () => {};
