import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describeApi } from "./description/openapi.ts";
import { makeConsoleFiles } from "./documents/console-files.ts";
import { makePages } from "./documents/pages.ts";
import { routes } from "./routes.ts";

const description = {
  core: describeApi(routes, "core"),
  additive: describeApi(routes, "additive"),
};

const texts = {
  "api/openapi.json": `${JSON.stringify(description, null, 1)}\n`,
  ...(await makePages()),
  ...(await makeConsoleFiles(Object.values(description))),
};
const root = path.join(import.meta.dirname, "..");

for (const [name, text] of Object.entries(texts)) {
  const file = path.join(root, name);
  if (!process.argv.includes("--check")) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    process.stderr.write(`${name} is stale: run \`npm run docs\`\n`);
    process.exitCode = 1;
  }
}
