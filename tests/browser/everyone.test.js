// For everyone: names, contrast and roles by axe-core on every page, light and dark; and every word in one file.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { visit } from "./browser.js";
import { labels } from "./labels.js";
import { filled, SCENES } from "./shots.js";
import { on, world } from "./world.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["play", "giant", "grid", "won", "daily", "learn", "solve", "mend", "analyze", "watch", "trees", "strategies", "lab"];

for (const [colorScheme, width] of /** @type {const} */ ([
  ["light", 1280],
  ["dark", 390],
])) {
  test(`axe-core finds nothing serious on any page, ${colorScheme} at ${width} pixels`, async () => {
    for (const name of PAGES) {
      const address = world.address + (await filled(SCENES[name], world.address));
      const { page, odd, close } = await visit(world.browser, address, { colorScheme, viewport: { width, height: 844 } });
      await page.waitForLoadState("networkidle");
      assert.deepEqual(await labels(page), [], name);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
      });
      assert.deepEqual(found, [], name);
      assert.deepEqual(odd, [], name);
      await close();
    }
  });
}

on("nothing moves for those who wish so", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});

test("every word of the page is in one file", () => {
  const folder = new URL("../../crates/web/page/js", import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true }).map(String);
  const spoken = files
    .filter((file) => file.endsWith(".js") && !file.endsWith("words.js") && file !== "types.js")
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
      // Words are a capital and a space, or several words in a row.
      return [...text.matchAll(/"([^"\n]*)"|`([^`\n]*)`/g)]
        .map((found) => found[1] ?? found[2])
        .filter((said) => /[A-Z][a-z]+ [a-z]+/.test(said.replace(/\$\{[^}]*\}/g, "")))
        .map((said) => `${file}: ${said}`);
    });
  assert.deepEqual(spoken, []);
});
