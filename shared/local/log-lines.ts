import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** Hands on what a process writes, line by line, headed by its name and made readable. */
export function headLines(child: ChildProcess, name: string, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    const lines = createInterface({ input: stream, crlfDelay: Infinity });
    lines.on("line", (line) => {
      const text = readable(line);
      if (text !== "") print(`${name.padEnd(9)}${text}`);
    });
  }
}

interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [field: string]: unknown;
}

/**
 * `warn  queue warning {"queue":"mail"}` of a JSON log line; nothing of other JSON, which programs
 * write for programs; any other line as it is.
 */
export function readable(line: string): string {
  const parsed = parse(line);
  if (!parsed) return line;
  if (typeof parsed.level !== "string") return "";
  const { level, msg = "", err, time: _time, process: _process, ...rest } = parsed;
  const fields = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
  const error = err ? `: ${err.stack ?? JSON.stringify(err)}` : "";
  return `${level.padEnd(5)} ${msg}${fields}${error}`;
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
