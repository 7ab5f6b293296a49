// Selection of a strategy.

import { field, h } from "../dom.js";
import { strategies } from "../engine.js";

/**
 * @param {Rules} rules @param {string} name @param {string} value
 * @param {(strategy: string) => void} change
 */
export function strategyChoice(rules, name, value, change) {
  const select = h("select", { onchange: () => change(select.value) }, h("option", { value }, value));
  strategies(rules.rules).then(
    ({ strategies: rows }) => {
      const families = [...new Set(rows.map((row) => row.family))];
      const groups = families.map((family) =>
        h("optgroup", { label: family },
          rows
            .filter((row) => row.family === family && row.playable)
            .map((row) => h("option", { value: row.name, selected: row.name === value }, row.title)),
        ),
      );
      const own = rows.some((row) => row.name === value) ? [] : [h("option", { value, selected: true }, value)];
      select.replaceChildren(...own, ...groups.filter((group) => group.children.length));
    },
    // The current choice stays; the next request reports the error.
    () => {},
  );
  return field(name, select);
}
