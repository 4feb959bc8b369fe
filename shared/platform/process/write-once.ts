import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file that nobody else may read, unless it is there. Of several that start at once
 * exactly one writes it, and whoever is killed meanwhile leaves no part of it behind.
 */
export function writeOnce(file: string, make: () => string): void {
  if (existsSync(file)) return;
  const made = `${file}.${randomUUID()}`;
  try {
    writeFileSync(made, make(), { flag: "wx", mode: 0o600 });
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(made, { force: true });
  }
}
