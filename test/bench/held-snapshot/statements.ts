import type { Client } from "pg";

import { alignColumns } from "../table.ts";

/** The calls of a statement since the last reset. */
export interface StatementReading {
  readonly id: string;
  readonly text: string;
  readonly calls: number;
  /** The milliseconds of all calls. */
  readonly ms: number;
}

export async function resetStatements(client: Client): Promise<void> {
  await client.query(
    `select pg_stat_statements_reset(0, oid, 0) from pg_database
     where datname = current_database()`,
  );
}

export async function readStatements(client: Client): Promise<StatementReading[]> {
  const { rows } = await client.query<StatementReading>(
    `select queryid::text as id, regexp_replace(trim(query), '\\s+', ' ', 'g') as text,
       sum(calls)::float8 as calls, sum(total_exec_time)::float8 as ms
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
     group by queryid, query`,
  );
  return rows;
}

const shownStatements = 12;
const shownCharacters = 90;

/** Formats the statements whose mean time grew most from the quiet run, weighted by their calls. */
export function formatSlowedStatements(
  quiet: readonly StatementReading[],
  held: readonly StatementReading[],
): string {
  const before = new Map(quiet.map((one) => [one.id, one]));
  const slowed = held
    .map((one) => ({ ...one, former: meanMs(before.get(one.id)) }))
    .map((one) => ({ ...one, lostMs: (meanMs(one) - one.former) * one.calls }))
    .filter(({ lostMs }) => lostMs > 0)
    .toSorted((one, other) => other.lostMs - one.lostMs)
    .slice(0, shownStatements);
  const heads = ["calls", "mean ms, quiet", "mean ms, held", "lost s", "statement"];
  const lines = slowed.map((one) => [
    String(one.calls),
    one.former.toFixed(3),
    meanMs(one).toFixed(3),
    (one.lostMs / 1_000).toFixed(2),
    // Queues share a statement whose text names only the first queue.
    one.text.replaceAll(/'[^']*'/g, "…").slice(0, shownCharacters),
  ]);
  return alignColumns([heads, ...lines], [0, 1, 2, 3]);
}

/** Returns NaN for a statement that was not called, so that the comparison leaves it out. */
const meanMs = (one: StatementReading | undefined): number =>
  one ? one.ms / one.calls : Number.NaN;
