// Location of the engine: a server. Static sites replace this file.

/** @type {"http" | "worker"} */
export const WHERE = "http";
/** The engine in WebAssembly, and the script of its workers. */
export const MODULE = new URL("../../engine.wasm", import.meta.url);
export const WORKER = new URL("worker.js", import.meta.url);
