import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { writeOnce } from "../write-once.ts";

const names = ["JWT_KEYS", "SECRETS_KEYS"] as const;

/** Where one machine keeps what it made for itself: database, keys. */
export const dataFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
  path.resolve(environment["DATA_FOLDER"] ?? ".data");

/** Keys for one machine, made at random on first use and shared by its processes. */
export function localKeys(environment: NodeJS.ProcessEnv): Record<string, string> {
  if (names.every((name) => environment[name])) return {};
  const folder = dataFolder(environment);
  const file = path.join(folder, "keys.json");
  mkdirSync(folder, { recursive: true });
  writeOnce(file, makeKeys);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}

const makeKeys = (): string =>
  JSON.stringify(
    Object.fromEntries(names.map((name) => [name, `local:${randomBytes(32).toString("base64")}`])),
  );
