// Pictures that the engine draws, taken into the page so that they have its colors. Only what draws is taken over.

/** What a plot consists of; anything else is left out, so that no picture can act. */
const ELEMENTS = new Set(["svg", "title", "g", "rect", "line", "path", "circle", "polyline", "polygon", "text", "tspan"]);
const NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {string} text @returns {Element | null} */
export function picture(text) {
  // Its own style sheet is for other pages, and even reading it would offend the policy of this one.
  const plain = text.replace(/<style>[^<]*<\/style>/g, "");
  const { documentElement } = new DOMParser().parseFromString(plain, "image/svg+xml");
  return documentElement.localName === "svg" ? taken(documentElement) : null;
}

/** @param {Element} from @returns {Element} */
function taken(from) {
  const to = document.createElementNS(NAMESPACE, from.localName);
  for (const { name, value } of from.attributes)
    if (!/^(on|style$|href$|xlink:|xmlns)/.test(name)) to.setAttribute(name, value);
  for (const child of from.childNodes) {
    if (child instanceof Element && ELEMENTS.has(child.localName)) to.append(taken(child));
    else if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? "");
  }
  return to;
}
