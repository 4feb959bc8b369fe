import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { renderMarkdown } from "../../shared/content/markdown/render.ts";
import { decidePublication, postStatuses } from "../../shared/content/posts/publication.ts";
import { extractExcerpt } from "../../shared/content/search/search.ts";
import { cleanLine, cleanText, shortenText } from "../../shared/content/text/clean.ts";
import { wordsOf } from "../../shared/content/text/fold.ts";
import { appendSlugNumber, slugOf, slugPattern } from "../../shared/content/text/slugs.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

/** The addresses of the tests' site, and of a web app at another origin. */
const images = {
  PUBLIC_BASE_URL: "https://guild.example",
  ALLOWED_ORIGINS: ["https://app.guild.example:8443"],
  CONTENT_IMAGE_PATHS: ["/images/"],
};

const render = (source: string) =>
  renderMarkdown(source, { findSlugs: async () => new Map(), images });
const html = async (source: string) => (await render(source)).html;

/** Generates texts with many characters that have a meaning in Markdown or HTML. */
const source = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...`[|]|(|)|<|>|!|*|_|\`|#|\n|"|'|&|\\|[[|]]|~~`.split("|"),
        ..."javascript:|https://|data:|<script>|onerror=|\n\n- ".split("|"),
      ),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("Markdown", () => {
  it.each<[string, string, string]>([
    ["shows raw HTML as text", "<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"],
    [
      "marks links that leave the site",
      "[a](https://x.org) https://y.org",
      '<p><a href="https://x.org" rel="nofollow ugc noopener">a</a> ' +
        '<a href="https://y.org" rel="nofollow ugc noopener">https://y.org</a></p>\n',
    ],
    [
      "leaves links of the site as they are",
      "[a](/wiki/b#c)",
      '<p><a href="/wiki/b#c">a</a></p>\n',
    ],
    ["links mail addresses", "[a](mailto:a@b.c)", '<p><a href="mailto:a@b.c">a</a></p>\n'],
    ["does not make a file name a link", "see readme.md", "<p>see readme.md</p>\n"],
    ["drops an image over http", "![the **alt**](http://x/y.png)", "<p>the alt</p>\n"],
    ["drops an image without a scheme", "![alt](//x/y.png)", "<p>alt</p>\n"],
    ["drops an image with a data URL", "![alt](data:image/png;base64,AA)", "<p>alt</p>\n"],
    [
      "shows an image over https",
      '![alt](https://x/y.png "t")',
      '<p><img src="https://x/y.png" alt="alt" title="t" loading="lazy" /></p>\n',
    ],
    [
      "shows a picture of the site",
      "![a](/images/a.png)",
      '<p><img src="/images/a.png" alt="a" loading="lazy" /></p>\n',
    ],
    ["drops an image that is another path of the site", "![a](/wp-login.php)", "<p>a</p>\n"],
    [
      "drops an image whose address contains a user name",
      "![a](https://u:p@x.org/a.png)",
      "<p>a</p>\n",
    ],
    [
      "drops a link whose address contains a user name",
      "[a](https://u:p@x.org/)",
      "<p><a>a</a></p>\n",
    ],
    [
      "aligns columns without a style attribute",
      "|a|\n|-:|",
      '<table>\n<thead>\n<tr>\n<th align="right">a</th>\n</tr>\n</thead>\n</table>\n',
    ],
    [
      "adds a class for the language of a code block",
      "```js\n1\n```",
      '<pre><code class="language-js">1\n</code></pre>\n',
    ],
    [
      "numbers the anchors of equal headings",
      "# X\n# X\n# X 2\n# X",
      '<h1 id="h-x">X</h1>\n<h1 id="h-x-2">X</h1>\n<h1 id="h-x-2-2">X 2</h1>\n<h1 id="h-x-3">X</h1>\n',
    ],
    ["gives a heading without letters an anchor", "# 🎉", '<h1 id="h-section">🎉</h1>\n'],
    [
      "links a title in brackets to the wiki",
      "[[The Bank]]",
      '<p><a href="/wiki/the-bank">The Bank</a></p>\n',
    ],
    [
      "links other words to a wiki page",
      "[[The Bank#Opening hours|*it*]]",
      '<p><a href="/wiki/the-bank#h-opening-hours">*it*</a></p>\n',
    ],
    ["leaves brackets that name no page", "[[🎉]] [[]] [[a", "<p>[[🎉]] [[]] [[a</p>\n"],
    [
      "renders the inner of two nested links",
      "[a [[b]] c](/x)",
      '<p>[a <a href="/wiki/b">b</a> c](/x)</p>\n',
    ],
    ["leaves code unchanged", "`[[a]] <b>`", "<p><code>[[a]] &lt;b&gt;</code></p>\n"],
  ])("%s", async (_what, given, expected) => {
    expect(await html(given)).toBe(expected);
  });

  it("returns the headings, the plain text and the first paragraph", async () => {
    const { toc, text, excerpt } = await render(
      "# A *b*\n\nOne [two](/x)\n![three](/y)\n\n- four\n\n`five`",
    );
    expect({ toc, text, excerpt }).toEqual({
      toc: [{ level: 1, text: "A b", anchor: "h-a-b" }],
      text: "A b\nOne two three\nfour\nfive",
      excerpt: "One two three",
    });
  });

  const mayStand =
    /^(?:h[1-6]|p|br|hr|blockquote|pre|code|[uo]l|li|a|img|strong|em|s|sup|section|t(?:able|head|body|[rhd]))$/;
  const mayBeSaid =
    /^(?:(?:id|title|rel|alt|loading|start|align|class)=|href="(?:#|\/(?![/\\])|https?:|mailto:|[^:/?#]*(?:[/?#]|"))|src="(?:\/(?![/\\])|https:))/i;

  it("produces only allowed tags and attributes from any text", async () => {
    await fc.assert(
      fc.asyncProperty(source, async (given) => {
        const made = await html(given);
        const tags = [...made.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)];
        for (const [, name = ""] of tags) expect(name).toMatch(mayStand);
        const attributes = tags.flatMap(([, , text = ""]) => [
          ...text.matchAll(/\s([^=/]+="[^"]*)"/g),
        ]);
        for (const [, attribute = ""] of attributes) expect(attribute).toMatch(mayBeSaid);
      }),
      { numRuns: propertyRunsOf(400) },
    );
  });

  it.each([
    "[",
    "[[",
    "*a ",
    "_a",
    "<",
    "&",
    "# x\n",
    "[a](",
    "![a](",
    "http://",
    "|a",
    "~~a",
    "> ",
  ])("renders 100,000 characters of %j within 8 seconds of CPU time", async (piece) => {
    const before = process.cpuUsage();
    await render(piece.repeat(Math.floor(100_000 / piece.length)));
    // Measure the CPU time of this process, because it does not depend on other processes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(8_000);
  });
});

