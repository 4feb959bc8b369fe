import { isDeepStrictEqual } from "node:util";

import type { QueryResultRow } from "pg";

import { parseSerialNumber } from "../../shared/platform/bridge/serial.ts";
import {
  checkPayload,
  findShardKind,
  type ShardKindName,
  kindNames,
} from "../../shared/shard/kinds/kinds.ts";
import {
  type KeyedRowTable,
  type LiveState,
  liveStates,
  type CustomStateName,
  type StateName,
} from "../../shared/shard/kinds/live-states.ts";
import { pickStateFields } from "../../shared/shard/states/state-event.ts";
import type { ShardSimulatorClient } from "./shard.ts";

/** Runs a query in the service's database. */
export type DatabaseReader = <Row extends QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>;

type Compare = (shard: ShardSimulatorClient, read: DatabaseReader) => Promise<string[]>;

/**
 * Compares the service's tables with the shard's present state.
 * @returns the differences as short texts
 */
export async function findDifferences(
  shard: ShardSimulatorClient,
  read: DatabaseReader,
): Promise<string[]> {
  const names = Object.keys(liveStates) as StateName[];
  const found = await Promise.all(names.map((name) => compareState(name)(shard, read)));
  return found.flat();
}

function compareState(name: StateName): Compare {
  const { kept }: LiveState = liveStates[name];
  if (kept === "fact") return (_shard, read) => compareFact(name, read);
  if ("tables" in kept) return customChecks[name as CustomStateName];
  return (shard, read) => compareFamily(name, kept, shard, read);
}

/**
 * Requires a fact (a state with a single value) to have the value of the newest stored event that sets the
 * fact. The shard's value is not compared, because a lost event is corrected only when the shard sends the fact
 * again.
 */
async function compareFact(name: StateName, read: DatabaseReader): Promise<string[]> {
  const feeding = kindNames.filter((kind) => findShardKind(kind)?.feeds?.state === name);
  const [newest] = await read<{ kind: ShardKindName; payload: Record<string, unknown> }>(
    "select kind, payload from shard_events where kind = any($1) order by id desc limit 1",
    [feeding],
  );
  const ours = await read<{ value: object }>("select value from shard_facts where name = $1", [
    name,
  ]);
  const checked = newest && checkPayload(newest.kind, newest.payload);
  const truth =
    checked && "payload" in checked ? [[name, pickStateFields(checked.payload)] as const] : [];
  return compare(name, new Map(truth), new Map(ours.map(({ value }) => [name, value])));
}

async function compareFamily(
  family: string,
  { table, column, key }: KeyedRowTable,
  shard: ShardSimulatorClient,
  read: DatabaseReader,
): Promise<string[]> {
  const kind = family === "points" ? "points.board" : `${family}.upsert`;
  const truth = (await shard.rows(family)).map((row) => {
    const checked = checkPayload(kind, row);
    return "payload" in checked ? pickStateFields(checked.payload) : row;
  });
  const ours = await read<{ key: unknown; state: object }>(
    `select ${column} as key, state from ${table}`,
  );
  return compare(
    family,
    new Map(truth.map((state) => [String(state[key]), state])),
    new Map(ours.map((row) => [String(row.key), row.state])),
  );
}

interface VendorRow {
  readonly vendor: {
    readonly serial: string;
    readonly hidden: boolean;
    readonly location: { readonly map: string };
  };
  readonly items: readonly { readonly serial: string; readonly price: number; amount: number }[];
}

/** Compares the listings, by vendor and item. Hidden and packed-up vendors are left out. */
async function compareMarket(shard: ShardSimulatorClient, read: DatabaseReader): Promise<string[]> {
  const vendors = (await shard.rows("market")) as unknown as VendorRow[];
  const truth = vendors
    .filter(({ vendor }) => !vendor.hidden && vendor.location.map !== "Internal")
    .flatMap(({ vendor, items }) =>
      items
        .filter(({ price }) => price > 0)
        .map(({ serial, price, amount }): [string, object] => [
          `${parseSerialNumber(vendor.serial)}/${parseSerialNumber(serial)}`,
          { price, amount },
        ]),
    );
  const ours = await read<{ key: string; price: number; amount: number }>(
    "select vendor_serial || '/' || serial as key, price, amount from listings",
  );
  const listed = ours.map(({ key, ...listing }): [string, object] => [key, listing]);
  return compare("market", new Map(truth), new Map(listed));
}

async function compareOnline(shard: ShardSimulatorClient, read: DatabaseReader): Promise<string[]> {
  const { online } = await shard.world();
  const ours = await read<{ serial: string }>("select serial from online_characters");
  return compare("online", setOf(online), setOf(ours.map(({ serial }) => serial)));
}

/** Compares the links. The service does not store links of unknown users. */
async function compareLinks(shard: ShardSimulatorClient, read: DatabaseReader): Promise<string[]> {
  const { links } = await shard.world();
  const users = await read<{ id: number }>("select id from users");
  const known = new Set(users.map(({ id }) => id));
  const truth = links
    .filter(({ userId }) => known.has(userId))
    .map(({ account, userId }): [string, number] => [account.toLowerCase(), userId]);
  const ours = await read<{ key: string; userId: number }>(
    'select account_key as key, user_id as "userId" from shard_links',
  );
  return compare("links", new Map(truth), new Map(ours.map(({ key, userId }) => [key, userId])));
}

/**
 * The comparisons of the states that have their own storing code in the service. All other states use
 * `compareFact` or `compareFamily`.
 */
const customChecks: Readonly<Record<CustomStateName, Compare>> = {
  presence: compareOnline,
  links: compareLinks,
  market: compareMarket,
  // The shard does not send a lost ban or unban again, so its bans and the stored bans may differ.
  punishments: () => Promise.resolve([]),
};

const setOf = (keys: readonly string[]): Map<string, true> =>
  new Map(keys.map((key) => [key, true]));

function compare(
  family: string,
  truth: ReadonlyMap<string, unknown>,
  ours: ReadonlyMap<string, unknown>,
): string[] {
  const lacking = [...truth.keys()].filter((key) => !ours.has(key));
  const surplus = [...ours.keys()].filter((key) => !truth.has(key));
  const other = [...truth].filter(
    ([key, value]) => ours.has(key) && !isDeepStrictEqual(ours.get(key), value),
  );
  return [
    ...lacking.map((key) => `${family} ${key} is lacking`),
    ...surplus.map((key) => `${family} ${key} is too many`),
    ...other.map(([key, value]) => {
      const [said, held] = [value, ours.get(key)].map((one) => JSON.stringify(one));
      return `${family} ${key} is ${held}, not ${said}`;
    }),
  ];
}
