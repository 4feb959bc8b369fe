import { type Config, ConfigError, loadConfig } from "./config.ts";

/** Exit code of a process whose arguments or environment are wrong. */
export const misconfigured = 78;

/** The environment of this process; it ends with every fault of it said where there is one. */
export function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(misconfigured);
  }
}
