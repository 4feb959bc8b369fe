import { formatReport, formatReportAsJson, exitCodeOf, type CheckResult } from "./report/print.ts";

/** An invalid command line. */
export class UsageFault extends Error {}

interface ProgramOutput {
  readonly say: (text: string) => void;
}

interface Program {
  readonly help: boolean;
  readonly json: boolean;
  run(this: void, running: ProgramOutput): Promise<CheckResult>;
}

/** Runs a checker and prints its report. Progress goes to standard error, so that it is not part of the report. */
export async function runProgram(usage: string, read: (words: string[]) => Program): Promise<void> {
  try {
    const { help, json, run } = read(process.argv.slice(2));
    if (help) return void process.stdout.write(usage);
    const outcome = await run({ say: (text) => void process.stderr.write(`${text}\n`) });
    process.stdout.write(`${json ? formatReportAsJson(outcome) : formatReport(outcome)}\n`);
    process.exitCode = exitCodeOf(outcome);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUsage = error instanceof UsageFault || code?.startsWith("ERR_PARSE_ARGS");
    if (!isUsage && code === undefined) throw error;
    process.stderr.write(isUsage ? `${message}\n\n${usage}` : `${message}\n`);
    process.exitCode = 64;
  }
}

export function parseNumberOption(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageFault(`--${name} must be a number`);
  return Number(text);
}

export function parseChoiceOption<const T extends string>(
  name: string,
  text: string,
  values: readonly T[],
): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageFault(`--${name} must be one of ${values.join(", ")}`);
  return found;
}

export function requireTextOption(name: string, text: string | undefined): string {
  if (text === undefined || text === "") throw new UsageFault(`--${name} is missing`);
  return text;
}

/** @throws {UsageFault} if there is no check with one of these names */
export function refuseUnknownChecks(
  only: readonly string[] | undefined,
  checks: readonly { readonly name: string }[],
): void {
  const unknown = only?.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) throw new UsageFault(`there is no check ${unknown}`);
}
