import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { Client } from "pg";
import { WebSocketServer } from "ws";

import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { notify } from "../../shared/platform/notify/channels.ts";
import { buildHelloFrame } from "../bridge/stream-server.ts";
import { testEnvironment } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { type Bench, compareWithFloor, type FigureValues, median, quantile } from "./bench.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "changes";

/**
 * Measures the time from the change of a server's address until the service dials the new address.
 * The write of the change is included.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const site = await openSite(databaseUrl);
    const changes = short ? 5 : 50;
    const take = async (change: AddressChange): Promise<FigureValues> => {
      const took: number[] = [];
      for (let made = 0; made < changes; made++) took.push(await site.time(change));
      return { "dialled, p50": median(took), "dialled, p99": quantile(took, 0.99) };
    };
    try {
      await take(site.ours);
      await take(site.floor);
      return await compareWithFloor(name, figures, {
        rounds: short ? 1 : 5,
        ours: () => take(site.ours),
        floor: () => take(site.floor),
      });
    } finally {
      await site.stop();
    }
  },
};

const figures = {
  "dialled, p50": { unit: "ms", better: "lower" },
  "dialled, p99": { unit: "ms", better: "lower" },
} as const;

/** Writes a server's address. Notifies the process that dials the address in the same transaction. */
type AddressChange = (wsUrl: string) => Promise<unknown>;

interface Site {
  readonly ours: AddressChange;
  readonly floor: AddressChange;
  /** Applies a change. @returns the milliseconds until the new address is dialed */
  time(change: AddressChange): Promise<number>;
  stop(): Promise<void>;
}

async function openSite(databaseUrl: string): Promise<Site> {
  const { context, parts } = await startContext(loadConfig(testEnvironment(databaseUrl)), name);
  const database = new Client(databaseUrl);
  await database.connect();
  await database.query("create table bare_servers (ws_url text not null)");
  await database.query("insert into bare_servers values ('')");
  const sidecars = await startSidecars();
  const first = { baseUrl: "http://127.0.0.1:1", wsUrl: sidecars.next().url, token: name };
  const server = await linkSurvivalServer({ context }, first);
  const dialled = once(sidecars.server, "connection");
  const ingest = await startServiceProcess("ingest", databaseUrl);
  const follower = await BenchProgram.start("survival/bare-follower.ts", {
    DATABASE_URL: databaseUrl,
  });
  await dialled;
  return {
    ours: (wsUrl) =>
      inTransaction(context.sequelize, async (transaction) => {
        await server.update({ wsUrl }, { transaction });
        await notify("survival_servers", { serverId: server.id }, transaction);
      }),
    floor: async (wsUrl) => {
      await database.query("begin");
      await database.query("update bare_servers set ws_url = $1", [wsUrl]);
      await database.query("select pg_notify('bare_servers', '')");
      await database.query("commit");
    },
    time: async (change) => {
      const { url, dialled: arrival } = sidecars.next();
      const startedAt = performance.now();
      await change(url);
      return (await arrival) - startedAt;
    },
    stop: async () => {
      await Promise.all([ingest.stop(), follower.stop(), database.end()]);
      sidecars.stop();
      for (const part of parts.toReversed()) await part.stop();
    },
  };
}

/** Starts sidecars at any number of addresses. They report their connections. */
async function startSidecars() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const arrivals = new Map<string, (at: number) => void>();
  server.on("connection", (socket, { url = "" }) => {
    socket.on("error", () => undefined);
    socket.send(JSON.stringify(buildHelloFrame({ protocol: 13, capabilities: [] })));
    arrivals.get(new URL(url, "ws://sidecar").pathname)?.(performance.now());
  });
  let asked = 0;
  return {
    server,
    next: () => {
      const path = `/${++asked}`;
      const { promise, resolve } = Promise.withResolvers<number>();
      arrivals.set(path, resolve);
      return { url: `ws://127.0.0.1:${port}${path}`, dialled: promise };
    },
    stop: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
