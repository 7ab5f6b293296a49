// Every page, by mouse and by keys.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { settled, visit } from "./browser.js";
import { LANES } from "./shots.js";
import { enter, go, on, played, playHints, press, seal, turns, world } from "./world.js";

on("a game is won by keys alone", "", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}`);
  await page.waitForSelector(".turn.now");
  await enter(page, "1122");
  assert.match(await turns(page).nth(0).innerText(), /red red blue blue\. 1 black, 0 white/);
  assert.equal(await page.getByText(/codes fit/).count(), 0, "nothing is given away unasked");
  await page.getByRole("button", { name: "Possible codes" }).click();
  await page.getByText("256 of 1,296 codes fit").waitFor();
  // Backspace removes a peg, arrows move, Ctrl+Z removes a turn.
  await press(page, ["6", "Backspace", "Backspace", "3", "3", "3", "3", "Enter"]);
  await turns(page).nth(1).waitFor();
  await page.keyboard.press("Control+z");
  await played(page, 1);
  await page.keyboard.press("?");
  await page.locator(".hint .code").first().waitFor();
  await press(page, ["3", "6", "3", "2", "ArrowLeft", "ArrowRight", "Enter"]);
  await page.getByRole("heading", { name: "Solved in 2 guesses" }).waitFor();
  assert.match(await page.locator("#live").innerText(), /Solved in 2 guesses/);
});

on("a game is played by mouse, with a hint, undo and drag", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  for (const color of "1234") await page.getByRole("button", { name: `Color ${color}` }).click();
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await turns(page).nth(0).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await played(page, 0);
  const from = await page.getByRole("button", { name: "Color 5" }).boundingBox();
  const to = await page.locator("[data-cell='2']").boundingBox();
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
  await page.mouse.up();
  assert.equal(await page.locator("[data-cell='2']").getAttribute("aria-label"), "Hole 3, orange");
  await page.getByRole("button", { name: /^Hint/ }).click();
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await turns(page).nth(0).waitFor();
});

on("hints lead to the end, and the end to an analysis", "#play?rules=4x6", {}, async (page) => {
  await playHints(page);
  await page.getByRole("link", { name: "How well did I play?" }).click();
  await page.getByRole("img", { name: /^Skill \d+ of 100/ }).waitFor();
  await page.getByRole("heading", { name: "How others did" }).waitFor();
});

on("the address contains the game: sharing, reloading, going back", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await enter(page, "1122", "3456");
  const address = page.url();
  assert.doesNotMatch(address, /=\d,\d/, "marks are not part of an address");
  const shown = await turns(page).allInnerTexts();
  await page.reload();
  await turns(page).nth(1).waitFor();
  assert.deepEqual(await turns(page).allInnerTexts(), shown);
  assert.equal(page.url(), address);
  // A game is one entry of the history.
  await page.getByRole("link", { name: "Learn" }).click();
  await page.goBack();
  await turns(page).nth(1).waitFor();
  assert.equal(page.url(), address);
  await page.getByRole("button", { name: "Share" }).click();
  assert.equal(await page.getByLabel("Address").inputValue(), page.url());
  assert.match(
    await page.getByLabel("For the terminal").inputValue(),
    /^pegwise\/1 break 4x6 1122=\d,\d 3456=\d,\d sealed:[0-9a-f]+$/,
  );
});

on("giving up reveals the code, and another game can be chosen", "#play?rules=4x6", { refused: 1 }, async (page) => {
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("button", { name: "Keep playing" }).click();
  assert.equal(await page.getByRole("heading", { name: "The code was" }).count(), 0);
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Give up" }).click();
  await page.getByRole("heading", { name: "The code was" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByText("Custom game").click();
  await page.getByLabel("Notation").fill("0x0");
  await page.locator(".verdict.bad").waitFor();
  assert.ok(await page.getByRole("button", { name: "Start" }).isDisabled());
  await page.getByLabel("Notation").fill("5x300:black-only");
  await page.locator(".verdict:not(.bad)", { hasText: "2.4 trillion codes" }).waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { name: "5x300:black-only" }).waitFor();
  // The digits of a color belong together, however slowly the browser takes them.
  await page.clock.setFixedTime(Date.now());
  await press(page, ["2", "9", "9"]);
  assert.equal(await page.locator("[data-cell='0']").getAttribute("aria-label"), "Hole 1, 299");
});

for (const [rules, guess] of [
  ["grid:2x3x4", "123412"],
  ["triangle:3x5", "123451"],
  ["cube:2x2x2x3", "12312312"],
  ["ring:6x4", "123412"],
  ["4x6:higher-lower", "1234"],
  ["3x6:distance", "123"],
]) {
  on(`${rules} is played`, `#play?rules=${rules}`, {}, async (page) => {
    await page.waitForSelector(".turn.now");
    await enter(page, guess);
    const shown = await page.locator(".turn:not(.now, .later) .mark").count();
    const { lines } = await (await page.request.post(`${world.address}api/v1/rules`, { data: { rules } })).json();
    assert.equal(shown, lines.length);
  });
}

