// The engine in Node.js, with worker threads.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Engine, EngineError } from "./engine.js";

export { Engine, EngineError };

/** Returns an engine that is loaded at its first question. @param {{wasm?: string | URL, worker?: string | URL}} [files] */
export function connect({ wasm, worker } = {}) {
  const compile = async () => WebAssembly.compile(await readFile(wasm ?? new URL("./engine.wasm", import.meta.url)));
  return new Engine(compile, (receive, fail) => {
    const thread = new Worker(worker ?? new URL("./node-worker.js", import.meta.url));
    thread.unref();
    thread.on("message", receive).on("error", (error) => fail(String(error)));
    // An idle engine does not keep the process running.
    const keepAlive = (/** @type {boolean} */ working) => (working ? thread.ref() : thread.unref());
    return { post: (message) => thread.postMessage(message), keepAlive, end: () => thread.terminate() };
  });
}

/** @param {{wasm?: string | URL, worker?: string | URL}} [files] */
export const load = (files) => connect(files).ready();
