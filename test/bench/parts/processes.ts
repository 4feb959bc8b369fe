import { unlimited } from "../../support/accounts/unlimited.ts";
import { takeFreePort } from "../../support/network/ports.ts";
import { ChildProgram } from "../../support/service/own-process.ts";
import { testEnvironment } from "../../support/service/server.ts";
import type { Usage } from "./answering.ts";

/** A process of the service, started as in a deployment. */
export interface ServiceProcess {
  readonly url: string;
  readonly readyMs: number;
  readonly pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const files = { web: "api/server.ts", ingest: "jobs/ingest.ts", worker: "jobs/worker.ts" } as const;

/** Starts a process of the service without rate limits, and waits until it is ready. */
export async function startServiceProcess(
  kind: keyof typeof files,
  databaseUrl: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  const [port, internalPort] = [await takeFreePort(), await takeFreePort()];
  const internal = `http://127.0.0.1:${internalPort}/internal`;
  const child = new ChildProgram({
    name: kind,
    file: files[kind],
    readyAt: `${internal}/health?probe=ready`,
    environment: {
      ...testEnvironment(databaseUrl),
      ...unlimited,
      DATABASE_POOL: "10",
      LOG_LEVEL: "warn",
      HOST: "127.0.0.1",
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      SSE_MAX: "20000",
      SSE_MAX_PER_IP: "20000",
      SSE_MAX_PER_NETWORK: "20000",
      ...environment,
    },
  });
  const startedAt = performance.now();
  await child.start();
  const readyMs = performance.now() - startedAt;
  const url = `http://127.0.0.1:${port}`;
  const { pid } = child;
  return { url, readyMs, pid, usage: () => readUsage(internal), stop: () => child.kill() };
}

/** Reads the CPU time and memory from the metrics of a process. */
async function readUsage(internal: string): Promise<Usage> {
  const text = await (await fetch(`${internal}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    cpuSeconds: read("process_cpu_seconds_total"),
    memoryBytes: read("process_resident_memory_bytes"),
  };
}

/** Adds up the usage of several processes since an earlier reading. */
export async function sumUsage(parts: readonly { usage(): Promise<Usage> }[]): Promise<Usage> {
  const all = await Promise.all(parts.map((part) => part.usage()));
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    memoryBytes: all.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  };
}
