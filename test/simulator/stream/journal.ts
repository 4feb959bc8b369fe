import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

import type { Effect } from "../control/effects.ts";
import type { BufferedEvent } from "./event.ts";

/** What is remembered beyond the life of the process, one line each in the order it happened. */
export type JournalLine =
  | { readonly epoch: string }
  | { readonly boot: string }
  | { readonly event: BufferedEvent }
  | { readonly acked: number }
  | { readonly dropped: number }
  | { readonly effect: Omit<Effect, "times"> }
  | { readonly deed: unknown }
  /** The world of a survival server, from here on. */
  | { readonly save: number }
  | { readonly answer: { readonly key: string; readonly memory: unknown } };

export interface Journal {
  /** What earlier processes wrote. */
  readonly past: readonly JournalLine[];
  /** Written before anyone is told, so that a kill loses nothing that was sent. */
  readonly write: (line: JournalLine) => void;
  readonly close: () => void;
}

/** A journal that forgets when the process ends. */
export const noJournal: Journal = { past: [], write: () => {}, close: () => {} };

/** Opens the file, or makes it; a last line that a kill cut in two is taken off. */
export function openJournal(path: string): Journal {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const file = openSync(path, "a");
  return {
    past: whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JournalLine),
    write: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}
