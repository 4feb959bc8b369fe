import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * THE order of the folders in `shared/`. A domain may import only from domains before it, types included. `facts`
 * contains the push streams and triggers by which domains report changes. `ops` starts and watches processes and
 * knows all domains.
 */
export const domainOrder = [
  "platform",
  "facts",
  "auth",
  "content",
  "imports",
  "shard",
  "survival",
  "events",
  "appeals",
  "push",
  "webhooks",
  "site",
  "own-data",
  "ops",
] as const;

/** An import between two files of `shared/`. The paths begin below `shared/`. */
export interface SharedImport {
  readonly from: string;
  readonly to: string;
}

const importPattern = /^(?:import|export)[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** Reads all imports between files of `shared/`. */
export function readSharedImports(root: string): SharedImport[] {
  const shared = path.join(root, "shared");
  return globSync("**/*.ts", { cwd: shared }).flatMap((from) => {
    const text = readFileSync(path.join(shared, from), "utf8");
    return [...text.matchAll(importPattern)]
      .map(([, eagerly, lazily]) => path.join(path.dirname(from), eagerly ?? lazily ?? ""))
      .filter((to) => !to.startsWith(".."))
      .map((to) => ({ from, to }));
  });
}

const placeOf = (file: string): number =>
  (domainOrder as readonly string[]).indexOf(file.split("/")[0] ?? "");

/** Returns the imports from a later domain, and from a folder that the order does not contain. */
export const findUpwardImports = (imports: readonly SharedImport[]): SharedImport[] =>
  imports.filter(({ from, to }) => placeOf(to) > placeOf(from) || placeOf(to) < 0);
