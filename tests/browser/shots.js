// Screenshots of every page at three sizes: light, dark and with forced colors.
//
//   node shots.js FOLDER [NAME...]     with PEGWISE set to the program; FULL=1 for whole pages instead of windows

import { mkdirSync } from "node:fs";
import { settled, start, visit } from "./browser.js";

const [folder = "shots", ...only] = process.argv.slice(2);
const SIZES = (process.env.SIZES ?? "360x640,820x1180,1440x900").split(",").map((size) => size.split("x").map(Number));
const SCHEMES = (process.env.SCHEMES ?? "light,dark,forced").split(",");

/** The code is dealt, the codes that fit are counted, the strategies are listed. */
const [DEALT, COUNTED, CATALOG] = [".needs-code:enabled", ".remaining .left-count", "main optgroup"];
export const LANES = [1, 2, 3].map((lane) => `.watch-side:nth-child(${lane}) optgroup`);

/** Every page with content: its address, and selectors that match when it is complete. */
export const SCENES = {
  play: ["#play?rules=4x6&sealed={4x6:3632}&guesses=1122;1344", DEALT],
  tenth: ["#play?rules=4x6&sealed={4x6:3632}&guesses=1122;1344;1122;1344;1122;1344;1122;1344;1122", DEALT],
  start: ["#play?rules=4x6", DEALT],
  super: ["#play?rules=5x8&sealed={5x8:36325}&guesses=11223;14452", DEALT],
  bulls: ["#play?rules=4x10:no-repeats&sealed={4x10:no-repeats:ACEG}&guesses=ABCD", DEALT],
  marathon: ["#play?rules=8x12&sealed={8x12:ACEGBDFH}&guesses=AABBCCDD", DEALT],
  giant: ["#play?rules=20x20&sealed={20x20:ABCDEFGHIJKLMNOPQRST}&guesses=ABCDEFGABCDEFGABCDEF;ACDEFGHACDEFGHACDEFG", DEALT],
  grid: ["#play?rules=grid:4x4x6&sealed={grid:4x4x6:1234561234561234}", ".card.quietly"],
  ring: ["#play?rules=ring:8x6&sealed={ring:8x6:12344321}&guesses=12345612", DEALT],
  triangle: ["#play?rules=triangle:4x6", DEALT],
  cube: ["#play?rules=cube:3x3x3x6", DEALT],
  higher: ["#play?rules=4x6:higher-lower&sealed={4x6:higher-lower:3632}&guesses=1234", DEALT],
  won: ["#play?rules=4x6&sealed={4x6:3632}&guesses=1122;1344;3526;1462;3632", ".end-verdict .gauges"],
  daily: ["#daily", ".daily"],
  learn: ["#learn?lesson=split", ".lesson h2"],
  challenge: ["#challenge?rules=4x6", ".turn.now"],
  words: ["#play?rules=5x26:per-cell&sealed={5x26:per-cell:CRANE}&guesses=SLATE", DEALT],
  solve: ["#solve?rules=5x8&turns=11223=1,1;14452=0,2", ".hint", COUNTED, CATALOG],
  mend: ["#solve?rules=4x6&turns=1122=0,0;3344=0,1;5566=0,0", ".mend", CATALOG],
  solvegrid: ["#solve?rules=grid:3x3x4&turns=123412341=1,1/2,0/0,2/1,0/1,1/0,1", ".mend", CATALOG],
  analyze: ["#analyze?rules=4x6&turns=1122=1,1;1344=0,1;2516=2,2;6512=4,0", ".verdicts"],
  enter: ["#analyze", ".pad"],
  watch: ["#watch?rules=4x6&who=knuth;entropy;random-consistent&secret=3632", ...LANES],
  trees: ["#trees?rules=4x6&turns=1123=1,1", ".branch", ".split-words b", CATALOG],
  strategies: ["#strategies", "tr.strategy"],
  lab: ["#lab", "figure.plot", ".report:not(:has(figure.plot:empty))"],
};

/** Fills in sealed codes: {RULES:SECRET}. @param {string} hash @param {string} address */
export async function filled(hash, address) {
  const found = /\{(.*):(\w+)\}/.exec(hash);
  if (!found) return hash;
  const answer = await fetch(`${address}api/v1/secret`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules: found[1], secret: found[2] }),
  });
  return hash.replace(found[0], (await answer.json()).sealed);
}

if (import.meta.filename === process.argv[1]) {
  mkdirSync(folder, { recursive: true });
  const world = await start();
  for (const [name, [hash, ...shown]] of Object.entries(SCENES).filter(([name]) => !only.length || only.includes(name))) {
    for (const [width, height] of SIZES)
      for (const scheme of SCHEMES) {
        const address = world.address + (await filled(hash, world.address));
        const colors = scheme === "forced" ? { forcedColors: /** @type {const} */ ("active") } : { colorScheme: /** @type {"light" | "dark"} */ (scheme) };
        const { page, odd, close } = await visit(world.browser, address, { viewport: { width, height }, hasTouch: width < 900, ...colors });
        await settled(page, shown);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png`, fullPage: Boolean(process.env.FULL) });
        if (odd.length || wide > width) console.log(name, width, scheme, wide, odd);
        await close();
      }
  }
  await world.stop();
}
