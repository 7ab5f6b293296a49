// How the first visit feels: largest paint, layout shift, blocking time, bytes. Not a test: times depend on the machine.
//
//   PEGWISE=program [SITE=folder] node figures.js

import { start, visit } from "./browser.js";
import { serveFolder } from "./folder.js";

const world = await start();
const site = process.env.SITE ? await serveFolder(process.env.SITE) : null;
for (const [name, address] of [
  ["server", world.address],
  ["static folder", site?.address],
]) {
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
    await page.waitForSelector(".turn.now");
    await page.waitForLoadState("networkidle");
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
site?.stop();
await world.stop();
