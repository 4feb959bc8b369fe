import { isIPv6 } from "node:net";

import { type ProcessKind, processKinds } from "../ops/processes.ts";
import type { Plan } from "./plan.ts";
import type { ServerScript } from "./server-process.ts";

const files: Readonly<Record<ProcessKind, string>> = {
  web: "api/server.ts",
  ingest: "jobs/ingest.ts",
  worker: "jobs/worker.ts",
};

/** The processes of the Procfile, side by side on one machine: each has its own internal port. */
export function serverScripts(plan: Plan, databaseUrl: string): ServerScript[] {
  return processKinds.map((kind) => ({
    name: kind,
    file: files[kind],
    environment: {
      ...plan.environment,
      DATABASE_URL: databaseUrl,
      INTERNAL_PORT: String(plan.ports.internal[kind]),
    },
    readyAt: `${healthUrl(plan, kind)}?probe=ready`,
  }));
}

/** Where this machine asks after one of its processes. */
export function healthUrl({ config, ports }: Plan, kind: ProcessKind): string {
  const { INTERNAL_HOST: host } = config;
  const asked = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const written = isIPv6(asked) ? `[${asked}]` : asked;
  return `http://${written}:${ports.internal[kind]}/internal/health`;
}
