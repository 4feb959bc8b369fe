import { appendFileSync } from "node:fs";
import path from "node:path";

// Writes the first violations of a run to the file `violations` in the folder of FAULTS_REPORT, shortened to fit
// the end of a log. A run without violations writes nothing.

/** The maximum number of violations per run. One cause may violate many claims. */
const violationsOfRun = 6;
/** The maximum length of a violation. The run has printed the full text. */
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
