import type { Transaction } from "sequelize";

import type { PageAudience, Page } from "../../../models/content/page.ts";
import type { Post } from "../../../models/content/post.ts";
import type { ContentType } from "../../../models/content/search-entry.ts";
import type { WikiPage } from "../../../models/content/wiki-page.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { wordsOf, foldText } from "../text/fold.ts";
import { transliterateText } from "../text/slugs.ts";
import { isSuggestionWord } from "./words.ts";

/** One entry of the search index. */
export interface SearchEntryInput {
  readonly type: ContentType;
  readonly refId: number;
  readonly slug: string;
  readonly title: string;
  /** Texts that rank below the title: excerpt, tags, category. */
  readonly beside: readonly string[];
  /** The body without markup. */
  readonly text: string;
  readonly audience: PageAudience;
  /** Null if the text is visible at once. */
  readonly visibleFrom: Date | null;
}

/** Adds or replaces a search entry. Searches find it after the transaction commits. */
async function indexEntry(entry: SearchEntryInput, transaction: Transaction): Promise<void> {
  const { type, refId, slug, title, beside, text, audience, visibleFrom } = entry;
  const [inTitle, inBeside, inText] = [title, beside.join(" "), text].map(wordsOf);
  const words = [inTitle, inBeside, inText].map((all) => vectorOf(all ?? []));
  const values = [type, refId, slug, title, text, ...words, audience, visibleFrom];
  await executeStatement(transaction, indexSql, values);
  await storeWords(
    [inTitle, inBeside, inText].flatMap((all) => all ?? []),
    transaction,
  );
}

export async function removeSearchEntry(
  type: ContentType,
  refId: number,
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).SearchEntry.destroy({ where: { type, refId }, transaction });
}

/** The limits of a tsvector: positions per word, and the highest position. */
const maxPositions = 255;
const maxPosition = 16_383;

/** Formats a tsvector. PostgreSQL's own parser would split folded words at accents, by rules of its locale. */
function vectorOf(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    const known = places.get(word);
    const place = Math.min(index + 1, maxPosition);
    if (!known) places.set(word, [place]);
    else if (known.length < maxPositions) known.push(place);
  }
  return Array.from(places, ([word, at]) => `'${word}':${at.join()}`).join(" ");
}

const indexSql = `
  insert into search_entries (type, ref_id, slug, title, text, heading, words, audience, visible_from)
  select $1, $2, $3, $4, $5, heading, heading || setweight($8::tsvector, 'D'), $9,
    coalesce($10::timestamptz, now())
  from (select setweight($6::tsvector, 'A')
    || setweight($7::tsvector, 'B') as heading) made
  on conflict (type, ref_id) do update set slug = excluded.slug, title = excluded.title,
    text = excluded.text, heading = excluded.heading, words = excluded.words,
    audience = excluded.audience, visible_from = excluded.visible_from`;

/** Stores words for the correction of typing errors. */
async function storeWords(words: readonly string[], transaction: Transaction): Promise<void> {
  const learnt = [...new Set(words)].filter(isSuggestionWord);
  const latin = learnt.map(toLatin);
  await executeStatement(transaction, learnSql, [learnt, latin]);
}

/** Most words are Latin already, so skip their transliteration: a long text has thousands of words. */
const toLatin = (word: string): string =>
  /^[a-z\d]+$/.test(word) ? word : transliterateText(word).toLowerCase();

// Most words are stored already, and a lookup is cheaper than an insert. New words are inserted in one
// order, so that two transactions cannot deadlock.
const learnSql = `
  insert into search_words (word, latin)
  select word, latin from unnest($1::text[], $2::text[]) as given (word, latin)
  where not exists (select from search_words known where known.word = given.word)
  order by word collate "C" on conflict do nothing`;

/** Returns the folded text that lists of posts are searched by. */
export const foldPostTexts = ({ title, excerpt, autoExcerpt }: Post): string =>
  foldText(`${title} ${excerpt ?? autoExcerpt}`);

/** Updates the search entry of a post. A published post is found from its publication time on. */
export async function indexPost(post: Post, text: string, transaction: Transaction): Promise<void> {
  const { id: refId, slug, title, status, tags, publishedAt: visibleFrom } = post;
  if (status === "draft") return removeSearchEntry("post", refId, transaction);
  const secondaryTexts = [post.excerpt ?? post.autoExcerpt, ...tags];
  const entry = { type: "post", refId, slug, title, beside: secondaryTexts, text } as const;
  return indexEntry({ ...entry, audience: "anonymous", visibleFrom }, transaction);
}

/** Updates the search entry of a page. Only the page's audience finds it. */
export async function indexPage(page: Page, text: string, transaction: Transaction): Promise<void> {
  const { id: refId, slug, title, audience, status } = page;
  if (status === "draft") return removeSearchEntry("page", refId, transaction);
  const entry = { type: "page", refId, slug, title, beside: [], text, audience } as const;
  return indexEntry({ ...entry, visibleFrom: null }, transaction);
}

/** Updates the search entry of a wiki page, which is also found by its tags and category. */
export async function indexWikiPage(
  page: WikiPage,
  text: string,
  transaction: Transaction,
): Promise<void> {
  const { id: refId, slug, title, status, tags, categoryId } = page;
  if (status === "draft") return removeSearchEntry("wiki", refId, transaction);
  const { WikiCategory } = modelsOf(transaction);
  const category = categoryId && (await WikiCategory.findByPk(categoryId, { transaction }));
  const secondaryTexts = [...tags, category ? category.name : ""];
  const entry = { type: "wiki", refId, slug, title, beside: secondaryTexts, text } as const;
  return indexEntry({ ...entry, audience: "anonymous", visibleFrom: null }, transaction);
}
