import { createHash } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import {
  type StorageBoundName,
  storageBoundNames,
  defaultStorageBounds,
} from "../../shared/platform/config/survival-bounds.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { storeMapImage } from "../../shared/survival/map/store-image.ts";
import { recordProfiles } from "../../shared/survival/npcs/sync/record-results.ts";
import { readReachedStorageLimits } from "../../shared/survival/storage/omissions.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { query } from "../support/database/query.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

/** Limits so small that few frames reach them. */
const small: Partial<Record<StorageBoundName, number>> = {
  events: 60,
  eventBytes: 50_000,
  worlds: 3,
  sightings: 6,
  presence: 4,
  tallies: 3,
  npcKills: 3,
  clans: 3,
  clanMembers: 4,
  linkCodes: 3,
  ledger: 3,
  notices: 4,
  pushes: 2,
  staffPushes: 2,
};

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  const text = Object.entries(small).map(([name, most]) => `${name}=${most}`);
  server = await startTestServer({ environment: { SURVIVAL_BOUNDS: text.join() } });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const steamIdOf = (at: number): string => `7656119800000${String(1_000 + at)}`;
const each = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));

const hello = (saveCreatedAt: number): EventFrame =>
  survivalFrame("server.hello", {
    serverName: "Hostile",
    worldReady: true,
    world: { saveCreatedAt },
    helpers: [],
    capabilities: [],
  });
const chat = (message: string): EventFrame =>
  survivalFrame("player.chat", {
    steamId: steamIdOf(0),
    name: "Anna",
    channel: "global",
    message,
  });
const clanOf = (at: number) => ({ clanId: String(at + 1), created: "1", name: `Clan ${at}` });
const kill = (at: number, boss = false): EventFrame =>
  survivalFrame(
    "survival.npc.died",
    {
      netId: String(at + 1),
      profile: `profile-${at}`,
      boss,
      killer: { steamId: steamIdOf(0), name: "Anna" },
    },
    { t: Date.now() },
  );
const ended = (at: number): EventFrame =>
  survivalFrame(
    "world.expired",
    { what: "zone", ref: `zone-${at}`, reason: "timeout", at: Date.now() },
    { t: Date.now(), eventKey: `ended ${at}` },
  );
const minted = (at: number): EventFrame =>
  survivalFrame("link.minted", {
    at: Date.now(),
    expiresAt: Date.now() + 300_000,
    salt: `salt-of-sixteen-${at}`,
    hash: createHash("sha256").update(String(at)).digest("hex"),
  });
const players = (count: number) =>
  each(count, (at) => ({ steamId: steamIdOf(at), name: `Player ${at}`, connectedAt: 1 }));

const hear = (serverId: number, frames: readonly EventFrame[]) =>
  storeSurvivalFrames(server.context, serverId, frames);

const build = async (): Promise<number> =>
  (await buildSurvivalServer(server, { enabled: true })).id;

async function linkOf(serverId: number) {
  const { headers } = admin;
  const { body } = await callRoute(server, `GET /admin/survival/servers/${serverId}`, { headers });
  const { link } = (body as { server: { link: { rowsLeftOut: number; leftOut: object[] } } })
    .server;
  return { rowsLeftOut: link.rowsLeftOut, leftOut: link.leftOut };
}

const countIn = async (sql: string, serverId: number): Promise<number> => {
  const [found] = await query<{ count: number }>(
    server,
    `select count(*)::integer as count from ${sql}`,
    serverId,
  );
  return found?.count ?? 0;
};

interface Flood {
  /** The part of an SQL statement that selects the rows of a server. */
  readonly rows: string;
  readonly frames: () => readonly EventFrame[];
  /** The number of rows that are not stored because of a limit, by limit. */
  readonly leftOut: Readonly<Partial<Record<StorageBoundName, number>>>;
}

const ofWorld = "join survival_wipes on survival_wipes.id = wipe_id where server_id = $1";

