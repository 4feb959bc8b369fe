import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../../shared/local/ports.ts";
import type { Ground } from "../support/ground.ts";
import { OwnProcess } from "../support/own-process.ts";
import { testEnvironment } from "../support/server.ts";

export interface ServiceOptions {
  readonly ground: Ground;
  readonly databaseUrl: string;
  readonly seed: string;
  /** Events a second that the shard makes by itself. */
  readonly rate: number;
  /** Game accounts that are linked from the start, with the users they belong to. */
  readonly links: readonly { readonly account: string; readonly userId: number }[];
}

export interface Api {
  readonly process: OwnProcess;
  readonly url: string;
}

export const bridgeToken = "faults-token";

/** The whole service as its Procfile runs it, twice where that is allowed, and a simulated shard. */
export interface Service {
  readonly ground: Ground;
  readonly apis: readonly [Api, Api];
  readonly ingests: readonly [OwnProcess, OwnProcess];
  readonly worker: OwnProcess;
  readonly simulator: OwnProcess;
  /** Of the simulator, without a path. */
  readonly simulatorUrl: string;
  /** The file in which the simulator's buffer outlives its process. */
  readonly journal: string;
  readonly processes: readonly OwnProcess[];
  stop(): Promise<void>;
}

/** Starts every process, side by side. @throws when one does not get ready; none is left then */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { ground, databaseUrl } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-faults-"));
  const journal = path.join(folder, "buffer.jsonl");
  const port = await freePort();
  const simulator = createSimulator(options, port, journal);
  const apis = [await createApi(1, databaseUrl), await createApi(2, databaseUrl)] as const;
  const ingests = [
    await createProcess("ingest 1", "jobs/ingest.ts", databaseUrl),
    await createProcess("ingest 2", "jobs/ingest.ts", databaseUrl),
  ] as const;
  const worker = await createProcess("worker", "jobs/worker.ts", databaseUrl);
  const processes = [simulator, ...apis.map((api) => api.process), ...ingests, worker];
  const stop = async () => {
    await Promise.all(processes.map((one) => one.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(processes.map((one) => one.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  const simulatorUrl = `http://127.0.0.1:${port}`;
  return { ground, apis, ingests, worker, simulator, simulatorUrl, journal, processes, stop };
}

const createSimulator = (
  { seed, rate, links }: ServiceOptions,
  port: number,
  journal: string,
): OwnProcess =>
  new OwnProcess({
    name: "simulator",
    file: "test/simulator/main.ts",
    arguments: [
      `--port=${port}`,
      `--seed=${seed}`,
      `--rate=${rate}`,
      "--world=small",
      `--token=${bridgeToken}`,
      `--buffer-file=${journal}`,
      ...links.map(({ account, userId }) => `--link=${account}=${userId}`),
    ],
    environment: {},
    readyAt: `http://127.0.0.1:${port}/sim/status`,
  });

async function createApi(place: number, databaseUrl: string): Promise<Api> {
  const port = await freePort();
  // All clients come from one address here.
  const many = { SSE_MAX_PER_IP: "1000", PORT: String(port), HOST: "127.0.0.1" };
  const process = await createProcess(`api ${place}`, "api/server.ts", databaseUrl, many);
  return { process, url: `http://127.0.0.1:${port}` };
}

async function createProcess(
  name: string,
  file: string,
  databaseUrl: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<OwnProcess> {
  const port = await freePort();
  const ports = { INTERNAL_PORT: String(port), LOG_LEVEL: "warn" };
  return new OwnProcess({
    name,
    file,
    environment: { ...testEnvironment(databaseUrl), ...ports, ...environment },
    readyAt: `http://127.0.0.1:${port}/internal/health?probe=ready`,
  });
}
