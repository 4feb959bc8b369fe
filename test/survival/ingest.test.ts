import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { registerSiteMetrics } from "../../shared/ops/site-metrics.ts";
import { readFrame } from "../../shared/platform/bridge/frame.ts";
import type { StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sourceWaits } from "../support/shard/waiting-sources.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let serverId: number;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  serverId = (await buildSurvivalServer(server)).id;
});

/** Returns the stored events, oldest first. */
const events = () =>
  storedRows(server.context.models.SurvivalEvent, ["kind", "payload"], { serverId });

const refusedFrames = () => {
  const where = { source: sourceNameOf(serverId) };
  return storedRows(
    server.context.models.RejectedFrame,
    ["reason", "kind", "excerpt", "detail"],
    where,
  );
};

const counts = () => {
  const where = { source: sourceNameOf(serverId) };
  const { IngestSource } = server.context.models;
  return storedRows(IngestSource, ["received", "duplicates", "rejected"], where);
};

async function wipeIds(): Promise<number[]> {
  const wipes = await storedRows(server.context.models.SurvivalWipe, ["id"], { serverId });
  return wipes.map(({ id }) => id);
}

const store = (...frames: StreamFrame[]) => storeSurvivalFrames(server.context, serverId, frames);

const anna = { steamId: "76561198000000001", name: "Anna" };
const bert = { steamId: "76561198000000002", name: "Bert" };
const [january, february, march] = [
  Date.UTC(2026, 0, 1, 19),
  Date.UTC(2026, 1, 5, 19),
  Date.UTC(2026, 2, 5, 19),
];

const hello = (saveCreatedAt: number, given = {}) =>
  survivalFrame(
    "server.hello",
    {
      serverName: "Oak",
      worldReady: true,
      world: { level: "Procedural Map", seed: 77, size: 4250, saveCreatedAt },
      helpers: [],
      capabilities: ["map"],
    },
    given,
  );

const online = () =>
  storedRows(server.context.models.SurvivalPresence, ["steamId", "name"], { serverId });

describe("a survival server whose frames cannot be stored at present", () => {
  it("does not block another server with the same players, and each server stores its own names", async () => {
    const [slow, quick] = [serverId, (await buildSurvivalServer(server)).id];
    await store(hello(january));
    const { models, sequelize } = server.context;
    const holding = await sequelize.transaction();
    const lock = holding.LOCK.UPDATE;
    await models.SurvivalServerState.findByPk(slow, { transaction: holding, lock });
    const stored = storeSurvivalFrames(server.context, slow, [
      survivalFrame("player.joined", { ...anna, name: "Not Anna", connectedAt: january }),
      survivalFrame("server.status", { state: "online", players: 1, maxPlayers: 100 }),
    ]);
    await waitUntil("the first waits within its transaction", () => sourceWaits(server, slow));
    await storeSurvivalFrames(server.context, quick, [
      survivalFrame("player.online", { players: [{ ...anna, connectedAt: january }] }),
    ]);
    await holding.rollback();
    await stored;
    const where = { steamId: anna.steamId, serverId: [slow, quick] };
    expect(await storedRows(models.SurvivalSighting, ["serverId", "name"], where)).toEqual([
      { serverId: slow, name: "Not Anna" },
      { serverId: quick, name: "Anna" },
    ]);
  });
});

describe("events of a survival server", () => {
  it("are stored once, although the sidecar repeats them in another buffer", async () => {
    const joined = { ...anna, connectedAt: january };
    const eventKey = `join:${anna.steamId}:${january}`;
    const again = "6f1c3c5e-0000-4000-8000-0000000000dd";
    await store(survivalFrame("player.joined", joined, { eventKey, saveId: january }));
    await store(survivalFrame("player.joined", joined, { eventKey, epoch: again, seq: 1 }));
    const { SurvivalEvent } = server.context.models;
    expect(await storedRows(SurvivalEvent, ["kind", "saveId", "eventKey"], { serverId })).toEqual([
      { kind: "player.joined", saveId: january, eventKey },
    ]);
    expect(await counts()).toEqual([{ received: 2, duplicates: 1, rejected: 0 }]);
  });

  it("are stored if their kind is unknown, but states of the server are not stored as events", async () => {
    await store(
      survivalFrame("mod.brewed", { ale: 3 }),
      survivalFrame("player.online", { players: [] }),
    );
    expect(await events()).toEqual([{ kind: "mod.brewed", payload: { ale: 3 } }]);
  });

  it("are refused and not stored if they are chat outside the global channel", async () => {
    await store(
      survivalFrame("player.chat", { ...anna, channel: "team", message: "the base is at F12" }),
    );
    expect(await events()).toEqual([]);
    const refused = await refusedFrames();
    expect(refused.map(({ reason, kind }) => ({ reason, kind }))).toEqual([
      { reason: "schema", kind: "player.chat" },
    ]);
  });
});

