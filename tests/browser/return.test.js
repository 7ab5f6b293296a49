// Possible codes, ratings, the end of a game, links, daily codes, lessons, color names.

import assert from "node:assert/strict";
import { settled } from "./browser.js";
import { go, lessonAnswer, on, played, press, seal, turns, world } from "./world.js";

on("possible codes are drawn, with the partition of a guess", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}&turns=1122=1,0`);
  await page.getByRole("button", { name: "Possible codes" }).click();
  await page.getByRole("img", { name: "256 possible codes, one dot each" }).waitFor();
  const inked = () =>
    page.locator("canvas.dots").evaluate((canvas) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const colors = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 250) colors.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return colors.size;
    });
  await settled(page);
  const plain = await inked();
  await page.getByRole("button", { name: /^Hint/ }).click();
  await page.locator(".hint-guess").hover();
  await page.getByText(/splits them into 1?\d parts; leaves [\d.]+ on average/).waitFor();
  assert.ok((await inked()) > plain + 4, "parts have colors of their own");
  await press(page, ["1", "3", "4", "4", "Enter"]);
  await played(page, 2);
  await press(page, ["3", "5", "2", "6", "Enter"]);
  await played(page, 3);
  // The last codes are shown as pegs if the player asks, and can be used.
  await page.getByRole("button", { name: "List them" }).waitFor();
  assert.equal(await page.locator(".last-code").count(), 0);
  await page.getByRole("button", { name: "List them" }).click();
  await page.locator(".last-code").first().waitFor();
  assert.equal(await page.locator(".last-code").count(), 7);
  await page.getByRole("button", { name: "Use 3632" }).click();
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await page.getByRole("heading", { name: "Solved in 4 guesses" }).waitFor();
});

on("guesses are rated beside their rows on request", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  await go(page, `#play?rules=4x6&sealed=${await seal(page, "4x6", "3632")}&turns=1123=0,2;1111=0,0`);
  await turns(page).nth(1).waitFor();
  assert.equal(await page.locator(".rating").count(), 0);
  await page.getByRole("button", { name: "Rate my guesses" }).click();
  await page.locator(".rating").nth(1).waitFor();
  assert.match(await page.locator(".rating").nth(0).innerText(), /best/);
  assert.match(await page.locator(".rating").nth(1).innerText(), /could not have won/);
  // The choice is saved.
  await page.reload();
  await page.locator(".rating").nth(1).waitFor();
});

on("the end shows skill, luck and other strategies, and a text to share", "#play", {}, async (page) => {
  const sealed = await seal(page, "4x6", "3632");
  await go(page, `#play?rules=4x6&sealed=${sealed}&turns=1122=1,0;1344=0,1;3526=1,2;1462=1,1;3632=4,0`);
  await page.getByRole("heading", { name: "Solved in 5 guesses" }).waitFor();
  await page.locator(".opening").getByRole("img", { name: "3632" }).waitFor();
  await page.getByRole("img", { name: /^Skill \d+ of 100/ }).waitFor();
  await page.getByText(/knuth 5/).waitFor();
  const text = await page.locator(".text-grid").innerText();
  assert.deepEqual(text.split("\n"), ["Pegwise · 4x6 · 5 guesses", "⚫▫️▫️▫️", "⚪▫️▫️▫️", "⚫⚪⚪▫️", "⚫⚪▫️▫️", "⚫⚫⚫⚫"]);
  // A linked game does not count, a game dealt here counts once.
  await page.getByRole("button", { name: "Play again" }).click();
  await page.waitForSelector(".turn.now");
  const { secret } = await (await page.request.post(`${world.address}api/v1/secret`, {
    data: { rules: "4x6", sealed: /sealed=(\w+)/.exec(page.url())?.[1], reveal: true },
  })).json();
  await press(page, [...secret.map(String), "Enter"]);
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Solved in 1 guess" }).waitFor();
  await go(page, "#daily");
  await page.getByText("1 on average over 1 game").waitFor();
});

for (const [name, hash, refused] of [
  ["an invalid turn", "#play?rules=4x6&turns=1122=9", 0],
  ["a truncated seal", "#play?rules=4x6&sealed=12", 1],
  ["an invalid code", "#play?rules=4x6&guesses=99", 0],
]) {
  on(`an invalid link is reported: ${name}`, String(hash), { refused }, async (page) => {
    await page.locator(".notice.bad").waitFor();
    await page.getByRole("link", { name: "Start a new game" }).click();
    await page.waitForSelector(".turn.now");
  });
}