on("a game on the table: turns with forgotten parts, and an edited turn", "#solve?rules=4x6", {}, async (page) => {
  await page.locator(".hint").waitFor();
  await press(page, ["1", "1", "2", "2"]);
  // A missing answer is not an answer of 0.
  assert.ok(await page.getByRole("button", { name: "Enter turn" }).isDisabled());
  await page.getByRole("radio", { name: "1 black" }).click();
  assert.ok(await page.getByRole("button", { name: "Enter turn" }).isDisabled());
  await page.getByRole("radio", { name: "1 white" }).click();
  await page.getByRole("button", { name: "Enter turn" }).click();
  await page.getByText("208 of 1,296 codes fit").waitFor();
  // By keys alone: the guess, Enter, the numbers, Enter.
  await page.locator("[data-cell='0']").focus();
  await press(page, ["3", "?", "4", "4", "Enter", "?", "0", "Enter"]);
  await turns(page).nth(1).waitFor();
  assert.match(page.url(), /turns=1122=1,1;3\?44=\?,0/);
  await page.getByRole("button", { name: "Edit turn 1" }).click();
  await page.getByRole("radio", { name: "0 white" }).click();
  await page.getByRole("button", { name: "Save turn" }).click();
  await turns(page).nth(0).getByText("1 black, 0 white").waitFor({ state: "attached" });
  assert.match(page.url(), /turns=1122=1,0;3\?44=\?,0/);
  await page.getByRole("button", { name: "Remove turn 2" }).click();
  await page.getByText("256 of 1,296 codes fit").waitFor();
});

on("a hint lists its guess first, and the others by guesses lost", "#solve?rules=5x6&turns=14223=2,1;63225=1,2;35515=1,1", {}, async (page) => {
  await page.locator(".hint details").waitFor();
  await page.locator(".hint summary").click();
  const listed = await page.locator(".hint li").allInnerTexts();
  const [first, ...others] = listed.map((text) => text.replace(/\s+/g, " "));
  assert.match(first, /best possible; leaves 2 on average, could be the code/);
  for (const other of others) assert.match(other, /loses 0\.053 guesses; leaves/);
});

on("a contradiction is repaired in place", "#solve?rules=4x6&turns=1122=0,0;3344=0,1;5566=0,0", {}, async (page) => {
  await page.getByRole("heading", { name: "No code fits these turns" }).waitFor();
  assert.equal(await page.locator(".turn.wrong").count(), 3);
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.locator(".hint").waitFor();
  assert.equal(await page.locator(".turn.wrong").count(), 0);
  await page.goBack();
  await page.getByRole("heading", { name: "No code fits these turns" }).waitFor();
});

