import { rmSync, statSync } from "node:fs";
import path from "node:path";

import type { LaunchPlan } from "./plan.ts";

/** Builds arguments as `--name=value`: a separate value that begins with a dash would be read as a name. */
export const buildFlags = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);

/** The maximum size of a simulator's journal, which is read as a whole. A larger journal is deleted. */
const maxJournalBytes = 16 * 1024 * 1024;

export function prepareSimulatorJournal(
  { folder }: Pick<LaunchPlan, "folder">,
  name: string,
): string {
  const journal = path.join(folder, `${name}.json`);
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxJournalBytes) rmSync(journal);
  return journal;
}