describe("the online players of a survival server", () => {
  it("are those of its last list, with the joins and leaves since then", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: january }),
      survivalFrame("player.online", { players: [{ ...bert, connectedAt: january }] }),
    );
    expect(await online()).toEqual([{ steamId: bert.steamId, name: "Bert" }]);
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: february }),
      survivalFrame("player.left", { ...bert, connectedAt: january, reason: "quit" }),
    );
    expect(await online()).toEqual([{ steamId: anna.steamId, name: "Anna" }]);
  });

  it("keep a player if a leave of an earlier session arrives", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: february }),
      survivalFrame("player.left", { ...anna, connectedAt: january }),
    );
    expect(await online()).toEqual([{ steamId: anna.steamId, name: "Anna" }]);
  });

  it.each<[string, StreamFrame]>([
    ["went away", { type: "plugin", connected: false, bootId: null }],
    ["is replaced", { type: "plugin", connected: true, bootId: "another" }],
  ])("are an empty list once the game process %s", async (_how, frame) => {
    await store(
      { type: "plugin", connected: true, bootId: "boot" },
      survivalFrame("player.joined", { ...anna, connectedAt: january }),
      frame,
    );
    expect(await online()).toEqual([]);
  });
});

describe("IP addresses, pictures and Steam bans of players", () => {
  const canaries = ["192.0.2.7", "canary-picture", "canary-ban"];
  const personal = { ip: "192.0.2.7:5000", avatarUrl: "canary-picture", vacBans: "canary-ban" };

  it("are not stored with any event, nor with a refused frame", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, ...personal, connectedAt: january, first: true }),
      survivalFrame("player.died", {
        victim: { ...anna, IPAddress: "192.0.2.7" },
        killer: { kind: "player", ...bert, remote_address: "192.0.2.7" },
      }),
      survivalFrame("player.spied", { seen: [{ ...anna, address: "192.0.2.7" }], note: "kept" }),
      survivalFrame("player.respawned", { ...anna, name: 7, ...personal }),
    );
    expect(await events()).toEqual([
      { kind: "player.joined", payload: { ...anna, connectedAt: january, first: true } },
      { kind: "player.died", payload: { victim: anna, killer: { kind: "player", ...bert } } },
      { kind: "player.spied", payload: { seen: [anna], note: "kept" } },
    ]);
    const refused = await refusedFrames();
    expect(refused.map(({ kind }) => kind)).toEqual(["player.respawned"]);
    const said = JSON.stringify(refused);
    expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
  });
});

/** Ids that are no Steam accounts: the id of an NPC, and the id that the plugin loader gives its console. */
const others = [
  { steamId: "4177230", name: "Scientist" },
  { steamId: "server_console", name: "Console" },
];

