import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { renderMarkdown } from "../../shared/content/markdown/render.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";
import { ContentTestSite } from "./desk.ts";

const images = {
  PUBLIC_BASE_URL: "https://guild.example",
  ALLOWED_ORIGINS: [],
  CONTENT_IMAGE_PATHS: ["/images/"],
};
const render = (source: string) =>
  renderMarkdown(source, { findSlugs: async () => new Map(), images });
const html = async (source: string) => (await render(source)).html;

/** Renders a table with this row. @returns the cells of the row */
const lastCells = async (row: string) => {
  const made = await html(`| a | b |\n|---|---|\n${row}`);
  return [...(made.split("<tr>").at(-1) ?? "").matchAll(/<td>(.*?)<\/td>/g)].map(
    ([, cell]) => cell,
  );
};

describe("a wiki link in a table", () => {
  it.each([
    ["| [[Page|words]] | 2 |", ['<a href="/wiki/page">words</a>', "2"]],
    [
      "[[Page#Top|words]] | [[Page]]",
      ['<a href="/wiki/page#h-top">words</a>', '<a href="/wiki/page">Page</a>'],
    ],
    ["| 1 | [[A|b]] [[C|d]] |", ["1", '<a href="/wiki/a">b</a> <a href="/wiki/c">d</a>']],
    ["| [[Page\\|words]] | 2 |", ['<a href="/wiki/page">words</a>', "2"]],
    ["| \\[[Page|words]] |", ["[[Page", "words]]"]],
    ["| [[Page|words] | 2 |", ["[[Page", "words]"]],
    ["| [[|words]] | 2 |", ["[[", "words]]"]],
  ])("splits the row %s into the cells %j", async (row, cells) => {
    expect(await lastCells(row)).toEqual(cells);
  });

  it("is left as typed in code and in a link title", async () => {
    expect(await lastCells("| `[[a|b]]` | 2 |")).toEqual(["<code>[[a|b]]</code>", "2"]);
    expect(await html("```[[a|b]]\n[[a|b]]\n```")).toContain("[[a|b]]\n");
    expect(await html('[x]\n\n[x]: /y "[[a|b]]"')).toContain('title="[[a|b]]"');
  });

  it("is rendered in a header cell and inside a block quote", async () => {
    const made = await html("> | [[A|b]] | c |\n> |---|---|\n> | 1 | [[D|e]] |");
    expect(made).toContain('<th><a href="/wiki/a">b</a></th>');
    expect(made).toContain('<td><a href="/wiki/d">e</a></td>');
  });
});

describe("emphasis", () => {
  it.each([
    ["**「テスト」**です", "<strong>「テスト」</strong>です"],
    ["これは**重要。**次", "これは<strong>重要。</strong>次"],
    ["**《书名》**很好", "<strong>《书名》</strong>很好"],
    ["中文*（斜体）*中文", "中文<em>（斜体）</em>中文"],
    ["한국어**(강조)**입니다", "한국어<strong>(강조)</strong>입니다"],
    ["~~「取消」~~した", "<s>「取消」</s>した"],
    ["snake_case_name", "snake_case_name"],
    ["2 * 3 * 4", "2 * 3 * 4"],
  ])("renders %s as %s", async (source, expected) => {
    expect(await html(source)).toBe(`<p>${expected}</p>\n`);
  });
});

describe("a footnote", () => {
  const shown = async (source: string) => {
    const rendered = await render(source);
    return rendered.html.replaceAll(rendered.footnoteKey, "key");
  };

  it("is shown at the end of the text, with links to the note and back", async () => {
    expect(await shown("A[^n] and[^n].\n\n[^n]: The *note*.")).toBe(
      '<p>A<sup class="footnote-ref"><a href="#fn-key-1" id="fnref-key-1">[1]</a></sup> ' +
        'and<sup class="footnote-ref"><a href="#fn-key-1" id="fnref-key-1:1">[1:1]</a></sup>.</p>\n' +
        '<hr class="footnotes-sep" />\n<section class="footnotes">\n<ol class="footnotes-list">\n' +
        '<li id="fn-key-1" class="footnote-item"><p>The <em>note</em>. ' +
        '<a href="#fnref-key-1" class="footnote-backref">↩︎</a> ' +
        '<a href="#fnref-key-1:1" class="footnote-backref">↩︎</a></p>\n</li>\n</ol>\n</section>\n',
    );
  });

  it.each(["a[^x] b", "a^[note] b", "\\[^x]\n\n[^x]: n", "`[^x]`\n\n[^x]: n"])(
    "is left as typed if its reference or its definition is missing: %j",
    async (source) => {
      expect(await shown(source)).not.toContain("<sup");
      expect(await shown(source)).toMatch(/\^x\]|\^\[note\]/);
    },
  );

  it("keeps its own text if it contains the definition of another footnote", async () => {
    const made = await shown("x[^a]\n\n[^a]: outer\n\n    [^b]: inner words\n\n    more");
    expect(made).toContain("outer");
    expect(made).toContain("[^b]: inner words");
    expect(made).toContain("more");
  });
});