describe("a slug", () => {
  it("is well-formed or empty for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.nat(100_000),
        (text, number) => {
          const slug = slugOf(text);
          expect(slug === "" || (slugPattern.test(slug) && slug.length <= 80)).toBe(true);
          const numbered = appendSlugNumber(slug || "post", number);
          expect(numbered).toMatch(slugPattern);
          expect(numbered.length).toBeLessThanOrEqual(80);
        },
      ),
    );
  });

  it.each([
    ["Привет, мир", "privet-mir"],
    ["Ελλάδα και Θησείο", "ellada-kai-thiseio"],
    ["北京欢迎你", "bei-jing-huan-ying-ni"],
    ["日本語", "ri-ben-yu"],
    ["한국어", "hangugeo"],
    ["مرحبا", "mrhb"],
    ["Über Größe", "uber-grosse"],
    ["Łódź", "lodz"],
    ["Don't panic", "dont-panic"],
    ["---", ""],
  ])("is made from the title %s and is %s", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });
});

describe("cleaning a text", () => {
  it("removes every character that XML forbids, and cleaning it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = cleanText(text);
        // oxlint-disable-next-line no-control-regex
        expect(clean).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\r]/);
        expect(cleanText(clean)).toBe(clean);
        expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
        expect(cleanLine(text)).not.toContain("\n");
      }),
    );
  });

  it("leaves one space where several spaces or removed characters were", () => {
    expect(cleanLine(" the\t\u0000\t feast\u0001 \u0002")).toBe("the feast");
  });

  it("shortens the text between words, or within a word that is too long", () => {
    expect(shortenText("one two three", 13)).toBe("one two three");
    expect(shortenText("one two three", 12)).toBe("one two…");
    expect(shortenText("🎉".repeat(20), 10)).toBe(`${"🎉".repeat(9)}…`);
  });
});

