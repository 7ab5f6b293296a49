// Elements, and words for those who listen. Text is only ever set as text, so nothing that is shown can act.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Properties that start with "on" are listeners, others are attributes; null and false are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  apply(element, properties);
  element.append(...flat(children));
  return element;
}

/**
 * Makes an element of a picture.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 */
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, properties);
  element.append(...flat(children));
  return element;
}

/** @param {Element} element @param {Record<string, any>} properties */
function apply(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars")
      for (const [key, text] of Object.entries(value))
        /** @type {HTMLElement} */ (element).style.setProperty(`--${key}`, String(text));
    else if (name === "value" && element instanceof HTMLInputElement) element.value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function flat(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Puts children in place of those there are. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
}

/** @param {string} selector @returns {HTMLElement} */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`nothing is ${selector}`);
  return found;
}

/** Says something to those who listen to the page. @param {string} text */
export function announce(text) {
  find("#live").textContent = text;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function things(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** @param {number} number @param {number} [digits] */
export function grouped(number, digits = 0) {
  return number.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** A count as the engine gives it: a number, a formula, or nothing. @param {number | string | null} count */
export function counted(count) {
  if (count === null) return "too many to count";
  if (typeof count === "number") return count < 1e9 ? grouped(count) : count.toExponential(1).replace("e+", "e");
  const about = /about ([\d.]+e\d+)/.exec(count);
  if (about) return about[1];
  return count.length > 12 ? Number(count).toExponential(1).replace("e+", "e") : count;
}

/** Words for an error. @param {unknown} error */
export function trouble(error) {
  const { message = "Something went wrong.", hint = null } = /** @type {any} */ (error) ?? {};
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    h("p", {}, sentence(message)),
    hint && h("p", { class: "muted" }, sentence(hint)),
  );
}

/** @param {string} text */
export function sentence(text) {
  const trimmed = text.trim();
  const end = /[.!?…:]$/.test(trimmed) ? "" : ".";
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + end;
}
