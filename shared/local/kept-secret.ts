import { readFileSync, writeFileSync } from "node:fs";

/** The secret kept in a file, made on first use; only who runs this may read it. */
export function keptSecret(file: string, make: () => string): string {
  try {
    // `wx` lets exactly one of several that start at once make it.
    writeFileSync(file, make(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8");
}
