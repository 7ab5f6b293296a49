// Selection of a strategy.

import { field, h } from "../dom.js";
import { strategies } from "../engine.js";

/**
 * @param {Rules} rules @param {string} name @param {string} value
 * @param {(strategy: string) => void} change @param {string[][]} [first] Choices before the strategies: values and names.
 */
export function strategyChoice(rules, name, value, change, first = []) {
  const before = () => first.map(([option, title]) => h("option", { value: option, selected: option === value }, title));
  const select = h("select", { onchange: () => change(select.value) }, first.length ? before() : h("option", { value }, value));
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
      const own = first.length ? before() : rows.some((row) => row.name === value) ? [] : [h("option", { value, selected: true }, value)];
      const chosen = select.value;
      select.replaceChildren(...own, ...groups.filter((group) => group.children.length));
      select.value = chosen;
    },
    // The current choice stays; the next request reports the error.
    () => {},
  );
  return field(name, select);
}
