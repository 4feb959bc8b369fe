import type { Sequelize } from "sequelize";

import type { PageAudience } from "../../../models/content/page.ts";
import type { SearchWord } from "../../../models/content/search-word.ts";
import { type Database, rows, countChanged } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { transliterate } from "../text/slugs.ts";

/** The words that are most like those given, of texts for these audiences; null where one is like none. */
export async function correctWords(
  words: readonly string[],
  audiences: readonly PageAudience[],
  database: Database,
): Promise<string[][] | null> {
  const latin = words.map((word) => transliterate(word).toLowerCase());
  const found = await rows<LikeWord>(database, likeSql, [latin, audiences]);
  const corrected = words.map((given, index) => {
    const alike = found.filter(({ place }) => place === index + 1).map(({ word }) => word);
    // Nobody remembers a short word or a number for who mistypes it: it is meant as it is written.
    if (alike.length === 0) return isLearnt(given) ? [] : [given];
    return [...new Set([given, ...alike])];
  });
  return corrected.every((alike) => alike.length > 0) ? corrected : null;
}

type LikeWord = Pick<SearchWord, "word"> & { readonly place: number };

/**
 * A word is like another one from 0.3 on: two letters exchanged in the midst of a word of six. Words
 * that are less like it than the likest by a quarter were hardly meant. Those that only hidden texts
 * hold count for nothing: they would tell by what is found in their stead that they are there.
 */
const likeSql = `
  select given.place::integer as place, alike.word
  from unnest($1::text[]) with ordinality as given (latin, place)
  cross join lateral (
    select word, likeness, max(likeness) over () as most from (
      select word, likeness from (
        select word, similarity(latin, given.latin) as likeness
        from search_words where latin % given.latin order by likeness desc, word limit 50) likened
      cross join lateral (
        select from search_entries
        where words @@ quote_literal(word)::tsquery and visible_from <= now()
          and audience = any($2) limit 1) seen
      order by likeness desc, word limit 4) likest) alike
  where likeness >= most * 0.75
  order by given.place, likeness desc, word`;

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

/**
 * Whether a word is remembered for those who mistype it. Shorter ones are like too many others, and
 * numbers are meant as they are written.
 */
export const isLearnt = (word: string): boolean => /^(?=.*\p{L}).{3,40}$/u.test(word);
