import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createRandom, type RandomSource } from "../simulator/random.ts";
import { query } from "../support/database/query.ts";
import { statusAndBodyOf } from "../support/http/call.ts";
import { sampleCases } from "../support/runner/lane.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterAll(() => desk.stop());

const categories = ["Guides", "Houses", null];
const tags = ["mining", "travel", "first steps"];
const statuses = ["draft", "published", "published"] as const;

interface Page {
  readonly slug: string;
  revision: number;
}

const fieldsOf = (random: RandomSource) => ({
  title: `Page ${random.int(1, 40)}`,
  category: random.pick(categories),
  tags: tags.filter(() => random.chance(0.4)),
  status: random.pick(statuses),
});

async function act(random: RandomSource, pages: Page[]): Promise<void> {
  if (pages.length < 4 || random.chance(0.4)) {
    const { slug, revision } = await desk.make<Page>("/admin/wiki", {
      ...fieldsOf(random),
      body: "Text.",
    });
    pages.push({ slug, revision });
    return;
  }
  const page = random.pick(pages);
  if (random.chance(0.3)) {
    pages.splice(pages.indexOf(page), 1);
    await desk.ask(`DELETE /admin/wiki/${page.slug}`);
    return;
  }
  const body = { ...fieldsOf(random), base_revision: page.revision };
  expect(statusAndBodyOf(await desk.ask(`PUT /admin/wiki/${page.slug}`, body))).toMatchObject([
    200,
    {},
  ]);
  page.revision++;
}

const readWrong = (): Promise<object[]> =>
  query(
    desk.server,
    `select * from wiki_counts full join (
       select 'all' as counted, '' as key, count(*) as plain from wiki_pages
       where status = 'published' having count(*) > 0
       union all
       select 'category', category_id::text, count(*) from wiki_pages
       where status = 'published' and category_id is not null group by 2
       union all
       select 'tag', tag, count(*) from wiki_pages, unnest(tags) tag
       where status = 'published' group by 2
     ) counts using (counted, key) where pages is distinct from plain`,
  );

/** Requires all pages of the list to equal a plain sorted query on the table. */
async function expectSameList(words: string, condition: string): Promise<void> {
  const plain = await query<{ slug: string }>(
    desk.server,
    `select page.slug from wiki_pages page left join wiki_categories category on category.id = category_id
     where status = 'published' and ${condition} order by page.title, page.id`,
  );
  for (let offset = 0; offset <= plain.length + 3; offset += 3) {
    const { body } = await desk.read(`/public/wiki?limit=3&offset=${offset}${words}`);
    const { pages, total } = body as { pages: { slug: string }[]; total: number };
    const slugs = plain.slice(offset, offset + 3).map(({ slug }) => slug);
    expect({ offset, words, total, slugs: pages.map(({ slug }) => slug) }).toEqual({
      offset,
      words,
      total: plain.length,
      slugs,
    });
  }
}

describe("the stored counts of wiki pages", () => {
  it.each(
    sampleCases(
      Array.from({ length: 6 }, (_, seed) => `wiki ${seed}`),
      () => "seed",
    ),
  )("equal counts of the actual pages after random edits with seed %s", async (seed) => {
    await desk.server.context.models.WikiPage.destroy({ where: {} });
    const random = createRandom(seed);
    const pages: Page[] = [];
    for (let turn = 0; turn < 3; turn++) {
      for (let done = 0; done < 12; done++) await act(random, pages);
      expect(await readWrong()).toEqual([]);
    }
    await expectSameList("", "true");
    await expectSameList("&tag=mining", "'mining' = any(tags)");
    await expectSameList("&category=guides", "category.slug = 'guides'");
    const both = "'mining' = any(tags) and category.slug = 'guides'";
    await expectSameList("&tag=mining&category=guides", both);
    await expectSameList("&q=page+1", "title ilike '%page 1%'");
    await expectSameList("&category=unknown", "false");
  });
});
