// The engine of a page with one tree: it answers what the tree says, and nothing else. It stands in the place of the engine
// behind HTTP and of the one in a worker.

/** @typedef {{guess: number[], wins: boolean, feedback?: object[], branches?: Node[]}} Node */

const kept = (id) => JSON.parse(document.getElementById(id).textContent);
const rules = kept("rules");
const { made_by, tree } = kept("tree");

/** The rules and the strategy that there are, and no others. */
export const only = { rules: rules.rules, strategy: made_by };

/** How many codes are below a position. @param {Node} node @returns {number} */
const codes = (node) => (node.wins ? 1 : 0) + (node.branches ?? []).reduce((sum, branch) => sum + codes(branch), 0);

/** The position after turns; null where the tree has none. @param {{feedback: object[]}[]} turns @returns {Node | null} */
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
  throw new Error(`a tree does not answer ${path}`);
}

export const get = async () => ({ strategies: [] });
export const figure = () => "";
export const stop = async () => {};
