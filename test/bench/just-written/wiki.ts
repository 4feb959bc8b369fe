import pLimit from "p-limit";

import { createWikiPage, type NewWikiPage } from "../../../shared/content/wiki/write-wiki-page.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";
import { createTestUser } from "../../support/accounts/sign-in.ts";
import { longMarkdown, searchTermGenerators } from "../content/world.ts";
import { type DomainWriter, pathOf } from "./site.ts";

const pages = { full: 2_000, short: 150 } as const;
const tags = 60;
const categories = 12;

/** Saves wiki pages, as editors do who move a wiki to the site. */
export const writeWiki: DomainWriter = async ({ client, context, isShort }) => {
  const { userId } = await createTestUser({ context }, { role: "editor" });
  const inTurn = pLimit(4);
  const numbers = Array.from({ length: isShort ? pages.short : pages.full }, (_, at) => at);
  await Promise.all(
    numbers.map((number) =>
      inTurn(() => createWikiPage(buildPage(number), { userId, apiToken: null }, context)),
    ),
  );
  const { rows } = await client.query<{ slug: string }>("select slug from wiki_pages order by id");
  const slugs = rows.map(({ slug }) => slug);
  return {
    "a page": (random) => pathOf(`wiki/${random.pick(slugs)}`),
    "the list": (random) => pathOf("wiki", { offset: random.int(0, slugs.length) }),
    "the pages with a tag": (random) =>
      pathOf("wiki", { tag: drawTag(random), limit: random.int(5, 50) }),
    "titles with a text": (random) =>
      pathOf("wiki", { q: drawTerm("one word", random).slice(0, 4) }),
    "a search": (random) => pathOf("search", { q: drawTerm("two words", random) }),
    "a search for a common word": (random) => {
      const q = drawTerm("a word of most texts", random);
      return pathOf("search", { q, limit: random.int(20, 50), offset: random.int(0, 9) });
    },
    "a search with a typo": (random) => pathOf("search", { q: drawTerm("a typo", random) }),
  };
};

function buildPage(number: number): NewWikiPage {
  const random = createRandom(`wiki page ${number}`);
  return {
    title: `${drawTerm("two words", random)} ${number}`,
    body: longMarkdown(`wiki text ${number}`, Math.min(20_000, random.logNormal(3_000, 0.7))),
    category: `Category ${random.int(1, categories)}`,
    tags: [...new Set([drawTag(random), drawTag(random)])],
    status: "published",
  };
}

/** Draws a tag. Few tags are very common. */
const drawTag = (random: RandomSource): string => `tag ${Math.floor(tags * random.next() ** 2)}`;

const drawTerm = (kind: string, random: RandomSource): string =>
  (searchTermGenerators[kind]?.(random) ?? "").padEnd(2, "a");
