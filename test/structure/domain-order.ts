import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * THE order of the folders in `shared/`. A domain imports only earlier domains, types included. `facts` has
 * what domains report to others; `ops` starts and watches processes and knows every domain.
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

/** An import of one file in `shared/` by another, as paths within `shared/`. */
export interface SharedImport {
  readonly from: string;
  readonly to: string;
}

const importPattern = /^(?:import|export)[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** Reads the imports among the files in `shared/`. */
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

/** Finds imports of a later domain, and files in a folder that the order does not name. */
export const findUpwardImports = (imports: readonly SharedImport[]): SharedImport[] =>
  imports.filter(({ from, to }) => placeOf(to) > placeOf(from) || placeOf(to) < 0);
