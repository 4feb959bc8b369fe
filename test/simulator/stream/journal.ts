import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

import type { Effect } from "../control/effects.ts";
import type { BufferedEvent } from "./event.ts";

/** A line of the file that makes the buffer durable. The lines are in the order of writing. */
export type JournalLine =
  | { readonly epoch: string }
  | { readonly boot: string }
  | { readonly event: BufferedEvent }
  | { readonly acked: number }
  | { readonly dropped: number }
  | { readonly effect: Omit<Effect, "times"> }
  | { readonly deed: unknown }
  /** The id of a survival server's save. It applies to the following lines. */
  | { readonly save: number }
  | { readonly answer: { readonly key: string; readonly memory: unknown } };

export interface Journal {
  /** The lines that earlier processes wrote. */
  readonly past: readonly JournalLine[];
  /** Writes a line. Each event is written before it is sent, so that a kill loses no sent event. */
  readonly write: (line: JournalLine) => void;
  readonly close: () => void;
}

/** A journal that is not stored, so that the buffer ends with the process. */
export const noJournal: Journal = { past: [], write: () => {}, close: () => {} };

/** Opens or creates the file. Removes a last line that is truncated. */
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
