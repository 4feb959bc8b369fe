import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client } from "pg";

import { storeAnnouncements } from "../../shared/facts/publish-facts.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { type PgBossClient, createPgBoss, createQueue } from "../../shared/platform/queue/queue.ts";
import { readVapidKeys } from "../../shared/push/relay/vapid.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { makeCertificate } from "../support/network/certificate.ts";
import { UserAgent } from "../support/push/user-agent.ts";
import { testEnvironment } from "../support/service/server.ts";
import {
  type Bench,
  compareWithFloor,
  type FigureValues,
  type BenchRow,
  buildBenchRow,
} from "./bench.ts";
import type { LoadResult, RequestLoad } from "./http/load-client.ts";
import { type ServiceProcess, startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "push";
const relay = "relay.push.test";
const devicesPerUser = 20;
/**
 * The number of key pairs. Devices share them, because generating one pair per device takes longer
 * than sending.
 */
const agents = 100;

/**
 * Measures the messages of one event to many devices. The baseline (floor) encrypts the same messages without
 * sending them.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const site = await openSite(databaseUrl, short ? 1_000 : 10_000);
    try {
      await site.push();
      const rates = await compareWithFloor(name, figures(site.devices), {
        rounds: short ? 1 : 5,
        ours: async () => ({ [figureOf(site.devices)]: await site.push() }),
        floor: () => site.encrypt(),
      });
      return [...rates, ...(await site.latency(short))];
    } finally {
      await site.stop();
    }
  },
};

const figureOf = (devices: number): string => `one event, ${devices} devices`;

const figures = (devices: number) => ({
  [figureOf(devices)]: { unit: "messages/s", better: "higher", target: 0.7 } as const,
});

interface Site {
  readonly devices: number;
  /** Emits an event. @returns the messages per second, until the last one was accepted */
  push(): Promise<number>;
  encrypt(): Promise<FigureValues>;
  /** Measures the API's latency with and without outgoing messages. */
  latency(short: boolean): Promise<BenchRow[]>;
  stop(): Promise<void>;
}

async function openSite(databaseUrl: string, devices: number): Promise<Site> {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-push-"));
  const { cert, key } = makeCertificate([relay]);
  const trusted = path.join(folder, "relay.pem");
  writeFileSync(trusted, cert);
  const receiver = await BenchProgram.start("parts/receiver.ts", {
    NAMES: relay,
    TLS_KEY: key,
    TLS_CERT: cert,
  });
  const { port, dns } = await receiver.call<{ port: number; dns: string }>("where");
  const origin = `https://${relay}:${port}`;
  const environment = {
    PUSH_ALLOWED_ORIGINS: origin,
    PUSH_DNS: dns,
    PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
    NODE_EXTRA_CA_CERTS: trusted,
  };
  const config = loadConfig({ ...testEnvironment(databaseUrl), ...environment });
  const client = new Client(databaseUrl);
  await client.connect();
  const keys = Array.from({ length: agents }, () => new UserAgent().keys);
  await plantDevices(client, { devices, origin, keys });
  const boss = createPgBoss(config, createLogger("bench", "silent"));
  await boss.start();
  const [bare, asker, web, worker] = await Promise.all([
    BenchProgram.start("push/bare.ts"),
    BenchProgram.start("http/load-client.ts"),
    startServiceProcess("web", databaseUrl, environment),
    startServiceProcess("worker", databaseUrl, environment),
  ]);
  const push = () => pushOnce({ client, boss, receiver, devices });
  return {
    devices,
    push,
    encrypt: async () => ({
      [figureOf(devices)]: await bare.call<number>("encryptAll", {
        endpoints: Array.from({ length: devices }, (_, at) => `${origin}/send/${at}`),
        keys,
        payload: JSON.stringify({ stream: "site.notice", ref: "1" }),
        vapidDetails: { subject: "mailto:someone@example.org", ...readVapidKeys(config) },
      }),
    }),
    latency: (short) => measureLatency({ asker, web, push, ms: short ? 1_000 : 4_000 }),
    stop: async () => {
      await Promise.all([bare, asker, receiver, web, worker].map((part) => part.stop()));
      await boss.stop({ graceful: false });
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Planting {
  readonly devices: number;
  readonly origin: string;
  readonly keys: readonly { readonly p256dh: string; readonly auth: string }[];
}

async function plantDevices(client: Client, { devices, origin, keys }: Planting): Promise<void> {
  const users = devices / devicesPerUser;
  await client.query(
    `insert into users (username, username_key, role)
     select 'u' || n, 'u' || n, 'player' from generate_series(1, $1::integer) n`,
    [users],
  );
  await client.query(
    "insert into push_subscriptions (user_id, stream) select id, 'site.notice' from users",
  );
  await client.query(
    `insert into push_devices (user_id, endpoint, origin, p256dh, auth)
     select users.id, $1 || '/send/' || users.id || '-' || n, $1,
       ($2::text[])[1 + (users.id + n) % $4], ($3::text[])[1 + (users.id + n) % $4]
     from users, generate_series(1, $5::integer) n where users.role = 'player'`,
    [
      origin,
      keys.map(({ p256dh }) => p256dh),
      keys.map(({ auth }) => auth),
      keys.length,
      devicesPerUser,
    ],
  );
  await client.query("analyze users, push_subscriptions, push_devices");
}

interface Pushing {
  readonly client: Client;
  readonly boss: PgBossClient;
  readonly receiver: BenchProgram;
  readonly devices: number;
}

let announced = 0;

async function pushOnce({ client, boss, receiver, devices }: Pushing): Promise<number> {
  const ref = String(++announced);
  const context = { queue: createQueue(boss), log: createLogger("bench", "silent") };
  const before = await receiver.call<number>("taken");
  const startedAt = performance.now();
  await client.query("begin");
  await storeAnnouncements([{ stream: "site.notice", ref, key: ref }], client, context);
  await client.query("commit");
  const isTaken = async () => (await receiver.call<number>("taken")) === before + devices;
  await waitUntil("every device has it", isTaken, 120_000);
  return devices / ((performance.now() - startedAt) / 1_000);
}

interface Latency {
  readonly asker: BenchProgram;
  readonly web: ServiceProcess;
  readonly push: () => Promise<number>;
  readonly ms: number;
}

/** Compares the latency of API requests with and without outgoing messages. */
async function measureLatency({ asker, web, push, ms }: Latency): Promise<BenchRow[]> {
  const url = `${web.url}/api/v1/public/shard/status`;
  const ask = (lasting: number): Promise<LoadResult> => {
    const asking: RequestLoad = { url, connections: 2, ms: lasting, pauseMs: 10 };
    return asker.call<LoadResult>("ask", asking);
  };
  await ask(500);
  const quiet = await ask(ms);
  const pushing = push();
  const busy = await ask(ms);
  await pushing;
  return (["p50", "p99"] as const).map((figure) =>
    buildBenchRow({
      bench: name,
      figure: `API beside it, ${figure}`,
      ours: busy[figure],
      floor: quiet[figure],
      unit: "ms",
      better: "lower",
      ...(figure === "p99" ? { target: 3 } : { target: undefined }),
    }),
  );
}