on("a game is analyzed from its turns as text", "#analyze", {}, async (page) => {
  // The page begins with a board; turns are rated as they are entered.
  await page.locator(".pad").waitFor();
  await press(page, ["1", "1", "2", "2", "1", "1", "Enter"]);
  await page.locator(".verdicts > .turn").waitFor();
  await page.getByText("Turns as text").click();
  await page.getByLabel(/^Turns, one/).fill("1122=1,1\n1344=0,1\n2516=2,2\n6512=4,0");
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByRole("img", { name: /^Codes still possible/ }).waitFor();
  await page.locator(".verdicts > .turn").nth(3).waitFor();
  assert.equal(await page.locator(".verdicts > .turn").count(), 4);
  await page.getByText("Turns of the game").click();
  await page.getByLabel(/^Turns, one/).fill("1122");
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByText("is not a turn of 4x6").waitFor();
});

on(
  "strategies race side by side",
  "#watch?rules=4x6&who=knuth;random-consistent&secret=3632",
  {},
  async (page) => {
    await settled(page, LANES.slice(0, 2));
    await page.locator(".watch-place", { hasText: /^Step 0 of \d/ }).waitFor();
    await page.getByRole("button", { name: "Next step" }).click();
    await page.keyboard.press("ArrowRight");
    await page.locator(".watch-place", { hasText: /^Step 2 of \d/ }).waitFor();
    assert.equal(await page.locator(".watch-side").nth(0).locator(".turn").count(), 2);
    assert.equal(await page.locator(".watch-side").nth(1).locator(".turn").count(), 2);
    await page.getByRole("button", { name: "To the end" }).click();
    assert.equal(await page.getByText(/^Solved in/).count(), 2);
    await page.getByText(/^(knuth|random-consistent) wins with|tie with \d guesses/).waitFor();
    assert.ok((await page.locator(".watch-side.winner").count()) > 0);
    await page.getByRole("button", { name: "Add a strategy" }).click();
    await page.locator(".watch-side").nth(2).waitFor();
    assert.match(page.url(), /who=knuth;random-consistent;entropy/);
    await page.getByLabel("Lane 2").selectOption("shapiro");
    await page.getByRole("region", { name: "shapiro" }).waitFor();
    assert.match(page.url(), /who=knuth;shapiro;entropy/);
    await page.getByRole("button", { name: "Remove entropy" }).click();
    await page.getByRole("region", { name: "entropy" }).waitFor({ state: "detached" });
    assert.match(page.url(), /who=knuth;shapiro&/);
  },
);

on("a race runs automatically", "#watch?rules=4x6&who=knuth;entropy&secret=3632", { paused: true, reducedMotion: "no-preference" }, async (page) => {
  const step = (/** @type {number} */ number) => page.locator(".watch-place", { hasText: new RegExp(`^Step ${number} of \\d`) }).waitFor();
  await page.waitForFunction(() => document.querySelector(".watch-side") && !document.querySelector("[aria-busy=true]"));
  for (const number of [0, 1, 2]) {
    await step(number);
    await page.clock.runFor(1100);
  }
  await step(3);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(11_000);
  await step(3);
});

on("the catalog is one table: searched, sorted, measured", "#strategies", {}, async (page) => {
  await page.locator("tr.strategy").first().waitFor();
  const all = await page.locator("tr.strategy:visible").count();
  assert.ok(all > 30);
  await page.getByLabel("Search strategies").fill("knuth");
  const found = await page.locator("tr.strategy:visible").count();
  assert.ok(found > 0 && found < 10, `${found}`);
  await page.getByLabel("Search strategies").fill("");
  const means = async () =>
    (await page.locator("tr.strategy .of-mean").allInnerTexts()).map(parseFloat).filter((mean) => !Number.isNaN(mean));
  const rising = await means();
  assert.ok(rising.length > 20);
  assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
  await page.getByRole("button", { name: "Sort by Mean guesses" }).click();
  assert.deepEqual(await means(), [...rising].sort((a, b) => b - a));
  await page.getByRole("button", { name: "More about Knuth knuth" }).click();
  const form = page.locator("form.measure:visible");
  await form.getByRole("button", { name: "Measure 100 games" }).click();
  await form.getByText(/guesses on average over 100 games at 4x6/).waitFor();
});

