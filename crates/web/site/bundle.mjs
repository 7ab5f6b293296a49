// Bundles the page into few files whose names contain a hash of their contents:
//
//   node bundle.mjs FOLDER [PACKAGE [ADDRESS]]
//
// With the folder of the package @pegwise/engine, the result is a static site that works offline; without, it is the page for `pegwise serve`, which a build embeds if
// PEGWISE_PAGE names the folder. Link previews show a picture only if its address is absolute, so they have none without the address of the site.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";

const [folder, engine, address] = process.argv.slice(2);
const page = join(import.meta.dirname, "../page");
const own = (/** @type {string} */ name) => join(import.meta.dirname, name);
mkdirSync(folder, { recursive: true });
/** Names of the files that every visit may need. @type {string[]} */
const files = [];

/** Writes a file, with a hash in its name unless it is `plain`. @param {string} name @param {string | Uint8Array} bytes @param {boolean} [plain] */
function write(name, bytes, plain = false) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const hashed = plain ? name : name.replace(/(?=\.\w+$)/, `-${hash}`);
  writeFileSync(join(folder, hashed), bytes);
  files.push(hashed);
  return hashed;
}

/** Bundles a script or a style sheet, and returns its name. @param {string} path @param {Record<string, unknown>} [options] @param {string} [plain] */
async function bundle(path, options = {}, plain) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    external: ["*.svg"],
    ...options,
  });
  return write(plain ?? basename(path), outputFiles[0].contents, plain !== undefined);
}

write("results.json", readFileSync(join(page, "results.json")), true);
const icon = write("icon.svg", readFileSync(join(page, "icon.svg")));
const styles = ["base", "board", "pages"].map((name) => `@import "./${name}.css";`).join("\n");
const css = await bundle("style.css", { entryPoints: undefined, stdin: { contents: styles, loader: "css", resolveDir: join(page, "css") } });
const theme = await bundle(join(page, "js/theme.js"));
let head = "";
let main = join(page, "js/main.js");
/** @type {Record<string, unknown>} */
let options = {};
if (engine) {
  const module = write("engine.wasm", readFileSync(join(engine, "engine.wasm")));
  const worker = await bundle(join(engine, "worker.js"));
  const large = write("icon-512.png", readFileSync(own("icon-512.png")));
  write("manifest.webmanifest", readFileSync(own("manifest.webmanifest"), "utf8").replace("icon.svg", icon).replace("icon-512.png", large), true);
  main = own("main.js");
  const workers = { name: "workers", setup: (/** @type {any} */ made) => made.onResolve({ filter: /\/engine\/http\.js$/ }, () => ({ path: own("workers.js") })) };
  options = {
    plugins: [workers],
    alias: { "@pegwise/engine": resolve(engine, "browser.js") },
    define: { MODULE_FILE: JSON.stringify(module), WORKER_FILE: JSON.stringify(worker) },
  };
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
  head =
    `  <meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    `  <link rel="manifest" href="manifest.webmanifest">\n` +
    `  <link rel="apple-touch-icon" href="${large}">\n` +
    `  <link rel="preload" href="${module}" as="fetch" type="application/wasm" crossorigin>\n`;
  if (address) {
    const preview = { url: new URL(address), image: new URL(large, address) };
    for (const [name, value] of Object.entries(preview)) head += `  <meta property="og:${name}" content="${value}">\n`;
  }
}
const script = await bundle(main, options);
const html = readFileSync(join(page, "index.html"), "utf8")
  .split("\n")
  .filter((line) => !/rel="modulepreload"|css\/(board|pages)\.css/.test(line))
  .join("\n")
  .replace(/(<meta charset="utf-8">\n)/, `$1${head}`)
  .replace("icon.svg", icon)
  .replace("css/base.css", css)
  .replace("js/theme.js", theme)
  .replace("js/main.js", script);
write("index.html", html, true);
if (engine) {
  const version = createHash("sha256").update(files.join()).update(html).digest("hex").slice(0, 16);
  const cached = ["./", ...files.filter((file) => file !== "index.html")];
  await bundle(own("offline.js"), { define: { FILES: JSON.stringify(cached), VERSION: JSON.stringify(version) } }, "offline.js");
  // The list of ./site, which replaces only a folder that it wrote.
  writeFileSync(join(folder, "files.txt"), files.concat("files.txt").sort().map((file) => `./${file}\n`).join(""));
}
