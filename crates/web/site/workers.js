// The engine as web workers, in place of the page's engine/http.js. The bundler defines the names of the files.

import { connect, EngineError } from "@pegwise/engine";
import { words } from "../page/js/words.js";

export const only = null;
export const hasServer = false;
const engine = connect({ wasm: new URL(MODULE_FILE, import.meta.url), worker: new URL(WORKER_FILE, import.meta.url) });

/** @param {any} name @param {any} question @param {Watcher} [watcher] @returns {Promise<any>} */
export const ask = (name, question, watcher) =>
  engine.ask(name, question, watcher).catch((error) => {
    // Words of the page, which may be translated.
    const text = { unreachable: words.engine.unreachable, stopped: words.engine.stopped }[error?.code];
    throw text ? new EngineError(error.code, text, error.hint) : error;
  });

/** Stops a job; without threads it has no partial answer. @param {string} job */
export const stop = async (job) => engine.stop(job);

const serverOnly = async () => {
  throw new EngineError("no-question", words.engine.serverOnly);
};

/** Answers the GET requests of the server. @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function get(path, signal) {
  const { pathname, searchParams } = new URL(path, "https://engine/");
  if (pathname === "/strategies") return ask("strategies", Object.fromEntries(searchParams), { signal });
  if (pathname === "/lab") return { store: null, rows: [], blocks: [] };
  return serverOnly();
}

export const figure = serverOnly;