on("a tree is explored answer by answer", "#trees?rules=4x6&strategy=knuth", {}, async (page) => {
  await page.locator(".branch").first().waitFor();
  assert.equal(await page.locator(".branch").count(), 13);
  await page.getByRole("button", { name: "1 black, 0 white: 256 codes" }).click();
  await page.getByText("256 of 1,296 codes fit").waitFor();
  await page.getByRole("button", { name: /^0 black, 1 white: 44 codes/ }).click();
  await page.getByText("44 of 1,296 codes fit").waitFor();
  await page.getByRole("img", { name: "The tree along this path: 1122: 1 black, 0 white, then 1344: 0 black, 1 white." }).waitFor();
  assert.equal(await page.locator(".tree-picture .node.taken").count(), 2);
  await page.getByRole("button", { name: "Previous answer" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".board > .turn").length === 1);
});

on("the lab shows tables and plots", "#lab", {}, async (page) => {
  await page.getByText("Guesses per game").waitFor();
  const ink = () => page.locator("figure.plot svg .pw-ink").first().evaluate((text) => getComputedStyle(text).fill);
  const light = await ink();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  assert.notEqual(await ink(), light);
});

on("long work reports progress and can be stopped", "#strategies", {}, async (page) => {
  await page.getByRole("button", { name: "More about Adaptive adaptive" }).click();
  const form = page.locator("form.measure:visible");
  await form.getByLabel(/^Rules to measure/).fill("40x40");
  await form.getByRole("button", { name: "Measure 100 games" }).click();
  await form.getByText(/Playing 100 games… \d/).waitFor();
  // The page stays responsive.
  await page.getByLabel("Search strategies").fill("adaptive");
  await form.getByRole("button", { name: "Stop" }).click();
  await form.getByText(/guesses on average over|Stopped before/).waitFor();
});

on(
  "markup in an address is shown as text",
  "#analyze?rules=4x6&turns=%3Cimg%20src=x%20onerror=alert(1)%3E",
  {},
  async (page) => {
    await page.locator(".notice.bad").waitFor();
    assert.equal(await page.locator("main img").count(), 0);
  },
);

on("light and dark follow the system, and a choice is saved", "#play", { colorScheme: "dark" }, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  const light = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await ground(), light);
});

test("the first page is light and quick", async () => {
  const { page, odd, close } = await visit(world.browser, world.address);
  await page.waitForSelector(".turn.now");
  const { bytes, shown } = await page.evaluate(() => {
    const all = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return { bytes: all.reduce((sum, entry) => sum + entry.transferSize, 0), shown: paint?.startTime ?? 0 };
  });
  console.log(`first page: ${Math.round(bytes / 1000)} kB, shown after ${Math.round(shown)} ms`);
  assert.ok(bytes < 150_000, `${bytes} bytes`);
  assert.deepEqual(odd, []);
  await close();
});

test("an exported tree is explored from a single file", async () => {
  const folder = mkdtempSync(`${tmpdir()}/pegwise-tree-`);
  const file = `${folder}/tree.html`;
  const record = new URL("../../crates/solve/records/4x6.tree", import.meta.url).pathname;
  execFileSync(process.env.PEGWISE ?? "pegwise", ["tree", "export", record, "--format", "html", "-o", file]);
  const { page, odd, close } = await visit(world.browser, `file://${file}`, {});
  try {
    await page.locator(".tree-node .code").waitFor();
    assert.equal(await page.locator(".branch").count(), 14);
    await page.locator(".branch").first().click();
    await turns(page).waitFor();
    assert.match(await page.locator(".branch").first().innerText(), /\d+ codes/);
    assert.deepEqual(odd, []);
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
});
