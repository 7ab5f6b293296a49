// Elements and announcements. Text is always set as text, never as HTML.

import { asSentence } from "./numbers.js";
import { words } from "./words.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element. Properties that start with "on" are listeners, `vars` are CSS variables, others are attributes; null and false
 * are omitted.
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
 * Creates an SVG element.
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

/** Replaces the children of an element. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
}

/** @param {string} selector @returns {HTMLElement} */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`nothing is ${selector}`);
  return found;
}

/** Announces text to screen readers. @param {string} text */
export function announce(text) {
  find("#live").textContent = text;
}

/** Removes the notice that the engine is unreachable. */
export const reached = () => document.querySelectorAll(".unreachable").forEach((notice) => notice.remove());

/** Draws an error. An unreachable engine is reported once, with a button that opens the page again. @param {unknown} error */
export function errorNotice(error) {
  const { message = words.wrong, hint = null, code = "" } = /** @type {any} */ (error) ?? {};
  const unreachable = code === "unreachable";
  if (unreachable) reached();
  return h("div", { class: unreachable ? "notice bad unreachable" : "notice bad", role: "alert" },
    h("p", {}, asSentence(message)),
    hint && h("p", { class: "muted" }, asSentence(hint)),
    unreachable && pushButton({ onclick: () => dispatchEvent(new HashChangeEvent("hashchange")) }, words.engine.retry),
  );
}

/** Opens a dialog, which is removed when it is closed. @param {Record<string, any>} properties @param {...(Child | Child[])} children */
export function openDialog({ onclose = () => {}, ...properties }, ...children) {
  const opened = h("dialog", {
    ...properties,
    onclick: (/** @type {Event} */ event) => event.target === opened && opened.close(),
    onclose: () => {
      opened.remove();
      onclose();
    },
  }, ...children);
  document.body.append(opened);
  opened.showModal();
  return opened;
}

/** Returns true if animations are disabled. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Returns the head of a page. @param {Child} heading @param {Child} about @param {...Child} actions */
export const pageHead = (heading, about, ...actions) =>
  h("div", { class: "page-head" },
    h("div", {},
      heading instanceof Node ? heading : h("h1", {}, heading),
      about instanceof Node ? about : h("p", { class: "muted" }, about),
    ),
    ...actions,
  );

/** Creates a button that submits nothing. @param {Record<string, any>} properties @param {...(Child | Child[])} children */
export const pushButton = (properties, ...children) => h("button", { type: "button", ...properties }, ...children);

/**
 * Opens a page that listens to keys.
 * @param {Query} query @param {(query: Query) => void} update @param {(event: KeyboardEvent) => void} key
 * @param {(() => void)[]} ends Called when the page is closed. @returns {Page}
 */
export function keyboardPage(query, update, key, ends) {
  document.addEventListener("keydown", key);
  update(query);
  return {
    update,
    close() {
      document.removeEventListener("keydown", key);
      ends.forEach((end) => end());
    },
  };
}

/** Returns a labeled input. @param {string} name @param {HTMLElement} input */
export const field = (name, input) => h("label", { class: "field" }, h("span", {}, name), input);

/** Returns a scrollable table. @param {string} caption @param {string[]} heads @param {Child[][]} rows @param {(column: number) => string | null} [classOf] */
export const table = (caption, heads, rows, classOf = () => null) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: classOf(at) }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h("td", { class: classOf(at) }, cell))))),
    ),
  );