const rules: readonly (readonly [string, readonly object[]])[] = [
  ["Plain *text*, <b>HTML</b>, [a](/b), ![c](/images/c.png) and\n\n- a list", []],
  [
    "one\n[two](ftp://x.example) three\n`four\nfive` ![six](http://x.example/six.png)",
    [
      { kind: "link", line: 2, text: "two", address: "ftp://x.example", rule: "link_scheme" },
      {
        kind: "image",
        line: 4,
        text: "six",
        address: "http://x.example/six.png",
        rule: "image_source",
      },
    ],
  ],
  [
    "> - quote\n>   [a](//x.example)",
    [{ kind: "link", line: 2, text: "a", address: "//x.example", rule: "link_host" }],
  ],
  [
    "| a | b |\n|---|---|\n| 1 | 2 | 3 | [[x|y]] |\n| [z](b:c) |",
    [
      { kind: "table_cell", line: 3, text: "3 | [[x|y]] |", address: null, rule: "table_width" },
      { kind: "link", line: 4, text: "z", address: "b:c", rule: "link_scheme" },
    ],
  ],
  [
    "[used]\n\n[used]: /a\n[Used]: /b\n[bob]: hello",
    [
      {
        kind: "definition",
        line: 4,
        text: "[Used]: /b",
        address: null,
        rule: "definition_repeated",
      },
      {
        kind: "definition",
        line: 5,
        text: "[bob]: hello",
        address: null,
        rule: "definition_unused",
      },
    ],
  ],
  [
    "x[^a]\n\n[^a]: first\n\n[^a]: second\n\n[^b]: third",
    [
      { kind: "footnote", line: 3, text: "[^a]: first", address: null, rule: "footnote_repeated" },
      { kind: "footnote", line: 7, text: "[^b]: third", address: null, rule: "footnote_unused" },
    ],
  ],
  [
    '```js title="x" {1}\n1\n```',
    [{ kind: "code_info", line: 1, text: 'title="x" {1}', address: null, rule: "code_info" }],
  ],
  [
    "a&#12;b",
    [{ kind: "character", line: 1, text: "ab", address: null, rule: "control_character" }],
  ],
];

