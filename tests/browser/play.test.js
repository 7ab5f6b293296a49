// Play on a phone, by touch, by keys and by the accessibility tree; what is stored, and what an address can change.

import assert from "node:assert/strict";
import { settled } from "./browser.js";
import { dealt, enter, everywhere, go, hold, on, played, press, seal, tool, turns, visitPage, world } from "./world.js";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const NOON = "2026-11-18T12:00:00";
const DAILY = "#play?rules=4x6&day=2026-11-18";

/** Secret of the daily puzzle of a day. @param {import("playwright-core").Page} page @param {number} seed */
const secretOf = async (page, seed) =>
  (await (await page.request.post(`${world.address}api/v1/secret`, { data: { rules: "4x6", seed, reveal: true } })).json()).secret.map(String);

/** Opens an address at noon of a fixed day. @param {import("playwright-core").Page} page @param {string} hash */
async function noon(page, hash) {
  await page.clock.setFixedTime(NOON);
  await go(page, hash);
  await page.reload();
}

/** Numbers of the streaks. @param {import("playwright-core").Page} page */
async function streak(page) {
  await go(page, "#daily");
  return page.locator(".streak b").allInnerTexts();
}

on("a whole game by touch on a small phone, without a scroll", "#play", PHONE, async (page) => {
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}`);
  await settled(page, [".needs-code:enabled"]);
  const tap = async (/** @type {string[]} */ colors) => {
    for (const color of colors) await page.getByRole("button", { name: `Color ${color}, ` }).tap();
    await page.getByRole("button", { name: "Guess", exact: true }).tap();
  };
  const visible = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll(".top, .board > .turn, .choice, #guess")];
      const outside = all.filter((one) => {
        const box = one.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return box.top < 0 || box.bottom > innerHeight || !(top && (one.contains(top) || top.contains(one)));
      });
      return { outside: outside.map((one) => one.outerHTML.slice(0, 60)), scroll: document.documentElement.scrollHeight - innerHeight };
    });
  for (let turn = 1; turn < 10; turn += 1) {
    assert.deepEqual(await visible(), { outside: [], scroll: 0 }, `turn ${turn}`);
    await tap(["1", "2", "3", "4"]);
    await played(page, turn);
    await settled(page);
  }
  assert.deepEqual(await visible(), { outside: [], scroll: 0 }, "turn 10");
  const header = await page.locator(".top").boundingBox();
  assert.ok((header?.height ?? 99) <= 56);
  const targets = await page.locator(".choice, .dock button:visible, .top a:visible, .top button:visible").evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().width < 44 || one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(targets, []);
  await tap(["3", "6", "3", "2"]);
  await page.getByRole("dialog", { name: "Result" }).getByRole("heading", { name: "Solved in 10 guesses" }).waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
});

on("a hint is visible at once on a small phone", "#play?rules=4x6", PHONE, async (page) => {
  await page.getByRole("button", { name: /^Hint/ }).tap();
  await page.locator(".hint-guess").waitFor();
  await settled(page);
  for (const part of [".hint-guess .code", "#guess", ".choice"]) {
    const box = await page.locator(part).first().boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 640, part);
  }
  await page.getByText("Help: hint").waitFor();
});

on("a game is won by roles and names alone", "#play", {}, async (page) => {
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}`);
  const colors = ["red", "blue", "green", "yellow", "orange", "purple"];
  const codes = Array.from({ length: 1296 }, (_, at) => [0, 1, 2, 3].map((cell) => colors[Math.floor(at / 6 ** cell) % 6]));
  const common = (/** @type {string[]} */ one, /** @type {string[]} */ other) =>
    colors.reduce((sum, color) => sum + Math.min(one.filter((name) => name === color).length, other.filter((name) => name === color).length), 0);
  /** @type {string[]} */
  let rows = [];
  for (let turn = 1; turn <= 10; turn += 1) {
    const known = rows.map((row) => /((?:\w+ ){3}\w+)\. (\d) black, (\d) white/.exec(row)).filter((found) => found !== null);
    const code = codes.find((one) =>
      known.every(([, guess, black, white]) => {
        const other = guess.split(" ");
        const exact = other.filter((color, at) => color === one[at]).length;
        return exact === Number(black) && common(one, other) - exact === Number(white);
      }));
    for (const color of code ?? []) await page.getByRole("button", { name: new RegExp(`^Color \\d, ${color}$`) }).press("Space");
    await page.getByRole("button", { name: "Guess", exact: true }).press("Enter");
    await played(page, turn);
    if (await page.getByRole("dialog", { name: "Result" }).count()) break;
    rows = (await page.getByRole("table", { name: "Your turns" }).ariaSnapshot()).split("\n");
  }
  await page.getByRole("heading", { name: /^Solved in/ }).waitFor();
});

