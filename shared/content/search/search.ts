import type { Sequelize } from "sequelize";

import type { PageAudience } from "../../../models/content/page.ts";
import type { ContentType, SearchEntry } from "../../../models/content/search-entry.ts";
import { firstRow, type NullColumns, rows } from "../../platform/db/rows.ts";
import { onPoolConnection, type SqlClient } from "../../platform/db/sql.ts";
import { unfinishedWordsOf, wordsOf } from "../text/fold.ts";
import { excerptAround } from "./excerpt.ts";
import { countHitsSql, deepPageSql, firstPageSql, maxRankedHits } from "./search.sql.ts";
import { correctWords } from "./words.ts";

export interface ContentQuery {
  readonly q: string;
  readonly type?: ContentType | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface SearchHit {
  readonly type: ContentType;
  readonly slug: string;
  readonly title: string;
  /** Plain text around the hit. */
  readonly excerpt: string;
  readonly score: number;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** Finds texts with all words, the last one as a prefix. Without a hit, it corrects typing errors in the words. */
export async function searchContent(
  query: ContentQuery,
  audiences: readonly PageAudience[],
  { sequelize }: { readonly sequelize: Sequelize },
): Promise<SearchPage> {
  const words = dedupeWords(wordsOf(query.q));
  if (words.length === 0) return { hits: [], total: 0 };
  const unfinished = dedupeWords(unfinishedWordsOf(query.q));
  const asked = { ...query, audiences };
  return withoutSeqScan(sequelize, async (sql) => {
    const found = await findHits(
      asked,
      words.map((word) => [word]),
      sql,
    );
    if (found.total > 0) return found;
    if (unfinished.length < words.length) {
      const begun = await findHits(
        asked,
        unfinished.map((word) => [word]),
        sql,
      );
      if (begun.total > 0) return begun;
    }
    const corrected = await correctWords(words, audiences, sql);
    return corrected ? findHits(asked, corrected, sql) : found;
  });
}

/** Keeps the last word last even if it is a duplicate, because it also matches as a prefix. */
const dedupeWords = (words: readonly string[]): string[] => [
  ...new Set(words.slice(0, -1)),
  ...words.slice(-1),
];

/** Disables sequential scans: PostgreSQL underestimates the reads of word vectors, which are stored out of line. */
const withoutSeqScan = <T>(
  sequelize: Sequelize,
  read: (sql: SqlClient) => Promise<T>,
): Promise<T> =>
  onPoolConnection(sequelize, async (sql) => {
    // One round trip for both statements, because a search takes only a few milliseconds.
    await sql.query("begin read only; set local enable_seqscan = off");
    try {
      return await read(sql);
    } finally {
      await sql.query("rollback");
    }
  });

interface SearchRequest extends ContentQuery {
  readonly audiences: readonly PageAudience[];
}

interface Hit extends Readonly<Pick<SearchEntry, "slug" | "title" | "text">> {
  readonly type: ContentType;
  readonly score: number;
}

/** A row of hits. A page without hits is a single row with only the total. */
type HitRow = (Hit | NullColumns<Hit>) & { readonly total: number };

/** @param words each word with its alternatives */
async function findHits(
  { audiences, type, limit, offset }: SearchRequest,
  words: readonly (readonly string[])[],
  sql: SqlClient,
): Promise<SearchPage> {
  const values = [tsqueryOf(words), audiences, type];
  const isDeep = offset >= maxRankedHits;
  const found = isDeep
    ? await rows<HitRow>(sql, deepPageSql, [...values, limit, offset])
    : await rows<HitRow>(sql, firstPageSql, [
        ...values,
        limit,
        offset,
        Math.max(maxRankedHits, limit + offset),
      ]);
  const hits = found.flatMap((hit) =>
    hit.type === null
      ? []
      : {
          type: hit.type,
          slug: hit.slug,
          title: hit.title,
          excerpt: excerptAround(hit.text, words.flat()),
          score: Number(hit.score.toFixed(4)),
        },
  );
  const [first = await firstRow<Pick<HitRow, "total">>(sql, countHitsSql, values)] = found;
  return { hits, total: first?.total ?? 0 };
}

/** Requires all words and matches the last one as a prefix. Words contain only letters, digits and marks. */
const tsqueryOf = (words: readonly (readonly string[])[]): string =>
  words
    .map((alike, index) => {
      const end = index === words.length - 1 ? ":*" : "";
      return `(${alike.map((word) => `'${word}'${end}`).join(" | ")})`;
    })
    .join(" & ");
