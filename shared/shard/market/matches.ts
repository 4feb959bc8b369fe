import { QueryTypes, type Sequelize } from "sequelize";

import { asksMoreThanName, Conditions, type Filters } from "./filters.ts";
import { keepCount } from "./kept-counts.ts";
import type { MarketFacts } from "./meta.ts";

/** How many listings match, and how they are best found. */
export interface Matches {
  readonly total: number;
  /** So few bear a matching name that they are looked up by it. */
  readonly byLabel: boolean;
}

/**
 * Looking this many up one by one costs about as much as walking an index from its end until a
 * page of as many is full; both cost a few milliseconds then, in a market of a million listings.
 */
export const few = 1_000;

/** Counts exactly what matches: by the dictionary of names where the name is all that is asked. */
export async function countMatches(
  filters: Filters,
  facts: MarketFacts,
  sequelize: Sequelize,
): Promise<Matches> {
  const keep = (what: string, count: () => Promise<number>): Promise<number> =>
    keepCount(what, facts.version, sequelize, count);
  const named = await keep(`named ${filters.pattern}`, () => countNamed(filters, facts, sequelize));
  const byLabel = filters.pattern !== undefined && named <= few;
  if (named === 0 || !asksMoreThanName(filters)) return { total: named, byLabel };
  const total = await keep(JSON.stringify(filters), () =>
    countFiltered(filters, byLabel, sequelize),
  );
  return { total, byLabel };
}

async function countNamed(
  { pattern }: Filters,
  facts: MarketFacts,
  sequelize: Sequelize,
): Promise<number> {
  if (pattern === undefined) return facts.items;
  return readCount(
    "select coalesce(sum(listings), 0) as count from listing_names where search_name like $1",
    [pattern],
    sequelize,
  );
}

function countFiltered(filters: Filters, byLabel: boolean, sequelize: Sequelize): Promise<number> {
  const where = new Conditions();
  const name = byLabel ? where.label(filters) : where.name(filters);
  const text = `select count(*) from listings
    where ${name} and ${where.price(filters)} and ${where.rest(filters)}`;
  return readCount(text, where.values, sequelize);
}

async function readCount(text: string, bind: unknown[], sequelize: Sequelize): Promise<number> {
  const [row] = await sequelize.query<{ count: number }>(text, { bind, type: QueryTypes.SELECT });
  return row?.count ?? 0;
}
