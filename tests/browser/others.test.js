// Games with others, word games, and settings.

import assert from "node:assert/strict";
import { settled, visit } from "./browser.js";
import { dealt, enter, go, on, played, press, tool, turns, world } from "./world.js";

/** Secret of the open game. @param {import("playwright-core").Page} page @param {string} rules */
async function secretOf(page, rules) {
  const sealed = /sealed=(\w+)/.exec(page.url())?.[1];
  const { secret } = await (await page.request.post(`${world.address}api/v1/secret`, { data: { rules, sealed, reveal: true } })).json();
  return secret.map(String);
}

/** Starts a game of the dialog. @param {import("playwright-core").Page} page @param {string} against */
async function start(page, against) {
  await page.getByRole("button", { name: "New game" }).click();
  const choice = page.getByRole("dialog").getByLabel("Play");
  await choice.locator("optgroup").first().waitFor({ state: "attached" });
  await choice.selectOption(against);
  await page.getByRole("button", { name: /^Classic/ }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await settled(page, [".needs-code:enabled"]);
}

on("a sealed code is sent to a friend, whose game does not count", "#challenge", {}, async (page) => {
  await page.locator(".turn.now").waitFor();
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.getByText("Fill every hole first.").waitFor();
  await press(page, [..."3632", "Enter"]);
  const link = await page.getByRole("textbox", { name: "The code is sealed. Send this link:" }).inputValue();
  assert.doesNotMatch(link, /3632/);
  const friend = await visit(world.browser, link);
  await friend.page.getByText("A friend's code").waitFor();
  await dealt(friend.page);
  await press(friend.page, [..."3632", "Enter"]);
  await friend.page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  await go(friend.page, "#daily");
  await friend.page.getByText("Finish a game to see your stats.").waitFor();
  assert.deepEqual(friend.odd, []);
  await friend.close();
});

on("two players guess in turns on one screen", "#play", {}, async (page) => {
  await dealt(page);
  await start(page, "Two players, in turns");
  await page.getByText("Player 1's turn").waitFor();
  const secret = await secretOf(page, "4x6");
  await press(page, [...secret.map((color) => String((Number(color) % 6) + 1)), "Enter"]);
  await page.getByText("Player 2's turn").waitFor();
  await page.reload();
  await page.getByText("Player 2's turn").waitFor();
  await press(page, [...secret, "Enter"]);
  await page.getByRole("heading", { name: "Player 2 wins with guess 2" }).waitFor();
  await go(page, "#daily");
  await page.getByText("Finish a game to see your stats.").waitFor();
});

on("a race shows as many answers of the rival as the player has, and names the winner", "#play", {}, async (page) => {
  await dealt(page);
  await start(page, "knuth");
  const race = page.getByRole("region", { name: "Race against knuth" });
  await race.waitFor();
  const secret = await secretOf(page, "4x6");
  const wrong = secret.map((color) => String((Number(color) % 6) + 1));
  assert.equal(await race.getByRole("listitem").count(), 0);
  await press(page, [...wrong, "Enter"]);
  await race.getByRole("listitem").waitFor();
  assert.equal(await race.locator(".peg").count(), 0, "guesses of the rival are hidden");
  await press(page, [...secret, "Enter"]);
  await page.getByRole("heading", { name: "Solved in 2 guesses" }).waitFor();
  await page.getByRole("dialog", { name: "Result" }).getByText(/^You win: 2 guesses to \d\./).waitFor();
  await page.getByRole("link", { name: "Watch its game" }).click();
  await page.getByRole("region", { name: "knuth" }).waitFor();
});

on("a word game has the words of a pasted list", "#play", {}, async (page) => {
  await dealt(page);
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByRole("button", { name: /^Words/ }).click();
  await page.getByLabel("Only these codes or words, one per line (empty for all)").fill("crane\nslate\nslate\nplumb\ntoolong\nghost");
  await page.locator(".verdict", { hasText: "4 codes" }).waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { name: "Words" }).waitFor();
  await settled(page, [".needs-code:enabled"]);
  await enter(page, "zzzzz");
  await tool(page, "Possible codes");
  await page.getByText("4 of 4 codes fit").waitFor();
  await page.getByRole("button", { name: /^Hint/ }).click();
  assert.match(await page.locator(".hint-guess .code").getAttribute("aria-label") ?? "", /^(CRANE|SLATE|PLUMB|GHOST),/);
  for (let turn = 2; turn < 6; turn += 1) {
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByRole("button", { name: "Guess", exact: true }).click();
    await played(page, turn);
    if (await page.getByRole("dialog").count()) break;
    await page.getByRole("button", { name: /^Hint/ }).click();
  }
  await page.getByRole("heading", { name: /^Solved in [2-5] guesses/ }).waitFor();
});

on("symbols, color sets and sound are settings, and sound is off at first", "#play?rules=4x6", {}, async (page) => {
  await page.evaluate(() => {
    const made = { count: 0 };
    Object.assign(window, { made });
    window.AudioContext = new Proxy(AudioContext, { construct: (made_, args) => ((made.count += 1), new made_(.../** @type {[]} */ (args))) });
  });
  const contexts = () => page.evaluate(() => Reflect.get(window, "made").count);
  await dealt(page);
  await enter(page, "1122");
  assert.equal(await contexts(), 0);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByLabel("On the pegs").selectOption("Symbols");
  await settings.getByLabel("Colors").selectOption("Clear to color-blind eyes");
  await settings.getByLabel("Sound").check();
  await settings.getByRole("button", { name: "Close" }).click();
  await played(page, 1);
  assert.match(await turns(page).first().innerText(), /orange orange sky blue sky blue[\s\S]*●/);
  await dealt(page);
  await enter(page, "3344");
  assert.equal(await contexts(), 1);
  await page.reload();
  await page.getByRole("button", { name: "Color 1, orange" }).getByText("●").waitFor();
});

on("a lesson has the position of its seed", "#learn?lesson=two&seed=5", {}, async (page) => {
  const position = async () => {
    await page.locator(".code-choice").nth(3).waitFor();
    return page.locator(".lesson").innerText();
  };
  const first = await position();
  await page.reload();
  assert.equal(await position(), first);
  await go(page, "#learn?lesson=two&seed=6");
  await page.waitForFunction((before) => document.querySelector(".lesson .code-choice") && /** @type {HTMLElement} */ (document.querySelector(".lesson")).innerText !== before, first);
});
