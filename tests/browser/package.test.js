// The package for npm in Chromium, and its types. PACKAGE is the tarball that packaging/npm wrote.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { visit } from "./browser.js";
import { serveFolder } from "./folder.js";
import { world } from "./world.js";

const { PACKAGE } = process.env;
const project = mkdtempSync(join(tmpdir(), "pegwise-"));
const installed = join(project, "node_modules/@pegwise/engine");
before(() => {
  assert.ok(PACKAGE, "PACKAGE is not set: name a tarball written by packaging/npm");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", PACKAGE, "-C", installed, "--strip-components=1"]);
});
after(() => rmSync(project, { recursive: true, force: true }));

test("the package answers in a browser", async () => {
  writeFileSync(join(project, "index.html"), "<!doctype html><title>Another page</title><link rel=icon href=data:,>");
  const site = await serveFolder(project);
  const { page, odd, close } = await visit(world.browser, site.address);
  const found = await page.evaluate(async (path) => {
    const { load, EngineError } = await import(path);
    const engine = await load();
    const turns = ["1122=1,1", "1344=0,2"];
    const { feedback } = await engine.score({ rules: "4x6", guess: "1122", secret: "2123" });
    const { hint } = await engine.hint({ rules: "4x6", turns });
    const { remaining } = await engine.remaining({ rules: "4x6", turns });
    const { analysis } = await engine.analyze({ rules: "4x6", turns: ["1111=1,0", "1122=1,0", "1344=4,0"] });
    const game = await engine.solve({ rules: "4x6", strategy: "knuth", secret: "3632" });
    const abort = new AbortController();
    const stopped = engine.solve({ rules: "100x100" }, { signal: abort.signal, progress: () => abort.abort("enough") });
    const reason = await stopped.catch((error) => error);
    const refused = await engine.hint({ rules: "4x" }).catch((error) => error instanceof EngineError && error.code);
    return [feedback, hint.guess, remaining, analysis.solved, game.turns.length, reason, refused];
  }, "/node_modules/@pegwise/engine/browser.js");
  assert.deepEqual(found, [[{ black: 2, white: 1 }], [5, 1, 1, 3], 37, true, 5, "enough", "bad-rules"]);
  assert.deepEqual(odd, []);
  await close();
  site.stop();
});

/** Checks programs with strict types. @param {string} text */
function typeErrors(text) {
  writeFileSync(join(project, "main.ts"), text);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"];
  const tsc = join(import.meta.dirname, "node_modules/typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [tsc, ...options, "main.ts"], { cwd: project, encoding: "utf8" });
  } catch (error) {
    return String(/** @type {any} */ (error).stdout);
  }
}

test("the types describe the answers", async () => {
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const [, example] = /```js\n(.*?)```/s.exec(readFileSync(join(installed, "README.md"), "utf8")) ?? [];
  assert.equal(typeErrors(example), "");
  assert.match(typeErrors(`${example}\nengine.hint({ rule: "4x6" });`), /'rule' does not exist/);
  // Object literals must not have other properties than their type.
  const questions = {
    rules: { rules: "cube:2x2x2x3" },
    secret: { rules: "4x6", seed: 7, reveal: true },
    hint: { rules: "4x6", turns: ["1122=1,0"], alternatives: 2 },
    remaining: { rules: "4x6", turns: ["1122=1,1", "1344=0,2"], list: 50 },
    split: { rules: "4x6", turns: ["1122=1,1"], guess: [1, 3, 4, 4] },
    mend: { rules: "4x6", turns: ["1122=0,0", "3344=0,1", "5566=0,0"] },
    analyze: { rules: "4x6", turns: ["11?1=1,0", "1122=1,0", "1344=4,0"] },
    watch: { rules: "4x6", strategy: "knuth", secret: "3632" },
  };
  let program = 'import type { Answers, Questions } from "@pegwise/engine";\n';
  for (const [name, question] of Object.entries(questions)) {
    const answer = await (await fetch(`${world.address}api/v1/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
    })).text();
    program += `export const ${name}: [Questions["${name}"], Answers["${name}"]] = [${JSON.stringify(question)}, ${answer}];\n`;
  }
  assert.equal(typeErrors(program), "");
});