const floods: Readonly<Partial<Record<StorageBoundName, Flood>>> = {
  events: {
    rows: "survival_events where server_id = $1",
    frames: () => each(65, (at) => chat(`line ${at}`)),
    leftOut: { events: 5 },
  },
  worlds: {
    rows: "survival_wipes where server_id = $1",
    frames: () => each(5, (at) => hello(1_000 + at)),
    leftOut: { worlds: 2 },
  },
  sightings: {
    rows: "survival_sightings where server_id = $1",
    frames: () => [survivalFrame("player.online", { players: players(9) })],
    leftOut: { presence: 5, sightings: 3 },
  },
  presence: {
    rows: "survival_presence where server_id = $1",
    frames: () => players(6).map((player) => survivalFrame("player.joined", player)),
    leftOut: { presence: 2 },
  },
  tallies: {
    rows: `survival_tallies ${ofWorld}`,
    frames: () => [
      hello(1_000),
      survivalFrame("player.tally", {
        saveId: 1_000,
        tallies: players(5).map(({ steamId, name }) => ({
          steamId,
          name,
          stats: { playersKilled: 1 },
          playtimeSec: 1,
        })),
      }),
    ],
    leftOut: { tallies: 2 },
  },
  npcKills: {
    rows: `survival_npc_kills ${ofWorld}`,
    frames: () => [hello(1_000), ...each(5, (at) => kill(at)), kill(0)],
    leftOut: { npcKills: 2 },
  },
  clans: {
    rows: "survival_clans where server_id = $1",
    frames: () => each(5, (at) => survivalFrame("clan.created", clanOf(at))),
    leftOut: { clans: 2 },
  },
  clanMembers: {
    rows: "survival_clan_members member join survival_clans clan on clan.id = clan_row_id where server_id = $1",
    frames: () => [
      survivalFrame("clan.roster", {
        ...clanOf(0),
        roles: [],
        members: players(6).map(({ steamId, name }) => ({ steamId, name, roleId: 1 })),
      }),
      survivalFrame("clan.member.added", {
        ...clanOf(0),
        member: { steamId: steamIdOf(8), name: "Player 8" },
      }),
    ],
    leftOut: { clanMembers: 3 },
  },
  linkCodes: {
    rows: "survival_link_codes where server_id = $1",
    frames: () => each(5, minted),
    leftOut: { linkCodes: 2 },
  },
  ledger: {
    rows: "survival_ledger where server_id = $1",
    frames: () => each(7, ended),
    leftOut: { ledger: 4, notices: 3, staffPushes: 2 },
  },
  notices: {
    rows: "survival_notices where source = 'survival:' || $1",
    frames: () => each(7, ended),
    leftOut: { ledger: 4, notices: 3, staffPushes: 2 },
  },
  pushes: {
    rows: "pushes where event_key like 'survival:' || $1 || ' %'",
    frames: () => [hello(1_000), ...each(3, (at) => kill(at, true)), kill(0, true)],
    leftOut: { pushes: 2 },
  },
};

