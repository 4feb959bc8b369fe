import type { QueryConfig, QueryResultRow } from "pg";
import { QueryTypes, Sequelize, Transaction } from "sequelize";

import { type PreparedStatement, textOfNamed } from "./named-statements.ts";
import type { Sql } from "./sql.ts";
import { poolOf } from "./transaction.ts";

/** What a statement may run on: the pool, a transaction of it, or a connection of one's own. */
export type Database = Sequelize | Transaction | Sql;

/**
 * A statement's text, or one with a name: each connection prepares that once, since planning often
 * costs more than running. Through a host's pooler the text alone is run, for the next statement may
 * reach another connection.
 */
export type Statement = string | PreparedStatement;

/** Runs a statement with `$1` parameters. @returns its rows, if it has any */
export async function rows<Row extends QueryResultRow>(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const pooled = pooledOn(database);
  if (!pooled) return (await (database as Sql).query<Row>(queryOf(statement, values))).rows;
  const options = { ...optionsOf(pooled, values), type: QueryTypes.SELECT } as const;
  return pooled.sequelize.query<Row>(textOf(statement), options);
}

/** Runs a statement that answers one row, or none. */
export async function firstRow<Row extends QueryResultRow>(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(database, statement, values))[0];
}

/** Runs a statement that inserts, changes or deletes. @returns how many rows */
export async function countChanged(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<number> {
  const pooled = pooledOn(database);
  if (!pooled) return (await (database as Sql).query(queryOf(statement, values))).rowCount ?? 0;
  // Sequelize tells the count of a statement of any kind under this type alone.
  const options = { ...optionsOf(pooled, values), type: QueryTypes.BULKUPDATE } as const;
  return pooled.sequelize.query(textOf(statement), options);
}

interface Pooled {
  readonly sequelize: Sequelize;
  readonly transaction?: Transaction;
}

function pooledOn(database: Database): Pooled | undefined {
  if (database instanceof Sequelize) return { sequelize: database };
  if (!(database instanceof Transaction)) return undefined;
  return { sequelize: poolOf(database), transaction: database };
}

const optionsOf = ({ transaction }: Pooled, values: readonly unknown[]) => ({
  bind: values.map((value) => value ?? null),
  ...(transaction && { transaction }),
});

const textOf = (statement: Statement): string =>
  typeof statement === "string" ? statement : textOfNamed(statement);

const queryOf = (statement: Statement, values: readonly unknown[]): QueryConfig =>
  typeof statement === "string"
    ? { text: statement, values: [...values] }
    : { ...statement, values: [...values] };

/** Rows of one delete: few enough that nobody waits for it. */
const slice = 5_000;

/**
 * Repeats a delete that takes so many rows at the most until it finds fewer.
 * @param values what comes before its last parameter, which says how many
 * @returns how many rows were deleted
 */
export async function deleteInSlices(
  statement: string,
  values: readonly unknown[],
  sequelize: Sequelize,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await countChanged(sequelize, statement, [...values, slice]);
    total += deleted;
    if (deleted < slice) return total;
  }
}

/**
 * Tells the planner what was written, in the transaction that shows it: by the statistics of before
 * a large table holds next to nothing, and joins over it are made row by row, until the database
 * looks at it in its own time.
 * @param tables each with the columns that reads join and choose by, where others are long
 */
export async function analyze(tables: readonly string[], database: Database): Promise<void> {
  await countChanged(database, `analyze ${tables.join(", ")}`);
}

/** Whether the database refused a row because another one has its key already. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, parent } = (error ?? {}) as { code?: unknown; parent?: { code?: unknown } };
  // Sequelize wraps what the driver says.
  return (code ?? parent?.code) === uniqueViolation;
}

/** SQLSTATE. */
const uniqueViolation = "23505";
