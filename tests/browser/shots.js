// Screenshots of every page at three widths, light and dark.
//
//   node shots.js FOLDER [NAME...]     with PEGWISE set to the program

import { mkdirSync } from "node:fs";
import { settled, start, visit } from "./browser.js";

const [folder = "shots", ...only] = process.argv.slice(2);
const WIDTHS = (process.env.WIDTHS ?? "390,1024,1920").split(",").map(Number);
const SCHEMES = /** @type {("light" | "dark")[]} */ ((process.env.SCHEMES ?? "light,dark").split(","));

/** The code is dealt, the codes that fit are counted, the strategies are listed. */
const [DEALT, COUNTED, CATALOG] = [".needs-code:enabled", ".remaining .left-count", "main optgroup"];
export const LANES = [1, 2, 3].map((lane) => `.watch-side:nth-child(${lane}) optgroup`);

/** Every page with content: its address, and selectors that match when it is complete. */
export const SCENES = {
  play: ["#play?rules=4x6&sealed={4x6:3632}&turns=1122=1,0;1344=0,1", COUNTED],
  start: ["#play?rules=4x6", DEALT],
  super: ["#play?rules=5x8&turns=11223=1,1;14452=0,2", COUNTED],
  bulls: ["#play?rules=4x10:no-repeats&turns=ABCD=1,1", COUNTED],
  marathon: ["#play?rules=8x12&turns=AABBCCDD=1,3", COUNTED],
  giant: ["#play?rules=20x20&turns=ABCDEFGABCDEFGABCDEF=2,9;ACDEFGHACDEFGHACDEFG=1,7", COUNTED],
  grid: ["#play?rules=grid:4x4x6&sealed={grid:4x4x6:1234561234561234}", ".card.quietly"],
  ring: ["#play?rules=ring:8x6&turns=12345612=1,1/1,0/0,2/1,1/1,1/0,1/2,0/1,1", COUNTED],
  triangle: ["#play?rules=triangle:4x6", DEALT],
  cube: ["#play?rules=cube:3x3x3x6", DEALT],
  higher: ["#play?rules=4x6:higher-lower&turns=1234=1,2,1", COUNTED],
  won: ["#play?rules=4x6&sealed={4x6:3632}&turns=1122=1,0;1344=0,1;3526=1,2;1462=1,1;3632=4,0", ".end-verdict .gauges"],
  daily: ["#daily", ".daily"],
  learn: ["#learn?lesson=split", ".lesson h2"],
  solve: ["#solve?rules=5x8&turns=11223=1,1;14452=0,2", ".hint", COUNTED, CATALOG],
  mend: ["#solve?rules=4x6&turns=1122=0,0;3344=0,1;5566=0,0", ".mend", CATALOG],
  solvegrid: ["#solve?rules=grid:3x3x4&turns=123412341=1,1/2,0/0,2/1,0/1,1/0,1", ".mend", CATALOG],
  analyze: ["#analyze?rules=4x6&turns=1122=1,1;1344=0,1;2516=2,2;6512=4,0", ".verdicts"],
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
    for (const width of WIDTHS)
      for (const colorScheme of SCHEMES) {
        const address = world.address + (await filled(hash, world.address));
        const { page, odd, close } = await visit(world.browser, address, { viewport: { width, height: 844 }, colorScheme });
        await settled(page, shown);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
        if (odd.length || wide > width) console.log(name, width, colorScheme, wide, odd);
        await close();
      }
  }
  await world.stop();
}
