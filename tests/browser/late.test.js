// Late answers: a choice made during a request takes effect, and an answer to an old position is ignored.

import assert from "node:assert/strict";
import { settled } from "./browser.js";
import { enter, go, hold, lessonAnswer, on, played, press, seal, turns } from "./world.js";

/** Names of the strategies of a race, by lane. @param {import("playwright-core").Page} page */
const lanes = (page) => page.locator(".watch-side").evaluateAll((sides) => sides.map((side) => side.getAttribute("aria-label")));

const RACE = "#watch?rules=4x6&who=knuth;random-consistent&secret=3632";

on("two strategies chosen while the secret is sealed both join the race", RACE, {}, async (page) => {
  await settled(page, [".watch-side optgroup"]);
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  const released = new Promise((resolve) => (release = resolve));
  await page.route("**/api/v1/secret", (route) => released.then(() => route.continue()));
  await page.getByRole("button", { name: "Add a strategy" }).click();
  await page.getByLabel("Lane 2").selectOption("shapiro");
  release();
  await page.locator(".watch-side").nth(2).waitFor();
  assert.deepEqual(await lanes(page), ["knuth", "shapiro", "entropy"]);
});

on("a strategy chosen while another secret is drawn joins its race", RACE, {}, async (page) => {
  await settled(page, [".watch-side optgroup"]);
  const drawn = await hold(page, "secret");
  await page.getByRole("button", { name: "New secret" }).click();
  await drawn.asked;
  await page.getByLabel("Lane 2").selectOption("shapiro");
  await page.getByRole("button", { name: "Add a strategy" }).click();
  await drawn.release();
  await page.waitForFunction(() => /secret=/.test(location.hash));
  await settled(page);
  assert.deepEqual(await lanes(page), ["knuth", "shapiro", "entropy"]);
  assert.doesNotMatch(page.url(), /secret=3632/);
});

on("a guess at the code of the day does not wait for its seal again", "#play?rules=4x6&day=2026-11-16", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await page.route("**/api/v1/secret", () => {});
  await enter(page, "1122", "3456");
});

on("an answer does not call back a player who went elsewhere", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  const judged = await hold(page, "feedback");
  await press(page, ["1", "1", "2", "2"]);
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await judged.asked;
  await page.getByRole("link", { name: "Learn" }).click();
  await page.getByText("Lesson 1 of 7").waitFor();
  await judged.release();
  assert.equal(await page.locator("nav [aria-current=page]").innerText(), "Learn");
});

on("a guess entered before the code is dealt counts", "#learn", {}, async (page) => {
  const dealt = await hold(page, "secret");
  await page.evaluate(() => (location.hash = "#play?rules=5x8:distance"));
  await dealt.asked;
  await page.waitForSelector(".turn.now");
  await press(page, ["1", "2", "3", "4", "5", "Enter"]);
  assert.equal(await turns(page).count(), 0);
  await dealt.release();
  await played(page, 1);
});

on("a game that is dealt late does not replace the address of another page", "#learn", {}, async (page) => {
  await page.getByText("Lesson 1 of 7").waitFor();
  const dealt = await hold(page, "secret");
  await page.evaluate(() => (location.hash = "#play"));
  await dealt.asked;
  // The address changes before its event.
  await page.evaluate(() => history.replaceState(null, "", "#daily"));
  await dealt.release();
  assert.match(page.url(), /#daily$/);
});

on("an answer to one game is not added to the next", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  const judged = await hold(page, "feedback");
  await press(page, ["1", "1", "2", "2"]);
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await judged.asked;
  await go(page, "#play?rules=5x8");
  await page.getByRole("heading", { name: "Super" }).waitFor();
  await judged.release();
  await press(page, ["1", "1", "2", "2", "3"]);
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await played(page, 1);
  assert.match(page.url(), /guesses=11223$/);
});

