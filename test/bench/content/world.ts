import type { Client } from "pg";

import { createRandom, type RandomSource } from "../../simulator/random.ts";

export interface ContentSize {
  readonly posts: number;
  readonly pages: number;
}

const syllables =
  "ba be bri ca cor da dra el fa gal ha il jhe ka lo min mo nu or qua ra sil ta ul ve yew zo".split(
    " ",
  );

/** The words of the generated texts, the most frequent words first. */
const vocabulary: readonly string[] = wordsOf(createRandom("vocabulary"));

function wordsOf(random: RandomSource): string[] {
  const words = new Set<string>();
  while (words.size < 12_000) {
    const parts = Array.from({ length: random.int(2, 5) }, () => random.pick(syllables));
    words.add(parts.join(""));
  }
  return [...words];
}

/** Draws a word with a realistic frequency: few words are very common. */
const pickWord = (random: RandomSource): string =>
  vocabulary[Math.floor(vocabulary.length ** random.next()) - 1] ?? "";

const textOf = (random: RandomSource, length: number): string =>
  Array.from({ length }, () => pickWord(random)).join(" ");

/** Returns Markdown of this length with headings, lists and links. */
export function longMarkdown(seed: string, length: number): string {
  const random = createRandom(seed);
  const blocks: string[] = [];
  for (let size = 0; size < length; size += blocks.at(-1)?.length ?? 0) {
    const text = textOf(random, 60);
    blocks.push(
      random.pick([
        `## ${textOf(random, 4)}\n\n`,
        `- ${text}\n- **${textOf(random, 9)}**\n\n`,
        `${text} [[${pickWord(random)}]]\n\n`,
        `${text} [${pickWord(random)}](https://example.org/)\n\n`,
      ]),
    );
  }
  return blocks.join("").slice(0, length);
}

const batch = 500;

/**
 * Fills the search index as saving content does. Posts have 250 words on average, and pages 700.
 */
export async function fillSearchIndex(
  { posts, pages }: ContentSize,
  client: Client,
): Promise<void> {
  await fillKind("post", posts, 250, client);
  await fillKind("wiki", pages, 700, client);
  await client.query(
    `insert into search_words select word, word from unnest($1::text[]) as word on conflict do nothing`,
    [vocabulary],
  );
  await client.query("vacuum analyze search_entries, search_words");
}

async function fillKind(
  type: string,
  count: number,
  median: number,
  client: Client,
): Promise<void> {
  const random = createRandom(type);
  for (let first = 1; first <= count; first += batch) {
    const ids = Array.from({ length: Math.min(batch, count - first + 1) }, (_, at) => first + at);
    const titles = ids.map(() => textOf(random, random.int(1, 5)));
    const texts = ids.map(() => textOf(random, Math.min(5_000, random.logNormal(median, 0.6))));
    await client.query(fillSql, [type, ids, titles, texts]);
  }
}

const fillSql = `
  insert into search_entries (type, ref_id, slug, title, text, heading, words, audience, visible_from)
  select $1, id, $1 || '-' || id, title, text, setweight(to_tsvector('simple', title), 'A'),
    setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', text), 'D'),
    'anonymous', now() - make_interval(mins => id)
  from unnest($2::integer[], $3::text[], $4::text[]) as given (id, title, text)`;

/** Functions that draw a search term, by the kind of the search. */
export const searchTermGenerators: Readonly<Record<string, (random: RandomSource) => string>> = {
  "one word": pickWord,
  "a word of most texts": (random) => vocabulary[random.int(0, 9)] ?? "",
  "two words": (random) => `${pickWord(random)} ${pickWord(random)}`,
  "an unfinished word": (random) => pickWord(random).slice(0, 5),
  "a typo": (random) => {
    const word = vocabulary[random.int(0, vocabulary.length - 1)] ?? "";
    const at = random.int(1, word.length - 2);
    return `${word.slice(0, at)}x${word.slice(at)}`;
  },
};
