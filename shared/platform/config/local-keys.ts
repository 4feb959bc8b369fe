import { createECDH, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { writeFileOnce } from "../process/write-once.ts";

const ringNames = ["JWT_KEYS", "SECRETS_KEYS"] as const;

export const dataFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
  path.resolve(environment["DATA_FOLDER"] ?? ".data");

/** Returns this machine's keys, which its processes share. They are generated at random on first use. */
export function loadLocalKeys(environment: NodeJS.ProcessEnv): Record<string, string> {
  const folder = dataFolder(environment);
  return { ...localRings(environment, folder), ...localVapidKey(environment, folder) };
}

function localRings(environment: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  if (ringNames.every((name) => environment[name])) return {};
  const kept = readOrCreate(path.join(folder, "keys.json"), makeRings);
  return JSON.parse(kept) as Record<string, string>;
}

/** The VAPID key has its own file, because `keys.json` of older installations has no such key. */
function localVapidKey(environment: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  if (environment["VAPID_KEY"]) return {};
  return { VAPID_KEY: readOrCreate(path.join(folder, "vapid-key"), makeVapidKey) };
}

function readOrCreate(file: string, make: () => string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileOnce(file, make);
  return readFileSync(file, "utf8");
}

const makeRings = (): string =>
  JSON.stringify(
    Object.fromEntries(
      ringNames.map((name) => [name, `local:${randomBytes(32).toString("base64")}`]),
    ),
  );

function makeVapidKey(): string {
  const curve = createECDH("prime256v1");
  curve.generateKeys();
  // `getPrivateKey` omits leading zero bytes, so pad the key to 32 bytes.
  return Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()])
    .subarray(-32)
    .toString("base64url");
}
