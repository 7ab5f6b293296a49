// Which page is shown, and the frame around all of them.

import { read } from "./address.js";
import { fill, find, h, trouble } from "./dom.js";
import * as analyze from "./pages/analyze.js";
import * as lab from "./pages/lab.js";
import * as play from "./pages/play.js";
import * as solve from "./pages/solve.js";
import * as strategies from "./pages/strategies.js";
import * as watch from "./pages/watch.js";

/** @typedef {import("./types.js").Page} Page */

/** @type {Record<string, {title: string, open: (root: HTMLElement, query: import("./types.js").Query) => Page}>} */
const PAGES = { play, solve, analyze, watch, strategies, lab };

/** @type {{name: string, page: Page} | null} */
let open = null;

function show() {
  const { page, query } = read(location.hash);
  if (page === "main") return;
  const name = page in PAGES ? page : "play";
  if (open?.name === name) return open.page.update(query);
  open?.page.close?.();
  const main = find("#main");
  fill(main);
  main.className = `page-${name}`;
  document.title = `${PAGES[name].title} · Pegwise`;
  for (const link of find("#nav").querySelectorAll("a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const moved = open !== null;
  open = { name, page: PAGES[name].open(main, query) };
  if (moved) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}

fill(
  find("#nav"),
  Object.entries(PAGES).map(([name, { title }]) => h("a", { href: `#${name}` }, title)),
);
find("#theme").addEventListener("click", switchTheme);
find("#skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("#main").focus();
});
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
  else find("#main").prepend(trouble(event.reason));
});
show();
