import { createHash } from "node:crypto";

import type { QueryResultRow } from "pg";

import { clockNow } from "../../models/queries/clock.ts";
import type { ControlOptions } from "../../shared/platform/bridge/calls/control.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { withMarketWriter } from "../../shared/shard/market/writer.ts";
import type { SimulatorOptions } from "../simulator/options.ts";
import { Serials } from "../simulator/world/serials.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import type { TestDatabase } from "../support/database/database.ts";
import { query } from "../support/database/query.ts";
import { snapshotRows, type RowSnapshot } from "../support/database/row-snapshot.ts";
import { buildCreatures } from "../support/factories/imports.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** A linked shard, an administrator and an import worker, which all tests of a file share. */
export interface Artwork {
  readonly shard: LinkedShard;
  readonly admin: SignedIn;
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body?: object): Promise<Record<string, unknown>>;
  rows<Row extends QueryResultRow>(sql: string, bind?: readonly unknown[]): Promise<Row[]>;
  /** Inserts creatures as an import of the atlas does. */
  plantCreatures(types: readonly string[]): Promise<void>;
  /** Creates market listings. Each entry is `[itemId, hue, number of listings]`. */
  plantListings(goods: readonly (readonly [number, number, number])[]): Promise<void>;
  /** Restores the initial rows and links a new simulated shard. */
  renew(simulator?: SimulatorOptions): Promise<void>;
  stop(): Promise<void>;
}

export interface ArtworkOptions {
  readonly simulator?: SimulatorOptions;
  /** A database that the test file also uses directly. */
  readonly database?: TestDatabase;
  readonly patience?: ControlOptions;
  readonly hasWorker?: boolean;
}

export async function startArtwork(options: ArtworkOptions = {}): Promise<Artwork> {
  const shard = await startLinkedShard({
    server: {
      ...(options.patience && { shard: options.patience }),
      ...(options.database && { database: options.database }),
    },
    ...(options.simulator && { simulator: options.simulator }),
  });
  const { server } = shard;
  const { sequelize } = server.context;
  const admin = await signIn(server, { role: "admin" });
  const working = options.hasWorker === false ? [] : await startWorking(shard);
  let fresh: RowSnapshot | undefined;
  const ask = async (route: string, body?: object) => {
    const answered = await shard.as(admin, route, { ...(body && { body }) });
    if (answered.status !== 200) throw new Error(`${route}: ${answered.status} ${answered.text}`);
    return answered.body as Record<string, unknown>;
  };
  const serials = new Serials();
  return {
    shard,
    admin,
    get: (path) => ask(`GET ${path}`),
    post: (path, body = {}) => ask(`POST ${path}`, body),
    rows: (sql, bind = []) => query(server, sql, ...bind),
    plantCreatures: async (types) => void (await buildCreatures(server, types)),
    plantListings: async (goods) => {
      const items = goods.flatMap(([itemId, hue, count]) =>
        Array.from({ length: count }, () => ({
          serial: serials.item(),
          itemId,
          hue,
          amount: 1,
          price: 5,
        })),
      );
      const upsert = { vendor: { serial: serials.mobile() }, items };
      await inTransaction(sequelize, (transaction) =>
        withMarketWriter(transaction, (writer) => writer.upsert([upsert])),
      );
    },
    renew: async (simulator) => {
      if (fresh) await fresh.restore();
      else fresh = await snapshotRows(server.context);
      // The restored process row has an old heartbeat, so the worker would look dead.
      await server.context.models.ServiceProcess.update({ seenAt: clockNow() }, { where: {} });
      await shard.relink(simulator);
    },
    stop: async () => {
      for (const one of working) await one.stop();
      await shard.stop();
    },
  };
}

const startWorking = async ({ server }: LinkedShard) => [
  await startTestWorker(server, ["imports"]),
  await startHeartbeat(server.context, "worker", ["imports"]),
];

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Returns the number of calls that the shard has received at this path. */
export const countShardCalls = ({ shard }: Artwork, path: string): number =>
  shard.simulator.received.calls.filter((call) => call.path.split("?")[0] === path).length;
