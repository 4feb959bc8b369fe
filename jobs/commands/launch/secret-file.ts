import { readFileSync } from "node:fs";

import { writeFileOnce } from "../../../shared/platform/process/write-once.ts";
import { LaunchError } from "./launch-error.ts";

/**
 * Returns a secret from a file that only its owner can read. The secret is generated on first use.
 * @throws {LaunchError} if the file is empty, because another secret may already be in use
 */
export function readSecretFile(file: string, make: () => string): string {
  writeFileOnce(file, make);
  const secret = readFileSync(file, "utf8");
  if (secret !== "") return secret;
  throw new LaunchError(
    `${file} is empty: bring back its contents, or delete it so that it is created again`,
  );
}
