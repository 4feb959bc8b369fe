import { rmSync, statSync } from "node:fs";
import path from "node:path";

import type { Plan } from "./plan.ts";

/** Builds arguments as single words: a value may begin with a dash, as one random token in 64 does. */
export const buildFlags = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);

/** A simulator reads its whole journal at the start. A larger journal is deleted. */
const maxJournalBytes = 16 * 1024 * 1024;

export function journalOf({ folder }: Pick<Plan, "folder">, name: string): string {
  const journal = path.join(folder, `${name}.json`);
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxJournalBytes) rmSync(journal);
  return journal;
}
