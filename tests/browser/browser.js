// A server, a browser, and pages that complain about anything odd.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { serveFolder } from "./folder.js";

const PROGRAM = process.env.PEGWISE ?? "pegwise";
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
    ["lab", "run", "--rules", "3x4", "--strategy", "knuth", "--strategy", "entropy", "--games", "20", "--store", store],
    { stdio: "ignore" },
  );
  const server = spawn(PROGRAM, ["serve", "--port", "0", "--store", store], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    createInterface(server.stdout).once("line", resolve);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  // A folder in place of the program's own files, while they are worked on.
  const files = process.env.PAGE ? await serveFolder(process.env.PAGE, { engine: address }) : null;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
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
 * Opens a page; whatever it does that it should not is in `odd`: errors, warnings, requests to elsewhere.
 * @param {import("playwright-core").Browser} browser @param {string} address
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const odd = [];
  const own = new URL(address).origin;
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && odd.push(message.text()));
  page.on("pageerror", (error) => odd.push(error.message));
  page.on("request", (request) => new URL(request.url()).origin !== own && odd.push(`asks ${request.url()}`));
  await page.goto(address);
  return { page, odd, close: () => context.close() };
}