on("the daily code is the same for everyone, and counts for a streak", "", {}, async (page) => {
  await page.clock.setFixedTime("2026-11-16T12:00:00");
  await go(page, "#daily");
  await page.getByRole("link", { name: "Play", exact: true }).nth(1).click();
  await page.waitForSelector(".turn.now");
  const day = /day=([\d-]+)/.exec(page.url())?.[1] ?? "";
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  const drawn = await page.request.post(`${world.address}api/v1/secret`, {
    data: { rules: "4x6", seed: Number(day.replaceAll("-", "")), reveal: true },
  });
  const { secret } = await drawn.json();
  await press(page, ["1", "1", "2", "2", "Enter"]);
  await played(page, 1);
  await go(page, "#daily");
  await page.getByRole("link", { name: "Continue" }).click();
  await played(page, 1);
  await press(page, [...secret.map(String), "Enter"]);
  await page.getByRole("heading", { name: /^Solved in/ }).waitFor();
  assert.match(await page.locator(".text-grid").innerText(), /Pegwise #320 · 4x6 · 2\/10/);
  await page.getByRole("link", { name: "Other puzzles" }).click();
  await page.getByText(/^Found in/).waitFor();
  assert.match(await page.locator(".streak").first().innerText(), /^1\s/);
});

on("every lesson can be passed with the answers of the engine only", "#learn", {}, async (page) => {
  await page.locator(".lesson h2").waitFor();
  for (let lesson = 1; lesson <= 7; lesson += 1) {
    await page.getByText(`Lesson ${lesson} of 7`).waitFor();
    const check = page.getByRole("button", { name: "Check" });
    const right = page.getByText("Right.", { exact: true }).last();
    if (await page.locator(".lesson .pad").count()) {
      const answer = await lessonAnswer(page);
      await page.getByRole("radio", { name: "4 black" }).click();
      await page.getByRole("radio", { name: "0 white" }).click();
      await check.click();
      await page.getByText("Not quite.").last().waitFor();
      for (const name of answer) await page.getByRole("radio", { name }).click();
      await check.click();
    } else {
      const codes = page.locator(".code-choice");
      await codes.first().click();
      await check.click();
      await page.locator(".choice-note", { hasText: /can/ }).first().waitFor();
      const notes = await page.locator(".choice-note").allInnerTexts();
      const wanted = notes[0].includes("leaves")
        ? [notes.map((note) => parseFloat(/leaves ([\d.]+)/.exec(note)?.[1] ?? "")).reduce((best, value, at, all) => (value < all[best] ? at : best), 0)]
        : notes.flatMap((note, at) => (note === "can be the code" ? [at] : []));
      assert.ok(wanted.length > 0 && wanted.length < notes.length, notes.join(" | "));
      for (const at of notes.keys())
        if (((await codes.nth(at).getAttribute("aria-pressed")) === "true") !== wanted.includes(at)) await codes.nth(at).click();
      await check.click();
    }
    await right.waitFor();
    await page.getByText(`${lesson} of 7 lessons done`).waitFor();
    if (lesson < 7) await page.getByRole("link", { name: "Next lesson" }).click();
  }
  assert.equal(await page.locator(".ladder a.passed").count(), 7);
});

on("key holes are tapped: empty, black, white, forgotten", "#solve?rules=4x6", {}, async (page) => {
  await page.locator(".pad").waitFor();
  const hole = (number) => page.locator(".turn.now .keys button").nth(number);
  await hole(0).click();
  await page.getByRole("radio", { name: "1 black", checked: true }).waitFor();
  await page.getByRole("radio", { name: "0 white", checked: true }).waitFor();
  await hole(0).click();
  await page.getByRole("radio", { name: "1 white", checked: true }).waitFor();
  await hole(0).click();
  await page.getByRole("radio", { name: "black: forgotten", checked: true }).waitFor();
});

on("colors are named and matched to a real set", "#solve?rules=4x6&turns=1122=1,1", {}, async (page) => {
  await page.locator(".hint").waitFor();
  await page.getByText("Colors of your set").click();
  await page.getByRole("button", { name: "Classic set" }).click();
  await page.getByRole("button", { name: "Color 6, black" }).waitFor();
  assert.match(await turns(page).nth(0).innerText(), /red red blue blue/);
  await page.reload();
  await page.getByRole("button", { name: "Color 6, black" }).waitFor();
});

on("the answer of a grid is tapped line by line", "#solve?rules=grid:2x2x3", {}, async (page) => {
  await page.locator(".pad").waitFor();
  await press(page, [..."1231"]);
  for (const line of ["row 1", "row 2", "column 1", "column 2"]) {
    await page.getByText(`The answer of ${line}`, { exact: true }).waitFor();
    await page.getByRole("radio", { name: "1 black" }).click();
    await page.getByRole("radio", { name: "0 white" }).click();
  }
  await page.getByRole("button", { name: "Enter turn" }).click();
  await turns(page).nth(0).waitFor();
  assert.match(page.url(), /1231=1,0\/1,0\/1,0\/1,0/);
});
