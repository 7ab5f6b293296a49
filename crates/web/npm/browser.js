// The engine in browsers, with web workers.

import { Engine, EngineError } from "./engine.js";

export { Engine, EngineError };

/** Returns an engine that is loaded at its first question. @param {{wasm?: string | URL, worker?: string | URL}} [files] */
export function connect({ wasm, worker } = {}) {
  const compile = () => WebAssembly.compileStreaming(fetch(wasm ?? new URL("./engine.wasm", import.meta.url)));
  return new Engine(compile, (receive, fail) => {
    // Bundlers recognize this form.
    const thread = worker ? new Worker(worker, { type: "module" }) : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    thread.onmessage = ({ data }) => receive(data);
    thread.onerror = (event) => fail(event.message);
    return { post: (message) => thread.postMessage(message), keepAlive: () => {}, end: () => thread.terminate() };
  });
}

/** @param {{wasm?: string | URL, worker?: string | URL}} [files] */
export const load = (files) => connect(files).ready();