describe("NPCs and the console, which have no Steam account,", () => {
  it("are omitted from every list, while the players of the same list are stored", async () => {
    const permissions = ["kits.vip"];
    const place = { x: 1, z: 2 };
    const clan = { clanId: "1", created: "2", name: "Owls" };
    await store(
      hello(january),
      survivalFrame("player.online", {
        players: [...others, anna].map((one) => ({ ...one, connectedAt: january })),
      }),
      survivalFrame("player.tally", {
        saveId: january,
        tallies: [...others, anna].map((one) => ({
          ...one,
          stats: { playersKilled: 3 },
          playtimeSec: 0,
        })),
      }),
      survivalFrame("perm.inventory", {
        inventoryId: "1",
        page: 1,
        pages: 1,
        groups: [],
        permissions: [],
        users: [...others, anna].map((one) => ({ ...one, groups: ["default"], permissions })),
      }),
      survivalFrame("clan.board", {
        at: january,
        clans: [{ ...clan, score: "1", color: null, members: 1 }],
        limit: 100,
      }),
      survivalFrame("clan.roster", {
        ...clan,
        roles: [],
        members: [...others, anna].map((one) => ({ ...one, roleId: 1 })),
      }),
      survivalFrame("map.live", {
        at: january,
        events: [],
        players: others.map((one) => ({ ...one, ...place })),
        bases: [{ id: "1", ...place, owner: "0", auth: ["0", anna.steamId] }],
      }),
    );
    expect(await counts()).toMatchObject([{ rejected: 0 }]);
    expect(await online()).toEqual([{ steamId: anna.steamId, name: "Anna" }]);
    const { models } = server.context;
    const scored = { wipeId: await wipeIds() };
    expect(await storedRows(models.SurvivalScore, ["steamId"], scored)).toEqual([
      { steamId: anna.steamId },
    ]);
    expect(await storedRows(models.SurvivalPermissionInventory, ["users"], { serverId })).toEqual([
      { users: [{ ...anna, groups: ["default"], permissions }] },
    ]);
    const clans = await storedRows(models.SurvivalClan, ["id"], { serverId });
    const ofClans = { clanRowId: clans.map(({ id }) => id) };
    expect(await storedRows(models.SurvivalClanMember, ["steamId"], ofClans)).toEqual([
      { steamId: anna.steamId },
    ]);
  });

  it("are stored as killers without a Steam id, and not as contributors", async () => {
    const [npc] = others;
    await store(
      hello(january),
      survivalFrame("player.died", { victim: anna, killer: { kind: "npc", ...npc } }),
      survivalFrame("survival.npc.died", {
        netId: "1",
        profile: "boss",
        killer: npc,
        contributors: [...others, anna].map(({ steamId }) => ({ steamId, damage: 5 })),
        alive: 0,
      }),
    );
    expect(await events()).toEqual([
      {
        kind: "player.died",
        payload: { victim: anna, killer: { kind: "npc", name: "Scientist", steamId: null } },
      },
      {
        kind: "survival.npc.died",
        payload: {
          netId: "1",
          profile: "boss",
          killer: null,
          contributors: [{ steamId: anna.steamId, damage: 5 }],
          alive: 0,
        },
      },
    ]);
  });
});

describe("the worlds of a survival server", () => {
  const wipes = async () => {
    const columns = ["saveId", "kind", "forced", "seed", "worldSize", "endedAt"] as const;
    const found = await storedRows(server.context.models.SurvivalWipe, columns, { serverId });
    return found
      .map(({ endedAt, ...wipe }) => ({ ...wipe, ended: endedAt?.getTime() ?? null }))
      .toSorted((one, next) => one.saveId - next.saveId);
  };
  const world = { seed: "77", worldSize: 4250 };

  it("are recorded from a wipe, and from a hello after a gap", async () => {
    await store(hello(january));
    await store(
      survivalFrame("world.wiped", {
        saveId: february,
        saveProtocol: 240,
        previousProtocol: 239,
        blueprints: "kept",
        seed: 77,
        size: 4250,
      }),
      hello(february),
    );
    await store(hello(march));
    expect(await wipes()).toEqual([
      { saveId: january, kind: "unknown", forced: false, ended: february, ...world },
      { saveId: february, kind: "map", forced: true, ended: march, ...world },
      { saveId: march, kind: "unknown", forced: false, ended: null, ...world },
    ]);
  });

  it("become current again if an older save is restored", async () => {
    await store(hello(january), hello(february));
    await store(hello(january, { t: march }));
    expect(await wipes()).toEqual([
      { saveId: january, kind: "unknown", forced: false, ended: null, ...world },
      { saveId: february, kind: "unknown", forced: false, ended: march, ...world },
    ]);
  });

  it("include a restored older save that was unknown before, without a notice about a wipe", async () => {
    await store(hello(february));
    await store(hello(january, { t: march }));
    expect(await wipes()).toEqual([
      { saveId: january, kind: "unknown", forced: false, ended: null, ...world },
      { saveId: february, kind: "unknown", forced: false, ended: march, ...world },
    ]);
    const { SurvivalServerState } = server.context.models;
    expect(await storedRows(SurvivalServerState, ["untoldSaveId"], { serverId })).toEqual([
      { untoldSaveId: null },
    ]);
    // This table has no model.
    const notices = "select event_key from survival_notices where source = $1";
    expect(await query(server, notices, sourceNameOf(serverId))).toEqual([]);
  });

  it("stay the same if the game restarts without a wipe", async () => {
    await store(hello(january), { type: "plugin", connected: true, bootId: "b2" }, hello(january));
    expect(await wipes()).toHaveLength(1);
  });
});

