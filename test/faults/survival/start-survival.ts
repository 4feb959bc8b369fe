import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { takeFreePort } from "../../support/network/ports.ts";
import { ChildProgram } from "../../support/service/own-process.ts";
import { type Api, createApi, createProcess, startServiceProcesses } from "../service.ts";
import { ShardSimulatorClient } from "../shard.ts";

/** A simulated survival server that runs in its own process. */
export interface GameServer {
  readonly name: string;
  readonly process: ChildProgram;
  readonly url: string;
  readonly token: string;
  /** The file in which the server stores its buffer, so that it survives restarts. */
  readonly journal: string;
  /** The events per second that the server emits by itself after its next start. Zero at first. */
  readonly pace: { rate: number };
  /** Calls the simulator's own routes, which the product never calls. */
  readonly simulator: ShardSimulatorClient;
}

export interface SurvivalService {
  readonly servers: readonly GameServer[];
  readonly api: Api;
  readonly ingests: readonly ChildProgram[];
  readonly worker: ChildProgram;
  readonly processes: readonly ChildProgram[];
  stop(): Promise<void>;
}

interface Options {
  readonly databaseUrl: string;
  readonly seed: string;
}

/**
 * Starts two survival servers and the processes of the service.
 * @throws if one of them does not become ready
 */
export async function startSurvival(options: Options): Promise<SurvivalService> {
  const { databaseUrl } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-faults-"));
  const servers = await Promise.all(
    (["oxide", "carbon"] as const).map((framework) => createServer(framework, folder, options)),
  );
  const api = await createApi(1, databaseUrl, {});
  const ingests = [
    await createProcess("ingest 1", "jobs/ingest.ts", databaseUrl),
    await createProcess("ingest 2", "jobs/ingest.ts", databaseUrl),
  ];
  const worker = await createProcess("worker", "jobs/worker.ts", databaseUrl);
  const processes = [...servers.map((one) => one.process), api.process, ...ingests, worker];
  const stop = await startServiceProcesses(processes, folder);
  return { servers, api, ingests, worker, processes, stop };
}

async function createServer(
  framework: "oxide" | "carbon",
  folder: string,
  { seed }: Options,
): Promise<GameServer> {
  const port = await takeFreePort();
  const url = `http://127.0.0.1:${port}`;
  const journal = path.join(folder, `${framework}.jsonl`);
  const token = `faults-${framework}`;
  const pace = { rate: 0 };
  const process = new ChildProgram({
    name: framework,
    file: "test/simulator/survival/main.ts",
    get arguments() {
      return [
        `--port=${port}`,
        `--seed=${seed} ${framework}`,
        `--rate=${pace.rate}`,
        `--framework=${framework}`,
        `--name=${framework}`,
        "--world=small",
        `--token=${token}`,
        `--buffer-file=${journal}`,
      ];
    },
    environment: {},
    readyAt: `${url}/sim/status`,
  });
  return {
    name: framework,
    process,
    url,
    token,
    journal,
    pace,
    simulator: new ShardSimulatorClient(url),
  };
}
