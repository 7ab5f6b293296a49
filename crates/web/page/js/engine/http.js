// The engine over HTTP.

import { words } from "../words.js";
import { checked, EngineError } from "./error.js";

/** The only rules and strategy, in a page with a single tree. @type {{rules: string, strategy: string} | null} */
export const only = null;
/** True if the engine is a server, with a store and measurements. @type {boolean} */
export const hasServer = true;
const BASE = "api/v1/";
const TRIES = 4;

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function reach(path, options) {
  for (let tried = 1; ; tried += 1) {
    let response;
    try {
      response = await fetch(BASE + path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new EngineError("unreachable", words.engine.unreachable, words.engine.unreachableHint);
    }
    dispatchEvent(new Event("reached"));
    if (response.status !== 503 || tried === TRIES) return response;
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds * tried));
    options.signal?.throwIfAborted();
  }
}

/** @param {string} path @param {AbortSignal} [signal] */
export async function get(path, signal) {
  const response = await reach(path, { signal });
  return checked(await response.json());
}

/**
 * Sends a request, and reports progress to the watcher.
 * @param {string} path @param {object} question @param {Watcher} [watcher]
 */
export async function ask(path, question, watcher = {}) {
  const by_line = Boolean(watcher.progress || watcher.line);
  const headers = { "content-type": "application/json", accept: by_line ? "application/x-ndjson" : "application/json" };
  const response = await reach(path, {
    method: "POST",
    headers,
    body: JSON.stringify(question),
    signal: watcher.signal,
  });
  if (!by_line || !response.ok || !response.body) return checked(await response.json());
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new EngineError("broken", words.engine.broken, null);
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((text) => checked(JSON.parse(text)))) {
      if ("answer" in line) return line.answer;
      if (line.job) watcher.job?.(line.job);
      else if (line.progress) watcher.progress?.(line.progress);
      else watcher.line?.(line);
    }
  }
}

/** Returns a plot of the report as SVG. @param {string} name @param {AbortSignal} [signal] @returns {Promise<string>} */
export async function figure(name, signal) {
  const response = await reach(`lab/figures/${encodeURIComponent(name)}.svg`, { signal });
  if (!response.ok) return checked(await response.json());
  return response.text();
}

/** Stops a job, which then answers with the best result so far. @param {string} job */
export const stop = (job) => fetch(`${BASE}jobs/${job}`, { method: "DELETE" });