describe("an invalid row of a frame", () => {
  const taken = async () => {
    const { IngestSource, RejectedFrame } = server.context.models;
    const where = { source: sourceNameOf(serverId) };
    return {
      counted: await storedRows(IngestSource, ["received", "rejected", "rowsLeftOut"], where),
      kept: await storedRows(RejectedFrame, ["kind", "reason", "detail"], where),
    };
  };

  it("is omitted and counted, and the other rows of its frame are stored", async () => {
    const tallies = [
      { ...anna, stats: { pvpKillDistance: 3.5, headshots: 7 }, playtimeSec: 60 },
      { ...bert, stats: { pvpKillDistance: 3 }, playtimeSec: 30 },
    ];
    await store(hello(january), survivalFrame("player.tally", { saveId: january, tallies }));
    const { SurvivalScore } = server.context.models;
    const scores = await storedRows(SurvivalScore, ["steamId", "stat", "value"], {
      wipeId: await wipeIds(),
    });
    const { steamId } = bert;
    expect(scores.toSorted((one, other) => one.stat.localeCompare(other.stat))).toEqual([
      { steamId, stat: "playtime", value: 30 },
      { steamId, stat: "pvpKillDistance", value: 3 },
    ]);
    expect(await taken()).toEqual({
      counted: [{ received: 2, rejected: 0, rowsLeftOut: 1 }],
      kept: [
        {
          kind: "player.tally",
          reason: "schema",
          detail: "tallies[0].stats.pvpKillDistance must be an integer",
        },
      ],
    });
  });

  it("neither disbands its clan nor removes its member", async () => {
    const clan = (clanId: string, score: unknown) => ({
      clanId,
      created: "1",
      score,
      name: `Clan ${clanId}`,
      members: 2,
    });
    const board = (at: number, score: unknown) =>
      survivalFrame("clan.board", { at, limit: 100, clans: [clan("1", "5"), clan("2", score)] });
    const roster = (roleId: unknown) =>
      survivalFrame("clan.roster", {
        clanId: "1",
        created: "1",
        roles: [{ roleId: 1, rank: 1, name: "Leader" }],
        members: [
          { ...anna, roleId: 1 },
          { ...bert, roleId },
        ],
      });
    await store(board(january, "3"), roster(1));
    await store(board(january + 1, 0.5), roster("none"));
    const { SurvivalClan, SurvivalClanMember } = server.context.models;
    const columns = ["clanId", "score", "rank", "disbandedAt", "memberCount"] as const;
    const clans = await storedRows(SurvivalClan, columns, { serverId });
    expect(clans.toSorted((one, other) => one.clanId.localeCompare(other.clanId))).toEqual([
      { clanId: "1", score: "5", rank: 1, disbandedAt: null, memberCount: 2 },
      { clanId: "2", score: "3", rank: null, disbandedAt: null, memberCount: 2 },
    ]);
    const clanRowIds = await storedRows(SurvivalClan, ["id"], { serverId });
    const clanRowId = clanRowIds.map(({ id }) => id);
    expect(await storedRows(SurvivalClanMember, ["steamId"], { clanRowId })).toHaveLength(2);
    expect((await taken()).counted).toMatchObject([{ rejected: 0, rowsLeftOut: 2 }]);
  });

  it("does not end the session of its player if it is in the player list", async () => {
    const players = (connectedAt: unknown) => [
      { ...anna, connectedAt },
      { ...bert, connectedAt: january },
    ];
    await store(hello(january), survivalFrame("player.online", { players: players(january) }));
    await store(survivalFrame("player.online", { players: players(0.5) }));
    expect((await online()).toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
      anna,
      bert,
    ]);
    await store(survivalFrame("player.online", { players: players(january).slice(1) }));
    expect(await online()).toEqual([bert]);
    expect((await taken()).counted).toMatchObject([{ rejected: 0, rowsLeftOut: 1 }]);
  });

  it("does not prevent the hello that contains it, nor the other rows, from being stored", async () => {
    const payload = { ...hello(january).payload, helpers: [{ id: 1 }], capabilities: [7, "map"] };
    await store(survivalFrame("server.hello", payload));
    const { SurvivalServerState } = server.context.models;
    expect(await storedRows(SurvivalServerState, ["hello"], { serverId })).toEqual([
      { hello: expect.objectContaining({ helpers: [], capabilities: ["map"] }) },
    ]);
    expect((await taken()).counted).toMatchObject([{ rejected: 0, rowsLeftOut: 2 }]);
  });

  it("is counted in the metrics, as a sum over all servers", async () => {
    const { IngestSource } = server.context.models;
    await store(survivalFrame("player.online", { players: [false] }));
    const registry = new Registry();
    const row = await startHeartbeat(server.context, "ingest");
    registerSiteMetrics(registry, row.id, server.context);
    const all = await IngestSource.sum("rowsLeftOut");
    await waitUntil("they are counted", async () =>
      new RegExp(`^guildhall_ingest_rows_left_out_total ${all}$`, "m").test(
        await registry.metrics(),
      ),
    );
    await row.stop();
    expect(all).toBeGreaterThan(0);
  });

  it("is refused with its whole frame if a field outside the rows is invalid too", async () => {
    await store(hello(january));
    await store(survivalFrame("player.tally", { saveId: "x", tallies: [{ ...anna }] }));
    expect((await taken()).counted).toEqual([{ received: 2, rejected: 1, rowsLeftOut: 0 }]);
  });
});

