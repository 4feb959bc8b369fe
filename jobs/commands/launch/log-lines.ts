import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import { prettyFactory } from "pino-pretty";

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

const prettify = prettyFactory({
  colorize: process.stdout.isTTY,
  ignore: "time,process",
  singleLine: true,
  customPrettifiers: { err: stackOf },
});

function stackOf(error: unknown): string {
  const { stack } = error as { readonly stack?: string };
  return stack ?? JSON.stringify(error);
}

/**
 * `WARN: queue warning {"queue":"mail"}` of a JSON log line; nothing of other JSON, which programs
 * write for programs; any other line as it is.
 */
export function readable(line: string): string {
  const parsed = parse(line);
  if (!parsed) return line;
  return typeof parsed.level === "string" ? prettify(parsed).trimEnd() : "";
}

function parse(line: string): { readonly level?: unknown } | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as { readonly level?: unknown };
  } catch {
    return undefined;
  }
}
