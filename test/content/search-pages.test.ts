import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SearchHit, searchContent } from "../../shared/content/search/search.ts";
import { query } from "../support/database/query.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
const texts = 6_000;

beforeAll(async () => {
  server = await startTestServer();
  // All texts contain "harbor". Every second heading contains "ferry", and every hundredth
  // "lantern".
  await query(
    server,
    `insert into search_entries (type, ref_id, slug, title, text, heading, words, audience, visible_from)
     select 'post', n, 'text-' || n, 'Text ' || n, 'harbor', to_tsvector('simple', heading),
       to_tsvector('simple', heading || ' harbor'),
       case when n % 1000 = 0 then 'staff' else 'anonymous' end, now() - n * interval '1 minute'
     from generate_series(1, ${texts}) n
     cross join lateral (select concat_ws(' ', 'text' || n, case when n % 2 = 0 then 'ferry' end,
       case when n % 100 = 1 then 'lantern' end) as heading) made`,
  );
});
afterAll(() => server.stop());

const search = (q: string, offset: number, limit = 100) =>
  searchContent({ q, offset, limit }, ["anonymous"], server.context);

async function readAllPages(q: string, total: number): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let offset = 0; offset < total; offset += 100) {
    const page = await search(q, offset);
    expect(page.total).toBe(total);
    hits.push(...page.hits);
  }
  return hits;
}

describe("the pages of a search", () => {
  it.each([
    ["harbor", texts - 6],
    ["ferry", texts / 2 - 6],
    ["lantern", texts / 100],
    ["harbor lantern", texts / 100],
  ])(
    "contain each text with the words %s once, ordered by score, and the exact total",
    async (q, total) => {
      const hits = await readAllPages(q, total);
      expect(hits).toHaveLength(total);
      expect(new Set(hits.map(({ slug }) => slug)).size).toBe(total);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    },
  );

  it("are empty after the last hit, and contain the total", async () => {
    expect(await search("harbor", 7_000)).toEqual({ hits: [], total: texts - 6 });
    expect(await search("lantern", 150)).toEqual({ hits: [], total: texts / 100 });
  });

  it("begin with a text that has the searched word in its heading, even if the text is old", async () => {
    await query(
      server,
      `update search_entries set heading = to_tsvector('simple', 'harbor'), visible_from = now() - interval '9 years'
       where ref_id = 17`,
    );
    const { hits } = await search("harbor", 0, 2);
    expect(hits.map(({ slug }) => slug)).toEqual(["text-17", expect.any(String)]);
  });

  it("continue without gaps or repeats across the two hundredth hit", async () => {
    const [before, across, after] = [
      await search("ferry", 100, 90),
      await search("ferry", 190, 20),
      await search("ferry", 210, 90),
    ];
    const whole = [...(await search("ferry", 100)).hits, ...(await search("ferry", 200)).hits];
    const slugs = [...before.hits, ...across.hits, ...after.hits].map(({ slug }) => slug);
    expect(slugs).toEqual(whole.map(({ slug }) => slug));
  });
});
