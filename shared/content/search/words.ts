import type { Sequelize } from "sequelize";

import type { PageAudience } from "../../../models/content/page.ts";
import type { SearchWord } from "../../../models/content/search-word.ts";
import { type Database, rows, executeStatement } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { transliterateText } from "../text/slugs.ts";

/**
 * Returns for each word the most similar stored words, from texts of these audiences; null if a word has no
 * similar one.
 */
export async function findSimilarWords(
  words: readonly string[],
  audiences: readonly PageAudience[],
  database: Database,
): Promise<string[][] | null> {
  const latin = words.map((word) => transliterateText(word).toLowerCase());
  const found = await rows<SimilarWord>(database, similarWordsSql, [latin, audiences]);
  const corrected = words.map((given, index) => {
    const alike = found.filter(({ place }) => place === index + 1).map(({ word }) => word);
    // Short words and numbers are not stored for correction, so take them as written.
    if (alike.length === 0) return isSuggestionWord(given) ? [] : [given];
    return [...new Set([given, ...alike])];
  });
  return corrected.every((alike) => alike.length > 0) ? corrected : null;
}

type SimilarWord = Pick<SearchWord, "word"> & { readonly place: number };

/**
 * Selects up to four stored words for each word. Their similarity is at least 0.3 (such as for two swapped
 * letters in a word of six) and at least three quarters of the best similarity. Words that occur only in hidden
 * texts are skipped, because they would reveal those texts.
 */
const similarWordsSql = `
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

/** Deletes words that no text contains any more. @returns the number deleted */
export async function pruneWords({
  sequelize,
}: {
  readonly sequelize: Sequelize;
}): Promise<{ deleted: number }> {
  const unheld = await rows<Pick<SearchWord, "word">>(sequelize, unusedWordsSql);
  if (unheld.length === 0) return { deleted: 0 };
  return inTransaction(sequelize, async (transaction) => {
    // Wait for transactions that save texts: they rely on the words that they found stored.
    await rows(transaction, "lock table search_words in share row exclusive mode");
    const words = unheld.map(({ word }) => word);
    return { deleted: await executeStatement(transaction, pruneSql, [words]) };
  });
}

/** Reads the words of all texts. It runs before the lock, so nothing waits for it. */
const unusedWordsSql = `
  select word from search_words where word not in (
    select word from ts_stat('select words from search_entries'))`;

// Words need no escaping: they contain only letters and marks.
const pruneSql = `
  delete from search_words where word = any($1) and not exists (
    select from search_entries where words @@ quote_literal(search_words.word)::tsquery)`;

/** Returns true if a word is stored for correction. Short words resemble too many others; numbers are exact. */
export const isSuggestionWord = (word: string): boolean => /^(?=.*\p{L}).{3,40}$/u.test(word);
