import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { Client } from "pg";

import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { storeFrames } from "../../shared/platform/ingest/store-batch.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { sealServerToken } from "../../shared/survival/server-link.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { testEnvironment } from "../support/service/server.ts";
import { survivalFrame } from "../support/survival/survival-ingest.ts";
import { type Bench, compareWithFloor } from "./bench.ts";

const name = "permissions";

/**
 * Measures the first synchronization of all grants to a server. The baseline (floor) only reads, sends and stores
 * the same grants.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const grants = short ? 500 : 5_000;
    const site = await openSite(databaseUrl, grants);
    const figure = `push of ${grants} grants`;
    try {
      await site.push();
      return await compareWithFloor(
        name,
        { [figure]: { unit: "grants/s", better: "higher", target: 0.6 } },
        {
          rounds: short ? 1 : 5,
          ours: async () => ({ [figure]: (grants * 1_000) / (await site.push()) }),
          floor: async () => ({ [figure]: (grants * 1_000) / (await site.pushBare()) }),
        },
      );
    } finally {
      await site.stop();
    }
  },
};

interface Site {
  /**
   * Changes a grant and synchronizes.
   * @returns the milliseconds until the server has confirmed the last row
   */
  push(): Promise<number>;
  pushBare(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a sidecar that accepts every call and remembers the id of the last synchronization. */
async function startSidecar(): Promise<{ server: Server; url: string; last: () => string }> {
  let last = "";
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    last = (JSON.parse(await text(request)) as { pushId: string }).pushId;
    response.writeHead(202, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, last: () => last };
}

async function openSite(databaseUrl: string, grants: number): Promise<Site> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const { context, parts } = await startContext(config, "bench");
  const client = new Client(databaseUrl);
  await client.connect();
  const sidecar = await startSidecar();
  const server = await buildSurvivalServer(
    { context },
    { enabled: true, baseUrl: sidecar.url, wsUrl: "ws://127.0.0.1:1" },
  );
  const { id } = server;
  await server.update({ tokenSealed: sealServerToken(id, "secret", config.SECRETS_KEYS) });
  await client.query(plant, [grants]);
  await client.query("analyze survival_grants");
  const { log } = context;
  const signal = AbortSignal.timeout(60_000);
  const owner = await acquireSourceOwnership({
    url: databaseUrl,
    source: sourceNameOf(id),
    log,
    signal,
  });
  const source = createSurvivalSource(id, context);
  const reset = async (): Promise<void> => {
    await client.query("truncate survival_permission_rows, survival_pushes");
    await client.query("insert into survival_pushes (server_id, name) values ($1, 'permissions')", [
      id,
    ]);
  };
  const confirmed = async (): Promise<void> => {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::integer as count from survival_permission_rows where state = 'pushed'",
    );
    if (rows[0]?.count !== grants) throw new Error(`only ${rows[0]?.count} grants were confirmed`);
  };
  const sync = () => ({ pushId: sidecar.last(), ok: true, applied: grants, failed: [], at: 1 });
  return {
    push: async () => {
      await reset();
      const startedAt = performance.now();
      await runSyncJob({ serverId: id, name: "permissions" }, context);
      await storeFrames([survivalFrame("perm.sync", sync())], owner, source, log);
      const tookMs = performance.now() - startedAt;
      await confirmed();
      return tookMs;
    },
    pushBare: async () => {
      await reset();
      const startedAt = performance.now();
      const { rows } = await client.query<{ steam_id: string; value: string }>(
        "select steam_id, value from survival_grants",
      );
      const users = rows.map(({ steam_id: steamId, value }) => ({ steamId, grant: [value] }));
      const given = [id, rows.map((row) => row.steam_id), rows.map((row) => row.value)];
      await client.query(note, given);
      const body = JSON.stringify({ pushId: "bare", groups: [], users });
      await fetch(sidecar.url, { method: "POST", body });
      const frame = JSON.stringify({ ...sync(), pushId: "bare" });
      const told = JSON.parse(frame) as { pushId: string };
      await client.query(confirm, [id, told.pushId]);
      const tookMs = performance.now() - startedAt;
      await confirmed();
      return tookMs;
    },
    stop: async () => {
      await owner.release();
      await client.end();
      sidecar.server.close();
      for (const part of parts.toReversed()) await part.stop();
    },
  };
}

const plant = `
  insert into survival_grants (kind, steam_id, value, server_ids)
  select 'permission', '7656119' || lpad(at::text, 10, '0'), 'kits.vip', '{}'
  from generate_series(1, $1::integer) at`;

const note = `
  insert into survival_permission_rows
    (server_id, subject_kind, subject, kind, value, state, push_id, op)
  select $1, 'user', given.subject, 'permission', given.value, 'pending', 'bare', 'grant'
  from unnest($2::text[], $3::text[]) as given (subject, value)`;

const confirm = `
  update survival_permission_rows set state = 'pushed', push_id = null, op = null
  where server_id = $1 and push_id = $2`;
