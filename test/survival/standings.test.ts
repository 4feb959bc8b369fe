import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { computeTotals } from "../../shared/survival/rankings/compute-totals.ts";
import { readUncachedPage } from "../../shared/survival/rankings/read-page.ts";
import type { WorldScope } from "../../shared/survival/rankings/scope.ts";
import { killTable, scoreTable } from "../../shared/survival/rankings/score-tables.sql.ts";
import { createRandom } from "../simulator/random.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer, changeSurvivalServers } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import { sampleCases } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const steamIdOf = (player: number): string => String(76_561_198_000_000_001n + BigInt(player));
const players = 7;
const statsOf = ["playersKilled", "pvpKillDistance"] as const;

interface World {
  readonly serverId: number;
  saveId: number;
}

const tellWorld = ({ serverId, saveId }: World) =>
  storeSurvivalFrames(server.context, serverId, [
    survivalFrame("server.hello", {
      serverName: "Oak",
      worldReady: true,
      world: { saveCreatedAt: saveId },
      helpers: [],
      capabilities: [],
    }),
  ]);

/**
 * Returns a random score. Half of the scores are small, so that many are equal. The others lie in a
 * small range of large numbers.
 */
const valueIn = (random: ReturnType<typeof createRandom>): number =>
  random.chance(0.5) ? random.int(1, 4) : random.int(1_000, 1_060);

/** CATALOGUE of actions that change scores, or the set of scores that count. */
const acts = {
  tally: async (world: World, random: ReturnType<typeof createRandom>) => {
    const steamId = steamIdOf(random.int(0, players - 1));
    const stats = Object.fromEntries(statsOf.map((stat) => [stat, valueIn(random)]));
    const told = { steamId, name: "Anna", stats, playtimeSec: 0, staff: random.chance(0.1) };
    const payload = { saveId: world.saveId, tallies: [told] };
    await storeSurvivalFrames(server.context, world.serverId, [
      survivalFrame("player.tally", payload),
    ]);
  },
  kill: async (world: World, random: ReturnType<typeof createRandom>) => {
    await query(
      server,
      `insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
       select id, 'boss', $2, $3, clock_timestamp() from survival_wipes
       where server_id = $1 and ended_at is null
       on conflict (wipe_id, profile_key, steam_id) do update
       set kills = survival_npc_kills.kills + 1, last_at = excluded.last_at`,
      world.serverId,
      steamIdOf(random.int(0, players - 1)),
      random.int(1, 3),
    );
  },
  wipe: async (world: World) => {
    world.saveId += 86_400_000;
    await tellWorld(world);
  },
  restore: async (world: World) => {
    world.saveId -= 86_400_000;
    await tellWorld(world);
  },
  list: (world: World, random: ReturnType<typeof createRandom>) =>
    changeSurvivalServers(server, { listed: random.chance(0.7) }, { id: world.serverId }),
  countStaff: (world: World, random: ReturnType<typeof createRandom>) =>
    changeSurvivalServers(server, { ignoreStaff: random.chance(0.5) }, { id: world.serverId }),
  lower: (world: World, random: ReturnType<typeof createRandom>) =>
    query(
      server,
      `update survival_scores set value = greatest(1, value - 1) where steam_id = $2 and wipe_id in
         (select id from survival_wipes where server_id = $1)`,
      world.serverId,
      steamIdOf(random.int(0, players - 1)),
    ),
  forget: (world: World, random: ReturnType<typeof createRandom>) =>
    query(
      server,
      `delete from survival_tallies where steam_id = $2 and wipe_id in
         (select id from survival_wipes where server_id = $1)`,
      world.serverId,
      steamIdOf(random.int(0, players - 1)),
    ),
  erase: (world: World, random: ReturnType<typeof createRandom>) =>
    query(
      server,
      `delete from survival_scores where steam_id = $2 and wipe_id in
         (select id from survival_wipes where server_id = $1)`,
      world.serverId,
      steamIdOf(random.int(0, players - 1)),
    ),
  deleteWorld: (world: World) =>
    query(
      server,
      `delete from survival_wipes where id in (
         select id from survival_wipes where server_id = $1 and ended_at is not null limit 1)`,
      world.serverId,
    ),
  keep: () => computeTotals(server.context),
} as const;

/** Actions of players. They are listed several times, so that they are drawn most often. */
const often: readonly (keyof typeof acts)[] = ["tally", "tally", "tally", "tally", "kill", "kill"];
const names = [...often, ...(Object.keys(acts) as (keyof typeof acts)[])];

interface ScopeQuery {
  readonly scope: WorldScope;
  /** The scope, as a query string. */
  readonly words: string;
}

