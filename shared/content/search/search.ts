import type { Sequelize } from "sequelize";

import type { PageAudience } from "../../../models/content/page.ts";
import type { ContentType, SearchEntry } from "../../../models/content/search-entry.ts";
import { firstRow, type NullColumns, rows } from "../../platform/db/rows.ts";
import { onPoolConnection, type SqlClient } from "../../platform/db/sql.ts";
import { cleanLine } from "../text/clean.ts";
import {
  foldTextKeepingPositions,
  hasUnspacedScript,
  unfinishedWordsOf,
  wordsOf,
} from "../text/fold.ts";
import { countHitsSql, deepPageSql, firstPageSql, maxRankedHits } from "./search.sql.ts";
import { findSimilarWords } from "./words.ts";

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
    const corrected = await findSimilarWords(words, audiences, sql);
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
          excerpt: extractExcerpt(hit.text, words.flat()),
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

const longest = 200;
/** Characters shown before the hit. */
const before = 60;

/** The remains of characters at the ends of a cut text: half a surrogate pair, or combining marks. */
const halves = /^(?:[\uDC00-\uDFFF]|\p{M}+)|[\uD800-\uDBFF]$/gu;

/** Returns an excerpt around the first hit of one of the words, or the beginning of the text without a hit. */
export function extractExcerpt(text: string, words: readonly string[]): string {
  const hit = findWord(text, words);
  const start = hit > before ? text.indexOf(" ", hit - before) + 1 : 0;
  // In a very long word no space precedes the hit, so the excerpt begins at a fixed distance before it.
  const from = start > hit || start === 0 ? Math.max(0, hit - before) : start;
  const cut = text.slice(from, from + longest - 2).replaceAll(halves, "");
  const piece = cleanLine(cut.toWellFormed());
  const head = from > 0 ? "…" : "";
  const tail = from + longest - 2 < text.length ? "…" : "";
  return head + piece + tail;
}

/** The number of code units that are folded at a time. Most hits are near the beginning of a text. */
const windowLength = 4096;
/** The next window starts this many code units earlier, to find a word that the window's end cuts. */
const overlap = 64;
/** A pattern also tests the character before the match, which can have two code units. */
const signBefore = 2;

/** Words contain only letters, digits and marks, so a pattern needs no escapes. */
function patternOf(word: string): string {
  const composed = word.normalize("NFC");
  return hasUnspacedScript(word) ? composed : `(?<![\\p{L}\\p{N}\\p{M}])${composed}`;
}

/** Finds the first word that begins with one of `words` (folded, at most 60 characters); 0 if there is none. */
function findWord(text: string, words: readonly string[]): number {
  const pattern = new RegExp(words.map(patternOf).join("|"), "gu");
  for (let start = 0; start < text.length; start += windowLength - overlap) {
    const end = start + windowLength;
    pattern.lastIndex = start === 0 ? 0 : signBefore;
    const hit = pattern.exec(foldTextKeepingPositions(text.slice(start, end)))?.index;
    const isWhole = end >= text.length || (hit ?? 0) < windowLength - overlap + signBefore;
    if (hit !== undefined && isWhole) return start + hit;
  }
  return 0;
}
