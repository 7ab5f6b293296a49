// A server, a browser, and pages that record unexpected events.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { serveFolder } from "./folder.js";

const PROGRAM = process.env.PEGWISE ?? "pegwise";
/** Safety net in milliseconds: tests wait for states of the page, however long one slow core takes. TIMEOUT shortens it for development. */
const TIMEOUT = Number(process.env.TIMEOUT ?? 600_000);
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the program as a server with a small store, and a browser. */
export async function start() {
  const folder = mkdtempSync(join(tmpdir(), "pegwise-"));
  const store = join(folder, "duel.db");
  execFileSync(
    PROGRAM,
    ["lab", "run", "3x4", "--strategy", "knuth", "--strategy", "entropy", "--games", "20", "-o", store],
    { stdio: "ignore" },
  );
  const words = ["serve", store, "--port", "0", "--request-timeout", "60m"];
  const server = spawn(PROGRAM, words, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    createInterface(server.stdout).once("line", resolve);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  // PAGE serves a folder instead of the embedded files, for development.
  const files = process.env.PAGE ? await serveFolder(process.env.PAGE, { engine: address }) : null;
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: FLAGS, timeout: TIMEOUT });
  return {
    address: files?.address ?? address,
    browser,
    async stop() {
      await browser.close();
      files?.stop();
      server.removeAllListeners("exit");
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Opens a page; `odd` collects errors, warnings and requests to other origins. `Math.random` is deterministic, so that no game is
 * won by chance.
 * @param {import("playwright-core").Browser} browser @param {string} address
 * @param {import("playwright-core").BrowserContextOptions & {paused?: boolean}} [options] A paused clock advances only with `runFor`.
 */
export async function visit(browser, address, { paused = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT);
  await context.addInitScript(() => {
    let drawn = 0;
    Math.random = () => ((drawn += 1) * 0.6180339887498949) % 1;
  });
  const page = await context.newPage();
  const odd = [];
  const own = new URL(address).origin;
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && odd.push(message.text()));
  page.on("pageerror", (error) => odd.push(error.message));
  page.on("request", (request) => new URL(request.url()).origin !== own && odd.push(`asks ${request.url()}`));
  if (paused) await page.clock.install().then(() => page.clock.pauseAt(Date.now() + 1000));
  await page.goto(address);
  return { page, odd, close: () => context.close() };
}

/**
 * Waits until every selector matches, no work is in progress, and two frames in a row have the same layout.
 * @param {import("playwright-core").Page} page @param {string[]} [selectors]
 */
export async function settled(page, selectors = []) {
  for (const selector of selectors) await page.locator(selector).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  await page.evaluate(async () => {
    await document.fonts.ready;
    const layout = () => [...document.body.querySelectorAll("*")].map((one) => Object.values(one.getBoundingClientRect().toJSON()).join()).join(" ");
    for (let [before, now] = ["", layout()]; before !== now; [before, now] = [now, layout()])
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  });
}