on("giving up one game does not reveal the next", "#play?rules=4x6", {}, async (page) => {
  await page.getByRole("button", { name: "Give up" }).click();
  const revealed = await hold(page, "secret");
  await page.getByRole("dialog").getByRole("button", { name: "Give up" }).click();
  await revealed.asked;
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}&turns=1122=1,0`);
  await played(page, 1);
  await revealed.release();
  assert.equal(await page.getByRole("heading", { name: "The code was" }).count(), 0);
});

on("rules typed and started at once are the rules played", "#play?rules=4x6", {}, async (page) => {
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByText("Custom game").click();
  const described = await hold(page, "rules");
  await page.getByLabel("Notation").fill("3x7");
  await page.getByLabel("Notation").press("Enter");
  await described.release();
  await page.getByRole("heading", { name: "3x7" }).waitFor();
});

on("a lesson is judged by the answer that was checked, and leaves the next one alone", "#learn", {}, async (page) => {
  await page.getByText("Lesson 1 of 7").waitFor();
  for (const name of await lessonAnswer(page)) await page.getByRole("radio", { name }).click();
  const judged = await hold(page, "feedback");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("radio", { name: "3 black" }).click();
  await page.locator(".ladder a").nth(1).click();
  await page.getByText("Lesson 2 of 7").waitFor();
  await judged.release();
  await page.locator(".ladder a.passed").waitFor();
  assert.equal(await page.locator(".ladder a[aria-current]").innerText(), await page.locator(".lesson h2").innerText());
});

on("an analysis does not appear after its game was left", "#analyze", {}, async (page) => {
  const analyzed = await hold(page, "analyze");
  await page.getByText("Turns as text").click();
  await page.getByLabel(/^Turns, one/).fill("1122=1,1\n1344=0,1");
  await page.getByRole("button", { name: "Analyze" }).click();
  await analyzed.asked;
  await page.getByRole("link", { name: "Analyze" }).click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
  await analyzed.release();
  assert.equal(await page.locator(".verdicts").count(), 0);
});

on("how a guess would split is said of the position it was asked for", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}&turns=1122=1,0`);
  await page.getByRole("button", { name: "Possible codes" }).click();
  await page.getByText("256 of 1,296 codes fit").waitFor();
  await page.getByRole("button", { name: /^Hint/ }).click();
  const split = await hold(page, "split");
  await page.locator(".hint-guess").hover();
  await split.asked;
  await press(page, ["1", "3", "4", "4", "Enter"]);
  await page.getByText("44 of 1,296 codes fit").waitFor();
  await split.release();
  assert.equal(await page.locator(".split-words").innerText(), "");
});

on("answers of a tree are taken back as often as the button is pressed", "#trees?rules=4x6&strategy=knuth&turns=1122=1,0;1344=0,1", {}, async (page) => {
  await page.locator(".branch").first().waitFor();
  // Both clicks before any event that the browser has queued.
  await page.evaluate(async () => {
    for (let click = 0; click < 2; click += 1) {
      [...document.querySelectorAll("button")].find((button) => button.textContent === "Previous answer")?.click();
      await null;
    }
  });
  await page.getByRole("button", { name: "1 black, 0 white: 256 codes" }).waitFor();
  assert.equal(await turns(page).count(), 0);
});

on("the end of a walk stays, whatever was asked before it", "#trees?rules=4x6&strategy=knuth", {}, async (page) => {
  const branch = (/** @type {RegExp} */ name) => page.getByRole("button", { name });
  await branch(/^1 black, 0 white/).waitFor();
  const last = await branch(/^4 black/).elementHandle();
  const hinted = await hold(page, "hint");
  await branch(/^1 black, 0 white/).click();
  await hinted.asked;
  // The button may already have given way to the progress of the request.
  await last?.evaluate((button) => /** @type {HTMLElement} */ (button).click());
  await hinted.release();
  await page.getByRole("heading", { name: /^Found/ }).waitFor();
});
