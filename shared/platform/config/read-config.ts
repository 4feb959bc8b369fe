import { type Config, ConfigError, loadConfig } from "./config.ts";
import { readEnvironment } from "./read-environment.ts";

/** Exit code of a process whose arguments or environment are wrong. */
export const misconfigured = 78;

/** Reads the environment and `.env`; prints every fault and exits when it is wrong. */
export function readConfig(): Config {
  try {
    return loadConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(misconfigured);
  }
}
