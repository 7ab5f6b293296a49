// Location of the engine: web workers.

/** @type {"http" | "worker"} */
export const WHERE = "worker";
