import { appendFileSync } from "node:fs";
import path from "node:path";

// Violations, in words that fit the end of a log, go into the file `violations` of the folder that FAULTS_REPORT names.
// A run without violations writes none.

/** What one thing leads to is violated in many ways: the first few say why. */
const violationsOfRun = 6;
/** A violation with a whole body is told whole above. */
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
