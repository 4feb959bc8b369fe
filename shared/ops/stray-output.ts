import { format } from "node:util";

import type { Logger } from "../platform/log.ts";

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * What libraries write to the console, as Sequelize does of a connection lost within a transaction,
 * and Node's own warnings become lines of the log: whoever collects it reads JSON alone.
 */
export function logStrayOutput(log: Logger): void {
  for (const [method, level] of Object.entries(levels)) {
    const say = (...given: unknown[]) => log[level]({ from: "console" }, format(...given));
    Object.assign(console, { [method]: say });
  }
  // Node's own listener prints them.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "warning of Node"));
}
