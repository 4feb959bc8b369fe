import type { Client } from "pg";

import { parseSerialNumber } from "../../../shared/platform/bridge/serial.ts";
import { liveStates } from "../../../shared/shard/kinds/live-states.ts";
import type { Frame } from "./floor.ts";

/**
 * Statements that create the tables of the minimal ingest: copies of the service's tables, with the same keys and
 * indexes.
 */
export const floorTables = [
  ...Object.values(liveStates).flatMap(({ kept }) =>
    kept !== "fact" && "table" in kept ? [kept.table] : [],
  ),
  ...liveStates.presence.kept.tables,
]
  .map((table) => `create table floor_${table} (like ${table} including all);`)
  .concat(
    // `like` does not copy unique indexes of partitions, so create them here.
    "create table floor_events (like shard_events including all);",
    "create unique index on floor_events (source, epoch, seq);",
    "create unique index on floor_events (source, event_key) where event_key is not null;",
    "create table floor_facts (like shard_facts including all);",
    "create table floor_vendors (serial integer primary key, vendor jsonb not null);",
    `create table floor_listings (vendor_serial integer, serial integer, item_id integer not null,
      hue integer not null, amount integer not null, price integer not null, name text,
      child boolean not null, updated_at timestamptz not null,
      primary key (vendor_serial, serial));
    create index on floor_listings (price, serial, vendor_serial) include (name, item_id);
    create index on floor_listings (updated_at, serial, vendor_serial) include (name, price);
    create index on floor_listings (item_id);`,
  )
  .join("\n");

type Payload = Frame["payload"];

interface Family {
  readonly table: string;
  readonly column: string;
  readonly keyType: string;
  readonly key: string;
  readonly upserts: readonly string[];
  readonly removal?: string;
}

const families: readonly Family[] = [
  {
    table: "floor_houses",
    column: "serial",
    keyType: "text",
    key: "serial",
    upserts: ["house.upsert", "house.decay"],
    removal: "house.removed",
  },
  {
    table: "floor_guilds",
    column: "guild_id",
    keyType: "integer",
    key: "guildId",
    upserts: ["guild.upsert"],
    removal: "guild.removed",
  },
  {
    table: "floor_governors",
    column: "city",
    keyType: "text",
    key: "city",
    upserts: ["governor.upsert"],
  },
  {
    table: "floor_points_boards",
    column: "system",
    keyType: "text",
    key: "system",
    upserts: ["points.board"],
  },
];

/**
 * Updates all states from a batch with one statement per table. Of several events about an object,
 * the last one counts.
 */
export async function writeStates(frames: readonly Frame[], client: Client): Promise<void> {
  const byKind = Map.groupBy(frames, ({ kind }) => kind);
  const of = (...kinds: readonly string[]): Frame[] =>
    kinds.length === 1
      ? (byKind.get(kinds[0] ?? "") ?? [])
      : frames.filter(({ kind }) => kinds.includes(kind));
  for (const family of families) await writeFamily(family, of, client);
  await writePresence(of, client);
  await writeFacts(of, client);
  await writeMarket(of("vendor.upsert", "vendor.removed"), client);
}

type Pick = (...kinds: readonly string[]) => Frame[];

const lastByKey = (frames: readonly Frame[], key: string): Map<unknown, Frame> =>
  new Map(frames.map((frame) => [frame.payload[key], frame]));

async function writeFamily(family: Family, of: Pick, client: Client): Promise<void> {
  const { table, column, keyType, key, upserts, removal } = family;
  const last = lastByKey(of(...upserts, ...(removal ? [removal] : [])), key);
  const gone = [...last].filter(([, { kind }]) => kind === removal).map(([one]) => one);
  const held = [...last.values()].filter(({ kind }) => kind !== removal);
  if (held.length > 0) {
    await client.query({
      name: table,
      text: `insert into ${table} as held (${column}, state, t)
        select * from unnest($1::${keyType}[], $2::jsonb[], $3::bigint[])
        on conflict (${column}) do update set state = excluded.state, t = excluded.t,
          updated_at = clock_timestamp()
        where held.state is distinct from excluded.state`,
      values: [
        held.map(({ payload }) => payload[key]),
        held.map(({ payload }) => JSON.stringify(payload)),
        held.map(({ t }) => t),
      ],
    });
  }
  if (gone.length === 0) return;
  await client.query(`delete from ${table} where ${column} = any($1::${keyType}[])`, [gone]);
}

interface Player {
  readonly serial: string;
  readonly name: string;
  readonly acct: string | null;
  readonly map: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly region: string | null;
}

