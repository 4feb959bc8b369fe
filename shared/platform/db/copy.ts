import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { from } from "pg-copy-streams";
import type { Attributes, Model, ModelStatic, Sequelize } from "sequelize";

import { onPoolConnection, type Sql } from "./sql.ts";

export type CopyValue = string | number | boolean | null;

/**
 * Writes many rows by one COPY, which costs the database half of what an INSERT of them does. They
 * are taken as fast as it stores them, so that no more than a piece of them is held as text.
 * @param target the table, with its columns where the rows hold some of them alone
 * @throws what the database says of a row: none is stored then
 */
export const copyRows = (
  target: string,
  rows: Iterable<readonly CopyValue[]>,
  sql: Sql,
): Promise<void> =>
  pipeline(Readable.from(piecesOf(rows)), sql.query(from(`copy ${target} from stdin`)));

/**
 * Writes whole rows of a model's table by one COPY.
 * @param rows may hold more than the table has columns
 */
export function copyInto<Row extends Model>(
  model: ModelStatic<Row>,
  rows: Iterable<Attributes<Row>>,
  sql: Sql,
): Promise<void> {
  const attributes = Object.entries(model.getAttributes());
  const columns = attributes.map(([name, { field = name }]) => `"${field}"`);
  const names = attributes.map(([name]) => name as keyof Attributes<Row>);
  const values = (row: Attributes<Row>): CopyValue[] => names.map((name) => valueOf(row[name]));
  return copyRows(`"${model.tableName}" (${columns.join(", ")})`, mapEach(rows, values), sql);
}

/**
 * Runs COPYs on a connection of their own: what they write is there together, or not at all. They
 * fill a stage, so the disk is not waited for: the transaction that shows the stage waits for all
 * that was written before it.
 */
export const copyTogether = (
  sequelize: Sequelize,
  work: (sql: Sql) => Promise<void>,
): Promise<void> =>
  onPoolConnection(sequelize, async (sql) => {
    await sql.query("begin; set local synchronous_commit = off");
    try {
      await work(sql);
      await sql.query("commit");
    } catch (error) {
      // A connection that is cut has rolled back by itself.
      await sql.query("rollback").catch(() => undefined);
      throw error;
    }
  });

/** Columns that hold objects are of type jsonb. */
const valueOf = (value: unknown): CopyValue =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (value as CopyValue);

function* mapEach<From, To>(rows: Iterable<From>, map: (row: From) => To): Generator<To> {
  for (const row of rows) yield map(row);
}

/** Characters that are sent at once. */
const pieceLength = 64 * 1024;

/** The text form that COPY reads. */
function* piecesOf(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let piece = "";
  for (const row of rows) {
    piece += `${row.map(textOf).join("\t")}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function textOf(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value !== "string") return String(value);
  return special.test(value)
    ? value.replaceAll(everySpecial, (sign) => escapes[sign] ?? sign)
    : value;
}

const special = /[\\\n\r\t]/;
const everySpecial = new RegExp(special, "g");

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
