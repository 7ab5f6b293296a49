// Shared by the tests: a server, a browser, and helpers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { settled, start, visit } from "./browser.js";

/** @type {Awaited<ReturnType<typeof start>>} */
export let world;
before(async () => (world = await start()));
after(() => world?.stop());

/**
 * Runs a test on its own page and fails on unexpected errors, warnings and requests.
 * @param {string} name @param {string} hash @param {any} options
 * @param {(page: import("playwright-core").Page) => Promise<void>} act
 */
export function on(name, hash, { refused = 0, ...options }, act) {
  test(name, async () => {
    const { page, odd, close } = await visit(world.browser, world.address + hash, options);
    try {
      await act(page);
      // The browser logs requests that the engine refuses.
      const noted = odd.filter((text) => text.includes("status of 400"));
      assert.equal(noted.length, refused);
      assert.deepEqual(odd.filter((text) => !noted.includes(text)), []);
    } finally {
      await close();
    }
  });
}

/** Windows and schemes in which every fault is checked. @type {[string, import("playwright-core").BrowserContextOptions][]} */
const EVERYWHERE = [
  ["phone, light", { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, colorScheme: "light" }],
  ["tablet, dark", { viewport: { width: 820, height: 1180 }, hasTouch: true, colorScheme: "dark" }],
  ["desktop, forced colors", { viewport: { width: 1440, height: 900 }, forcedColors: "active" }],
];

/** Runs a test in three windows and schemes. @type {typeof on} */
export const everywhere = (name, hash, options, act) => EVERYWHERE.forEach(([place, where]) => on(`${name} (${place})`, hash, { ...where, ...options }, act));

/** Clicks a button of Play, which is in a menu on phones. @param {import("playwright-core").Page} page @param {string} name */
export async function tool(page, name) {
  const more = page.getByRole("button", { name: "More actions" });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name, exact: true }).click();
}

/** Opens an address of the open page, by its script: the browser drops a navigation of its own if the page replaces its address meanwhile. @param {import("playwright-core").Page} page @param {string} hash */
export async function go(page, hash) {
  await page.evaluate(async (to) => {
    const before = location.hash;
    const opened = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = to;
    if (location.hash !== before) await opened;
  }, hash);
  // The game of the old address stays until that of the new one is read.
  await page.waitForFunction(() => !document.querySelector(".table[aria-busy=true]"));
}

/** Opens a page by its link, which is in a menu on small windows. @param {import("playwright-core").Page} page @param {string} name */
export async function visitPage(page, name) {
  const link = page.getByRole("link", { name, exact: true });
  if (!(await link.isVisible())) await page.getByRole("button", { name: "More", exact: true }).click();
  await link.click();
}

/** @param {import("playwright-core").Page} page @param {string[]} keys */
export const press = async (page, keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Turns played. @param {import("playwright-core").Page} page */
export const turns = (page) => page.locator(".board > .turn:not(.now, .later)");

/** Seals a code, for a game with a known secret. @param {import("playwright-core").Page} page @param {string} rules @param {string} secret */
export const seal = async (page, rules, secret) =>
  (await (await page.request.post(`${world.address}api/v1/secret`, { data: { rules, secret } })).json()).sealed;

/** Resizes the window, and waits for the layout. @param {import("playwright-core").Page} page @param {number} width */
export async function resize(page, width) {
  await page.setViewportSize({ width, height: 844 });
  await page.waitForFunction((wanted) => innerWidth === wanted, width);
  await settled(page);
}

/**
 * Delays the next request to a path of the engine: `asked` resolves when the page has sent it, `release` answers it and waits until
 * the page has processed the answer.
 * @param {import("playwright-core").Page} page @param {string} path
 */
export async function hold(page, path) {
  /** @type {(route: import("playwright-core").Route) => void} */
  let seen;
  const asked = new Promise((resolve) => (seen = resolve));
  await page.route(`**/api/v1/${path}`, (route) => seen(route), { times: 1 });
  return {
    asked,
    async release() {
      const route = await asked;
      await route.fulfill({ response: await route.fetch() });
      // An aborted request has no response.
      await route.request().response();
      await settled(page);
    },
  };
}

/** Waits until the code is dealt. @param {import("playwright-core").Page} page */
export const dealt = (page) => page.locator(".needs-code:enabled").first().waitFor({ state: "attached" });

/** Waits until `count` turns were played. @param {import("playwright-core").Page} page @param {number} count */
export const played = (page, count) =>
  page.waitForFunction((many) => document.querySelectorAll(".board > .turn:not(.now, .later)").length === many, count);

/** Enters guesses of one key per cell, each after the turn before it was played. @param {import("playwright-core").Page} page @param {string[]} guesses */
export async function enter(page, ...guesses) {
  for (const guess of guesses) {
    const before = await turns(page).count();
    await press(page, [...guess, "Enter"]);
    await played(page, before + 1);
  }
}

/** Plays hints until the game is won. @param {import("playwright-core").Page} page */
export async function playHints(page) {
  for (let turn = 1; turn < 10 && !(await page.locator(".card.win").isVisible()); turn += 1) {
    await page.waitForSelector(".turn.now");
    await page.getByRole("button", { name: /^Hint/ }).click();
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByRole("button", { name: "Guess", exact: true }).click();
    await played(page, turn);
  }
}

/** The right answer of a lesson about feedback, as names of its buttons. @param {import("playwright-core").Page} page */
export async function lessonAnswer(page) {
  await page.locator(".lesson-code .code").nth(1).waitFor();
  const [secret, guess] = await page.locator(".lesson-code .code").evaluateAll((codes) => codes.map((code) => code.getAttribute("aria-label")?.split(",")[0]));
  const { feedback } = await (await page.request.post(`${world.address}api/v1/feedback`, { data: { rules: "4x6", guess, secret } })).json();
  return [`${feedback[0].black} black`, `${feedback[0].white} white`];
}
