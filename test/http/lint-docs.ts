import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { descriptionFile } from "../../api/ops/docs.ts";

const project = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "guildhall-docs-"));
const sets = JSON.parse(readFileSync(descriptionFile, "utf8")) as Record<string, object>;

/** Runs a program of the project. @throws if it reports a fault */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [path.join(project, "node_modules", program), ...args], {
    stdio: "inherit",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
}

try {
  for (const [name, description] of Object.entries(sets)) {
    const file = path.join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(description, null, 1));
    run("@redocly/cli/bin/cli.js", "lint", "--config", path.join(project, "redocly.yaml"), file);
    const rules = path.join(project, ".spectral.yaml");
    const spectral = "@stoplight/spectral-cli/dist/index.js";
    run(spectral, "lint", "--ruleset", rules, "--fail-severity", "hint", file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
