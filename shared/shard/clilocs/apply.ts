import type { Context } from "../../context.ts";
import { copyRows } from "../../db/copy.ts";
import { type Sql, sqlOf } from "../../db/sql.ts";
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
  if ((await countTexts(sql)) === 0) return copyRows("clilocs (number, text)", texts, sql);
  await sql.query(
    "create temporary table incoming_clilocs (number integer, text text) on commit drop",
  );
  await copyRows("incoming_clilocs", texts, sql);
  await sql.query(mergeTexts);
  // To look for what is gone takes far longer than to see that nothing is.
  if ((await countTexts(sql)) === texts.size) return;
  await sql.query(
    `delete from clilocs where not exists (
       select from incoming_clilocs where incoming_clilocs.number = clilocs.number)`,
  );
}

async function countTexts(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ stored: number }>("select count(*) as stored from clilocs");
  return rows[0]?.stored ?? 0;
}

const mergeTexts = `
  insert into clilocs (number, text)
  select number, incoming.text
  from incoming_clilocs incoming left join clilocs stored using (number)
  where stored.text is distinct from incoming.text
  on conflict (number) do update set text = excluded.text`;
