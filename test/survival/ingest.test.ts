import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import type { StreamFrame } from "../../shared/bridge/frames.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { query } from "../support/query.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival-ingest.ts";
import { until } from "../support/wait.ts";

let server: TestServer;
let serverId: number;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  serverId = (await buildSurvivalServer(server)).id;
});

const rows = <Row extends object>(text: string): Promise<Row[]> =>
  query<Row & Record<string, unknown>>(server, text, serverId);

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
  rows("select steam_id, name from survival_presence where server_id = $1 order by steam_id");

describe("a survival server that stores for long", () => {
  it("keeps no other from storing the same players, and names them on no page but its own", async () => {
    const [slow, quick] = [serverId, (await buildSurvivalServer(server)).id];
    await store(hello(january));
    const holding = await server.context.sequelize.transaction();
    await server.context.sequelize.query(
      `select from survival_server_states where server_id = ${slow} for update`,
      { transaction: holding },
    );
    const stored = storeSurvivalFrames(server.context, slow, [
      survivalFrame("player.joined", { ...anna, name: "Not Anna", connectedAt: january }),
      survivalFrame("server.status", { state: "online", players: 1, maxPlayers: 100 }),
    ]);
    await until("the first waits within its transaction", async () => {
      const [waiting] = await query(
        server,
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and application_name like '%survival:' || $1::integer`,
        slow,
      );
      return waiting !== undefined;
    });
    await storeSurvivalFrames(server.context, quick, [
      survivalFrame("player.online", { players: [{ ...anna, connectedAt: january }] }),
    ]);
    await holding.rollback();
    await stored;
    expect(
      await query(
        server,
        `select server_id, name from survival_sightings where steam_id = $1
           and server_id in ($2, $3) order by server_id`,
        anna.steamId,
        slow,
        quick,
      ),
    ).toEqual([
      { server_id: slow, name: "Not Anna" },
      { server_id: quick, name: "Anna" },
    ]);
  });
});

describe("events of a survival server", () => {
  it("are stored once, whatever the sidecar says again in another buffer", async () => {
    const joined = { ...anna, connectedAt: january };
    const eventKey = `join:${anna.steamId}:${january}`;
    const again = "6f1c3c5e-0000-4000-8000-0000000000dd";
    await store(survivalFrame("player.joined", joined, { eventKey, saveId: january }));
    await store(survivalFrame("player.joined", joined, { eventKey, epoch: again, seq: 1 }));
    expect(
      await rows("select kind, save_id, event_key from survival_events where server_id = $1"),
    ).toEqual([{ kind: "player.joined", save_id: january, event_key: eventKey }]);
    expect(
      await rows(
        "select received, duplicates from ingest_sources where source = 'survival:' || $1::integer",
      ),
    ).toEqual([{ received: 2, duplicates: 1 }]);
  });

  it("of a kind that nobody knows are stored, and states are not", async () => {
    await store(
      survivalFrame("mod.brewed", { ale: 3 }),
      survivalFrame("player.online", { players: [] }),
    );
    expect(await rows("select kind, payload from survival_events where server_id = $1")).toEqual([
      { kind: "mod.brewed", payload: { ale: 3 } },
    ]);
  });

  it("of chat other than global are refused and stored nowhere", async () => {
    await store(
      survivalFrame("player.chat", { ...anna, channel: "team", message: "the base is at F12" }),
    );
    expect(await rows("select id from survival_events where server_id = $1")).toEqual([]);
    expect(
      await rows(
        "select reason, kind from rejected_frames where source = 'survival:' || $1::integer",
      ),
    ).toEqual([{ reason: "schema", kind: "player.chat" }]);
  });
});

describe("who is on a survival server", () => {
  it("is what its list says, and what joins and leaves since", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: january }),
      survivalFrame("player.online", { players: [{ ...bert, connectedAt: january }] }),
    );
    expect(await online()).toEqual([{ steam_id: bert.steamId, name: "Bert" }]);
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: february }),
      survivalFrame("player.left", { ...bert, connectedAt: january, reason: "quit" }),
    );
    expect(await online()).toEqual([{ steam_id: anna.steamId, name: "Anna" }]);
  });

  it("is not changed by a leave of a session before the one that stands", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, connectedAt: february }),
      survivalFrame("player.left", { ...anna, connectedAt: january }),
    );
    expect(await online()).toEqual([{ steam_id: anna.steamId, name: "Anna" }]);
  });

  it.each<[string, StreamFrame]>([
    ["went away", { type: "plugin", connected: false, bootId: null }],
    ["is another", { type: "plugin", connected: true, bootId: "another" }],
  ])("is nobody once the game process %s", async (_how, frame) => {
    await store(
      { type: "plugin", connected: true, bootId: "boot" },
      survivalFrame("player.joined", { ...anna, connectedAt: january }),
      frame,
    );
    expect(await online()).toEqual([]);
  });
});

describe("addresses of players, their pictures and what Steam says of them", () => {
  const canaries = ["192.0.2.7", "canary-picture", "canary-ban"];
  const personal = { ip: "192.0.2.7:5000", avatarUrl: "canary-picture", vacBans: "canary-ban" };

  it("are stored with no event, of whatever kind, nor with a refused frame", async () => {
    await store(
      survivalFrame("player.joined", { ...anna, ...personal, connectedAt: january, first: true }),
      survivalFrame("player.died", {
        victim: { ...anna, IPAddress: "192.0.2.7" },
        killer: { kind: "player", ...bert, remote_address: "192.0.2.7" },
      }),
      survivalFrame("player.spied", { seen: [{ ...anna, address: "192.0.2.7" }], note: "kept" }),
      survivalFrame("player.respawned", { ...anna, name: 7, ...personal }),
    );
    expect(
      await rows("select kind, payload from survival_events where server_id = $1 order by id"),
    ).toEqual([
      { kind: "player.joined", payload: { ...anna, connectedAt: january, first: true } },
      { kind: "player.died", payload: { victim: anna, killer: { kind: "player", ...bert } } },
      { kind: "player.spied", payload: { seen: [anna], note: "kept" } },
    ]);
    const refused = await rows<{ kind: string }>(
      "select kind, excerpt, detail from rejected_frames where source = 'survival:' || $1::integer",
    );
    expect(refused.map(({ kind }) => kind)).toEqual(["player.respawned"]);
    const said = JSON.stringify(refused);
    expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
  });
});

/** As the game numbers its NPCs, and what the loader calls its console. */
const others = [
  { steamId: "4177230", name: "Scientist" },
  { steamId: "server_console", name: "Console" },
];

describe("those without a Steam account", () => {
  const found = async (text: string): Promise<unknown[]> =>
    (await rows<{ found: unknown }>(text)).map((row) => row.found);
  const rejected = async () => {
    const where = { source: `survival:${serverId}` };
    return (await server.context.models.IngestSource.findOne({ where }))?.rejected;
  };

  it("are passed over in every list, and keep nobody else from being taken in", async () => {
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
    expect(await rejected()).toBe(0);
    expect(await online()).toEqual([{ steam_id: anna.steamId, name: "Anna" }]);
    expect(
      await found(
        `select steam_id as found from survival_scores
         join survival_wipes wipe on wipe.id = wipe_id where server_id = $1`,
      ),
    ).toEqual([anna.steamId]);
    expect(
      await found(
        "select users as found from survival_permission_inventories where server_id = $1",
      ),
    ).toEqual([[{ ...anna, groups: ["default"], permissions }]]);
    expect(
      await found(
        `select steam_id as found from survival_clan_members
         join survival_clans clan on clan.id = clan_row_id where server_id = $1`,
      ),
    ).toEqual([anna.steamId]);
  });

  it("kill and have a part in it namelessly", async () => {
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
    expect(
      await rows("select kind, payload from survival_events where server_id = $1 order by id"),
    ).toEqual([
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
  const wipes = () =>
    rows(
      `select save_id, kind, forced, seed, world_size, (extract(epoch from ended_at) * 1000)::bigint as ended
       from survival_wipes where server_id = $1 order by save_id`,
    );
  const world = { seed: "77", world_size: 4250 };

  it("are told by a wipe, and by a hello after we were away", async () => {
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
      { save_id: january, kind: "unknown", forced: false, ended: february, ...world },
      { save_id: february, kind: "map", forced: true, ended: march, ...world },
      { save_id: march, kind: "unknown", forced: false, ended: null, ...world },
    ]);
  });

  it("are opened again when an older save is restored", async () => {
    await store(hello(january), hello(february));
    await store(hello(january, { t: march }));
    expect(await wipes()).toEqual([
      { save_id: january, kind: "unknown", forced: false, ended: null, ...world },
      { save_id: february, kind: "unknown", forced: false, ended: march, ...world },
    ]);
  });

  it("are known also when they are older than all and were never seen, which is told to nobody", async () => {
    await store(hello(february));
    await store(hello(january, { t: march }));
    expect(await wipes()).toEqual([
      { save_id: january, kind: "unknown", forced: false, ended: null, ...world },
      { save_id: february, kind: "unknown", forced: false, ended: march, ...world },
    ]);
    expect(
      await rows("select untold_save_id from survival_server_states where server_id = $1"),
    ).toEqual([{ untold_save_id: null }]);
    expect(
      await rows(
        "select event_key from survival_notices where source = 'survival:' || $1::integer",
      ),
    ).toEqual([]);
  });

  it("are no other after a restart alone", async () => {
    await store(hello(january), { type: "plugin", connected: true, bootId: "b2" }, hello(january));
    expect(await wipes()).toHaveLength(1);
  });
});

describe("what players have done in a world", () => {
  const tally = (saveId: number, stats: object, playtimeSec = 0) =>
    survivalFrame("player.tally", { saveId, tallies: [{ ...anna, stats, playtimeSec }] });
  const scores = () =>
    rows(
      `select stat, value from survival_scores join survival_wipes on wipe_id = survival_wipes.id
       where server_id = $1 order by save_id, stat`,
    );

  it("is absolute and never falls, however often and late it is told", async () => {
    await store(hello(january), tally(january, { playersKilled: 3, headshots: 0 }, 60));
    await store(tally(january, { playersKilled: 5 }, 120));
    await store(tally(january, { playersKilled: 3 }, 60));
    expect(await scores()).toEqual([
      { stat: "playersKilled", value: 5 },
      { stat: "playtime", value: 120 },
    ]);
  });

  it("warns staff once a day of a world whose figures have fallen", async () => {
    const warnings = () =>
      rows(
        `select actor_id, target_type, detail from activity_log
         where action = 'survival.wipe.figures-fell' and target_id = $1::integer::text order by id`,
      );
    await store(hello(january), tally(january, { playersKilled: 3, headshots: 2 }, 60));
    await store(tally(january, { playersKilled: 4 }, 120));
    expect(await warnings()).toEqual([]);
    await store(tally(january, { playersKilled: 0, headshots: 0 }, 0));
    await store(tally(january, { playersKilled: 1, headshots: 0 }, 60));
    const [wipe] = await rows<{ id: number }>("select id from survival_wipes where server_id = $1");
    const detail = { wipeId: wipe?.id, players: 1 };
    expect(await warnings()).toEqual([{ actor_id: null, target_type: "survival_server", detail }]);
    expect(await scores()).toEqual([
      { stat: "headshots", value: 2 },
      { stat: "playersKilled", value: 4 },
      { stat: "playtime", value: 120 },
    ]);
  });

  it("is passed over for a world that is not known, and for figures that nobody knows", async () => {
    await store(hello(january), tally(february, { playersKilled: 3 }));
    await store(tally(january, { secretsLearned: 3, headshots: 1 }));
    expect(await scores()).toEqual([{ stat: "headshots", value: 1 }]);
  });
});
