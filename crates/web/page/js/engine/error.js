// What an engine could not do.

export class EngineError extends Error {
  /** @param {string} code @param {string} message @param {string | null} hint */
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** A line of the engine, unless it is an error. @param {any} value */
export function checked(value) {
  if (value?.error) throw new EngineError(value.error.code, value.error.message, value.error.hint ?? null);
  return value;
}
