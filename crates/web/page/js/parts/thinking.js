// Work that may take a while: how it gets on, and a way to stop it.

import { fill, h, trouble } from "../dom.js";
import { stop } from "../engine.js";
import { grouped } from "../numbers.js";
import { words } from "../words.js";

/** @typedef {import("../types.js").Watcher} Watcher */

/** What is over sooner needs no words, in milliseconds. */
const SOON = 350;

/**
 * Does one thing at a time, and shows in a place how it gets on. What is begun anew ends what went before.
 * @param {HTMLElement} place
 */
export function thinker(place) {
  /** @type {AbortController | null} */
  let current = null;

  /**
   * @template T
   * @param {string} what What is being done, in words.
   * @param {(watcher: Watcher) => Promise<T>} work
   * @param {(answer: T) => void} then
   */
  async function think(what, work, then) {
    current?.abort();
    const mine = (current = new AbortController());
    /** @type {string | null} */
    let job = null;
    const news = h("span", {}, words.thinking.working(what));
    const end = () => (job ? stop(job) : mine.abort());
    const shown = h(
      "div",
      { class: "thinking" },
      h("span", { class: "spinner", "aria-hidden": "true" }),
      news,
      h("button", { type: "button", class: "small", onclick: end }, words.stop),
    );
    const late = setTimeout(() => fill(place, shown), SOON);
    place.setAttribute("aria-busy", "true");
    try {
      const answer = await work({
        signal: mine.signal,
        job: (name) => (job = name),
        progress: ({ state, seconds, examined }) => {
          news.textContent =
            state === "waiting"
              ? words.thinking.waiting
              : words.thinking.progress(what, seconds, examined ? grouped(examined) : null);
        },
      });
      if (mine.signal.aborted) return;
      clearTimeout(late);
      fill(place);
      then(answer);
    } catch (error) {
      clearTimeout(late);
      // What was stopped by hand needs no words.
      const quiet = mine.signal.aborted || /** @type {any} */ (error)?.code === "stopped";
      if (!quiet) fill(place, trouble(error));
      else if (current === mine) fill(place);
    } finally {
      if (current === mine) {
        current = null;
        place.removeAttribute("aria-busy");
      }
    }
  }

  /** Ends the work at once, so that it clears nothing that is put in its place. */
  function close() {
    if (!current) return;
    current.abort();
    current = null;
    fill(place);
    place.removeAttribute("aria-busy");
  }

  return { think, close };
}
