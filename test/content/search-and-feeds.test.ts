import { parseJsonFeed } from "feedsmith";
import ICAL from "ical.js";
import Parser from "rss-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { renderCalendar } from "../../shared/content/calendar.ts";
import { pruneWords } from "../../shared/content/search/words.ts";
import { statusAndBodyOf } from "../support/http/call.ts";
import { ContentTestSite } from "./desk.ts";
import { faultsOfJsonFeed } from "./json-feed.ts";

let desk: ContentTestSite;
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterAll(() => desk.stop());

describe("GET /public/search", () => {
  beforeAll(async () => {
    const published = { status: "published" };
    await desk.make("/admin/wiki", {
      ...published,
      title: "Moongates of Britannia",
      body: `${"Far away. ".repeat(30)}A moongate opens at the **full** moon [and](https://x.org) closes.`,
      tags: ["travel"],
    });
    await desk.make("/admin/wiki", { ...published, title: "Café Crème", body: "Ein Straßencafé." });
    await desk.make("/admin/wiki", { ...published, title: "Гильдия кузнецов", body: "Ёлка" });
    await desk.make("/admin/wiki", { ...published, title: "首页", body: "北京欢迎你" });
    await desk.make("/admin/posts", {
      ...published,
      title: "Travel news",
      body: "The moongate of Moonglow was moved.",
    });
    await desk.make("/admin/pages", {
      ...published,
      title: "House rules",
      body: "No blacksmiths at 404.",
    });
  });

  const titles = async (q: string, more = "") => {
    const { body } = await desk.read(`/public/search?q=${encodeURIComponent(q)}${more}`);
    const { hits, total } = body as { hits: { title: string }[]; total: number };
    expect(hits.length).toBeLessThanOrEqual(total);
    return hits.map(({ title }) => title);
  };

  it("answers type, slug, title, an excerpt around the hit and a score", async () => {
    const answered = await desk.read("/public/search?q=opens");
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        hits: [
          {
            type: "wiki",
            slug: "moongates-of-britannia",
            title: "Moongates of Britannia",
            excerpt: expect.stringMatching(
              /^…\S.* A moongate opens at the full moon and closes\.$/,
            ),
            score: expect.any(Number),
          },
        ],
        total: 1,
      },
    ]);
    const [{ excerpt = "" } = {}] = (answered.body as { hits: { excerpt?: string }[] }).hits;
    expect(excerpt.length).toBeLessThanOrEqual(200);
  });

  it("shows no half characters where an excerpt is cut", async () => {
    const castles = "\u{1F3F0}".repeat(200);
    const hits = ["drawbridge", "-drawbridge", "drawbridge-", "-drawbridge-"];
    for (const [index, hit] of hits.entries()) {
      const body = `${castles}${hit}${castles}`;
      await desk.make("/admin/wiki", { title: `Castle ${index}`, body, status: "published" });
    }
    const { body } = await desk.read("/public/search?q=drawbridge");
    const excerpts = (body as { hits: { excerpt: string }[] }).hits.map(({ excerpt }) => excerpt);
    expect(excerpts).toHaveLength(hits.length);
    for (const excerpt of excerpts) {
      expect(excerpt).toMatch(/^…\u{1F3F0}+-?drawbridge-?\u{1F3F0}+…$/u);
    }
  });

  it.each<[string, string, string[]]>([
    ["a word", "moonglow", ["Travel news"]],
    ["the beginning of a word", "blacks", ["House rules"]],
    ["two words that are not adjacent", "moon closes", ["Moongates of Britannia"]],
    ["two words, the last unfinished", "full moo", ["Moongates of Britannia"]],
    ["a word in another case", "MOONGLOW", ["Travel news"]],
    ["accents where the text has none", "Möonglöw", ["Travel news"]],
    ["no accents where the text has some", "cafe creme", ["Café Crème"]],
    ["ss for ß", "strassencafe", ["Café Crème"]],
    ["a tag", "travel", ["Travel news", "Moongates of Britannia"]],
    ["another script in another case", "ГИЛЬДИЯ", ["Гильдия кузнецов"]],
    ["a letter with or without its dots", "елка", ["Гильдия кузнецов"]],
    ["a word inside a text without spaces", "欢迎", ["首页"]],
    ["a typo", "mooonglow", ["Travel news"]],
    ["exchanged letters", "blakcsmith", ["House rules"]],
    ["a typo in one of two words", "britania moongates", ["Moongates of Britannia"]],
    ["a typo next to a short word", "of mooonglow", ["Travel news"]],
    ["a typo next to a number", "blakcsmiths 404", ["House rules"]],
    ["a number that only resembles one of a text", "405", []],
    ["a typo in another script", "кузницов", ["Гильдия кузнецов"]],
    ["Latin letters for another script", "gildiya kuznetsov", ["Гильдия кузнецов"]],
    ["operators of the query language", "moon & !gate | (x:*", []],
    ["punctuation only", "&|!", []],
    ["a quote", "o'brien", []],
  ])("answers the expected hits for %s", async (_what, q, expected) => {
    expect((await titles(q)).toSorted()).toEqual(expected.toSorted());
  });

  it("ranks a hit in the title before a hit in the text", async () => {
    expect(await titles("moongate")).toEqual(["Moongates of Britannia", "Travel news"]);
  });

  it("filters by type and pages through the hits", async () => {
    expect(await titles("moongate", "&type=post")).toEqual(["Travel news"]);
    expect(await titles("moongate", "&type=page")).toEqual([]);
    expect(await titles("moongate", "&limit=1&offset=1")).toEqual(["Travel news"]);
    const { body } = await desk.read("/public/search?q=moongate&limit=1&offset=50");
    expect(body).toEqual({ hits: [], total: 2 });
    const deep = await desk.read("/public/search?q=moongate&offset=9007199254740991");
    expect(deep.body).toEqual({ hits: [], total: 2 });
  });

  it.each(["", "?q=a", "?q=%20a%20", `?q=${"x".repeat(61)}`, "?q=ab&type=user", "?q=ab&limit=0"])(
    "refuses the query string %s",
    async (asked) => {
      expect((await desk.read(`/public/search${asked}`)).status).toBe(400);
    },
  );

  it("counts an emoji in the search term as one character", async () => {
    expect(await titles("\u{1F3F0}".repeat(60))).toEqual([]);
    const tooLong = encodeURIComponent("\u{1F3F0}".repeat(61));
    expect((await desk.read(`/public/search?q=${tooLong}`)).status).toBe(400);
    expect((await desk.read(`/public/search?q=${encodeURIComponent("\u{1F3F0}")}`)).status).toBe(
      400,
    );
  });

  it("requires every word of a search term of the maximum length, even if each character is a word", async () => {
    const signs = "金木水火土日月山川田力男女";
    const letters = "aa bb cc dd ee ff gg hh ii jj kk ll mm";
    for (const [title, body] of Object.entries({ Most: -1, All: undefined })) {
      const text = { title, body: `${signs.slice(0, body)} ${letters.slice(0, body)}` };
      await desk.make("/admin/wiki", { ...text, status: "published" });
    }
    for (const q of [signs, letters]) expect(await titles(q)).toEqual(["All"]);
    expect(await titles(Array.from(signs.repeat(5).slice(0, 60)).join(""))).toEqual(["All"]);
  });

  it("treats the last typed word as unfinished, even if the same word came earlier", async () => {
    const published = { status: "published" };
    await desk.make("/admin/wiki", { ...published, title: "To ban, to banish", body: "Banners" });
    await desk.make("/admin/wiki", { ...published, title: "A ban, a banishment", body: "Banners" });
    expect(await titles("ban banish ban")).toEqual(["To ban, to banish"]);
    expect((await titles("banners ban")).toSorted()).toEqual([
      "A ban, a banishment",
      "To ban, to banish",
    ]);
  });

  it("no longer finds a deleted text, and prunes the words that no other text contains", async () => {
    const { id } = await desk.make<{ id: number }>("/admin/posts", {
      title: "Quetzalcoatl",
      body: "Quetzalcoatl and the moongate",
      status: "published",
    });
    expect(await titles("quetzalcoatll")).toEqual(["Quetzalcoatl"]);
    await desk.ask(`DELETE /admin/posts/${id}`);
    expect(await titles("quetzalcoatl")).toEqual([]);
    const { sequelize } = desk.server.context;
    await pruneWords({ sequelize });
    const { SearchWord } = desk.server.context.models;
    const left = await SearchWord.findAll({ where: { word: ["quetzalcoatl", "moongate"] } });
    expect(left.map(({ word }) => word)).toEqual(["moongate"]);
  });

  it("treats a word as mistyped if it occurs only in texts hidden from the caller", async () => {
    const text = { body: "B", status: "published" };
    await desk.make("/admin/pages", { ...text, title: "Brigandine", audience: "staff" });
    await desk.make("/admin/wiki", { ...text, title: "Brigantine" });
    expect(await titles("brigandine")).toEqual(["Brigantine"]);
    const { body } = await desk.ask("GET /public/search?q=brigandine");
    expect(body).toMatchObject({ hits: [{ title: "Brigandine" }], total: 1 });
  });

  it("is rate-limited per address, and answers the number of remaining requests", async () => {
    const strict = await ContentTestSite.open({ environment: { RL_SEARCH_MAX: "2" } });
    try {
      const ask = () => strict.read("/public/search?q=moongate");
      expect((await ask()).headers.get("ratelimit")).toMatch(/^"search";r=1;t=\d+$/);
      await ask();
      expect((await ask()).status).toBe(429);
    } finally {
      await strict.stop();
    }
  });
});

