// Layout of the board: columns align to the pixel in every row, and marks never overlap.

import assert from "node:assert/strict";
import { test } from "node:test";
import { enter, on, resize } from "./world.js";

/** Positions of the cells of each row, relative to the row's left edge and its first cell. @param {import("playwright-core").Page} page */
const places = (page) =>
  page.locator(".board > .turn").evaluateAll((rows) =>
    rows.map((row) => {
      const { left } = row.getBoundingClientRect();
      const top = row.querySelector(".turn-body .peg")?.getBoundingClientRect().top ?? 0;
      return [...row.querySelectorAll(".turn-body .peg")].map((peg) => {
        const box = peg.getBoundingClientRect();
        return [box.left - left, box.top - top, box.width, box.height].map((number) => Math.round(number * 100) / 100);
      });
    }),
  );

/** Rows with marks or pegs that overlap each other or the edge of the row. @param {import("playwright-core").Page} page */
const overlaps = (page) =>
  page.locator(".board > .turn").evaluateAll((rows) =>
    rows.flatMap((row, at) => {
      const boxes = [...row.querySelectorAll(".turn-body .peg, .turn-body .mark")].map((one) => one.getBoundingClientRect());
      const edge = row.getBoundingClientRect();
      const wrong = boxes.filter((box) => box.left < edge.left - 0.5 || box.right > edge.right + 0.5);
      for (const [index, one] of boxes.entries())
        for (const other of boxes.slice(index + 1))
          if (one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1)
            // Circles may be closer than their bounding boxes.
            if (Math.hypot(one.x - other.x, one.y - other.y) < Math.min(one.width, other.width) * 0.97) wrong.push(one);
      return wrong.map(() => `row ${at + 1}`);
    }),
  );

const BOARDS = {
  "4x6": ["1122", "3456"],
  "5x8": ["11223", "45678"],
  "4x10:no-repeats": ["ABCD", "EFGH"],
  "8x12": ["ABCDEFGH", "IJKLABCD"],
  "20x20": ["ABCDEFGHIJKLMNOPQRST", "AAAAABBBBBCCCCCDDDDD"],
  "grid:4x4x6": ["1234123412341234", "6543654365436543"],
  "ring:8x6": ["12345612", "66554433"],
  "triangle:4x6": ["1234561234", "6543216543"],
  "cube:2x2x2x3": ["12312312", "33221133"],
  "4x6:higher-lower": ["1234", "6543"],
  "5x8:distance": ["12345", "87654"],
};

for (const [rules, guesses] of Object.entries(BOARDS)) {
  on(`the columns of ${rules} align to the pixel`, `#play?rules=${rules}`, {}, async (page) => {
    await page.waitForSelector(".turn.now");
    await enter(page, ...guesses);
    for (const width of [320, 390, 1024, 1920]) {
      await resize(page, width);
      const rows = await places(page);
      assert.ok(rows.length >= 3);
      for (const row of rows) assert.deepEqual(row, rows[0], `${rules} at ${width}`);
      assert.ok(rows[0].every((box) => box[2] === box[3] && Number.isInteger(box[2])), "pegs are round, in whole pixels");
      assert.deepEqual(await overlaps(page), [], `${rules} at ${width}`);
      if (rules === "20x20" && width >= 1024) assert.equal(new Set(rows[0].map((box) => box[1])).size, 1, "one line on a desktop");
    }
  });
}

on("rows that are entered, incomplete or edited align with the others", "#solve?rules=5x8&turns=1?223=1,1;14452=0,2", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  for (const width of [390, 1280]) {
    await resize(page, width);
    const rows = await places(page);
    assert.equal(rows.length, 3);
    for (const row of rows) assert.deepEqual(row, rows[0]);
  }
  await page.getByRole("button", { name: "Edit turn 1" }).click();
  const rows = await places(page);
  for (const row of rows) assert.deepEqual(row, rows[0]);
});

on("the buttons of Solve are large enough for a finger", "#solve?rules=4x6", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
  await page.locator(".pad").waitFor();
  const small = await page.locator("main button:visible, main a.button:visible, main select:visible").evaluateAll((buttons) =>
    buttons
      .filter((button) => !button.closest(".board") && (button.getBoundingClientRect().height < 44 || button.getBoundingClientRect().width < 44))
      .map((button) => button.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(small, []);
});
