// The URL fragment contains the whole state of a page, so it can be bookmarked and shared.

/** Parses a fragment into a page and its query. @param {string} hash @returns {{page: string, query: Query}} */
export function read(hash) {
  const [page, text = ""] = split(hash.replace(/^#/, ""), "?");
  /** @type {Query} */
  const query = {};
  for (const part of text.split("&").filter(Boolean)) {
    const [name, value = ""] = split(part, "=");
    query[name] = decoded(value);
  }
  return { page, query };
}

/** @param {string} page @param {Record<string, string | number | null | undefined>} query */
export function write(page, query) {
  const parts = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = parts.map(([name, value]) => `${name}=${encoded(String(value))}`).join("&");
  return `#${page}${text && `?${text}`}`;
}

/** Navigates to a page. @param {string} page @param {Record<string, string | number | null | undefined>} query */
export function go(page, query) {
  const hash = write(page, query);
  if (hash === location.hash) return;
  history.pushState(null, "", hash);
  // The browser queues its own event behind clicks and keys, which would then act on the old state.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Replaces the current address without an event. @param {string} page @param {Record<string, string | number | null | undefined>} query */
export function replace(page, query) {
  history.replaceState(null, "", write(page, query));
}

/** @param {string} text @param {string} separator */
function split(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** @param {string} text */
const encoded = (text) => text.replace(/[^\w=,;:/.()?*-]/g, encodeURIComponent);

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
