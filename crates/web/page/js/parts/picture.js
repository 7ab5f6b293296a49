// Imports SVG plots of the engine into the page, with its colors and without scripts.

/** Allowed elements; all others are dropped. */
const ELEMENTS = new Set(["svg", "title", "g", "rect", "line", "path", "circle", "polyline", "polygon", "text", "tspan"]);
const NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {string} text @returns {Element | null} */
export function picture(text) {
  // The embedded style sheet violates the Content-Security-Policy.
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
