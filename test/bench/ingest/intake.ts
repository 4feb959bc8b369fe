import { Client } from "pg";

import { loadConfig } from "../../../shared/platform/config/config.ts";
import { sealSidecarToken } from "../../../shared/shard/sidecar/sidecar-link.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { testEnvironment } from "../../support/service/server.ts";
import { startServiceProcess, type ServiceProcess } from "../parts/processes.ts";
import { BenchProgram } from "../parts/remote.ts";
import { floorTables } from "./floor-states.ts";

/**
 * The process that sends events, and the two that receive them: the service's ingest and the minimal one
 * (`floor`).
 */
export interface IngestBench {
  readonly sender: BenchProgram;
  readonly ours: ServiceProcess;
  readonly floor: BenchProgram;
}

/**
 * Starts the three processes on one database. Resolves when both receivers are connected to the
 * sender.
 */
export async function startIngestBench(databaseUrl: string): Promise<IngestBench> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(floorTables);
  const sender = await BenchProgram.start("ingest/sender.ts");
  await sender.call("start", { seed: "bench" });
  const port = await sender.call<number>("port");
  await link(port, databaseUrl, client);
  const floor = await BenchProgram.start("ingest/floor.ts", { DATABASE_URL: databaseUrl });
  await floor.call("connect", { url: `ws://127.0.0.1:${port}/floor` });
  const ours = await startServiceProcess("ingest", databaseUrl);
  await waitUntil("the link stands", async () => (await stateOf(client)) === "connected");
  await client.end();
  return { sender, ours, floor };
}

async function link(port: number, databaseUrl: string, client: Client): Promise<void> {
  const { SECRETS_KEYS } = loadConfig(testEnvironment(databaseUrl));
  await client.query(
    `update shardlink set base_url = $1, ws_url = $2, token_sealed = $3, enabled = true`,
    [
      `http://127.0.0.1:${port}`,
      `ws://127.0.0.1:${port}/ours`,
      sealSidecarToken("bench", SECRETS_KEYS),
    ],
  );
}

async function stateOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ state: string }>("select state from ingest_sources");
  return rows[0]?.state;
}