describe("a server that floods the tables of the site", () => {
  it.each(Object.entries(floods))(
    "fills them only up to the limit %s, and the excess is counted and reported",
    async (name, { rows, frames, leftOut }) => {
      const [serverId, other] = [await build(), await build()];
      await hear(serverId, frames());
      const most = small[name as StorageBoundName];
      expect(await countIn(rows, serverId)).toBe(most);
      const parts = Object.entries(leftOut);
      expect(await linkOf(serverId)).toEqual({
        rowsLeftOut: parts.reduce((sum, [, count]) => sum + count, 0),
        leftOut: parts
          .toSorted(([one], [another]) => (one < another ? -1 : 1))
          .map(([part, count]) => ({ part, count, lastAt: anyTime })),
      });
      const lines = { action: "survival.storage.full", targetId: String(serverId) };
      const told = await activityOf(server, lines, ["targetType", "detail"]);
      expect(
        told.map(({ targetType, detail }) => [targetType, detail["part"], detail["most"]]),
      ).toEqual(
        expect.arrayContaining(
          parts.map(([part]) => ["survival_server", part, small[part as StorageBoundName]]),
        ),
      );
      expect(told).toHaveLength(parts.length);
      // Other frames of this server, and frames of another server, are still stored.
      await hear(serverId, [survivalFrame("world.ready", { saveId: 1 })]);
      await hear(other, [chat("all is well")]);
      expect(await countIn("survival_events where server_id = $1", other)).toBe(1);
      expect(await linkOf(other)).toEqual({ rowsLeftOut: 0, leftOut: [] });
    },
  );

  it("stores no more bytes of events in a day than the limit", async () => {
    const serverId = await build();
    const message = "x".repeat(1_900);
    const errors = each(10, () => ({ message }));
    await hear(
      serverId,
      each(4, () => survivalFrame("plugin.failed", { name: "Kits", errors })),
    );
    await hear(serverId, [chat("it goes on")]);
    expect(await countIn("survival_events where server_id = $1", serverId)).toBe(3);
    expect((await linkOf(serverId)).leftOut).toEqual([
      { part: "eventBytes", count: 2, lastAt: anyTime },
    ]);
  });

  it("can still change stored rows when their limit is reached", async () => {
    const serverId = await build();
    await hear(serverId, [survivalFrame("player.online", { players: players(9) })]);
    const renamed = players(9).map((player) => ({ ...player, name: "New" }));
    await hear(serverId, [survivalFrame("player.online", { players: renamed })]);
    for (const table of ["survival_presence", "survival_sightings"]) {
      const names = `${table} where server_id = $1 and name = 'New'`;
      expect(await countIn(names, serverId)).toBe(
        await countIn(`${table} where server_id = $1`, serverId),
      );
    }
  });

  it("gets new players stored again after other players left", async () => {
    const serverId = await build();
    await hear(serverId, [survivalFrame("player.online", { players: players(6) })]);
    await hear(serverId, [survivalFrame("player.online", { players: players(6).slice(4) })]);
    expect(await query(server, onlineNames, serverId)).toEqual([
      { name: "Player 4" },
      { name: "Player 5" },
    ]);
  });

  it("gets new link codes stored again after older codes expired", async () => {
    const serverId = await build();
    await hear(serverId, each(3, minted));
    await query(
      server,
      "update survival_link_codes set expires_at = now() - interval '1 hour' where server_id = $1",
      serverId,
    );
    await hear(serverId, [minted(7)]);
    expect(await countIn("survival_link_codes where server_id = $1", serverId)).toBe(1);
  });

  it("keeps a used link code for a day if a new code can replace an unused code instead", async () => {
    const serverId = await build();
    const change = (changes: string, which: string) =>
      query(server, `update survival_link_codes set ${changes} where ${which}`, serverId);
    const expired = "expires_at = now() - interval '1 hour'";
    const oldest = "id = (select min(id) from survival_link_codes where server_id = $1)";
    const count = (which: string) =>
      countIn(`survival_link_codes where server_id = $1 and ${which}`, serverId);
    await hear(serverId, each(3, minted));
    await change(expired, "server_id = $1");
    await change("used_at = now()", oldest);
    await hear(serverId, [minted(7), minted(0)]);
    expect([await count("used_at is not null"), await count("true")]).toEqual([1, 2]);
    // If all codes are used, the used codes are deleted to make room. An expired code must not prevent a new one.
    await change(`used_at = now(), ${expired}`, "server_id = $1");
    await hear(serverId, [minted(8), minted(9)]);
    expect([await count("used_at is not null"), await count("true")]).toEqual([0, 2]);
  });

  it("keeps the current world if the limit prevents another world", async () => {
    const serverId = await build();
    await hear(
      serverId,
      each(5, (at) => hello(1_000 + at)),
    );
    expect(
      await query(
        server,
        "select save_id as save from survival_server_states where server_id = $1",
        serverId,
      ),
    ).toEqual([{ save: 1_002 }]);
  });

  it("makes kits pending again after wipes only as often as the ledger limit allows", async () => {
    const serverId = await build();
    const { SurvivalEntitlement, SurvivalLedgerEntry } = server.context.models;
    const given = { kit: "vip", uses: 1, state: "delivered" } as const;
    for (const at of [0, 1]) {
      const dedupeKey = `kit ${serverId} ${at}`;
      await SurvivalEntitlement.create({ serverId, steamId: steamIdOf(at), dedupeKey, ...given });
    }
    await hear(serverId, [hello(1_000)]);
    const where = { serverId, what: "kit" };
    for (const save of [1_001, 1_000, 1_001, 1_000]) {
      await hear(serverId, [hello(save)]);
      await SurvivalEntitlement.update({ state: "delivered" }, { where: { serverId } });
    }
    expect(await SurvivalLedgerEntry.count({ where })).toBe(3);
    expect((await linkOf(serverId)).leftOut).toEqual([
      { part: "ledger", count: 5, lastAt: anyTime },
    ]);
  });

  it("is listed with each limit that it has reached", async () => {
    const { id, slug } = await buildSurvivalServer(server);
    await hear(
      id,
      each(5, (at) => hello(1_000 + at)),
    );
    expect(await readReachedStorageLimits(server.context.sequelize)).toContainEqual({
      slug,
      part: "worlds",
    });
  });

  it("leaves no counts behind when it is deleted", async () => {
    const serverId = await build();
    await hear(serverId, [hello(1_000), ...each(65, (at) => chat(`line ${at}`))]);
    const { headers } = admin;
    const route = `DELETE /admin/survival/servers/${serverId}?purge=true`;
    expect(statusAndBodyOf(await callRoute(server, route, { headers }))).toEqual([
      200,
      { id: serverId },
    ]);
    for (const table of ["survival_storage", "survival_storage_days"]) {
      expect(await countIn(`${table} where server_id = $1`, serverId)).toBe(0);
    }
  });
});

