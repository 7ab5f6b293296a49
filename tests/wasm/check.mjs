// Tests the package for npm in Node.js, and compares its hints with those of the command: `node check.mjs PACKAGE.tgz COMMAND`. Other
// answers are compared with the server in tests/browser/site.test.js.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tarball, command] = process.argv.slice(2);

// Installed as in a project of its own.
const project = mkdtempSync(join(tmpdir(), "pegwise-"));
process.on("exit", () => rmSync(project, { recursive: true, force: true }));
writeFileSync(join(project, "package.json"), '{"type":"module"}');
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", resolve(tarball)], { cwd: project });
const entry = createRequire(join(project, "main.js")).resolve("@pegwise/engine");
const { EngineError, load } = await import(pathToFileURL(entry).href);
const engine = await load();

const ask = (rules, strategy, turns) => engine.hint({ rules, strategy, turns, seed: 1 });

function hint(rules, strategy, turns) {
  const words = ["hint", rules, ...turns, "--strategy", strategy, "--seed", "1", "--format", "json"];
  return JSON.parse(execFileSync(command, words, { encoding: "utf8" }));
}

const summary = ({ guess, remaining, remaining_is, basis }) => `${guess} ${remaining_is === "exact" ? remaining : null} ${basis}`;
const cases = [
  ["4x6", "knuth", ["1122=1,0"]],
  ["4x6", "entropy", ["1122=1,1", "1344=0,2"]],
  ["4x6", "optimal", []], // reads a compressed tree
  ["4x8:no-repeats", "optimal", ["1234=0,2"]],
  ["4x6", "random-consistent", ["1122=1,1"]],
  ["5x8", "adaptive", ["11223=1,1"]],
  ["8x9", "adaptive", ["11223344=2,1", "55667788=1,1"]],
  ["20x20", "adaptive", ["ABCDEFGABCDEFGABCDEF=2,9", "BADCFEHGJILKNMPORQTS=1,12"]],
  ["grid:3x3x4", "adaptive", ["112233112=1,0/1,0/0,1/1,0/0,1/1,1"]],
  ["5x7:distance", "adaptive", ["11234=11"]],
];
let wrong = 0;
for (const [rules, strategy, turns] of cases) {
  const [found, expected] = [summary((await ask(rules, strategy, turns)).hint), summary(hint(rules, strategy, turns))];
  const same = found === expected;
  wrong += same ? 0 : 1;
  console.log(`${same ? "same" : "DIFFERENT"}: ${rules} ${strategy} ${turns.join(" ")}: ${found}${same ? "" : `; the command: ${expected}`}`);
}
assert.equal(wrong, 0);

// Every method, in both notations.
const score = await engine.score({ rules: "4x6", guess: [1, 1, 2, 2], secret: "2123" });
assert.deepEqual(score, { feedback: [{ black: 2, white: 1 }], solved: false });
const left = await engine.remaining({ rules: "4x6", turns: ["1122=1,1", "1344=0,2"], list: 40 });
assert.equal(left.remaining, 37);
assert.equal(left.codes.length, 37);
const { analysis } = await engine.analyze({ rules: "4x6", turns: ["1111=1,0", "1122=1,0", "1344=4,0"] });
assert.match(analysis.summary, /^Solved in 3 guesses/);
const lines = [];
const game = await engine.solve({ rules: "4x6", strategy: "knuth", secret: "3632" }, { line: (line) => lines.push(line) });
assert.deepEqual([game.outcome, game.turns.length, lines.length], ["solved", 5, 5]);
assert.equal((await engine.ask("rules", { rules: "grid:3x3x4" })).cells, 9);

// Refused, stopped and aborted questions; questions after them are answered.
const isError = (code) => (error) => error instanceof EngineError && error.code === code && error.message !== "";
await assert.rejects(ask("4x6", "knuth", ["1122=9,9"]), isError("bad-turn"));
await assert.rejects(engine.ask("measure", { rules: "4x6" }), isError("no-question"));
const long = { rules: "100x100", strategy: "adaptive", seed: 1 };
await assert.rejects(engine.solve(long, { job: (job) => setImmediate(() => engine.stop(job)) }), isError("stopped"));
const reason = new Error("enough");
await assert.rejects(engine.solve(long, { signal: AbortSignal.abort(reason) }), reason);
const abort = new AbortController();
await assert.rejects(engine.solve(long, { signal: abort.signal, progress: () => abort.abort(reason) }), reason);
const closed = assert.rejects(engine.solve(long), isError("stopped"));
engine.close();
await closed;
assert.equal((await Promise.all([1, 2, 3, 4].map(() => ask("4x6", "knuth", [])))).length, 4);
await assert.rejects(load({ wasm: join(project, "none.wasm") }), isError("unreachable"));

// The program of the document; an idle engine does not keep it running.
const document = readFileSync(join(import.meta.dirname, "../../docs/use-from.md"), "utf8");
writeFileSync(join(project, "main.js"), /```js\n(.*?)```/s.exec(document)[1]);
assert.equal(execFileSync("node", ["main.js"], { cwd: project, encoding: "utf8", timeout: 600_000 }), "5 1 1 3 of 37\n");

// An instance that traps is replaced. The worker runs in this process, with the globals of a web worker.
let line = null;
globalThis.onmessage = null;
globalThis.postMessage = (data) => (line = data);
await import(pathToFileURL(join(dirname(entry), "worker.js")).href);
const module = await WebAssembly.compile(readFileSync(join(dirname(entry), "engine.wasm")));
const { instantiate } = WebAssembly;
const memory = new WebAssembly.Memory({ initial: 1 });
const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
WebAssembly.instantiate = async () => ({ exports: { memory, reserve: () => 0, ask: trap } });
await globalThis.onmessage({ data: { module } });
const question = { data: { name: "rules", body: { rules: "4x6" } } };
const trapping = globalThis.onmessage(question);
WebAssembly.instantiate = instantiate;
await trapping;
assert.equal(line.error.code, "broken");
await globalThis.onmessage(question);
assert.equal(line.answer.cells, 4);