async function writePresence(of: Pick, client: Client): Promise<void> {
  const frames = of("presence.online", "presence.login", "presence.logout");
  const list = frames.findLastIndex(({ kind }) => kind === "presence.online");
  const here = new Map<string, Player>();
  const gone = new Set<string>();
  const add = (player: Player): void => {
    here.set(player.serial, player);
    gone.delete(player.serial);
  };
  for (const player of playersOf(frames[list]?.payload)) add(player);
  for (const { kind, payload } of frames.slice(list + 1)) {
    const player = { ...(payload["location"] as object), ...payload } as unknown as Player;
    if (kind === "presence.login") {
      add(player);
      continue;
    }
    here.delete(player.serial);
    gone.add(player.serial);
  }
  if (list >= 0) {
    await client.query("delete from floor_online_characters where serial <> all($1)", [
      [...here.keys()],
    ]);
  }
  if (gone.size > 0) {
    await client.query("delete from floor_online_characters where serial = any($1)", [[...gone]]);
  }
  if (here.size > 0) await upsertPlayers([...here.values()], client);
}

const playersOf = (payload: Payload | undefined): readonly Player[] =>
  (payload?.["players"] ?? []) as readonly Player[];

const upsertPlayers = (players: readonly Player[], client: Client): Promise<unknown> =>
  client.query({
    name: "players",
    text: `insert into floor_online_characters as held
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[],
        $5::integer[], $6::integer[], $7::integer[], $8::text[])
      on conflict (serial) do update set map = excluded.map, x = excluded.x, y = excluded.y,
        z = excluded.z, region = excluded.region
      where (held.map, held.x, held.y, held.z) is distinct from
        (excluded.map, excluded.x, excluded.y, excluded.z)`,
    values: [
      players.map(({ serial }) => serial),
      players.map(({ name }) => name),
      players.map(({ acct }) => acct),
      players.map(({ map }) => map),
      players.map(({ x }) => x),
      players.map(({ y }) => y),
      players.map(({ z }) => z),
      players.map(({ region }) => region),
    ],
  });

async function writeFacts(of: Pick, client: Client): Promise<void> {
  for (const [name, kind] of [
    ["economy", "economy.snapshot"],
    ["ruleset", "world.ruleset"],
    ["presence", "presence.online"],
  ] as const) {
    const last = of(kind).at(-1);
    if (!last) continue;
    const { players: _, ...value } = last.payload;
    await client.query(
      `insert into floor_facts (name, value, t) values ($1, $2, $3)
       on conflict (name) do update set value = excluded.value, t = excluded.t`,
      [name, JSON.stringify(value), last.t],
    );
  }
}

interface Item {
  readonly serial: string;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly name: string | null;
  readonly child: boolean;
}

async function writeMarket(frames: readonly Frame[], client: Client): Promise<void> {
  const last = new Map(
    frames.map((frame): [number, Frame] => {
      const vendor = frame.payload["vendor"] as { serial: string } | undefined;
      return [parseSerialNumber(vendor?.serial ?? (frame.payload["serial"] as string)), frame];
    }),
  );
  if (last.size === 0) return;
  const vendors = [...last].filter(([, { kind }]) => kind === "vendor.upsert");
  const rows = vendors.flatMap(([vendor, { payload }]) =>
    (payload["items"] as readonly Item[])
      .filter(({ price }) => price > 0)
      .map((item) => ({ ...item, vendor, serial: parseSerialNumber(item.serial) })),
  );
  await client.query({
    name: "vendors",
    text: `insert into floor_vendors select * from unnest($1::integer[], $2::jsonb[])
      on conflict (serial) do update set vendor = excluded.vendor`,
    values: [
      vendors.map(([serial]) => serial),
      vendors.map(([, { payload }]) => JSON.stringify(payload["vendor"])),
    ],
  });
  await client.query({
    name: "gone",
    text: `delete from floor_listings where vendor_serial = any($1)
      and (vendor_serial, serial) not in (select * from unnest($2::integer[], $3::integer[]))`,
    values: [[...last.keys()], rows.map(({ vendor }) => vendor), rows.map(({ serial }) => serial)],
  });
  await client.query({
    name: "listings",
    text: `insert into floor_listings as held (vendor_serial, serial, item_id, hue, amount, price,
        child, name, updated_at)
      select vendor, serial, item, hue, amount, price, child, name, now()
      from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::integer[],
        $6::integer[], $7::boolean[], $8::text[])
        as row (vendor, serial, item, hue, amount, price, child, name)
      on conflict (vendor_serial, serial) do update set amount = excluded.amount,
        price = excluded.price, updated_at = excluded.updated_at
      where (held.amount, held.price) is distinct from (excluded.amount, excluded.price)`,
    values: [
      rows.map(({ vendor }) => vendor),
      rows.map(({ serial }) => serial),
      rows.map(({ itemId }) => itemId),
      rows.map(({ hue }) => hue),
      rows.map(({ amount }) => amount),
      rows.map(({ price }) => price),
      rows.map(({ child }) => child),
      rows.map(({ name }) => name),
    ],
  });
}
