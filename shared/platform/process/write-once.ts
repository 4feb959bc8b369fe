import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner can read, unless the file exists. Of concurrent writers, one succeeds. */
export function writeFileOnce(file: string, make: () => string): void {
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
