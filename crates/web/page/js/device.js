// What is kept on this device: choices, and games that were finished. Nothing of it leaves the device.

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    // A device that keeps nothing still plays; what another version wrote is as good as nothing.
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // As above.
  }
}
