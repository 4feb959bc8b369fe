import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { anyTime } from "../support/clock/any-time.ts";
import { statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterAll(() => desk.stop());

interface Made {
  readonly slug: string;
  readonly revision: number;
}

const write = (body: object) =>
  desk.make<Made>("/admin/wiki", { title: "A page", body: "Text.", status: "published", ...body });
const change = (slug: string, body: object) => desk.ask(`PUT /admin/wiki/${slug}`, body);
const read = (slug: string) => desk.read(`/public/wiki/${slug}`);
const author = () => ({ id: desk.users.editor.userId, username: desk.users.editor.username });

describe("POST /admin/wiki", () => {
  it("creates a page with category, tags, headings and links, and shows the public all except the source", async () => {
    await write({ title: "The bank", slug: "bank-of-britain" });
    const answered = await desk.ask("POST /admin/wiki", {
      title: "Getting started",
      body: "# First\n\nTo [[The bank]], the [[Moongate#How it works|gate]].\n\n## First",
      category: "Guides & tips",
      tags: ["Guide"],
      status: "published",
      note: "as promised",
    });
    const whole = {
      slug: "getting-started",
      title: "Getting started",
      category: { slug: "guides-tips", name: "Guides & tips" },
      tags: ["guide"],
      status: "published",
      revision: 1,
      updated_at: anyTime,
      updated_by: author(),
      toc: [
        { level: 1, text: "First", anchor: "h-first" },
        { level: 2, text: "First", anchor: "h-first-2" },
      ],
      body_html:
        '<h1 id="h-first">First</h1>\n<p>To <a href="/wiki/bank-of-britain">The bank</a>, ' +
        'the <a href="/wiki/moongate#h-how-it-works">gate</a>.</p>\n' +
        '<h2 id="h-first-2">First</h2>\n',
      redirect_from: [],
    };
    const body = "# First\n\nTo [[The bank]], the [[Moongate#How it works|gate]].\n\n## First";
    expect(statusAndBodyOf(answered)).toEqual([201, { ...whole, body }]);
    expect(statusAndBodyOf(await read("getting-started"))).toEqual([
      200,
      { ...whole, redirected_from: null },
    ]);
    expect(statusAndBodyOf(await desk.ask("GET /admin/wiki/getting-started"))).toEqual([
      200,
      { ...whole, body },
    ]);
    expect(await desk.log("wiki", "getting-started")).toEqual([
      ["wiki.created", desk.users.editor.userId, { status: "published" }],
    ]);
  });

  it("refuses reserved slugs, and derives none of them from a title", async () => {
    for (const slug of ["categories", "tags"]) {
      const message = `slug must not be ${slug}, which is reserved`;
      const asked = await desk.ask("POST /admin/wiki", { title: "T", body: "B", slug });
      expect(statusAndBodyOf(asked)).toEqual(wrongField("slug", message));
      const { slug: other } = await write({});
      const renamed = await change(other, { slug, base_revision: 1 });
      expect(statusAndBodyOf(renamed)).toEqual(wrongField("slug", message));
    }
    expect((await write({ title: "Tags" })).slug).toBe("tags-2");
  });

  it("refuses a category name without a letter", async () => {
    const asked = await desk.ask("POST /admin/wiki", { title: "T", body: "B", category: "🎉" });
    expect(asked.status).toBe(400);
  });

  it("uses an existing category whose name has the same slug, in any case", async () => {
    const made = await desk.make("/admin/wiki", { title: "X", body: "B", category: "Öl" });
    const joined = await desk.make("/admin/wiki", { title: "X", body: "B", category: "öl" });
    expect([made, joined]).toMatchObject([
      { category: { slug: "ol", name: "Öl" } },
      { category: { slug: "ol", name: "Öl" } },
    ]);
  });
});

describe("PUT /admin/wiki/:slug", () => {
  it("requires the base revision", async () => {
    const { slug } = await write({});
    expect(statusAndBodyOf(await change(slug, { body: "New" }))).toEqual(
      wrongField("base_revision", "base_revision is required"),
    );
  });

  it("answers 409 to the second of two editors, who can then save a merged text", async () => {
    const { slug } = await write({ title: "Shared" });
    const first = await change(slug, { body: "First", base_revision: 1, note: "mine" });
    expect(first.body).toMatchObject({ revision: 2, body: "First" });
    expect(statusAndBodyOf(await change(slug, { body: "Second", base_revision: 1 }))).toEqual([
      409,
      {
        error: "The change is based on revision 1, and 2 is the newest",
        current: expect.objectContaining({ slug, revision: 2, body: "First" }),
      },
    ]);
    const merged = await change(slug, { body: "First and second", base_revision: 2 });
    expect(merged.body).toMatchObject({ revision: 3 });
    expect(statusAndBodyOf(await desk.ask(`GET /admin/wiki/${slug}/revisions?limit=2`))).toEqual([
      200,
      {
        revisions: [
          ["First and second", 3, null],
          ["First", 2, "mine"],
        ].map(([body, revision, note]) => ({
          revision,
          title: "Shared",
          author: author(),
          note,
          created_at: anyTime,
          body,
        })),
      },
    ]);
    const rest = await desk.ask(`GET /admin/wiki/${slug}/revisions?offset=2`);
    expect(rest.body).toMatchObject({ revisions: [{ revision: 1, body: "Text." }] });
  });

  it("answers 404 to an unknown page before it validates the body", async () => {
    expect(statusAndBodyOf(await change("nowhere", { title: 7 }))).toEqual([
      404,
      { error: "Unknown wiki page" },
    ]);
    expect((await desk.ask("DELETE /admin/wiki/nowhere")).status).toBe(404);
    expect((await desk.ask("GET /admin/wiki/nowhere/revisions")).status).toBe(404);
    expect((await desk.ask("GET /admin/wiki/%00")).status).toBe(404);
    expect((await desk.read("/public/wiki/%00")).status).toBe(404);
  });
});

describe("restoring a revision", () => {
  it("makes its text the newest revision and keeps the other revisions", async () => {
    const { slug } = await write({ title: "Old title", body: "Old", tags: ["kept"] });
    await change(slug, { title: "New title", body: "New", base_revision: 1 });
    const restored = await desk.ask(`POST /admin/wiki/${slug}/revisions/1/restore`);
    expect(statusAndBodyOf(restored)).toMatchObject([
      200,
      { slug, title: "Old title", body: "Old", revision: 3, tags: ["kept"], status: "published" },
    ]);
    const { body } = await desk.ask(`GET /admin/wiki/${slug}/revisions`);
    expect(body).toMatchObject({
      revisions: [
        { revision: 3, body: "Old", note: "Restored revision 1" },
        { revision: 2, body: "New" },
        { revision: 1, body: "Old" },
      ],
    });
    expect((await desk.log("wiki", slug)).at(-1)).toEqual([
      "wiki.restored",
      desk.users.editor.userId,
      { restored: 1, revision: 3 },
    ]);
  });

  it("answers 404 to an unknown revision", async () => {
    const { slug } = await write({});
    for (const revision of ["2", "9007199254740991"]) {
      const asked = await desk.ask(`POST /admin/wiki/${slug}/revisions/${revision}/restore`);
      expect(statusAndBodyOf(asked)).toEqual([404, { error: "Unknown revision" }]);
    }
    expect((await desk.ask(`POST /admin/wiki/${slug}/revisions/0/restore`)).status).toBe(400);
  });
});

describe("renaming a wiki page", () => {
  const rename = async (slug: string, to: string) => {
    const { body } = await desk.ask(`GET /admin/wiki/${slug}`);
    const base_revision = (body as Made).revision;
    expect((await change(slug, { slug: to, base_revision })).status).toBe(200);
  };
  const from = async (slug: string) => {
    const { status, body } = await read(slug);
    const { slug: now, redirected_from } = body as { slug: string; redirected_from: string };
    return [status, now, redirected_from];
  };

  it("redirects every former slug to the page, after any number of renames", async () => {
    await write({ title: "One", slug: "one" });
    await rename("one", "two");
    await rename("two", "three");
    expect(await from("one")).toEqual([200, "three", "one"]);
    expect(await from("two")).toEqual([200, "three", "two"]);
    expect(await from("three")).toEqual([200, "three", null]);
    expect((await read("three")).body).toMatchObject({ redirect_from: ["one", "two"] });
    expect((await desk.ask("GET /admin/wiki/one")).status).toBe(404);
    expect((await desk.log("wiki", "three")).slice(0, 1)).toEqual([
      ["wiki.renamed", desk.users.editor.userId, { former: "two" }],
    ]);
  });

  it("makes no redirect loop if the page returns to its former slug", async () => {
    await write({ title: "Here", slug: "here" });
    await rename("here", "there");
    await rename("there", "here");
    expect(await from("there")).toEqual([200, "here", "there"]);
    expect(await from("here")).toEqual([200, "here", null]);
    expect((await read("here")).body).toMatchObject({ redirect_from: ["there"] });
  });

  it("frees the former slug for another page, which may be new or renamed", async () => {
    await write({ title: "Old", slug: "old-name" });
    await rename("old-name", "new-name");
    await write({ title: "Another", slug: "old-name" });
    expect(await from("old-name")).toEqual([200, "old-name", null]);
    expect((await read("new-name")).body).toMatchObject({ redirect_from: [] });
    await rename("new-name", "newer-name");
    await rename("old-name", "new-name");
    expect(await from("new-name")).toEqual([200, "new-name", null]);
    expect((await read("newer-name")).body).toMatchObject({ redirect_from: [] });
  });

  it("is refused with 409 if another page has the new slug", async () => {
    await write({ title: "Mine", slug: "mine" });
    await write({ title: "Yours", slug: "yours" });
    expect(statusAndBodyOf(await change("yours", { slug: "mine", base_revision: 1 }))).toEqual([
      409,
      { error: "The slug mine is taken" },
    ]);
  });

  it("keeps links by the page's title working, even links written before the page existed", async () => {
    const { slug } = await write({ title: "Links", body: "To the [[Harbour Office]]." });
    const linked = ((await read(slug)).body as { body_html: string }).body_html;
    expect(linked).toContain('href="/wiki/harbour-office"');
    expect((await read("harbour-office")).status).toBe(404);
    await write({ title: "Harbour Office", slug: "vault" });
    expect(await from("harbour-office")).toEqual([200, "vault", "harbour-office"]);
    await rename("vault", "vaults");
    expect(await from("harbour-office")).toEqual([200, "vaults", "harbour-office"]);
    expect((await read("vaults")).body).toMatchObject({ redirect_from: ["vault"] });
    await write({ title: "Another", slug: "harbour-office" });
    expect(await from("harbour-office")).toEqual([200, "harbour-office", null]);
    await write({ title: "Reserved", slug: "for-tags" });
    const { body } = await desk.ask("GET /admin/wiki/for-tags");
    const { revision: base_revision } = body as Made;
    expect((await change("for-tags", { title: "Tags", base_revision })).status).toBe(200);
    expect((await read("tags")).body).toBeInstanceOf(Array);
  });

  it("redirects the old title until another public page has that title", async () => {
    await write({ title: "Old Mill", slug: "mill-by-the-river" });
    expect(await from("old-mill")).toEqual([200, "mill-by-the-river", "old-mill"]);
    await change("mill-by-the-river", { title: "River Mill", base_revision: 1 });
    expect(await from("old-mill")).toEqual([200, "mill-by-the-river", "old-mill"]);
    await write({ title: "Old Mill", slug: "mill-on-the-hill" });
    expect(await from("old-mill")).toEqual([200, "mill-on-the-hill", "old-mill"]);
    await write({ title: "Old Mill", slug: "third-mill" });
    expect(await from("old-mill")).toEqual([200, "mill-on-the-hill", "old-mill"]);

    await write({ title: "Court", slug: "court-to-be", status: "draft" });
    expect((await read("court")).status).toBe(404);
    await write({ title: "Court", slug: "court-of-truth" });
    expect(await from("court")).toEqual([200, "court-of-truth", "court"]);
    await change("court-to-be", { status: "published", base_revision: 1 });
    expect(await from("court")).toEqual([200, "court-of-truth", "court"]);

    await write({ title: "Harbour", slug: "quay" });
    await rename("quay", "docks");
    await write({ title: "Quay", slug: "new-quay" });
    expect(await from("quay")).toEqual([200, "docks", "quay"]);
  });

  it("redirects nowhere if the page is a draft or deleted", async () => {
    await write({ title: "Hidden", slug: "hidden", status: "draft" });
    await rename("hidden", "still-hidden");
    expect(statusAndBodyOf(await read("hidden"))).toEqual([404, { error: "Not found" }]);
    await write({ title: "Gone", slug: "gone" });
    await rename("gone", "really-gone");
    expect(statusAndBodyOf(await desk.ask("DELETE /admin/wiki/really-gone"))).toEqual([
      200,
      { slug: "really-gone" },
    ]);
    expect((await read("gone")).status).toBe(404);
  });
});

describe("the lists of the wiki", () => {
  it("show published pages by title, filter by category, tag and text, and count the pages", async () => {
    const other = await ContentTestSite.open();
    try {
      const page = { body: "B", status: "published" };
      for (const [title, category, tags, status] of [
        ["Zoo", "Places", ["animals"], "published"],
        ["Árbol", null, ["plants", "animals"], "published"],
        ["Bank", "Places", [], "published"],
        ["Cellar", "Places", ["secret"], "draft"],
        ["Dungeon", "Hidden places", ["animals"], "draft"],
      ] as const) {
        await other.make("/admin/wiki", { ...page, title, category, tags, status });
      }
      const titles = async (path: string, role: "editor" | null = null) => {
        const { body } = await other.ask(`GET ${path}`, undefined, role);
        const { pages, total } = body as { pages: { title: string }[]; total: number };
        return [total, pages.map(({ title }) => title)];
      };
      expect(await titles("/public/wiki")).toEqual([3, ["Bank", "Zoo", "Árbol"]]);
      expect(await titles("/public/wiki?category=places&limit=1")).toEqual([2, ["Bank"]]);
      expect(await titles("/public/wiki?tag=animals&q=ARBOL")).toEqual([1, ["Árbol"]]);
      expect(await titles("/public/wiki?status=draft")).toEqual([3, ["Bank", "Zoo", "Árbol"]]);
      expect(await titles("/admin/wiki?status=draft", "editor")).toEqual([
        2,
        ["Cellar", "Dungeon"],
      ]);
      expect((await titles("/admin/wiki", "editor"))[0]).toBe(5);
      expect((await other.read("/public/wiki/categories")).body).toEqual([
        { slug: "places", name: "Places", count: 2 },
      ]);
      expect((await other.read("/public/wiki/tags")).body).toEqual([
        { tag: "animals", count: 2 },
        { tag: "plants", count: 1 },
      ]);
      const { userId: id, username } = other.users.editor;
      expect((await other.read("/public/wiki?q=bank")).body).toEqual({
        pages: [
          {
            slug: "bank",
            title: "Bank",
            category: { slug: "places", name: "Places" },
            tags: [],
            status: "published",
            revision: 1,
            updated_at: anyTime,
            updated_by: { id, username },
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      });
    } finally {
      await other.stop();
    }
  });
});
