import { isIPv6 } from "node:net";

import type { Config } from "../../../shared/platform/config/config.ts";

/** Returns the local URL of a process's health report, from the internal port of the process. */
export function healthUrlOf({ INTERNAL_HOST: host }: Pick<Config, "INTERNAL_HOST">, port: number) {
  const asked = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const written = isIPv6(asked) ? `[${asked}]` : asked;
  return `http://${written}:${port}/internal/health`;
}
