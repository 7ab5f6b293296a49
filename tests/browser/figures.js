// Measures a first and a later visit on a slow phone, and the time of hints, whose guesses must be the same from the server and from the
// static site.
//
//   PEGWISE=program [SITE=folder] [HINTS=0] node figures.js

import { settled, start, visit } from "./browser.js";
import { serveFolder } from "./folder.js";

const world = await start();
const site = process.env.SITE ? await serveFolder(process.env.SITE) : null;
/** A phone on a slow network: 1.6 Mbit/s, 150 ms latency, and a processor four times slower. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
for (const [name, address] of [["server", world.address], ["static folder", site?.address]]) {
  if (!address) continue;
  const { page, close } = await visit(world.browser, "about:blank", { viewport: { width: 360, height: 640 }, hasTouch: true });
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", SLOW);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(() => {
    const seen = { paint: 0, shift: 0, blocked: 0, usable: 0, tap: 0 };
    Object.assign(window, { seen });
    const watch = (type, take, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
    watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
    watch("layout-shift", (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value));
    watch("longtask", (entry) => (seen.blocked += Math.max(0, entry.duration - 50)));
    watch("event", (entry) => (seen.tap = Math.max(seen.tap, entry.duration)), { durationThreshold: 16 });
    // A color is usable when it is in the page: its listener is attached before.
    new MutationObserver((_, observer) => {
      if (!document.querySelector(".choice")) return;
      seen.usable = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  for (const visited of ["first", "later"]) {
    if (visited === "first") await page.goto(address);
    else await page.reload();
    await settled(page, [".needs-code:enabled"]);
    const { usable, paint, shift, blocked, bytes, requests } = await page.evaluate(() => {
      const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
      return { ...window.seen, bytes: all.reduce((sum, entry) => sum + entry.transferSize, 0), requests: all.filter((entry) => entry.transferSize).length };
    });
    for (const color of ["1", "2", "3"]) await page.getByRole("button", { name: `Color ${color}, ` }).tap();
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    const tap = await page.evaluate(() => window.seen.tap);
    console.log(
      `${name}, ${visited} visit: palette usable after ${Math.round(usable)} ms, largest paint ${Math.round(paint)} ms, layout shift ${shift.toFixed(4)}, ` +
        `blocking ${Math.round(blocked)} ms, slowest tap ${Math.round(tap)} ms, ${requests} transfers, ${Math.round(bytes / 1000)} kB`,
    );
    if (visited === "first" && name === "static folder") await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  }
  await close();
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
  for (const [rules, turns] of process.env.HINTS === "0" ? [] : HINTS) {
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
