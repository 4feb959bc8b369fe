import type { Context } from "../../context.ts";
import type { Sql } from "../../db/sql.ts";
import { sqlOf } from "../../db/sql.ts";
import { inTransaction } from "../../db/transaction.ts";
import { writeImported } from "../../imports/imported.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { reresolveNames } from "../market/rename.ts";
import type { ClilocResult, ClilocSource, LoadedSource } from "./result.ts";

/** What is loaded, and of what. */
export interface LoadedClilocs {
  readonly source: ClilocSource;
  readonly count: number;
  readonly bytes: number;
  readonly sources: readonly LoadedSource[];
}

interface ReadTexts {
  readonly texts: ReadonlyMap<number, string>;
  readonly fingerprint: string;
  readonly loaded: LoadedClilocs;
  readonly result: ClilocResult;
}

/** Texts that are sent at once: a client's table holds some 120,000. */
const sliceSize = 150_000;

/** Puts the new table in the old one's place and names the market anew, in one transaction. */
export function applyClilocs(
  { texts, fingerprint, loaded, result }: ReadTexts,
  run: ImportRun,
  { sequelize }: Context,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    await run.finish(result, transaction);
    await writeTexts(texts, sql);
    await reresolveNames(sql);
    await writeImported("clilocs", { fingerprint, loaded }, sql);
  });
}

/** Touches what differs alone: most of a table is what it was. */
async function writeTexts(texts: ReadonlyMap<number, string>, sql: Sql): Promise<void> {
  const numbers = [...texts.keys()];
  for (let at = 0; at < numbers.length; at += sliceSize) {
    const slice = numbers.slice(at, at + sliceSize);
    await sql.query(mergeTexts, [slice, slice.map((number) => texts.get(number))]);
  }
  const { rows } = await sql.query<{ stored: number }>(
    "select count(*)::integer as stored from clilocs",
  );
  // To look for what is gone takes far longer than to see that nothing is.
  if (rows[0]?.stored === numbers.length) return;
  await sql.query("delete from clilocs where number <> all($1::integer[])", [numbers]);
}

const mergeTexts = `
  merge into clilocs using unnest($1::integer[], $2::text[]) as incoming (number, text)
    on clilocs.number = incoming.number
  when matched and clilocs.text is distinct from incoming.text then
    update set text = incoming.text
  when not matched then
    insert (number, text) values (incoming.number, incoming.text)`;
