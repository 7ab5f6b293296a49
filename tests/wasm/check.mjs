// Compares hints of the WebAssembly engine with those of the command: `node check.mjs SITE COMMAND`. Other answers are compared with
// the server in tests/browser/site.test.js.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, command] = process.argv.slice(2);

// Runs the worker of the site in this process, with the globals of a web worker.
let line = null;
globalThis.onmessage = null;
globalThis.postMessage = (data) => (line = data);
const [worker, engine] = ["worker-", "engine-"].map((start) => resolve(site, readdirSync(site).find((name) => name.startsWith(start))));
await import(pathToFileURL(worker).href);
await globalThis.onmessage({ data: { module: await WebAssembly.compile(readFileSync(engine)) } });

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
  const { answer, error } = await ask(rules, strategy, turns);
  const [engine, expected] = [answer ? summary(answer.hint) : JSON.stringify(error), summary(hint(rules, strategy, turns))];
  const same = engine === expected;
  wrong += same ? 0 : 1;
  console.log(`${same ? "same" : "DIFFERENT"}: ${rules} ${strategy} ${turns.join(" ")}: ${engine}${same ? "" : `; the command: ${expected}`}`);
}
if (!(await ask("4x6", "knuth", ["1122=9,9"])).error) {
  console.log("DIFFERENT: the engine accepts impossible feedback");
  wrong += 1;
}
// An instance that traps is replaced.
const { instantiate } = WebAssembly;
const memory = new WebAssembly.Memory({ initial: 1 });
const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
WebAssembly.instantiate = async () => ({ exports: { memory, reserve: () => 0, ask: trap } });
await globalThis.onmessage({ data: { module: await WebAssembly.compile(readFileSync(engine)) } });
const trapping = ask("4x6", "knuth", []);
WebAssembly.instantiate = instantiate;
const [{ error: trapped }, { answer: replaced }] = [await trapping, await ask("4x6", "knuth", [])];
if (!trapped || !replaced) {
  console.log(`DIFFERENT: an instance that trapped is not replaced: ${JSON.stringify({ trapped, replaced })}`);
  wrong += 1;
}
process.exit(wrong === 0 ? 0 : 1);
