import { type ProcessKind, processKinds } from "../../../shared/platform/job-records/processes.ts";
import { healthUrlOf } from "../checks/health-address.ts";
import type { ServerScript } from "../launch/server-process.ts";
import { buildReceiverEnvironment } from "./demo-receiver.ts";
import type { LaunchPlan } from "./plan.ts";

const files: Readonly<Record<ProcessKind, string>> = {
  web: "api/server.ts",
  ingest: "jobs/ingest.ts",
  worker: "jobs/worker.ts",
};

/** The processes of the Procfile on one machine, each with its own internal port. */
export function serverScripts(plan: LaunchPlan, databaseUrl: string): ServerScript[] {
  return processKinds.map((kind) => ({
    name: kind,
    file: files[kind],
    environment: {
      ...plan.environment,
      ...buildReceiverEnvironment(plan),
      DATABASE_URL: databaseUrl,
      INTERNAL_PORT: String(plan.ports.internal[kind]),
    },
    readyAt: `${healthUrl(plan, kind)}?probe=ready`,
  }));
}

export const healthUrl = ({ config, ports }: LaunchPlan, kind: ProcessKind): string =>
  healthUrlOf(config, ports.internal[kind]);
