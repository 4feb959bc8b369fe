import { readEnvironment } from "../../shared/platform/config/config.ts";
import { dataFolder } from "../../shared/platform/config/local-keys.ts";
import { findOwnDatabase } from "./own-database/database.ts";
import { runChecks, type NamedDoctorResult } from "./run-checks.ts";
import { runAndExplainFailure, printText } from "./shell.ts";

const marks: Readonly<Record<NamedDoctorResult["status"], string>> = {
  ok: "✓",
  fault: "✗",
  skipped: "–",
};

await runAndExplainFailure(async () => {
  const environment = readEnvironment();
  const own = environment["DATABASE_URL"] ? undefined : findOwnDatabase(dataFolder(environment));
  const findings = await runChecks(
    own === undefined ? environment : { ...environment, DATABASE_URL: own },
  );
  const isHealthy = findings.every(({ status }) => status !== "fault");
  const report = process.argv.includes("--json")
    ? JSON.stringify({ ok: isHealthy, checks: findings }, undefined, 2)
    : findings.map(describe).join("\n");
  printText(report);
  process.exitCode = isHealthy ? 0 : 1;
});

function describe({ name, status, detail, fix }: NamedDoctorResult): string {
  const line = `${marks[status]} ${name.padEnd(12)} ${detail.replaceAll("\n", `\n${" ".repeat(15)}`)}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(13)}→ ${fix}`;
}
