import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { SourceSupervisor } from "../../shared/platform/ingest/source-supervisor.ts";
import { createShardSource } from "../../shared/shard/ingest/shard-source.ts";
import type { ShardKind } from "../../shared/shard/kinds/kind.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { superviseSurvivalServers } from "../../shared/survival/ingest/survival-source.ts";
import type { SurvivalKind } from "../../shared/survival/kinds/kind.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { statusAndBodyOf } from "../support/http/call.ts";
import { linkShardPlugin } from "../support/plugin/linked-plugin.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let stopIngest: () => Promise<void>;
let serverId: number;

const t = 1_764_200_000_000;

type Sendable = Pick<ShardKind | SurvivalKind, "example">;

/** Sends the example of each event kind in one call. Waits until ingest has read the events. */
async function sendExamples(
  plugin: TestPlugin,
  catalog: Readonly<Record<string, Sendable>>,
  source: string,
): Promise<void> {
  const events = Object.entries(catalog).map(([kind, { example }]) => ({
    kind,
    t,
    payload: example,
  }));
  expect((await plugin.hello()).status).toBe(200);
  expect(statusAndBodyOf(await plugin.send(events))).toEqual([200, { seq: events.length }]);
  await waitUntil(`all examples of ${source} are read`, async () => {
    const [read] = await query<{ seq: number | null }>(
      server,
      "select seq from ingest_sources where source = $1",
      source,
    );
    return Number(read?.seq) === events.length;
  });
}

beforeAll(async () => {
  server = await startTestServer();
  const { context } = server;
  const admin = await signIn(server, { role: "admin" });
  const shard = await linkShardPlugin(server, admin);
  serverId = (await buildSurvivalServer(server, { kind: "plugin", enabled: true })).id;
  const source = sourceNameOf(serverId);
  const survival = new TestPlugin(server, await buildPluginKey(server, source));
  survival.game = "rust";
  const supervisor = new SourceSupervisor(context);
  const following = await superviseSurvivalServers(
    supervisor,
    [createShardSource(context)],
    context,
  );
  stopIngest = async () => {
    await following.stop();
    await supervisor.stop();
  };
  await sendExamples(shard, kinds, "shard");
  await sendExamples(survival, survivalFrameKinds, source);
});
afterAll(async () => {
  await stopIngest?.();
  await server.stop();
});

const rejected = (source: string) =>
  storedRows(server.context.models.RejectedFrame, ["kind", "reason", "detail"], { source });

describe("the example of each event kind of a shard", () => {
  it("is not rejected", async () => {
    expect(await rejected("shard")).toEqual([]);
  });

  it("is stored unchanged", async () => {
    const stored = await storedRows(server.context.models.ShardEvent, ["kind", "payload"]);
    const expected = Object.entries<ShardKind>(kinds).map(([kind, { example, feeds }]) => {
      // A snapshot page's rows are stored in other tables. The stored event contains only the number of rows.
      const payload = feeds?.as === "page" ? { ...example, rows: 1 } : example;
      return { kind, payload };
    });
    expect(stored).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});

describe("the example of each event or state kind of a survival server", () => {
  it("is not rejected, and no row of it is left out", async () => {
    expect(await rejected(sourceNameOf(serverId))).toEqual([]);
    const leftOut = "select part, left_out from survival_storage where left_out > 0";
    expect(await query(server, leftOut)).toEqual([]);
  });

  it("is stored unchanged if it is an event", async () => {
    const where = { serverId };
    const stored = await storedRows(
      server.context.models.SurvivalEvent,
      ["kind", "payload"],
      where,
    );
    const expected = Object.entries<SurvivalKind>(survivalFrameKinds)
      .filter(([, { isEvent }]) => isEvent)
      .map(([kind, { example, unstored = [] }]) => ({
        kind,
        payload: Object.fromEntries(
          Object.entries(example).filter(([field]) => !unstored.includes(field)),
        ),
      }));
    expect(stored).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it("is stored in the state of the server if it is a state", async () => {
    const [state] = await storedRows(
      server.context.models.SurvivalServerState,
      ["hello", "status", "map"],
      { serverId },
    );
    expect(state).toEqual({
      hello: survivalFrameKinds["server.hello"].example,
      status: survivalFrameKinds["server.status"].example,
      map: survivalFrameKinds["map.info"].example,
    });
  });
});
