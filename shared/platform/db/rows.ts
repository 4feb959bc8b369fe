import { tracingChannel } from "node:diagnostics_channel";

import type { QueryConfig, QueryResultRow } from "pg";
import { QueryTypes, Sequelize, Transaction } from "sequelize";

import { type PreparedStatement, registerStatement } from "./named-statements.ts";
import type { SqlClient } from "./sql.ts";
import { poolOf } from "./transaction.ts";

/** The pool, one of its transactions, or a separate connection. */
export type Database = Sequelize | Transaction | SqlClient;

/**
 * Each connection prepares a named statement once, because planning often costs more than execution.
 * Behind a pooler the name is ignored.
 */
export type Statement = string | PreparedStatement;

/** Traces each read of rows. Tests compare the rows with the type that the caller declares. */
export const rowReadsChannel = tracingChannel("guildhall.rows");

/** The columns of a table for which an outer join found no row. */
export type NullColumns<Row> = { readonly [Column in keyof Row]: null };

/** Runs a statement with `$1` parameters and returns its rows. */
export const rows = <Row extends QueryResultRow>(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> => rowReadsChannel.tracePromise(() => readRows<Row>(database, statement, values));

async function readRows<Row extends QueryResultRow>(
  database: Database,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pooled = pooledOn(database);
  if (!pooled) return (await (database as SqlClient).query<Row>(queryOf(statement, values))).rows;
  const options = { ...optionsOf(pooled, values), type: QueryTypes.SELECT } as const;
  return pooled.sequelize.query<Row>(textOf(statement), options);
}

export async function firstRow<Row extends QueryResultRow>(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(database, statement, values))[0];
}

/** Runs an insert, update or delete and returns the number of rows. */
export async function executeStatement(
  database: Database,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<number> {
  const pooled = pooledOn(database);
  if (!pooled) {
    return (await (database as SqlClient).query(queryOf(statement, values))).rowCount ?? 0;
  }
  // Only with this type does Sequelize return the row count of any statement.
  const options = { ...optionsOf(pooled, values), type: QueryTypes.BULKUPDATE } as const;
  return pooled.sequelize.query(textOf(statement), options);
}

interface PoolTarget {
  readonly sequelize: Sequelize;
  readonly transaction?: Transaction;
}

function pooledOn(database: Database): PoolTarget | undefined {
  if (database instanceof Sequelize) return { sequelize: database };
  if (!(database instanceof Transaction)) return undefined;
  return { sequelize: poolOf(database), transaction: database };
}

const optionsOf = ({ transaction }: PoolTarget, values: readonly unknown[]) => ({
  bind: values.map((value) => value ?? null),
  ...(transaction && { transaction }),
});

const textOf = (statement: Statement): string =>
  typeof statement === "string" ? statement : registerStatement(statement);

const queryOf = (statement: Statement, values: readonly unknown[]): QueryConfig =>
  typeof statement === "string"
    ? { text: statement, values: [...values] }
    : { ...statement, values: [...values] };

/** Maximum number of rows per delete, so that no other transaction waits long. */
const deleteBatch = 5_000;

/** Repeats a delete, whose last parameter is a limit. @returns the number of all deleted rows */
export async function deleteInBatches(
  statement: string,
  values: readonly unknown[],
  sequelize: Sequelize,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await executeStatement(sequelize, statement, [...values, deleteBatch]);
    total += deleted;
    if (deleted < deleteBatch) return total;
  }
}

/**
 * Updates the planner's statistics in the transaction that publishes rows. Otherwise joins of a large table are
 * slow until autovacuum analyzes it.
 * @param tables names of tables; if a table has long columns, add a list of the columns in joins and conditions
 */
export async function analyzeTables(tables: readonly string[], database: Database): Promise<void> {
  await executeStatement(database, `analyze ${tables.join(", ")}`);
}

/** Returns true if a table has never been analyzed, so that the planner only guesses about its rows. */
export async function isNeverAnalyzed(table: string, database: Database): Promise<boolean> {
  const text = "select from pg_class where oid = to_regclass($1) and reltuples < 0";
  return (await firstRow(database, text, [table])) !== undefined;
}

export function isUniqueViolation(error: unknown): boolean {
  const { code, parent } = (error ?? {}) as { code?: unknown; parent?: { code?: unknown } };
  return (code ?? parent?.code) === uniqueViolation;
}

const uniqueViolation = "23505";
