import { readFileSync, writeFileSync } from "node:fs";

import { describeApi } from "./description/openapi.ts";
import { descriptionFile } from "./ops/docs.ts";
import { routes } from "./routes.ts";

const text = `${JSON.stringify(
  { core: describeApi(routes, "core"), additive: describeApi(routes, "additive") },
  null,
  1,
)}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(descriptionFile, "utf8") !== text) {
    process.stderr.write("api/openapi.json is stale: run `npm run docs`\n");
    process.exit(1);
  }
} else {
  writeFileSync(descriptionFile, text);
}
