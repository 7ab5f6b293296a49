// Asks the module and the command the same questions, and compares the answers: `node check.mjs MODULE COMMAND`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [path, command] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path));
const { memory, reserve, ask } = instance.exports;

function answer(rules, strategy, turns) {
  const question = new TextEncoder().encode([rules, strategy, ...turns].join("\n"));
  const place = reserve(question.length);
  new Uint8Array(memory.buffer, place, question.length).set(question);
  const at = ask(place, question.length);
  const length = new DataView(memory.buffer).getUint32(at, true);
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at + 4, length));
}

function expected(rules, strategy, turns) {
  const words = ["hint", rules, ...turns, "--strategy", strategy, "--seed", "1", "--format", "json"];
  const { guess, remaining, remaining_is, basis } = JSON.parse(execFileSync(command, words, { encoding: "utf8" }));
  return `${guess.join(",")} ${remaining_is === "exact" ? remaining : null} ${basis}`;
}

const colors = (code) => (code.includes(",") ? code : [...code].join(","));
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
  const [guess, ...rest] = answer(rules, strategy, turns).split(" ");
  const [ours, theirs] = [[colors(guess), ...rest].join(" "), expected(rules, strategy, turns)];
  const same = ours === theirs;
  wrong += same ? 0 : 1;
  console.log(`${same ? "same" : "DIFFERENT"}: ${rules} ${strategy} ${turns.join(" ")}: ${ours}${same ? "" : `, and the command says ${theirs}`}`);
}
if (!answer("4x6", "knuth", ["1122=9,9"]).startsWith("error: ")) {
  console.log("DIFFERENT: wrong feedback is not refused");
  wrong += 1;
}
process.exit(wrong === 0 ? 0 : 1);
