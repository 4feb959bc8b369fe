import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { createClient } from "../../shared/platform/db/connection/client.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  acquireSourceOwnership,
  SourceOwnership,
  OwnershipLostError,
} from "../../shared/platform/ingest/ownership.ts";
import { storeFrames } from "../../shared/platform/ingest/store-batch.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import type { SurvivalNotification } from "../../shared/survival/kinds/notification.ts";
import { sendNotifications } from "../../shared/survival/notifications/send.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { timeoutMs } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { survivalFrame } from "../support/survival/survival-ingest.ts";

const rounds = Number(process.env["RACE_ROUNDS"] ?? 5);

let one: TestServer;
let other: TestServer;

const environment = {
  SURVIVAL_BOUNDS: "events=40,sightings=30,presence=20,notices=15,staffPushes=10,ledger=10",
};

beforeAll(async () => {
  one = await startTestServer({ environment });
  other = await startTestServer({ environment, database: one.database });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

const own = (
  { context: { config, log } }: TestServer,
  serverId: number,
): Promise<SourceOwnership> =>
  acquireSourceOwnership({
    url: config.DATABASE_URL,
    source: sourceNameOf(serverId),
    log,
    signal: AbortSignal.timeout(timeoutMs),
  });

/** Increases the fence as a new owner does. Does not wait for the lock of the previous owner. */
async function overtake(on: TestServer, serverId: number): Promise<SourceOwnership> {
  const source = sourceNameOf(serverId);
  const client = createClient({
    url: on.context.config.DATABASE_URL,
    applicationName: source,
    patience: { statementMs: timeoutMs },
  });
  await client.connect();
  const raise = "update ingest_sources set fence = fence + 1 where source = $1 returning fence";
  const [raised] = await query<{ fence: number }>(on, raise, source);
  return new SourceOwnership(source, raised?.fence ?? 0, client);
}

let made = 0;
const steamId = (): string => {
  made += 1;
  return String(76_561_198_000_000_000n + BigInt(made));
};
const joined = (): EventFrame =>
  survivalFrame("player.joined", { steamId: steamId(), name: "Anna", connectedAt: 1 });
const ended = (): EventFrame => {
  made += 1;
  const payload = { what: "zone", ref: `zone-${made}`, reason: "timeout", at: Date.now() };
  return survivalFrame("world.expired", payload, { eventKey: `ended ${made}`, t: Date.now() });
};

/** Stores batches until another process has taken the source over. */
async function flood(on: TestServer, serverId: number, owner: SourceOwnership): Promise<void> {
  const source = createSurvivalSource(serverId, on.context);
  try {
    for (let batch = 0; batch < 12; batch += 1) {
      const frames = [joined(), joined(), ended(), ended(), joined()];
      await storeFrames(frames, owner, source, on.context.log);
    }
  } catch (error) {
    if (!(error instanceof OwnershipLostError)) throw error;
  }
}

const countsOf = async (serverId: number) => {
  const [counts] = await query(
    one,
    `select
       (select count(*)::integer from survival_events where server_id = $1) as events,
       (select count(*)::integer from survival_sightings where server_id = $1) as sightings,
       (select count(*)::integer from survival_presence where server_id = $1) as presence,
       (select count(*)::integer from survival_ledger where server_id = $1) as ledger,
       (select count(*)::integer from survival_notices where source = $2) as notices`,
    serverId,
    sourceNameOf(serverId),
  );
  return counts;
};

describe("two concurrent ingest processes", () => {
  it("keep one server within its limits while one process takes the server over from the other", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await buildSurvivalServer(one, { enabled: true });
      const first = await own(one, id);
      const flooding = flood(one, id, first);
      // The first process counts as dead, but continues to store batches until a statement finds the newer fence.
      const second = await overtake(other, id);
      await Promise.all([flooding, flood(other, id, second)]);
      await Promise.all([first.release(), second.release()]);
      expect(await countsOf(id)).toEqual({
        events: 40,
        sightings: 24,
        presence: 20,
        ledger: 10,
        notices: 15,
      });
      expect(await query(one, miscounted, id)).toEqual([]);
    }
  });

  it("store no more notices of one server in a day than the limit", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id: serverId } = await buildSurvivalServer(one, { enabled: true });
      const tell = (on: TestServer, at: number) =>
        inTransaction(on.context.sequelize, async (transaction) => {
          const notice: SurvivalNotification = {
            id: "survival.server.offline",
            serverId,
            key: `offline:${at}`,
            t: Date.now(),
            variables: {},
          };
          await sendNotifications([notice], transaction, on.context);
        });
      await Promise.all(
        Array.from({ length: 30 }, (_, at) => tell(at % 2 === 0 ? one : other, at)),
      );
      expect(await countsOf(serverId)).toMatchObject({ notices: 15 });
      expect(await query(one, leftOut, serverId)).toEqual([{ part: "notices", count: 15 }]);
    }
  });
});

const leftOut =
  "select part, left_out::integer as count from survival_storage where server_id = $1 and left_out > 0";

/** Selects the rows in which a count that triggers maintain differs from the real count. */
const miscounted = `
  select part, kept from survival_storage storage where server_id = $1 and (
    part = 'sightings' and kept <> (select count(*) from survival_sightings where server_id = $1)
    or part = 'presence' and kept <> (select count(*) from survival_presence where server_id = $1)
    or part = 'ledger' and kept <> (select count(*) from survival_ledger where server_id = $1))`;
