import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client } from "pg";

import { storeAnnouncements } from "../../shared/facts/publish-facts.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { type PgBossClient, createPgBoss, createQueue } from "../../shared/platform/queue/queue.ts";
import { newHookSecret } from "../../shared/webhooks/messages/message.ts";
import { maxConcurrentHookMessages } from "../../shared/webhooks/receiver/hook-server.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { makeCertificate } from "../support/network/certificate.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, compareWithFloor } from "./bench.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "webhooks";
const hosts = Array.from({ length: 10 }, (_, at) => `bot-${at}.hook.test`);

/**
 * Measures events that go to the maximum number of webhooks. The baseline (floor) signs and posts the same
 * messages.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const events = short ? 50 : 300;
    const site = await openSite(databaseUrl, events);
    const figure = `${events} events, ${hosts.length} webhooks`;
    try {
      await site.post();
      return await compareWithFloor(
        name,
        { [figure]: { unit: "messages/s", better: "higher" } },
        {
          rounds: short ? 1 : 5,
          ours: async () => ({ [figure]: await site.post() }),
          floor: async () => ({ [figure]: await site.postBare() }),
        },
      );
    } finally {
      await site.stop();
    }
  },
};

interface Site {
  /** Emits events. @returns the messages per second, until the last one was accepted */
  post(): Promise<number>;
  postBare(): Promise<number>;
  stop(): Promise<void>;
}

async function openSite(databaseUrl: string, events: number): Promise<Site> {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-webhooks-"));
  const { cert, key } = makeCertificate(["*.hook.test"]);
  const trusted = path.join(folder, "hooks.pem");
  writeFileSync(trusted, cert);
  const secrets = { TLS_KEY: key, TLS_CERT: cert };
  const receiver = await BenchProgram.start("parts/receiver.ts", {
    NAMES: hosts.join(","),
    ...secrets,
  });
  const { port, dns } = await receiver.call<{ port: number; dns: string }>("where");
  const urls = hosts.map((host) => `https://${host}:${port}/hooks/1`);
  const environment = {
    PUSH_DNS: dns,
    PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
    NODE_EXTRA_CA_CERTS: trusted,
  };
  const config = loadConfig({ ...testEnvironment(databaseUrl), ...environment });
  const client = new Client(databaseUrl);
  await client.connect();
  const boss = createPgBoss(config, createLogger("bench", "silent"));
  await boss.start();
  const [bare, web, worker] = await Promise.all([
    BenchProgram.start("webhooks/bare.ts", environment),
    startServiceProcess("web", databaseUrl, environment),
    startServiceProcess("worker", databaseUrl, environment),
  ]);
  await makeHooks(urls, databaseUrl, web.url);
  return {
    post: () => postAll(events, { client, boss, receiver }),
    postBare: () =>
      bare.call<number>("postAll", {
        urls,
        events,
        inFlight: maxConcurrentHookMessages,
        secret: newHookSecret(),
        body: JSON.stringify({
          id: `msg_${crypto.randomUUID()}`,
          type: "site.notice",
          timestamp: new Date().toISOString(),
          data: { ref: "1", event: null },
        }),
      }),
    stop: async () => {
      await Promise.all([bare, receiver, web, worker].map((part) => part.stop()));
      await boss.stop({ graceful: false });
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates webhooks as an administrator does. */
async function makeHooks(urls: readonly string[], databaseUrl: string, api: string): Promise<void> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, "bench");
  try {
    const admin = await createTestUser({ context: { config, sequelize } }, { role: "admin" });
    const cookie = await logIn({ url: api }, admin);
    for (const url of urls) {
      const response = await fetch(`${api}/api/v1/admin/webhooks`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ url, streams: ["site.notice"] }),
      });
      if (response.status !== 201) throw new Error(`making a webhook answered ${response.status}`);
    }
  } finally {
    await sequelize.close();
  }
}

interface Posting {
  readonly client: Client;
  readonly boss: PgBossClient;
  readonly receiver: BenchProgram;
}

let announced = 0;

async function postAll(events: number, { client, boss, receiver }: Posting): Promise<number> {
  const context = { queue: createQueue(boss), log: createLogger("bench", "silent") };
  const news = Array.from({ length: events }, () => {
    const ref = String(++announced);
    return { stream: "site.notice", ref, key: ref } as const;
  });
  const messages = events * hosts.length;
  const before = await receiver.call<number>("taken");
  const startedAt = performance.now();
  await client.query("begin");
  await storeAnnouncements(news, client, context);
  await client.query("commit");
  const isTaken = async () => (await receiver.call<number>("taken")) >= before + messages;
  await waitUntil("every webhook has them", isTaken, 120_000);
  return messages / ((performance.now() - startedAt) / 1_000);
}
