import { randomUUID } from "node:crypto";
import { existsSync, linkSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * Writes a file that nobody else may read, unless it is there. Of several that start at once
 * exactly one writes it, and whoever is killed meanwhile leaves no part of it behind.
 */
export function writeOnce(file: string, make: () => string): void {
  if (existsSync(file)) return;
  const made = `${file}.${randomUUID()}`;
  writeFileSync(made, make(), { flag: "wx", mode: 0o600 });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(made);
  }
}
