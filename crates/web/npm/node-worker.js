// A worker thread of Node.js with the globals of a web worker.

import { parentPort } from "node:worker_threads";

globalThis.onmessage = null;
globalThis.postMessage = (/** @type {any} */ line) => parentPort?.postMessage(line);
await import("./worker.js");
parentPort?.on("message", (data) => globalThis.onmessage?.(/** @type {any} */ ({ data })));
