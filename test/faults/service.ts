import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { testEnvironment } from "../support/service/server.ts";

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly seed: string;
  /** The number of events per second that the shard emits by itself. */
  readonly rate: number;
  /** The game accounts that are linked to users from the start. */
  readonly links: readonly { readonly account: string; readonly userId: number }[];
  /** Environment variables of every process. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface Api {
  readonly process: ChildProgram;
  readonly url: string;
}

export const bridgeToken = "faults-token";

/**
 * All processes of the Procfile and a simulated shard. Processes that may run several times run
 * twice.
 */
export interface Service {
  readonly apis: readonly [Api, Api];
  readonly ingests: readonly [ChildProgram, ChildProgram];
  readonly workers: readonly [ChildProgram, ChildProgram];
  readonly simulator: ChildProgram;
  /** The simulator's URL without a path. */
  readonly simulatorUrl: string;
  /** The file in which the simulator stores its buffer, so that it survives restarts. */
  readonly journal: string;
  readonly processes: readonly ChildProgram[];
  stop(): Promise<void>;
}

/**
 * Starts all processes at once.
 * @throws if one of them does not become ready; then the others are stopped
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, environment } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-faults-"));
  const journal = path.join(folder, "buffer.jsonl");
  const port = await takeFreePort();
  const simulator = createSimulator(options, port, journal);
  const apis = [
    await createApi(1, databaseUrl, environment),
    await createApi(2, databaseUrl, environment),
  ] as const;
  const ingests = [
    await createProcess("ingest 1", "jobs/ingest.ts", databaseUrl, environment),
    await createProcess("ingest 2", "jobs/ingest.ts", databaseUrl, environment),
  ] as const;
  const workers = [
    await createProcess("worker 1", "jobs/worker.ts", databaseUrl, environment),
    await createProcess("worker 2", "jobs/worker.ts", databaseUrl, environment),
  ] as const;
  const processes = [simulator, ...apis.map((api) => api.process), ...ingests, ...workers];
  const stop = await startServiceProcesses(processes, folder);
  const simulatorUrl = `http://127.0.0.1:${port}`;
  return { apis, ingests, workers, simulator, simulatorUrl, journal, processes, stop };
}

/** The processes that runs of events need: workers, APIs and the shard. */
export interface EventService {
  readonly apis: readonly [Api, Api];
  readonly workers: readonly ChildProgram[];
  readonly simulatorUrl: string;
  readonly processes: readonly ChildProgram[];
  stop(): Promise<void>;
}

/** Starts three workers for events, two APIs, and a shard that emits no events by itself. */
export async function startEventService(
  options: Pick<ServiceOptions, "databaseUrl" | "seed">,
): Promise<EventService> {
  const { databaseUrl, seed } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-faults-"));
  const port = await takeFreePort();
  const journal = path.join(folder, "buffer.jsonl");
  const simulator = createSimulator({ seed, rate: 0, links: [] }, port, journal);
  const apis = [await createApi(1, databaseUrl, {}), await createApi(2, databaseUrl, {})] as const;
  const workers = await Promise.all(
    [1, 2, 3].map((place) => createEventWorker(place, databaseUrl)),
  );
  const processes = [simulator, ...apis.map((api) => api.process), ...workers];
  const stop = await startServiceProcesses(processes, folder);
  return { apis, workers, simulatorUrl: `http://127.0.0.1:${port}`, processes, stop };
}

/** Starts all processes. @returns a function that kills them and deletes the folder */
export async function startServiceProcesses(
  processes: readonly ChildProgram[],
  folder: string,
): Promise<() => Promise<void>> {
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
  return stop;
}

const createEventWorker = (place: number, databaseUrl: string): Promise<ChildProgram> =>
  createProcess(`worker ${place}`, "jobs/worker.ts events", databaseUrl);

const createSimulator = (
  { seed, rate, links }: Pick<ServiceOptions, "seed" | "rate" | "links">,
  port: number,
  journal: string,
): ChildProgram =>
  new ChildProgram({
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

export async function createApi(
  place: number,
  databaseUrl: string,
  environment: NodeJS.ProcessEnv,
): Promise<Api> {
  const port = await takeFreePort();
  // All clients have the same address, so raise the limit per address.
  const many = {
    REAUTH_AFTER: "1d",
    ...environment,
    SSE_MAX_PER_IP: "1000",
    PORT: String(port),
    HOST: "127.0.0.1",
  };
  const process = await createProcess(`api ${place}`, "api/server.ts", databaseUrl, many);
  return { process, url: `http://127.0.0.1:${port}` };
}

export async function createProcess(
  name: string,
  command: string,
  databaseUrl: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<ChildProgram> {
  const [file = "", ...given] = command.split(" ");
  const port = await takeFreePort();
  const ports = { INTERNAL_PORT: String(port), LOG_LEVEL: "warn" };
  return new ChildProgram({
    name,
    file,
    arguments: given,
    environment: { ...testEnvironment(databaseUrl), ...ports, ...environment },
    readyAt: `http://127.0.0.1:${port}/internal/health?probe=ready`,
  });
}