everywhere("addresses are not believed: marks, finished games and other days", "#play", {}, async (page) => {
  const won = await secretOf(page, 20261118);
  await noon(page, `${DAILY}&turns=${won.join("")}=4,0`);
  await page.waitForSelector(".turn.now");
  assert.equal(await turns(page).count(), 0);
  const sealed = await seal(page, "4x6", "3632");
  await go(page, `#play?rules=4x6&sealed=${sealed}&turns=3632=4,0`);
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  assert.deepEqual(await streak(page), ["0", "0", "0"]);
  assert.equal(await page.getByText("Finish a game to see your stats.").count(), 1);
  for (const [query, message] of [
    ["rules=4x6&turns=1122=1,1;3344=1,1", "This link has guesses but no code."],
    ["rules=4x6&day=2031-01-01", "The puzzle of 2031-01-01 is not open yet."],
    ["rules=4x6&day=2026-02-31", "There is no daily puzzle of “2026-02-31”."],
  ]) {
    await go(page, `#play?${query}`);
    await page.getByText(message).waitFor();
  }
});

everywhere("a daily puzzle that was given up stays lost", "#play", {}, async (page) => {
  await noon(page, DAILY);
  await tool(page, "Give up");
  await page.getByRole("dialog").getByRole("button", { name: "Give up" }).click();
  await page.getByRole("heading", { name: "The code was" }).waitFor();
  await page.goBack();
  await go(page, DAILY);
  await page.reload();
  await page.getByRole("heading", { name: "The code was" }).waitFor();
  assert.equal(await page.locator(".turn.now").count(), 0);
  assert.deepEqual(await streak(page), ["0", "0", "0"]);
});

everywhere("a hint is remembered after a reload, and its win is not a streak", "#play", {}, async (page) => {
  const won = await secretOf(page, 20261118);
  await noon(page, DAILY);
  await page.getByRole("button", { name: /^Hint/ }).click();
  await page.locator(".hint-guess").waitFor();
  await page.reload();
  await page.waitForSelector(".turn.now");
  await press(page, [...won, "Enter"]);
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  assert.match(await page.locator(".text-grid").innerText(), /with help/);
  assert.deepEqual(await streak(page), ["0", "0", "0"]);
  await page.getByText("With help: 1 of 1 game solved").waitFor();
});

everywhere("two tabs play one game", "#play", {}, async (page) => {
  await noon(page, DAILY);
  await page.waitForSelector(".turn.now");
  const other = await page.context().newPage();
  await other.clock.setFixedTime(NOON);
  await other.goto(world.address + DAILY);
  await other.waitForSelector(".turn.now");
  for (const [at, tab] of [page, other, page, other].entries()) {
    await played(tab, at);
    await press(tab, [..."1122", "Enter"]);
    await Promise.all([page, other].map((one) => played(one, at + 1)));
  }
});

everywhere("edited or unreadable storage does not break Play, and does not count", "#play", {}, async (page) => {
  const won = await secretOf(page, 20261118);
  await noon(page, DAILY);
  await page.waitForSelector(".turn.now");
  await enter(page, "1122");
  await page.evaluate(() => {
    localStorage.setItem("pegwise.set", "null");
    localStorage.setItem("pegwise.games", "null");
  });
  await page.reload();
  await page.waitForSelector(".turn.now");
  await press(page, [...won, "Enter"]);
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  assert.deepEqual(await streak(page), ["0", "0", "0"]);
  await page.getByText("The stored games could not be read").waitFor();
});

