// Elements, and words for those who listen. Text is only ever set as text, so nothing that is shown can act.

import { sentence } from "./numbers.js";
import { words } from "./words.js";

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

/** Words for an error. @param {unknown} error */
export function trouble(error) {
  const { message = words.wrong, hint = null } = /** @type {any} */ (error) ?? {};
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    h("p", {}, sentence(message)),
    hint && h("p", { class: "muted" }, sentence(hint)),
  );
}

/** Whether nothing is to move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A button. @param {string} text @param {() => void} act @param {Record<string, any>} [properties] */
export function button(text, act, properties = {}) {
  return h("button", { type: "button", onclick: act, ...properties }, text);
}
