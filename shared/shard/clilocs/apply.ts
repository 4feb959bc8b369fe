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

const batchSize = 5_000;

/** Puts the new table in the old one's place and names the market anew, in one transaction. */
export function applyClilocs(
  { texts, fingerprint, loaded, result }: ReadTexts,
  run: ImportRun,
  { sequelize }: Context,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    await run.finish(result, transaction);
    await stageTexts(texts, sql);
    await sql.query(
      `delete from clilocs where not exists
         (select from clilocs_incoming incoming where incoming.number = clilocs.number)`,
    );
    await sql.query(
      `insert into clilocs (number, text) select number, text from clilocs_incoming
       on conflict (number) do update set text = excluded.text
         where clilocs.text is distinct from excluded.text`,
    );
    await reresolveNames(sql);
    await writeImported("clilocs", { fingerprint, loaded }, sql);
  });
}

async function stageTexts(texts: ReadonlyMap<number, string>, sql: Sql): Promise<void> {
  await sql.query(
    "create temporary table clilocs_incoming (number integer primary key, text text not null) on commit drop",
  );
  const entries = [...texts];
  for (let at = 0; at < entries.length; at += batchSize) {
    const batch = entries.slice(at, at + batchSize);
    await sql.query(
      "insert into clilocs_incoming select * from unnest($1::integer[], $2::text[])",
      [batch.map(([number]) => number), batch.map(([, text]) => text)],
    );
  }
  await sql.query("analyze clilocs_incoming");
}
