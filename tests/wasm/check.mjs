// Asks the engine of a static site and the command for the same hints, and compares the answers: `node check.mjs SITE COMMAND`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, command] = process.argv.slice(2);

// The worker of the site runs in this process: its global functions are those of a browser's worker.
let line = null;
globalThis.onmessage = null;
globalThis.postMessage = (data) => (line = data);
await import(pathToFileURL(resolve(site, "js/engine/worker.js")).href);
await globalThis.onmessage({ data: { module: await WebAssembly.compile(readFileSync(`${site}/engine.wasm`)) } });

async function ask(rules, strategy, turns) {
  await globalThis.onmessage({ data: { name: "hint", body: { rules, strategy, turns, seed: 1 } } });
  return line;
}

function hint(rules, strategy, turns) {
  const words = ["hint", rules, ...turns, "--strategy", strategy, "--seed", "1", "--format", "json"];
  return JSON.parse(execFileSync(command, words, { encoding: "utf8" }));
}

const summary = ({ guess, remaining, remaining_is, basis }) => `${guess} ${remaining_is === "exact" ? remaining : null} ${basis}`;
const cases = [
  ["4x6", "knuth", ["1122=1,0"]],
  ["4x6", "entropy", ["1122=1,1", "1344=0,2"]],
  ["4x6", "optimal", []], // a tree that is read from compressed bytes
  ["4x8:no-repeats", "optimal", ["1234=0,2"]],
  ["4x6", "random-consistent", ["1122=1,1"]],
  ["5x8", "adaptive", ["11223=1,1"]],
  ["8x9", "adaptive", ["11223344=2,1", "55667788=1,1"]],
  ["grid:3x3x4", "adaptive", ["112233112=1,0/1,0/0,1/1,0/0,1/1,1"]],
  ["5x7:distance", "adaptive", ["11234=11"]],
];
let wrong = 0;
for (const [rules, strategy, turns] of cases) {
  const { answer, error } = await ask(rules, strategy, turns);
  const [engine, expected] = [answer ? summary(answer.hint) : JSON.stringify(error), summary(hint(rules, strategy, turns))];
  const same = engine === expected;
  wrong += same ? 0 : 1;
  console.log(`${same ? "same" : "DIFFERENT"}: ${rules} ${strategy} ${turns.join(" ")}: ${engine}${same ? "" : `; the command: ${expected}`}`);
}
if (!(await ask("4x6", "knuth", ["1122=9,9"])).error) {
  console.log("DIFFERENT: the engine accepts feedback that is impossible");
  wrong += 1;
}
process.exit(wrong === 0 ? 0 : 1);
