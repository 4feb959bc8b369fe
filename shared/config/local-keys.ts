import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const names = ["JWT_KEYS", "SECRETS_KEYS"] as const;

/** Where one machine keeps what it made for itself: database, keys. */
export const dataFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
  path.resolve(environment["DATA_FOLDER"] ?? ".data");

function makeOnce(file: string): void {
  const keys = Object.fromEntries(
    names.map((name) => [name, `local:${randomBytes(32).toString("base64")}`]),
  );
  const made = `${file}.${process.pid}`;
  writeFileSync(made, JSON.stringify(keys), { mode: 0o600 });
  try {
    // A link lets exactly one of several processes that start at once make the keys, and whole.
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(made);
  }
}

/** Keys for one machine, made at random on first use and shared by its processes. */
export function localKeys(environment: NodeJS.ProcessEnv): Record<string, string> {
  if (names.every((name) => environment[name])) return {};
  const folder = dataFolder(environment);
  const file = path.join(folder, "keys.json");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) makeOnce(file);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}