everywhere("a game is not lost: other pages, the logo, half-filled rows", "#play", {}, async (page) => {
  await dealt(page);
  await enter(page, "1122");
  await press(page, ["3", "4"]);
  const entries = await page.evaluate(() => history.length);
  await visitPage(page, "Learn");
  await page.getByText("Lesson 1 of 7").waitFor();
  await page.getByRole("link", { name: "Pegwise: play" }).click();
  await played(page, 1);
  assert.equal(await page.locator("[data-cell='1']").getAttribute("aria-label"), "Hole 2, yellow");
  assert.equal(await page.evaluate(() => history.length), entries + 2);
  await page.getByRole("button", { name: "New game" }).click();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

everywhere("a guess with a gap says what is missing, and a second tap empties a hole", "#play?rules=4x6", {}, async (page) => {
  await dealt(page);
  await press(page, ["1", "2"]);
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await page.getByText("Fill every hole first.").waitFor();
  const hole = page.locator("[data-cell='1']");
  await hole.click();
  assert.equal(await hole.getAttribute("aria-label"), "Hole 2, blue");
  await hole.click();
  assert.equal(await hole.getAttribute("aria-label"), "Hole 2, empty");
  for (const color of ["2", "3", "4"]) await page.getByRole("button", { name: `Color ${color}, ` }).click();
  // Enter on a color of a full row guesses.
  await page.getByRole("button", { name: "Color 1, " }).press("Enter");
  await played(page, 1);
});

everywhere("games with lies are refused before they begin", "#play?rules=4x6", {}, async (page) => {
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByText("Custom game").click();
  await page.getByLabel("Notation").fill("4x6:lies=1");
  await page.locator(".verdict.bad", { hasText: "remove lies=" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Start" }).isDisabled());
  await go(page, "#play?rules=4x6:lies=1");
  await page.locator(".notice.bad", { hasText: "remove lies=" }).waitFor();
});

everywhere("an unreachable engine is reported once, and the notice leaves with a retry", "#play?rules=4x6", {}, async (page) => {
  await dealt(page);
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = (...asked) => (Reflect.get(window, "down") ? Promise.reject(new TypeError("down")) : fetch(...asked));
    Reflect.set(window, "down", true);
  });
  await press(page, ["1", "1", "2", "2", "Enter", "?"]);
  await page.getByText("The engine isn't responding").waitFor();
  await page.keyboard.press("Enter");
  await settled(page, [".unreachable"]);
  assert.equal(await page.locator(".unreachable").count(), 1);
  await page.evaluate(() => Reflect.set(window, "down", false));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("[data-cell='3']").focus();
  await page.keyboard.press("Enter");
  await played(page, 1);
  assert.equal(await page.locator(".unreachable").count(), 0);
});

everywhere("a slow engine is said to be slow", "#play?rules=4x6", {}, async (page) => {
  await dealt(page);
  const judged = await hold(page, "feedback");
  await press(page, ["1", "1", "2", "2", "Enter"]);
  await page.getByText("Waiting for the engine…").waitFor();
  await judged.release();
  await played(page, 1);
  assert.equal(await page.getByText("Waiting for the engine…").count(), 0);
});

everywhere("an impossible answer is refused where it is entered, and keys go on to the answer", "#solve?rules=4x6", {}, async (page) => {
  await page.locator(".hint").waitFor();
  await press(page, ["1", "3", "4", "4", "3", "4"]);
  assert.equal(await page.locator("[data-cell='3']").getAttribute("aria-label"), "Hole 4, yellow");
  await page.getByText("This answer is impossible").waitFor();
  assert.ok(await page.getByRole("button", { name: "Enter turn" }).isDisabled());
  await page.getByRole("radio", { name: "0 white" }).click();
  await page.getByRole("button", { name: "Enter turn" }).click();
  await turns(page).first().waitFor();
});

everywhere("every turn that is named in a contradiction is outlined", "#solve?rules=4x6&turns=1111=1,0;1111=2,0;2222=1,0;2222=2,0", {}, async (page) => {
  const named = await page.locator(".mend p").first().innerText();
  const numbers = new Set(named.match(/\d/g));
  assert.ok(numbers.size > 2, named);
  assert.equal(await page.locator(".turn.wrong").count(), numbers.size);
});

on("text of twice the size fits a small phone", "#play?rules=4x6", PHONE, async (page) => {
  await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
  for (const name of ["play?rules=4x6", "daily", "solve", "learn", "analyze", "watch", "trees", "strategies", "lab"]) {
    await go(page, `#${name}`);
    await settled(page, ["h1"]);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, name);
  }
});

on("past games are listed, saved as a file and restored from it", "#play", {}, async (page) => {
  await dealt(page);
  await enter(page, "1122");
  await tool(page, "Give up");
  await page.getByRole("dialog").getByRole("button", { name: "Give up" }).click();
  await page.getByRole("heading", { name: "The code was" }).waitFor();
  await go(page, "#daily");
  const past = page.getByRole("region", { name: "Past games" });
  await past.getByText("not solved, 1 guess").waitFor();
  const [saved] = await Promise.all([page.waitForEvent("download"), past.getByRole("button", { name: "Save all games as a file" }).click()]);
  const file = await saved.path();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  assert.equal(await past.getByRole("listitem").count(), 0);
  await past.getByLabel("Add the games of a file").setInputFiles(file);
  await past.getByText("Added 1 game.").waitFor();
  await past.getByRole("link", { name: "Classic" }).click();
  await page.getByRole("heading", { name: "The code was" }).waitFor();
  await page.getByRole("link", { name: "How well did I play?" }).click();
  await page.locator(".verdicts").waitFor();
});

everywhere("blocked storage is said, and a game lasts as long as the page", "#play", {}, async (page) => {
  const won = await secretOf(page, 20261118);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("blocked", "SecurityError");
    };
  });
  await noon(page, DAILY);
  await page.waitForSelector(".turn.now");
  await press(page, [...won, "Enter"]);
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  await page.evaluate(() => (location.hash = "#daily"));
  await page.getByText("This browser blocks storage").waitFor();
  assert.deepEqual(await page.locator(".streak b").allInnerTexts(), ["1", "1", "1"]);
});