/** Requires the answers of the API for each scope to equal a plain sum and sort. */
async function compare(worlds: readonly World[]): Promise<void> {
  const listed = await query<{ id: number }>(
    server,
    "select id from survival_servers where listed",
  );
  const shown = new Set(listed.map(({ id }) => id));
  const all = { serverId: null, wipeId: null };
  const ofAll: ScopeQuery[] = [
    { scope: { ...all, isCurrent: false }, words: "wipe=all" },
    { scope: { ...all, isCurrent: true }, words: "wipe=current" },
  ];
  const ofServers = worlds
    .filter(({ serverId }) => shown.has(serverId))
    .map(({ serverId }): ScopeQuery => ({
      scope: { serverId, wipeId: null, isCurrent: false },
      words: `wipe=all&server=${serverId}`,
    }));
  for (const asked of [...ofAll, ...ofServers]) {
    await comparePlayers(asked);
    await compareRanking(asked);
  }
  for (const { scope } of ofServers) await compareLeaderboards(scope);
  const wrong = await query(
    server,
    `select * from survival_world_players full join (
       select wipe_id, count(*) as plain from survival_tallies group by 1) counts using (wipe_id)
     where coalesce(players, 0) <> coalesce(plain, 0)`,
  );
  expect(wrong).toEqual([]);
}

const plainPage = (scope: WorldScope, key: string) =>
  readUncachedPage(scoreTable, scope, { key, limit: 100, offset: 0 }, server.context.sequelize);

async function comparePlayers({ scope, words }: ScopeQuery): Promise<void> {
  for (const key of statsOf) {
    const { players: ordered } = await plainPage(scope, key);
    server.context.keptAnswers.clear();
    for (const { steamId, value, rank } of ordered) {
      const { status, body } = await callRoute(
        server,
        `GET /public/survival/players/${steamId}?${words}`,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({ player: { steamId }, stats: { [key]: { value, rank } } });
    }
  }
}

async function compareLeaderboards(scope: WorldScope): Promise<void> {
  const path = `GET /public/survival/servers/${scope.serverId}/leaderboard?wipe=all`;
  for (const key of statsOf) {
    const plain = await plainPage(scope, key);
    const entries = plain.players.map(({ rank, steamId, value }) => ({ rank, steamId, value }));
    const whole = await callRoute(server, `${path}&stat=${key}&limit=100`);
    const updatedAt = plain.updatedAt?.toISOString() ?? null;
    expect(whole.body).toMatchObject({ total: plain.total, updatedAt, entries });
    const deep = await callRoute(server, `${path}&stat=${key}&limit=3&offset=2`);
    expect(deep.body).toMatchObject({ entries: entries.slice(2, 5) });
  }
}

/** Compares a ranking with a plain query. The route answers 404 if nobody has killed the NPC. */
async function compareRanking({ scope, words }: ScopeQuery): Promise<void> {
  const page = { key: "boss", limit: 100, offset: 0 };
  const plain = await readUncachedPage(killTable, scope, page, server.context.sequelize);
  const ranking = await callRoute(
    server,
    `GET /public/survival/profiles/boss/ranking?limit=100&${words}`,
  );
  if (ranking.status === 404) {
    expect(plain.total).toBe(0);
    return;
  }
  expect(ranking.body).toMatchObject({
    total: plain.total,
    profile: { kills: plain.players.reduce((sum, { value }) => sum + value, 0) },
    entries: plain.players.map(({ rank, steamId, value }) => ({ rank, steamId, kills: value })),
  });
}

describe("the stored order of players", () => {
  it.each(
    sampleCases(
      makeList(12, (at) => at + 1),
      () => "acts",
    ),
  )("equals the order by sums of all scores after random actions: seed %i", async (seed) => {
    await server.context.models.SurvivalServer.destroy({ where: {} });
    const random = createRandom(`standings ${seed}`);
    const worlds: World[] = [];
    for (let made = 0; made < 2; made++) {
      const { id: serverId } = await buildSurvivalServer(server);
      const world = { serverId, saveId: Date.UTC(2026, 0, 1) };
      await tellWorld(world);
      worlds.push(world);
    }
    await computeTotals(server.context);
    for (let act = 0; act < 40; act++) {
      await acts[random.pick(names)](random.pick(worlds), random);
      if (act % 20 === 19) await compare(worlds);
    }
    // List all servers again and add scores, so that at least one player is ranked.
    await changeSurvivalServers(server, { listed: true }, {});
    for (const world of worlds) await acts.tally(world, random);
    await computeTotals(server.context);
    await compare(worlds);
    const kept = await query(server, "select from survival_boards");
    expect(kept.length).toBeGreaterThan(0);
  });
});
