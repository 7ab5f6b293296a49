// A static file server, which records the paths of requests; with `engine`, requests to /api/ are forwarded.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/**
 * @param {string} folder @param {{engine?: string | null, port?: number}} [options]
 * @returns {Promise<{address: string, requested: string[], stop: () => void}>}
 */
export async function serveFolder(folder, { engine = null, port = 0 } = {}) {
  /** @type {string[]} */
  const requested = [];
  const server = createServer((asked, answer) => {
    const path = decodeURIComponent(new URL(asked.url, "http://x").pathname);
    requested.push(path);
    if (engine && path.startsWith("/api/")) {
      const to = new URL(asked.url, engine);
      const headers = { ...asked.headers, host: to.host };
      delete headers.origin;
      const passed = request(to, { method: asked.method, headers }, (given) => {
        answer.writeHead(given.statusCode, given.headers);
        given.pipe(answer);
      });
      passed.on("error", () => answer.writeHead(502).end());
      answer.on("close", () => passed.destroy());
      asked.pipe(passed);
      return;
    }
    const file = join(folder, normalize(path === "/" ? "/index.html" : path));
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      answer.writeHead(404).end();
      return;
    }
    const caching = /-[0-9a-f]{8}\./.test(file) ? "max-age=600" : "no-cache";
    // Compressed, as hosts of static files do.
    const gzip = /\bgzip\b/.test(String(asked.headers["accept-encoding"])) && extname(file) !== ".png";
    answer.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream", "cache-control": caching, ...(gzip && { "content-encoding": "gzip" }) });
    if (gzip) createReadStream(file).pipe(createGzip()).pipe(answer);
    else createReadStream(file).pipe(answer);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  const { port: taken } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { address: `http://127.0.0.1:${taken}/`, requested, stop: () => server.close() };
}
