// Measures the first visit (largest paint, layout shift, blocking time, bytes) and the time of hints, whose guesses must be the same
// from the server and from the static site.
//
//   PEGWISE=program [SITE=folder] node figures.js

import { settled, start, visit } from "./browser.js";
import { serveFolder } from "./folder.js";

const world = await start();
const site = process.env.SITE ? await serveFolder(process.env.SITE) : null;
for (const [name, address] of [["server", world.address], ["static folder", site?.address]]) {
  if (!address) continue;
  for (const width of [390, 1280]) {
    const { page, close } = await visit(world.browser, "about:blank", { viewport: { width, height: 844 } });
    await page.addInitScript(() => {
      const seen = { paint: 0, shift: 0, blocked: 0 };
      Object.assign(window, { seen });
      const watch = (type, take) =>
        new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
      watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
      watch("layout-shift", (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value));
      watch("longtask", (entry) => (seen.blocked += Math.max(0, entry.duration - 50)));
    });
    await page.goto(address);
    await settled(page, [".needs-code:enabled"]);
    const { paint, shift, blocked, bytes } = await page.evaluate(() => ({
      ...window.seen,
      bytes: performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.transferSize, 0),
    }));
    console.log(
      `${name} at ${width}: largest paint ${Math.round(paint)} ms, layout shift ${shift.toFixed(4)}, blocking ${Math.round(blocked)} ms, ${Math.round(bytes / 1000)} kB uncompressed`,
    );
    await close();
  }
}
/** Positions for hints. */
const HINTS = [
  ["4x6", [{ guess: [1, 1, 2, 2], feedback: [{ black: 1, white: 1 }] }]],
  ["20x20", []],
  ["20x20", [{ guess: [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6], feedback: [{ black: 2, white: 5 }] }]],
];
const guesses = new Map();
for (const [name, address] of [["server", world.address], ["static folder", site?.address]]) {
  if (!address) continue;
  const { page, close } = await visit(world.browser, address, {});
  await page.waitForSelector(".turn.now");
  for (const [rules, turns] of HINTS) {
    const { times, guess } = await page.evaluate(
      async ({ rules, turns }) => {
        const engine = await import(new URL("js/engine.js", document.baseURI).href);
        const times = [];
        let guess = "";
        for (let at = 0; at < 3; at += 1) {
          const start = performance.now();
          guess = (await engine.hint({ rules, turns }, {})).hint.guess.join(" ");
          times.push(Math.round(performance.now() - start));
        }
        return { times, guess };
      },
      { rules, turns },
    );
    const question = `${rules} after ${turns.length} turns`;
    console.log(`${name}: a hint at ${question} in ${times.join(", ")} ms: ${guess}`);
    if ((guesses.get(question) ?? guess) !== guess) throw new Error(`another hint at ${question}: ${guesses.get(question)}`);
    guesses.set(question, guess);
  }
  await close();
}
site?.stop();
await world.stop();