describe("GET /public/feed", () => {
  const feed = async (format: string) => desk.read(`/public/feed?format=${format}`);
  let id: number;
  let slug: string;

  beforeAll(async () => {
    const made = await desk.make<{ id: number; slug: string }>("/admin/posts", {
      title: "<Fish> & ]]> chips",
      excerpt: "All <b> & ]]>",
      body: 'A [link](/wiki/x?a=1&b=2) and ![pic](/images/p.png), see [below](#h-end). ]]> "/q" <i>\n\n# End',
      tags: ["food & drink", '<3 "fish"'],
      image_url: "/images/fish.png",
      status: "published",
    });
    ({ id, slug } = made);
  });

  const content = () =>
    '<p>A <a href="http://localhost:3000/wiki/x?a=1&amp;b=2">link</a> and ' +
    '<img src="http://localhost:3000/images/p.png" alt="pic" loading="lazy" />, see ' +
    `<a href="http://localhost:3000/news/${slug}#h-end">below</a>. ]]&gt; "/q" &lt;i&gt;</p>\n` +
    '<h1 id="h-end">End</h1>\n';

  it.each(["rss", "atom"])("can be read by an independent parser: %s", async (format) => {
    const answered = await feed(format);
    expect(answered.headers.get("content-type")).toBe(`application/${format}+xml; charset=utf-8`);
    const read = await new Parser().parseString(answered.text);
    expect(read).toMatchObject({ title: "Guildhall", link: "http://localhost:3000/" });
    const tag = `tag:localhost,${new Date().getUTCFullYear()}:post/${id}`;
    const item = read.items.find(({ link }) => link === `http://localhost:3000/news/${slug}`);
    const escaped = format === "atom" ? "&lt;Fish&gt; &amp; ]]&gt; chips" : "<Fish> & ]]> chips";
    expect(item).toMatchObject({
      title: escaped,
      [format === "rss" ? "guid" : "id"]: tag,
      [format === "rss" ? "content:encoded" : "content"]: expect.stringContaining(content().trim()),
      [format === "rss" ? "dc:creator" : "author"]: desk.users.editor.username,
      isoDate: expect.any(String),
    });
  });

  it("is a valid JSON Feed in the format json, and the validator of this test rejects broken feeds", async () => {
    const { body } = await feed("json");
    expect(faultsOfJsonFeed(body)).toEqual([]);
    const whole = body as { items: object[] };
    const [item] = whole.items;
    const broken = [
      { ...whole, title: 7 },
      { ...whole, version: "https://jsonfeed.org/version/1" },
      { ...whole, items: [{ ...item, author: { name: "robin" } }] },
      { ...whole, feed_url: "/feed" },
      { ...whole, feedUrl: "https://example.org/" },
      { ...whole, items: [{ ...item, id: 7 }] },
      { ...whole, items: [{ ...item, date_published: "yesterday" }] },
      { ...whole, items: [{ ...item, content_html: undefined }] },
      { ...whole, items: [item, item] },
    ];
    const faults = broken.map((each) => faultsOfJsonFeed(JSON.parse(JSON.stringify(each))).length);
    expect(faults.filter((count) => count === 0)).toEqual([]);
  });

  it("can be read in the format json by an independent parser, with the same content", async () => {
    const answered = await feed("json");
    expect(answered.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    expect(answered.body).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      language: "en",
      title: "Guildhall",
      home_page_url: "http://localhost:3000/",
      feed_url: "http://localhost:3000/api/v1/public/feed?format=json",
    });
    const read = parseJsonFeed(answered.text);
    expect(read).toMatchObject({ title: "Guildhall", home_page_url: "http://localhost:3000/" });
    expect(read.items?.find(({ url }) => url?.endsWith(slug))).toMatchObject({
      id: `tag:localhost,${new Date().getUTCFullYear()}:post/${id}`,
      title: "<Fish> & ]]> chips",
      content_html: content().trim(),
      authors: [{ name: desk.users.editor.username }],
    });
    const { items } = answered.body as { items: { url: string }[] };
    expect(items.find(({ url }) => url.endsWith(slug))).toMatchObject({
      title: "<Fish> & ]]> chips",
      summary: "All <b> & ]]>",
      content_html: content(),
      image: "http://localhost:3000/images/fish.png",
      tags: ["food & drink", '<3 "fish"'],
      authors: [{ name: desk.users.editor.username }],
    });
  });

  it.each([
    ["rss", '<category>&lt;3 "fish"</category>'],
    ["atom", '<category label="&lt;3 &quot;fish&quot;" term="&lt;3 &quot;fish&quot;"/>'],
  ])("escapes the special characters of tags in the format %s", async (format, written) => {
    expect((await feed(format)).text).toContain(written);
  });

  it.each(["rss", "atom"])(
    "is well-formed in the format %s although a post contains CDATA ends and form feeds",
    async (format) => {
      const title = `]]> two ends ]]> in ${format}`;
      const body = 'A&#12;page&#xC; [link](/x "a&#12;title")';
      const made = await desk.make<{ id: number }>("/admin/posts", {
        title,
        body,
        status: "published",
      });
      const { text } = await feed(format);
      expect(text).not.toContain("\f");
      const { items } = await new Parser().parseString(text);
      const shown = format === "atom" ? title.replaceAll(">", "&gt;") : title;
      expect(items[0]?.title).toBe(shown);
      await desk.ask(`DELETE /admin/posts/${made.id}`);
    },
  );

  it("names the site as the author of the feed in the format atom", async () => {
    const { text } = await feed("atom");
    const [head = ""] = text.split("<entry>");
    expect(head).toMatch(/<author>\s*<name>Guildhall<\/name>\s*<\/author>/);
  });

  it("is RSS if no format is given, and refuses an unknown format", async () => {
    expect((await desk.read("/public/feed")).text).toBe((await feed("rss")).text);
    expect((await feed("xml")).status).toBe(400);
  });

  it("contains the latest twenty posts, newest first, and stays the same while nothing changes", async () => {
    for (let count = 0; count < 20; count++) {
      const body = { title: `Number ${count}`, body: "B", status: "published" };
      await desk.make("/admin/posts", body);
    }
    const read = await new Parser().parseString((await feed("atom")).text);
    const expected = Array.from({ length: 20 }, (_, index) => `Number ${19 - index}`);
    expect(read.items.map(({ title }) => title)).toEqual(expected);
    expect((await feed("atom")).text).toBe((await feed("atom")).text);
  });

  it("is a valid empty feed if there are no posts", async () => {
    await desk.server.context.models.Post.destroy({ where: {} });
    for (const format of ["rss", "atom"]) {
      expect((await new Parser().parseString((await feed(format)).text)).items).toEqual([]);
    }
    const { body } = await feed("json");
    expect([body, faultsOfJsonFeed(body)]).toEqual([expect.objectContaining({ items: [] }), []]);
  });
});

