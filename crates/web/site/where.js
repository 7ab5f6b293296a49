// Location of the engine: web workers. The bundler defines the names of the files.

/** @type {"http" | "worker"} */
export const WHERE = "worker";
export const MODULE = new URL(MODULE_FILE, import.meta.url);
export const WORKER = new URL(WORKER_FILE, import.meta.url);
