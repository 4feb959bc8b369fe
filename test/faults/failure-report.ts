import { appendFileSync } from "node:fs";
import path from "node:path";

// What failed, in words that fit the end of a log, goes into the folder that FAULTS_REPORT names: `runs` (a name a line,
// some twice) and `violations`. Where nothing failed, neither.

/** What one thing leads to is violated in many ways: the first few say why. */
const violationsOfRun = 6;
/** A violation with a whole body is told whole above. */
const lengthOfViolation = 400;

/** A run that ended without a word of its own failed too. */
export const reportRun = (run: string): void => add("runs", [run]);

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