describe("a 64-bit number", () => {
  it("is accepted as an integer and as a string, with every digit", async () => {
    const clans = [
      '{"clanId": 17, "created": 638412345678901235, "score": 12, "name": "A", "members": 1}',
      '{"clanId":"18","created":"638412345678901236","score":"-9223372036854775808","name":"B","members":1}',
      '{"clanId":19,"created":-9223372036854775807,"score":9007199254740993,"name":"C","members":1}',
    ];
    const payload = `{"at":${january},"limit":100,"clans":[${clans.join()}]}`;
    const frame = JSON.stringify(survivalFrame("clan.board", {})).replace(
      /"payload":\{\}/,
      `"payload":${payload}`,
    );
    await store(readFrame(frame) as StreamFrame);
    const { SurvivalClan } = server.context.models;
    const columns = ["clanId", "created", "score"] as const;
    const stored = await storedRows(SurvivalClan, columns, { serverId });
    expect(stored.toSorted((one, other) => one.clanId.localeCompare(other.clanId))).toEqual([
      { clanId: "17", created: "638412345678901235", score: "12" },
      { clanId: "18", created: "638412345678901236", score: "-9223372036854775808" },
      { clanId: "19", created: "-9223372036854775807", score: "9007199254740993" },
    ]);
  });

  it.each(["1.5", "true", '"1.5"', '""', "1e21", "99999999999999999999999"])(
    "is rejected as %s",
    async (score) => {
      const clan = `{"clanId":1,"created":1,"score":${score},"name":"A","members":1}`;
      const payload = `{"at":${january},"limit":100,"clans":[${clan}]}`;
      const frame = JSON.stringify(survivalFrame("clan.board", {})).replace(
        /"payload":\{\}/,
        `"payload":${payload}`,
      );
      await store(readFrame(frame) as StreamFrame);
      const { SurvivalClan } = server.context.models;
      expect(await storedRows(SurvivalClan, ["clanId"], { serverId })).toEqual([]);
    },
  );
});

