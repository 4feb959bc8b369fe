import type { Sequelize } from "sequelize";

import type { SearchWord } from "../../../models/content/search-word.ts";
import { countChanged, rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";

/** Forgets words that no text holds any more. @returns how many */
export async function pruneWords({
  sequelize,
}: {
  readonly sequelize: Sequelize;
}): Promise<{ deleted: number }> {
  const unheld = await rows<Pick<SearchWord, "word">>(sequelize, unheldSql);
  if (unheld.length === 0) return { deleted: 0 };
  return inTransaction(sequelize, async (transaction) => {
    // Waits for texts that are being saved: they found the word there, and left it at that.
    await rows(transaction, "lock table search_words in share row exclusive mode");
    const words = unheld.map(({ word }) => word);
    return { deleted: await countChanged(transaction, pruneSql, [words]) };
  });
}

/** Reads the words of all texts, for which nobody waits. */
const unheldSql = `
  select word from search_words where word not in (
    select word from ts_stat('select words from search_entries'))`;

// Words hold letters, digits and marks alone.
const pruneSql = `
  delete from search_words where word = any($1) and not exists (
    select from search_entries where words @@ quote_literal(search_words.word)::tsquery)`;
