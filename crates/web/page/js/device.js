// Local storage: settings and finished games. Nothing leaves the device.

/** Returns a saved value, or `otherwise`. @template T @param {string} name @param {T} otherwise @returns {T} */
export function saved(name, otherwise) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    // Storage may be disabled, or written by another version.
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value */
export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage may be disabled.
  }
}
