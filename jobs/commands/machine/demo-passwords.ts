import { mkdirSync } from "node:fs";
import path from "node:path";

import type { Config } from "../../../shared/platform/config/config.ts";
import { generatePassword } from "../accounts/generate-password.ts";
import { readSecretFile } from "../launch/secret-file.ts";

/** Returns the passwords of the demo. Generated passwords are stored, so that later starts can print them. */
export function demoPasswords(
  config: Config,
  folder: string,
): { DEMO_PASSWORD: string; ADMIN_PASSWORD: string } {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "demo-password");
  const password = config.DEMO_PASSWORD ?? readSecretFile(file, generatePassword);
  return { DEMO_PASSWORD: password, ADMIN_PASSWORD: config.ADMIN_PASSWORD ?? password };
}
