import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { descriptionFile } from "../../api/ops/docs.ts";

const project = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "guildhall-docs-"));
const sets = JSON.parse(readFileSync(descriptionFile, "utf8")) as Record<string, object>;

try {
  for (const [name, description] of Object.entries(sets)) {
    const file = path.join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(description, null, 1));
    const linter = path.join(project, "node_modules/@redocly/cli/bin/cli.js");
    const config = path.join(project, "redocly.yaml");
    execFileSync(process.execPath, [linter, "lint", "--config", config, file], {
      stdio: "inherit",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
