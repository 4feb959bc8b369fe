import { appendFileSync } from "node:fs";
import path from "node:path";

// Violations, shortened for the end of a log, go into the file `violations` of the folder that
// FAULTS_REPORT names. A run without violations writes none.

/** One cause may violate many claims, so the first few are enough. */
const violationsOfRun = 6;
/** The full text of a violation is printed above. */
const lengthOfViolation = 400;

export function reportViolations(run: string, violations: readonly string[]): void {
  const rest = violations.length - violationsOfRun;
  add("violations", [
    `faults of ${run}`,
    ...violations.slice(0, violationsOfRun).map((violation) => `  ● ${shortened(violation)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ]);
}

function add(name: string, lines: readonly string[]): void {
  const folder = process.env["FAULTS_REPORT"];
  if (folder !== undefined) appendFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
}

function shortened(violation: string): string {
  if (violation.length <= lengthOfViolation) return violation;
  return `${violation.slice(0, lengthOfViolation)}… (whole above)`;
}
