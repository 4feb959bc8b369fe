import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { from } from "pg-copy-streams";

import type { Sql } from "./sql.ts";

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
