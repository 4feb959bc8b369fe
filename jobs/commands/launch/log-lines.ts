import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import { prettyFactory } from "pino-pretty";

/** Prints the output of a process line by line in readable form. Each line begins with the name of the process. */
export function printLines(child: ChildProcess, name: string, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    const lines = createInterface({ input: stream, crlfDelay: Infinity });
    lines.on("line", (line) => {
      const text = formatLogLine(line);
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

/** Formats a JSON log line as `WARN: queue warning {"queue":"mail"}`, and omits JSON without a level. */
export function formatLogLine(line: string): string {
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
