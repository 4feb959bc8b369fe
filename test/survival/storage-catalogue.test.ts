import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { storageBoundNames, storageBounds } from "../../shared/platform/config/survival-bounds.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { tableNames } from "../support/database/table-names.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { type SchemaDescription, samplesOf } from "../support/shard/payload-samples.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

/**
 * Tables that refer to survival servers or grow with their frames, and that need no limit, by
 * reason.
 */
const boundedOtherwise: Readonly<Record<string, string>> = {
  activity_log: "a line for each part and day, and for each world and day; deleted by age",
  rejected_frames: "the newest thousand of each source",
  steam_links: "one for each Steam account, which a user has shown to be their own",
  survival_boards: "the scopes and stats of survival_standings",
  survival_clan_boards: "one row for each server",
  survival_config_writes: "made by staff",
  survival_entitlements: "made by steps of the site's events",
  survival_npc_placements: "made by staff, and limited",
  survival_npc_pushes: "one row for each server and profile of the site",
  survival_npc_servers: "one row for each server",
  survival_participations: "made by steps of the site's events",
  survival_permission_inventories: "one row for each server, of limits.inventory",
  survival_permission_pages: "one inventory for each server, of limits.inventory",
  survival_permission_rows: "made of the site's groups and grants",
  survival_pushes: "one row for each server and sort of push",
  survival_report_keys: "one row for each server",
  survival_server_states: "one row for each server, of three frames",
  survival_storage: "one row for each server and bound",
  survival_storage_days: "one row for each server, bound and day; deleted by age",
  survival_title_rules: "made by staff",
  survival_title_servers: "one row for each server",
  survival_world_players: "one row for each world, a count",
  survival_zone_leases: "made by staff and by steps of the site's events",
};

const boundedTables = new Set<string>(Object.values(storageBounds).flatMap(({ tables }) => tables));
const hasBound = (table: string): boolean =>
  boundedTables.has(table) || Object.hasOwn(boundedOtherwise, table);

const sizing = readFileSync(path.join(import.meta.dirname, "../../docs/operate/sizing.md"), "utf8");

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Returns a payload with other ids, names and numbers in each turn. */
function vary(value: unknown, turn: number): unknown {
  if (typeof value === "number") return value + turn;
  if (typeof value === "string") return varyText(value, turn);
  if (Array.isArray(value)) return value.map((item) => vary(item, turn));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, vary(inner, turn)]));
}

function varyText(text: string, turn: number): string {
  if (/^\d+$/.test(text)) return String(BigInt(text) + BigInt(turn)).padStart(text.length, "0");
  return text === "x" ? `x${turn}` : text;
}

const kinds = Object.entries(survivalFrameKinds).map(([kind, { payload }]) => {
  const described: SchemaDescription = payload.describe();
  return { kind, samples: samplesOf(described) };
});

/** Returns frames of each kind. Times of expiry are in the future. */
const framesOf = (turn: number) =>
  kinds.flatMap(({ kind, samples }) =>
    samples.map((sample) => {
      const payload = vary(sample, turn) as Record<string, unknown>;
      const later = "expiresAt" in payload ? { expiresAt: Number(payload["at"]) + 300_000 } : {};
      const eventKey = `${kind} ${turn} ${JSON.stringify(sample).length}`;
      return survivalFrame(kind, { ...payload, ...later }, { t: Date.now(), eventKey });
    }),
  );

async function countRows(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of await tableNames(server)) {
    const [found] = await query<{ count: number }>(
      server,
      `select count(*)::integer as count from ${table}`,
    );
    counts.set(table, found?.count ?? 0);
  }
  return counts;
}

describe("the tables that a survival server fills", () => {
  it("have a limit if frames of any kind keep adding rows to them", async () => {
    const { id } = await buildSurvivalServer(server, { enabled: true, listed: true });
    const play = (turn: number) => storeSurvivalFrames(server.context, id, framesOf(turn));
    await play(0);
    const before = await countRows();
    for (const turn of [1, 2, 3]) await play(turn);
    const after = await countRows();
    const grown = [...after.keys()].filter((table) => after.get(table) !== before.get(table));
    expect(grown).toEqual(
      expect.arrayContaining([
        "event_news",
        "pushes",
        "survival_clans",
        "survival_events",
        "survival_ledger",
        "survival_link_codes",
        "survival_notices",
        "survival_npc_kills",
        "survival_scores",
        "survival_sightings",
        "survival_tallies",
        "survival_wipes",
      ]),
    );
    expect(grown.filter((table) => !hasBound(table))).toEqual([]);
    const rejected = await storedRows(server.context.models.RejectedFrame, ["kind", "detail"]);
    expect(rejected).toEqual([]);
  });

  it("have a limit if a key or column refers to a server, a world or a clan", async () => {
    const found = await query<{ name: string }>(
      server,
      `with recursive reached as (
         select 'survival_servers'::regclass::oid as id
         union select conrelid from pg_constraint join reached on confrelid = reached.id
         where contype = 'f'
       )
       select relname as name from pg_class join reached on pg_class.oid = reached.id
       where relname <> 'survival_servers'
       union select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'server_id'`,
    );
    expect(found.map(({ name }) => name).filter((table) => !hasBound(table))).toEqual([]);
  });

  it("have each of their limits listed in the sizing document", () => {
    const listed = storageBoundNames.filter((name) => sizing.includes(`| \`${name}\` `));
    expect(listed).toEqual(storageBoundNames);
  });

  it("exist in the database", async () => {
    const there = await tableNames(server);
    const named = [...boundedTables, ...Object.keys(boundedOtherwise)];
    expect(named.filter((table) => !there.includes(table))).toEqual([]);
  });
});