const onlineNames = "select name from survival_presence where server_id = $1 order by name";

describe("the answers of a game server", () => {
  it("fill the stored map images only up to the limit, and the newest images stay", async () => {
    const serverId = await build();
    await hear(serverId, [hello(1_000)]);
    const store = async (at: number) => {
      const bytes = Buffer.from(`picture ${at}`);
      const hash = createHash("sha256").update(bytes).digest("hex");
      const size = { width: 10, height: 10, oceanMargin: 0, worldSize: 4_000, background: null };
      const image = { bytes, hash, mime: "image/png", saveId: 1_000, ...size } as const;
      const bounds = { ...defaultStorageBounds, mapImages: 20 };
      await inTransaction(server.context.sequelize, (transaction) =>
        storeMapImage(serverId, image, bounds, transaction),
      );
    };
    for (const at of [0, 1, 2]) await store(at);
    const held = await query<{ text: string }>(
      server,
      "select convert_from(bytes, 'utf8') as text from survival_map_images where server_id = $1 order by 1",
      serverId,
    );
    expect(held).toEqual([{ text: "picture 1" }, { text: "picture 2" }]);
    expect((await linkOf(serverId)).leftOut).toEqual([
      { part: "mapImages", count: 1, lastAt: anyTime },
    ]);
  });

  it("fill the stored NPC revisions only up to the limit, and are stored without markup", async () => {
    const serverId = await build();
    const { SurvivalNpcProfile, SurvivalNpcRevision } = server.context.models;
    const document = { displayName: "Boss" };
    const { id, key } = await SurvivalNpcProfile.create({ key: "boss", document });
    const factions = { list: [], hash: "hash" };
    const sent = [{ id, key, revision: 1, document }];
    const replace = async (displayName: string) => {
      const answer = {
        replaced: [{ key, document: { displayName, names: [`<b>${displayName}</b>`] } }],
        rejected: [],
      };
      const sending = { serverId, ref: "ref", sentAt: new Date() };
      const bounds = { ...defaultStorageBounds, npcRevisions: 2 };
      await inTransaction(server.context.sequelize, (transaction) =>
        recordProfiles(sending, { sent, removed: [], factions }, answer, { transaction, bounds }),
      );
    };
    for (const name of ["<color=red>One</color>", "Two", "Two", "Three"]) await replace(name);
    const kept = await SurvivalNpcRevision.findAll({ where: { serverId }, order: ["revision"] });
    expect(kept.map((one) => one.document)).toEqual([
      { displayName: "One", names: ["One"] },
      { displayName: "Two", names: ["Two"] },
    ]);
    expect((await linkOf(serverId)).leftOut).toEqual([
      { part: "npcRevisions", count: 1, lastAt: anyTime },
    ]);
  });
});

describe("SURVIVAL_BOUNDS", () => {
  it("leaves the limits that it does not name unchanged", () => {
    expect(server.config.SURVIVAL_BOUNDS).toEqual({ ...defaultStorageBounds, ...small });
  });

  it.each([
    ["bases=1", `bases is not one of ${storageBoundNames.join(", ")}`],
    ["events=many", "events must be a natural number"],
    ["events", "events must be a natural number"],
  ])("refuses %s", async (text, fault) => {
    const { loadConfig } = await import("../../shared/platform/config/config.ts");
    expect(() => loadConfig({ DATABASE_URL: "postgres://none", SURVIVAL_BOUNDS: text })).toThrow(
      fault,
    );
  });
});