describe("GET /public/events.ics", () => {
  const parse = (text: string) => new ICAL.Component(ICAL.parse(text) as never);

  it("is empty while no events are announced", async () => {
    const answered = await desk.read("/public/events.ics");
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const calendar = parse(answered.text);
    expect(calendar.getFirstPropertyValue("version")).toBe("2.0");
    expect(calendar.getAllSubcomponents()).toEqual([]);
    expect(answered.text).toMatch(/\r\n$/);
  });

  it("contains each occurrence in UTC with a separate id, and marks canceled ones", async () => {
    const occurrence = {
      uid: "run-7",
      slug: "feast",
      title: "Feast; of, Winter\\ \n🎉".repeat(5),
      summary: "Bring <food>",
      startsAt: new Date("2026-12-24T18:00:00Z"),
      endsAt: new Date("2026-12-24T20:00:00Z"),
      isCancelled: false,
      changedAt: new Date("2026-11-22T10:00:00Z"),
    };
    const other = {
      ...occurrence,
      uid: "feast-2026-12-25T18:00:00.000Z",
      isCancelled: true,
      endsAt: null,
    };
    const text = await renderCalendar([occurrence, other], "https://guild.example");
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    const [event, cancelled] = parse(text)
      .getAllSubcomponents("vevent")
      .map((component) => new ICAL.Event(component));
    expect(event?.uid).toBe("run-7@guild.example");
    expect(event?.summary).toBe(occurrence.title);
    expect(event?.description).toBe("Bring <food>");
    expect(event?.startDate.toJSDate()).toEqual(occurrence.startsAt);
    expect(event?.endDate.toJSDate()).toEqual(occurrence.endsAt);
    expect(event?.component.getFirstPropertyValue("status")).toBe("CONFIRMED");
    expect(event?.component.getFirstPropertyValue("url")).toBe(
      "https://guild.example/events/feast",
    );
    expect(cancelled?.component.getFirstPropertyValue("status")).toBe("CANCELLED");
    expect(cancelled?.uid).toBe("feast-2026-12-25T18:00:00.000Z@guild.example");
  });
});
