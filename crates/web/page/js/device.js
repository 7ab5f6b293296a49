// Local storage: settings and games. Nothing leaves the device. If storage is blocked, values last until the page is closed.

const PREFIX = "pegwise.";
/** @type {Map<string, string>} */
const memory = new Map();

/** Returns true if values outlast the page. */
export function isKept() {
  try {
    localStorage.setItem(`${PREFIX}probe`, "");
    localStorage.removeItem(`${PREFIX}probe`);
    return true;
  } catch {
    return false;
  }
}

export const device = {
  /** @param {string} name @returns {string | null} */
  get(name) {
    try {
      return memory.get(name) ?? localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  },
  /** @param {string} name @param {string} text */
  set(name, text) {
    try {
      localStorage.setItem(PREFIX + name, text);
      memory.delete(name);
    } catch {
      memory.set(name, text);
    }
  },
};

/** Returns true if the games may have changed, by the event of another tab. @param {StorageEvent} event */
export const areGames = ({ key }) => key === null || key === `${PREFIX}games`;

/** @param {unknown} value */
const kind = (value) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

/** Returns a saved value of the same kind as `otherwise`, or `otherwise`. @template T @param {string} name @param {T} otherwise @returns {T} */
export function saved(name, otherwise) {
  try {
    const value = JSON.parse(device.get(name) ?? "null");
    return kind(value) === kind(otherwise) ? value : otherwise;
  } catch {
    // Written by another program.
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value */
export const save = (name, value) => device.set(name, JSON.stringify(value));
