import { rmSync, statSync } from "node:fs";
import path from "node:path";

import type { Plan } from "./plan.ts";

/** In one word each: a value may begin with a dash, as one random token in 64 does. */
export const flags = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);

/** A simulator reads all it kept when it starts; beyond this it begins anew. */
const keptBytes = 16 * 1024 * 1024;

/** The file in which a simulator of the demo keeps its world. */
export function journalOf({ folder }: Pick<Plan, "folder">, name: string): string {
  const journal = path.join(folder, `${name}.json`);
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size > keptBytes) rmSync(journal);
  return journal;
}