describe("a rendered text", () => {
  let desk: ContentTestSite;
  beforeAll(async () => {
    desk = await ContentTestSite.open({ environment: { CONTENT_LINK_SCHEMES: "minecraft" } });
  });
  afterAll(() => desk.stop());

  const message = expect.stringMatching(/^[A-Z].*\.$/);
  const named = (parts: readonly object[]) => parts.map((part) => ({ ...part, message }));

  it.each(rules)(
    "lists in its preview the parts that rendering removes: %j",
    async (body, parts) => {
      const previewed = await desk.ask("POST /admin/content/preview", { body });
      expect(previewed.body).toEqual({ html: expect.any(String), removed: named(parts) });
    },
  );

  const lossy = "[a](ftp://x.example)";
  const lost = named([
    { kind: "link", line: 1, text: "a", address: "ftp://x.example", rule: "link_scheme" },
  ]);
  const kept = "[a](minecraft://x.example)";

  it.each([
    [
      "post",
      "/admin/posts",
      (made: Record<string, unknown>) => `/admin/posts/${String(made["id"])}`,
    ],
    [
      "page",
      "/admin/pages",
      (made: Record<string, unknown>) => `/admin/pages/${String(made["slug"])}`,
    ],
    [
      "wiki page",
      "/admin/wiki",
      (made: Record<string, unknown>) => `/admin/wiki/${String(made["slug"])}`,
    ],
  ])(
    "reports its removed parts when a %s is saved, but not when it is read",
    async (_kind, path, pathOf) => {
      const made = await desk.make(path, { title: "Lossy", body: lossy, status: "published" });
      expect(made["removed"]).toEqual(lost);
      const read = (await desk.ask(`GET ${pathOf(made)}`)).body as object;
      expect(read).not.toHaveProperty("removed");
      expect({ ...read, removed: lost }).toEqual(made);
      const put = (body: string, base_revision: number) =>
        desk.ask(`PUT ${pathOf(made)}`, { body, base_revision });
      const changed = (await put(kept, 1)).body;
      expect(changed).toMatchObject({ body_html: expect.stringContaining('href="minecraft://') });
      expect(changed).not.toHaveProperty("removed");
      expect((await put(lossy, 2)).body).toMatchObject({ removed: lost });
    },
  );

  it("reports its removed parts when a revision is restored", async () => {
    const made = await desk.make("/admin/wiki", { title: "Restored", body: lossy });
    const path = `/admin/wiki/${String(made["slug"])}`;
    await desk.ask(`PUT ${path}`, { body: "fine", base_revision: 1 });
    const restored = await desk.ask(`POST ${path}/revisions/1/restore`, {});
    expect(restored.body).toMatchObject({ body: lossy, removed: lost });
  });

  it("reports at most 200 removed parts, each cut to 200 characters", async () => {
    const body =
      `[${"x".repeat(300)}](a:${"y".repeat(300)}) `.repeat(150) + "[a](b:c) ".repeat(100);
    const { body: previewed } = await desk.ask("POST /admin/content/preview", { body });
    const { removed } = previewed as { removed: { text: string; address: string }[] };
    expect(removed).toHaveLength(200);
    expect([removed[0]?.text, removed[0]?.address]).toEqual([
      `${"x".repeat(199)}…`,
      `a:${"y".repeat(197)}…`,
    ]);
  });

  it("has footnote ids that no other document has, and footnote links that lead to the post in the feed", async () => {
    const text = { title: "Noted", body: "A[^1]\n\n[^1]: note", status: "published" };
    const made = [
      await desk.make("/admin/posts", text),
      await desk.make("/admin/posts", text),
      await desk.make("/admin/pages", text),
      await desk.make("/admin/wiki", text),
    ];
    const ids = made.flatMap(({ body_html }) => [...String(body_html).matchAll(/ id="([^"]*)"/g)]);
    expect(ids.map(([, id]) => id)).toEqual([
      "fnref-post-noted-1",
      "fn-post-noted-1",
      "fnref-post-noted-2-1",
      "fn-post-noted-2-1",
      "fnref-page-noted-1",
      "fn-page-noted-1",
      "fnref-wiki-noted-1",
      "fn-wiki-noted-1",
    ]);
    const renamed = await desk.ask(`PUT /admin/wiki/noted`, { slug: "notes", base_revision: 1 });
    expect(renamed.body).toMatchObject({ body_html: expect.stringContaining("fn-wiki-notes-1") });
    const { text: feed } = await desk.read("/public/feed?format=json");
    expect(feed).toContain("/news/noted#fn-post-noted-1");
  });

  it("has its relative links resolved against the address of the post in the feed", async () => {
    const body = "[a](other) [b](../wiki/c?d=1&e=2) [f](steam://run/1)";
    await desk.make("/admin/posts", { title: "Relative", body, status: "published" });
    const { body: feed } = await desk.read("/public/feed?format=json");
    const { items } = feed as { items: { content_html: string; url: string }[] };
    const { content_html = "", url = "" } =
      items.find((item) => item.url.endsWith("relative")) ?? {};
    const { origin } = new URL(url);
    expect(content_html).toBe(
      `<p><a href="${origin}/news/other">a</a> <a href="${origin}/wiki/c?d=1&amp;e=2">b</a> ` +
        '<a href="steam://run/1">f</a></p>\n',
    );
  });
});

describe("a text", () => {
  const marks = fc.constantFrom(
    ..."[|]|(|)|<|>|!|*|_|`|#|\n|\n\n|: |^|\\|~~|- |> |[[|]]|https://|[^1]".split("|"),
    "|",
    "\n|---|---|\n",
    "```",
    "[^1]: ",
    "[x]: ",
  );
  /** Words that do not repeat, so that each can be found in the output. */
  const word = fc.integer({ min: 10_000, max: 99_999 }).map((number) => `w${number}w`);

  it("shows each of its words or reports the part that contains the word", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(marks, word), { maxLength: 24 }), async (parts) => {
        const { html: made, removed } = await render(parts.join(""));
        const told = JSON.stringify([made, removed]).toLowerCase();
        const words = parts.filter((part) => /^w\d/.test(part));
        expect(words.filter((one) => !told.includes(one))).toEqual([]);
      }),
      { numRuns: propertyRunsOf(2_000) },
    );
  });

  it("shows content nested in a hundred lists or quotes, and the content after it", async () => {
    const deep = Array.from({ length: 120 }, (_, depth) => `${"  ".repeat(depth)}- w${depth}w`);
    for (const source of [`${deep.join("\n")}\n\nlast`, `${"> ".repeat(150)}w119w\n\nlast`]) {
      const made = await html(source);
      expect(made).toContain("w119w");
      expect(made).toContain("last");
    }
  });
});
