// Routing between pages, and the frame around them.

import { read } from "./address.js";
import { save } from "./device.js";
import { errorNotice, fill, find, h, reached } from "./dom.js";
import * as analyze from "./pages/analyze.js";
import * as challenge from "./pages/challenge.js";
import * as daily from "./pages/daily.js";
import * as lab from "./pages/lab.js";
import * as learn from "./pages/learn.js";
import * as play from "./pages/play.js";
import * as solve from "./pages/solve.js";
import * as strategies from "./pages/strategies.js";
import * as trees from "./pages/trees.js";
import * as watch from "./pages/watch.js";
import { openSettings } from "./parts/settings.js";
import { words } from "./words.js";

/** @typedef {{open: (root: HTMLElement, query: Query) => Page}} Opened */

/** @type {Record<keyof typeof words.pages, Opened>} */
const PAGES = { play, daily, learn, solve, analyze, watch, challenge, trees, strategies, lab };

/** Pages in the header of a phone; the others are in a menu. */
const PLACES = ["play", "daily", "solve"];

/** @type {{name: string, page: Page} | null} */
let open = null;

function show() {
  // What a dialog was opened for is gone.
  for (const opened of document.querySelectorAll("dialog")) opened.close();
  draw();
}

function draw() {
  const { page, query } = read(location.hash);
  const name = /** @type {keyof typeof PAGES} */ (page in PAGES ? page : "play");
  if (open?.name === name) return open.page.update(query);
  open?.page.close?.();
  const main = find("#main");
  fill(main);
  main.className = `page-${name}`;
  main.removeAttribute("style");
  document.title = `${words.pages[name]} · ${words.name}`;
  for (const link of find("#nav").querySelectorAll("a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  find("#more").classList.toggle("current", !PLACES.includes(name));
  const moved = open !== null;
  open = { name, page: PAGES[name].open(main, query) };
  if (moved) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

function closeMenu() {
  if (find("#pages").matches(":popover-open")) find("#pages").hidePopover();
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  save("theme", next);
}

document.documentElement.lang = words.language;
find("#skip").textContent = words.skip;
find("#brand").setAttribute("aria-label", words.home);
find("#theme").setAttribute("aria-label", words.theme);
find("#settings").setAttribute("aria-label", words.settings.title);
find("#nav").setAttribute("aria-label", words.nav);
find("#more").textContent = words.more;
for (const [name, title] of Object.entries(words.pages)) {
  const link = h("a", { href: `#${name}`, onclick: closeMenu }, title);
  (PLACES.includes(name) ? find("#more") : find("#settings")).before(link);
}
find("#theme").addEventListener("click", switchTheme);
find("#settings").addEventListener("click", () => {
  closeMenu();
  // Opens the page again, with the pegs chosen.
  openSettings(() => {
    open?.page.close?.();
    open = null;
    draw();
  });
});
find("#skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("#main").focus();
});
addEventListener("hashchange", show);
addEventListener("reached", reached);
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
  else find("#main").prepend(errorNotice(event.reason));
});
show();
