// Accessibility: every page fits every window, axe-core passes in light and dark, and all text is in one file.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { settled, visit } from "./browser.js";
import { labels } from "./labels.js";
import { filled, SCENES } from "./shots.js";
import { on, resize, world } from "./world.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Elements outside of the window. @param {import("playwright-core").Page} page */
const outside = (page) =>
  page.evaluate(() => {
    const inScroll = (element) => element.closest(".scroll, .unseen, .skip, pre, dialog, .palette.many, svg") !== null;
    return [...document.querySelectorAll("body *")]
      .filter((element) => !inScroll(element) && element.checkVisibility())
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5);
      })
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 30)}`)
      .slice(0, 5);
  });

/** Targets for a finger below 44 pixels. Those on the board may be as small as the board needs, and links in a text as its lines. @param {import("playwright-core").Page} page */
const smallTargets = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, a, input, select, textarea, summary")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".board, p, .palette.many, .skip, .unseen, .past .button, td, dd"))
      .map((one) => (one.matches("label.check input") ? /** @type {Element} */ (one.closest("label")) : one))
      .filter((one) => one.getBoundingClientRect().height < 43.5 || one.getBoundingClientRect().width < 43.5)
      .map((one) => one.outerHTML.slice(0, 90)),
  );

/** Violations found by axe-core. @param {import("playwright-core").Page} page */
const violations = (page) =>
  page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
  });

for (const [name, [hash, ...shown]] of Object.entries(SCENES)) {
  test(`${name}: fits from 320 to 2560 pixels, and axe-core passes in every scheme`, async () => {
    const { page, odd, close } = await visit(world.browser, world.address + (await filled(hash, world.address)));
    await settled(page, shown);
    for (const width of [320, 360, 768, 1280, 2560]) {
      await resize(page, width);
      assert.deepEqual(await outside(page), [], `${name} at ${width}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${name} scrolls at ${width}`);
      if (width === 360) assert.deepEqual(await smallTargets(page), [], name);
    }
    for (const [name, width, scheme] of /** @type {const} */ ([["light", 1440, { colorScheme: "light" }], ["dark", 360, { colorScheme: "dark" }], ["forced colors", 820, { forcedColors: "active" }]])) {
      // Reloaded in this scheme, not only switched.
      await page.emulateMedia(scheme);
      await page.setViewportSize({ width, height: 844 });
      await page.reload();
      await settled(page, shown);
      await page.evaluate(AXE);
      assert.deepEqual(await labels(page), [], name);
      assert.deepEqual(await violations(page), [], name);
    }
    assert.deepEqual(odd, []);
    await close();
  });
}

on("nothing moves with prefers-reduced-motion", "#play?rules=4x6", {}, async (page) => {
  await page.waitForSelector(".turn.now");
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});

test("the page preloads its modules, and no others", () => {
  const page = new URL("../../crates/web/page/", import.meta.url).pathname;
  const named = [...readFileSync(join(page, "index.html"), "utf8").matchAll(/rel="modulepreload" href="([^"]+)"/g)].map((found) => found[1]);
  /** @type {Set<string>} */
  const found = new Set();
  const follow = (/** @type {string} */ path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, to] of readFileSync(join(page, path), "utf8").matchAll(/from "(\.[^"]+)"/g)) follow(join(path, "..", to));
  };
  follow("js/main.js");
  assert.deepEqual(["js/main.js", ...named].sort(), [...found].sort());
});

test("all text of the page is in one file", () => {
  const folder = new URL("../../crates/web/page/js", import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true }).map(String);
  const spoken = files
    .filter((file) => file.endsWith(".js") && !file.endsWith("words.js") && file !== "types.js")
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
      // Text is a capitalized word followed by another word.
      return [...text.matchAll(/"([^"\n]*)"|`([^`\n]*)`/g)]
        .map((found) => found[1] ?? found[2])
        .filter((said) => /[A-Z][a-z]+ [a-z]+/.test(said.replace(/\$\{[^}]*\}/g, "")))
        .map((said) => `${file}: ${said}`);
    });
  assert.deepEqual(spoken, []);
});
