// Errors of the engine.

export class EngineError extends Error {
  /** @param {string} code @param {string} message @param {string | null} hint */
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Returns a line of the engine, or throws its error. @param {any} value */
export function checked(value) {
  if (value?.error) throw new EngineError(value.error.code, value.error.message, value.error.hint ?? null);
  return value;
}