describe("the words of a text", () => {
  it("contain only letters, digits and marks, for any text", () => {
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts, (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,60}$/u);
      }),
      { examples: [["\u1C4D\u{11630}"]] },
    );
  });

  it("are cut to their maximum length between characters", () => {
    expect(
      wordsOf(`a${"\u{1D5BA}\u{11600}".repeat(40)}`).every((word) => word.isWellFormed()),
    ).toBe(true);
    expect(wordsOf(`a${"\u{11600}".repeat(40)}`)).toEqual([`a${"\u{11600}".repeat(29)}`]);
  });

  it("are shown in an excerpt of at most 200 characters", () => {
    const text = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 80 });
    fc.assert(
      fc.property(
        text.map((words) => words.join(" ")),
        fc.nat(),
        (given, seed) => {
          const words = wordsOf(given);
          const word = words[seed % Math.max(1, words.length)] ?? "none";
          const excerpt = extractExcerpt(given, [word]);
          expect(excerpt.length).toBeLessThanOrEqual(200);
          expect(excerpt.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

describe("publishing a post", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  const [past, future] = [new Date("2026-11-01T10:00:00Z"), new Date("2026-12-01T10:00:00Z")];
  const times = [null, past, future] as const;
  const stored = fc
    .record({
      status: fc.constantFrom("draft" as const, "published" as const),
      publishedAt: fc.constantFrom(...times),
    })
    .map(({ status, publishedAt }) => ({
      status,
      publishedAt: status === "published" ? (publishedAt ?? now) : publishedAt,
    }));
  const asked = fc.record({
    status: fc.constantFrom(undefined, ...postStatuses),
    published_at: fc.constantFrom(undefined, ...times),
  });

  it("always has a time, keeps every given time, and is immediate if requested without a time", () => {
    fc.assert(
      fc.property(stored, asked, (before, given) => {
        const after = decide(before, given);
        const isWithoutTime =
          (given.status === "scheduled" ||
            (given.status === undefined && before.status === "published")) &&
          (given.published_at === null || (!given.published_at && !before.publishedAt));
        expect(after === null).toBe(isWithoutTime);
        if (!after) return;
        const { status, published_at } = given;
        expect(after.status === "draft" || after.publishedAt !== null).toBe(true);
        expect(after.publishedAt).toEqual(published_at ?? after.publishedAt);
        const isNow = status === "published" && !published_at;
        expect(!isNow || (after.publishedAt !== null && after.publishedAt <= now)).toBe(true);
      }),
    );
  });

  const decide = (
    ...[before, given]: [
      Parameters<typeof decidePublication>[1],
      Parameters<typeof decidePublication>[2],
    ]
  ) => {
    try {
      return decidePublication(now, before, given);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  };

  it.each([
    ["the stored time if that is past", past, past],
    ["the current time if the stored time is in the future", future, now],
    ["the current time if no time is stored", null, now],
  ])("gives a draft, if no time is requested, %s", (_what, publishedAt, expected) => {
    const after = decide({ status: "draft", publishedAt }, { status: "published" });
    expect(after).toEqual({ status: "published", publishedAt: expected });
  });
});