everywhere("a bound is called a bound, and large numbers have one notation", "#play", {}, async (page) => {
  const sealed = await seal(page, "4x6", "3632");
  await page.route("**/api/v1/remaining", (route) => route.fulfill({ json: { remaining: "37778931862957161709568", remaining_is: "bound", digits: null, codes: [] } }));
  await go(page, `#play?rules=4x6&sealed=${sealed}&guesses=1122`);
  await played(page, 1);
  await tool(page, "Possible codes");
  await page.getByText("At most 3.8 × 10²² codes fit", { exact: true }).waitFor();
  await page.unroute("**/api/v1/remaining");
  await go(page, "#solve?rules=20x20&turns=ABCDEFGABCDEFGABCDEF=2,3");
  await page.locator(".hint .why").waitFor();
  assert.doesNotMatch(await page.locator("main").innerText(), /\de\d/);
  assert.match(await page.locator(".hint .why").innerText(), /× 10²/);
});

everywhere("alternatives are in the order of the number shown", "#solve?rules=4x6&turns=1122=1,1", {}, async (page) => {
  await page.getByText("Other good guesses").click();
  const numbers = (await page.locator(".alternatives li").allInnerTexts()).map((text) => Number(/leaves ([\d.]+) on average/.exec(text)?.[1]));
  assert.ok(numbers.length > 2 && numbers.every((number) => number > 0), numbers.join());
  assert.deepEqual(numbers, [...numbers].sort((one, other) => one - other));
});

