import { mkdirSync } from "node:fs";
import path from "node:path";

import type { Config } from "../../../shared/platform/config/config.ts";
import { makePassword } from "../accounts/make-password.ts";
import { readSecretFile } from "../launch/secret-file.ts";

/**
 * The passwords of the demo's accounts. One made at random is kept, so that a later start can
 * print it again.
 */
export function demoPasswords(
  config: Config,
  folder: string,
): { DEMO_PASSWORD: string; ADMIN_PASSWORD: string } {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "demo-password");
  const password = config.DEMO_PASSWORD ?? readSecretFile(file, makePassword);
  return { DEMO_PASSWORD: password, ADMIN_PASSWORD: config.ADMIN_PASSWORD ?? password };
}
