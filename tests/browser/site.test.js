// The page as static files: the same answers as the server, and offline after the first visit.
//
// SITE is a folder written by ./site.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { visit } from "./browser.js";
import { serveFolder } from "./folder.js";
import { go, played, playHints, press, world } from "./world.js";

const { SITE, PEGWISE = "pegwise" } = process.env;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let site;
before(async () => {
  assert.ok(SITE, "SITE is not set: name a folder written by ./site");
  site = await serveFolder(SITE);
});
after(() => site?.stop());

test("the site is small", () => {
  const files = readdirSync(SITE, { recursive: true }).map((file) => join(SITE, String(file)));
  const bytes = files
    .filter((file) => statSync(file).isFile())
    .reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  console.log(`the whole folder: ${Math.round(bytes / 1000)} kB compressed`);
  assert.ok(bytes < 1_500_000, `${bytes}`);
});

test("a first visit takes few requests, and a later one a single request", async () => {
  const { page, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  await page.waitForSelector(".turn.now");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const first = site.requested.splice(0);
  assert.ok(first.length <= 12, `${first}`);
  const size = (path) => gzipSync(readFileSync(join(SITE, path === "/" ? "index.html" : path))).length;
  const bytes = first.filter((path) => !path.endsWith(".wasm")).reduce((sum, path) => sum + size(path), 0);
  console.log(`a first visit: ${first.length} requests, ${Math.round(bytes / 1000)} kB compressed without the engine`);
  assert.ok(bytes < 150_000, `${bytes}`);
  await page.reload();
  await page.waitForSelector(".turn.now");
  // The only request asks for a newer service worker.
  while (!site.requested.length) await page.waitForTimeout(100);
  assert.deepEqual(site.requested, ["/offline.js"]);
  await close();
});

test("the site can be installed", async () => {
  const { page, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const client = await page.context().newCDPSession(page);
  const { errors, url } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const manifest = await (await page.request.get(url)).json();
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await page.evaluate(async (icon) => {
      const image = new Image();
      image.src = icon;
      await image.decode();
      return { width: image.naturalWidth, height: image.naturalHeight };
    }, new URL(src, url).href);
    assert.ok(sizes === "any" || sizes === `${width}x${height}`, src);
  }
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  // Windows of tests are incognito.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
  await close();
});

test("a link to the site has a preview picture", async () => {
  const { page, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  const image = await page.locator('meta[property="og:image"]').getAttribute("content");
  const file = image?.replace(/^https:\/\/board\.example\/pegwise\//, "") ?? "";
  assert.match(file, /^icon-512-[0-9a-f]+\.png$/);
  assert.ok((await page.request.get(site.address + file)).ok());
  await close();
});

test("a new service worker deletes only the old caches of its site", async () => {
  const { page, odd, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  await page.waitForSelector(".turn.now");
  const foreign = ["another page", "pegwise https://another.example/ 1"];
  await page.evaluate(async (names) => {
    const registration = await navigator.serviceWorker.ready;
    for (const name of [...names, `pegwise ${registration.scope} old`]) await caches.open(name);
    await registration.unregister();
  }, foreign);
  await page.reload();
  const names = () => page.evaluate(() => caches.keys());
  while ((await names()).some((name) => name.endsWith(" old"))) await page.waitForTimeout(100);
  const left = await names();
  assert.ok(left.length === 3 && foreign.every((name) => left.includes(name)), `${left}`);
  const registered = await page.evaluate(async () => (await navigator.serviceWorker.ready).updateViaCache);
  assert.equal(registered, "none");
  assert.deepEqual(odd, []);
  await close();
});

test("a game with hints, and games without a network", async () => {
  const { page, odd, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  // The board is shown before the engine is loaded.
  await page.waitForSelector(".turn.now");
  await playHints(page);
  await page.getByRole("img", { name: /^Skill \d+ of 100/ }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await go(page, "#solve?rules=5x8&turns=11223=1,1");
  await page.reload();
  await page.locator(".hint .code").first().waitFor();
  await go(page, "#daily");
  await page.getByRole("link", { name: "Play", exact: true }).nth(1).click();
  await page.waitForSelector(".turn.now");
  await press(page, ["1", "1", "2", "2"]);
  await page.getByRole("button", { name: "Guess", exact: true }).click();
  await played(page, 1);
  assert.deepEqual(odd, []);
  await close();
});

test("the WebAssembly engine answers like the server", async () => {
  const { page, odd, close } = await visit(world.browser, `${site.address}#play?rules=4x6`);
  await page.waitForSelector(".turn.now");
  const [worker, engine] = ["worker-", "engine-"].map((start) => readdirSync(SITE).find((name) => name.startsWith(start)));
  /** Asks a worker of the site. */
  const inside = (name, body) =>
    page.evaluate(
      async ([script, module, question]) => {
        const asked = new Worker(script, { type: "module" });
        asked.postMessage({ module: await WebAssembly.compileStreaming(fetch(module)) });
        const answered = new Promise((resolve, reject) => {
          asked.onmessage = ({ data }) => {
            if ("answer" in data) resolve(data.answer);
            if ("error" in data) reject(new Error(data.error.message));
          };
        });
        asked.postMessage(question);
        return answered.finally(() => asked.terminate());
      },
      [worker, engine, { name, body }],
    );
  const timeless = (value) => JSON.parse(JSON.stringify(value, (key, part) => (key === "seconds" ? undefined : part)));
  for (const [name, body] of [
    ["rules", { rules: "cube:2x2x2x3" }],
    ["secret", { rules: "5x8", seed: 20261116 }],
    ["feedback", { rules: "4x6", guess: [1, 1, 2, 2], secret: "2123" }],
    ["hint", { rules: "4x6", turns: ["1122=1,0"], alternatives: 3 }],
    ["hint", { rules: "4x6", turns: ["11?2=1,?"] }],
    ["remaining", { rules: "4x6", turns: ["1122=1,1", "1344=0,2"], list: 50 }],
    ["split", { rules: "4x6", turns: ["1122=1,1"], guess: [1, 3, 4, 4] }],
    ["mend", { rules: "4x6", turns: ["1122=0,0", "3344=0,1", "5566=0,0"] }],
    ["analyze", { rules: "4x6", turns: ["1111=1,0", "1122=1,0", "1344=4,0"] }],
    ["watch", { rules: "4x6", strategy: "knuth", secret: "3632" }],
  ]) {
    const over = await page.request.post(`${world.address}api/v1/${name}`, { data: body });
    assert.deepEqual(timeless(await inside(name, body)), timeless(await over.json()), name);
  }
  // A seed draws the same secret and the same game everywhere; Rust and Python have the same golden secret.
  const { secret } = await inside("secret", { rules: "4x6", seed: 7, reveal: true });
  assert.deepEqual(secret, [1, 6, 5, 6]);
  const { turns } = await inside("watch", { rules: "4x6", strategy: "random-consistent", seed: 7 });
  const game = ["solve", "4x6", "--strategy", "random-consistent", "--seed", "7", "--format", "json"];
  const solved = JSON.parse(execFileSync(PEGWISE, game, { encoding: "utf8" }));
  assert.deepEqual(turns.map((turn) => turn.guess), solved.turns.map((turn) => turn.guess));
  await assert.rejects(inside("measure", { rules: "4x6" }), /without a server/);
  assert.deepEqual(odd, []);
  await close();
});

test("long work does not block the page, and can be stopped", async () => {
  const { page, close } = await visit(world.browser, `${site.address}#watch?rules=100x100&who=adaptive;random-consistent`);
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByLabel("Lane 1").waitFor();
  await go(page, "#play?rules=4x6");
  await page.waitForSelector(".turn.now");
  await close();
});

test("the built-in descriptions of common boards match the engine", async () => {
  const { KNOWN } = await import("../../crates/web/page/js/engine/known.js");
  for (const [rules, known] of Object.entries(KNOWN)) {
    const answer = await fetch(`${world.address}api/v1/rules`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rules }),
    });
    const { feedback_kinds: _, ...described } = await answer.json();
    assert.deepEqual(known, described);
  }
});
