// Progress of long requests, with a button to stop them.

import { errorNotice, fill, h, pushButton } from "../dom.js";
import { stop } from "../engine.js";
import { formatNumber } from "../numbers.js";
import { words } from "../words.js";

/** Delay before progress is shown, in milliseconds. */
export const SOON = 350;

/**
 * Runs one request at a time and shows its progress in `place`. A new request cancels the current one.
 * @param {HTMLElement} place
 */
export function requestView(place) {
  /** @type {AbortController | null} */
  let current = null;

  /**
   * @template T
   * @param {string} what Description of the work.
   * @param {(watcher: Watcher) => Promise<T>} work
   * @param {(answer: T) => void} then
   */
  async function run(what, work, then) {
    current?.abort();
    const mine = (current = new AbortController());
    /** @type {string | null} */
    let job = null;
    const news = h("span", {}, words.thinking.working(what));
    const end = () => (job ? stop(job) : mine.abort());
    const shown = h("div", { class: "thinking" },
      h("span", { class: "spinner", "aria-hidden": "true" }),
      news,
      pushButton({ class: "small", onclick: end }, words.stop),
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
              : words.thinking.progress(what, seconds, examined ? formatNumber(examined) : null);
        },
      });
      if (mine.signal.aborted) return;
      clearTimeout(late);
      fill(place);
      then(answer);
    } catch (error) {
      clearTimeout(late);
      // A stopped request is not an error.
      const quiet = mine.signal.aborted || /** @type {any} */ (error)?.code === "stopped";
      if (!quiet) fill(place, errorNotice(error));
      else if (current === mine) fill(place);
    } finally {
      if (current === mine) {
        current = null;
        place.removeAttribute("aria-busy");
      }
    }
  }

  /** Cancels the work, so that it does not clear what replaces it. */
  function close() {
    if (!current) return;
    current.abort();
    current = null;
    fill(place);
    place.removeAttribute("aria-busy");
  }

  return { run, close };
}
