import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import express from "express";
import { Pool } from "pg";

import { answerCalls } from "../parts/answering.ts";

/**
 * The baseline of the search benchmark: a hand-written statement with the same index, ranking and columns. The
 * excerpt of each hit is the start of the text.
 */

interface Hit {
  readonly total: number;
}

const pool = new Pool({
  connectionString: process.env["DATABASE_URL"],
  max: 10,
  // Forbid sequential scans: for a common word the planner would choose one, which detoasts each stored text.
  options: "-c enable_seqscan=off",
});

const search = `
  with hits as materialized (
    select ctid, visible_from, ts_rank(heading, to_tsquery('simple', $1)) as rank
    from search_entries
    where words @@ to_tsquery('simple', $1) and visible_from <= now() and audience = 'anonymous'),
  first as (select ctid, rank from hits order by rank desc, visible_from desc limit 200),
  page as (
    select first.ctid, first.rank + ts_rank(words, to_tsquery('simple', $1), 1) as score
    from first join search_entries on search_entries.ctid = first.ctid order by score desc limit 50)
  select type, slug, title, left(text, 200) as excerpt, score,
    (select count(*)::integer from hits) as total
  from page join search_entries on search_entries.ctid = page.ctid order by score desc`;

const alike = `select word from search_words where latin % $1
  order by similarity(latin, $1) desc limit 4`;

const find = async (words: readonly (readonly string[])[]): Promise<Hit[]> => {
  // The visitor may still be typing the last word, so match it as a prefix.
  const end = (index: number) => (index === words.length - 1 ? ":*" : "");
  const wanted = words
    .map((all, index) => `(${all.map((word) => `${word}${end(index)}`).join(" | ")})`)
    .join(" & ");
  return (await pool.query<Hit>(search, [wanted])).rows;
};

const correct = (words: readonly string[]): Promise<string[][]> =>
  Promise.all(
    words.map(async (word) => {
      const { rows } = await pool.query<{ word: string }>(alike, [word]);
      return [word, ...rows.map((row) => row.word)];
    }),
  );

const app = express();
app.disable("etag");
app.get("/api/v1/public/search", async (request, response) => {
  const { q = "" } = request.query as { readonly q?: string };
  const words = q.split(" ");
  const found = await find(words.map((word) => [word]));
  const hits = found.length > 0 ? found : await find(await correct(words));
  response.json({ hits, total: hits[0]?.total ?? 0 });
});
const server = createServer(app);

answerCalls({
  /** Starts to listen. @returns the server's URL */
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});