describe("a text from a game", () => {
  it("is shortened if it is too long to be stored, and its frame is accepted", async () => {
    const long = "x".repeat(3_000);
    await store(
      survivalFrame("plugin.unloaded", { name: "Kits", reason: long }),
      survivalFrame("plugin.failed", { name: "Kits", errors: [{ message: long }] }),
      survivalFrame("player.left", { ...anna, connectedAt: january, reason: long }),
      survivalFrame("player.reported", { reporter: anna, subject: long, message: long }),
    );
    expect(await events()).toEqual([
      { kind: "plugin.unloaded", payload: { name: "Kits", reason: long.slice(0, 500) } },
      {
        kind: "plugin.failed",
        payload: { name: "Kits", errors: [{ message: long.slice(0, 2_000) }] },
      },
      {
        kind: "player.left",
        payload: { ...anna, connectedAt: january, reason: long.slice(0, 256) },
      },
      {
        kind: "player.reported",
        payload: { reporter: anna, subject: long.slice(0, 256), message: long.slice(0, 2_000) },
      },
    ]);
    expect(await refusedFrames()).toEqual([]);
  });

  it("about a placement is shortened without any part of a secret", async () => {
    const problem = `${"x".repeat(488)} token=canary-token`;
    const placement = { name: "Dome", spawned: false, alive: 0, expected: 1, problem };
    await store(survivalFrame("npc.placements", { placements: [placement] }));
    const { SurvivalNpcServer } = server.context.models;
    expect(await storedRows(SurvivalNpcServer, ["placements"], { serverId })).toEqual([
      { placements: [{ ...placement, problem: `${"x".repeat(488)} token=*****` }] },
    ]);
  });

  it("is stored without the secrets that it quotes, whether its frame is accepted or refused", async () => {
    const hook = "https://discord.com/api/webhooks/1/canary";
    await store(
      survivalFrame("plugin.failed", { name: "Kits", errors: [{ message: `no ${hook}` }] }),
      survivalFrame("plugin.newer", { "Api key": "canary", nested: { tokens: ["canary", 1] } }),
      survivalFrame("player.chat", { ...anna, channel: hook, message: "?token=canary" }),
    );
    const { RejectedFrame } = server.context.models;
    const stored = await events();
    expect(stored.filter(({ kind }) => kind.startsWith("plugin"))).toEqual([
      { kind: "plugin.failed", payload: { name: "Kits", errors: [{ message: "no ********" }] } },
      {
        kind: "plugin.newer",
        payload: { "Api key": "********", nested: { tokens: ["********", "********"] } },
      },
    ]);
    const source = sourceNameOf(serverId);
    const refused = await storedRows(RejectedFrame, ["kind", "excerpt"], { source });
    expect(refused).toEqual([
      { kind: "player.chat", excerpt: expect.stringContaining("?token=********") },
    ]);
    expect(JSON.stringify(refused)).not.toContain("canary");
  });
});

describe("the scores of a world", () => {
  const tally = (saveId: number, stats: object, playtimeSec = 0) =>
    survivalFrame("player.tally", { saveId, tallies: [{ ...anna, stats, playtimeSec }] });
  const scores = async () => {
    const wipeId = await wipeIds();
    return storedRows(server.context.models.SurvivalScore, ["stat", "value"], { wipeId });
  };

  it("never decrease, even if lower values arrive late", async () => {
    await store(hello(january), tally(january, { playersKilled: 3, headshots: 0 }, 60));
    await store(tally(january, { playersKilled: 5 }, 120));
    await store(tally(january, { playersKilled: 3 }, 60));
    expect(await scores()).toEqual([
      { stat: "playersKilled", value: 5 },
      { stat: "playtime", value: 120 },
    ]);
  });

  it("cause one warning for staff if the game sends lower values", async () => {
    const warnings = () => {
      const where = { action: "survival.wipe.figures-fell", targetId: String(serverId) };
      return activityOf(server, where, ["actorId", "targetType", "detail"]);
    };
    await store(hello(january), tally(january, { playersKilled: 3, headshots: 2 }, 60));
    await store(tally(january, { playersKilled: 4 }, 120));
    expect(await warnings()).toEqual([]);
    await store(tally(january, { playersKilled: 0, headshots: 0 }, 0));
    await store(tally(january, { playersKilled: 1, headshots: 0 }, 60));
    const [wipeId] = await wipeIds();
    const detail = { wipeId, players: 1 };
    expect(await warnings()).toEqual([{ actorId: null, targetType: "survival_server", detail }]);
    expect(await scores()).toEqual([
      { stat: "headshots", value: 2 },
      { stat: "playersKilled", value: 4 },
      { stat: "playtime", value: 120 },
    ]);
  });

  it("ignore unknown worlds and unknown statistics", async () => {
    await store(hello(january), tally(february, { playersKilled: 3 }));
    await store(tally(january, { secretsLearned: 3, headshots: 1 }));
    expect(await scores()).toEqual([{ stat: "headshots", value: 1 }]);
  });
});
