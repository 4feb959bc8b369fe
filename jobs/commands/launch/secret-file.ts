import { readFileSync } from "node:fs";

import { writeOnce } from "../../../shared/platform/process/write-once.ts";
import { LaunchFault } from "./launch-fault.ts";

/**
 * The secret kept in a file, made on first use; only who runs this may read it.
 * @throws {LaunchFault} when the file is empty: another secret may be in use by now
 */
export function readSecretFile(file: string, make: () => string): string {
  writeOnce(file, make);
  const secret = readFileSync(file, "utf8");
  if (secret !== "") return secret;
  throw new LaunchFault(
    `${file} is empty: bring back what it held, or remove it to have it made anew`,
  );
}
