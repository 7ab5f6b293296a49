// The engine as web workers. Quick requests have their own worker, so that long ones do not delay them; stopping a request terminates
// its worker.

import { words } from "../words.js";
import { checked, EngineError } from "./error.js";
import { MODULE, WORKER } from "./where.js";

/** @typedef {{name: string, body: object, watcher: Watcher, resolve: (answer: any) => void, reject: (error: unknown) => void, job: string, since: number, tick?: ReturnType<typeof setInterval>, place?: Place}} Asked */
/** @typedef {{worker: Worker | null, asked: Asked | null}} Place */

const QUICK = new Set(["rules", "secret", "feedback", "split", "strategies"]);
/** Interval of progress reports in milliseconds. */
const TICK = 200;

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** The first is for quick requests. @type {Place[]} */
const places = [{ worker: null, asked: null }, { worker: null, asked: null }, { worker: null, asked: null }];
/** @type {Asked[]} */
let waiting = [];
let jobs = 0;

function load() {
  compiled ??= WebAssembly.compileStreaming(fetch(MODULE)).catch((error) => {
    compiled = null;
    throw new EngineError("unreachable", words.engine.unreachable, String(error));
  });
  return compiled;
}

/** @param {Place} place */
async function startWorker(place) {
  const module = await load();
  if (place.worker) return place.worker;
  const worker = (place.worker = new Worker(WORKER, { type: "module" }));
  worker.onmessage = ({ data }) => receive(place, data);
  worker.onerror = (event) => {
    // The next request starts another worker.
    worker.terminate();
    place.worker = null;
    receive(place, { error: { code: "broken", message: event.message, hint: null } });
  };
  worker.postMessage({ module });
  return worker;
}

/** @param {Place} place @param {any} line */
function receive(place, line) {
  const { asked } = place;
  if (!asked) return;
  try {
    checked(line);
    if (!("answer" in line)) return asked.watcher.line?.(line);
    over(asked);
    asked.resolve(line.answer);
  } catch (error) {
    over(asked);
    asked.reject(error);
  }
  next();
}

/** @param {Asked} asked */
function over(asked) {
  clearInterval(asked.tick);
  waiting = waiting.filter((other) => other !== asked);
  if (asked.place?.asked === asked) asked.place.asked = null;
}

/** Assigns waiting requests to idle workers. */
function next() {
  for (const place of places) {
    if (place.asked) continue;
    const quick = place === places[0];
    const asked = waiting.find((one) => QUICK.has(one.name) === quick);
    if (!asked) continue;
    waiting = waiting.filter((other) => other !== asked);
    Object.assign(asked, { place, since: performance.now() });
    place.asked = asked;
    startWorker(place).then(
      (worker) => place.asked === asked && worker.postMessage({ name: asked.name, body: asked.body }),
      (error) => {
        over(asked);
        asked.reject(error);
      },
    );
  }
}

/** Rejects a request and terminates its worker. @param {Asked} asked @param {unknown} reason */
function end(asked, reason) {
  const { place } = asked;
  const working = place?.asked === asked;
  over(asked);
  if (working && place) {
    place.worker?.terminate();
    place.worker = null;
  }
  asked.reject(reason);
  next();
}

/** @param {string} name @param {object} body @param {Watcher} [watcher] @returns {Promise<any>} */
export function ask(name, body, watcher = {}) {
  return new Promise((resolve, reject) => {
    watcher.signal?.throwIfAborted();
    const job = String((jobs += 1));
    /** @type {Asked} */
    const asked = { name, body, watcher, resolve, reject, job, since: performance.now() };
    asked.tick = setInterval(() => {
      const seconds = (performance.now() - asked.since) / 1000;
      watcher.progress?.({ state: asked.place ? "working" : "waiting", seconds, examined: 0, nodes: 0 });
    }, TICK);
    watcher.signal?.addEventListener("abort", () => end(asked, watcher.signal?.reason), { once: true });
    waiting.push(asked);
    watcher.job?.(job);
    next();
  });
}

/** Answers the GET requests of the server. @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function get(path, signal) {
  const { pathname, searchParams } = new URL(path, "https://engine/");
  if (pathname === "/strategies") return ask("strategies", Object.fromEntries(searchParams), { signal });
  if (pathname === "/lab") return { store: null, rows: [], blocks: [] };
  throw new EngineError("no-question", words.engine.serverOnly, null);
}

/** @param {string} _name @returns {Promise<string>} */
export async function figure(_name) {
  throw new EngineError("no-question", words.engine.serverOnly, null);
}

/** Stops a job; without threads it has no partial answer. @param {string} job */
export async function stop(job) {
  const asked = [...waiting, ...places.map((place) => place.asked)].find((one) => one?.job === job);
  if (asked) end(asked, new EngineError("stopped", words.engine.stopped, null));
}