everywhere("a guess without information is wasted, and a loss has not the color of the best", "#play", {}, async (page) => {
  const sealed = await seal(page, "4x6", "3632");
  await go(page, `#play?rules=4x6&sealed=${sealed}&guesses=1122;1122;3632`);
  await page.locator(".qualities li").first().waitFor();
  assert.deepEqual((await page.locator(".qualities li").allInnerTexts()).map((text) => text.trim()), ["good", "wasted", "best"]);
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3642")}&guesses=1123;1123`);
  await played(page, 2);
  await dealt(page);
  await tool(page, "Rate my guesses");
  await page.locator(".rating").nth(1).waitFor();
  const [best, wasted] = await page.locator(".rating").evaluateAll((all) => all.map((one) => [one.className, getComputedStyle(one).color]));
  assert.deepEqual([best[0], wasted[0]], ["rating best", "rating wasted"]);
  if (await page.evaluate(() => !matchMedia("(forced-colors: active)").matches)) assert.notEqual(best[1], wasted[1]);
});

everywhere("rating the guesses keeps the hint", "#play", {}, async (page) => {
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}&guesses=1122`);
  await page.getByRole("button", { name: /^Hint/ }).click();
  const hint = await page.locator(".hint-guess .code").getAttribute("aria-label");
  await tool(page, "Rate my guesses");
  await page.locator(".rating").waitFor();
  assert.equal(await page.locator(".hint-guess .code").getAttribute("aria-label"), hint);
});

everywhere("after a win the focus is in the result, and then in the page", "#play", {}, async (page) => {
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}`);
  await dealt(page);
  await press(page, [..."3632", "Enter"]);
  const result = page.getByRole("dialog", { name: "Result" });
  await result.waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("dialog"));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.matches("main .card"));
});

on("holes and answer keys have an outline in forced colors", "#play?rules=4x6", { forcedColors: "active" }, async (page) => {
  await page.waitForSelector(".turn.now");
  for (const part of [".hole .peg.empty", ".key.none"])
    assert.ok((await page.locator(part).first().evaluate((one) => parseFloat(getComputedStyle(one).borderTopWidth))) >= 1, part);
});

on("a whole game by keyboard alone", "#play?rules=4x6", {}, async (page) => {
  await dealt(page);
  const focusOn = async (/** @type {string} */ name) => {
    while ((await page.evaluate(() => document.activeElement?.textContent)) !== name) await page.keyboard.press("Tab");
  };
  for (let turn = 1; turn <= 10; turn += 1) {
    await page.keyboard.press("?");
    await page.locator(".hint-guess").waitFor();
    await focusOn("Use it");
    await page.keyboard.press("Enter");
    await focusOn("Guess");
    await page.keyboard.press("Enter");
    await played(page, turn);
    if (await page.getByRole("dialog").count()) break;
  }
  await page.getByRole("dialog").getByRole("heading", { name: /^Solved in/ }).waitFor();
  await focusOn("Play again");
  await page.keyboard.press("Enter");
  await played(page, 0);
});

on("past games open in Analyze", "#play", {}, async (page) => {
  const won = await secretOf(page, 20261118);
  await noon(page, DAILY);
  await page.waitForSelector(".turn.now");
  await enter(page, "1122");
  await press(page, [...won, "Enter"]);
  await page.getByRole("heading", { name: "Solved in 2 guesses" }).waitFor();
  assert.match(await page.locator(".text-grid").innerText(), /^Pegwise #322 · 4x6 · 2\/10\n[⚫⚪▫️]+\n⚫⚫⚫⚫\nhttp.*#play\?rules=4x6&day=2026-11-18$/u);
  await go(page, "#daily");
  await page.getByRole("link", { name: "322, 2026-11-18" }).waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Past games" }).getByRole("button", { name: "Analyze" }).click();
  await page.locator(".verdicts > .turn").nth(1).waitFor();
});

on("marks of a grid say which pegs they judge", "#solve?rules=grid:2x3x4&turns=123412=1,0/0,1/1,0/0,1/1,0", {}, async (page) => {
  await page.locator(".mend, .hint").first().waitFor();
  const judged = () => page.locator(".board > .turn").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll(".turn-body .peg")].flatMap((peg, cell) => (peg.matches(".judged") ? [cell + 1] : []))));
  await page.locator(".turn:not(.now) .mark").nth(1).hover();
  assert.deepEqual(await judged(), [[4, 5, 6], []]);
  await page.locator(".turn.now .mark-button").nth(3).focus();
  assert.deepEqual(await judged(), [[], [2, 5]]);
});
