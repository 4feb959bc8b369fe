import { col } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { renderStaleTexts } from "../../shared/content/render-stale.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { statementsOf } from "../support/database/statements.ts";
import { type ApiAnswer, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterAll(() => desk.stop());

type Caller = Role | null;
const callers: readonly Caller[] = [null, "player", "moderator", "editor", "admin"];
const get = (path: string, caller: Caller = null) => desk.ask(`GET ${path}`, undefined, caller);

describe("a page", () => {
  it("is created with its navigation place and audience, changed in part, and deleted", async () => {
    const answered = await desk.ask("POST /admin/pages", { title: "Rules", body: "*Be kind.*" });
    const listed = {
      slug: "rules",
      title: "Rules",
      nav_order: null,
      audience: "anonymous",
      status: "draft",
      revision: 1,
      updated_at: anyTime,
    };
    const whole = { ...listed, body: "*Be kind.*", body_html: "<p><em>Be kind.</em></p>\n" };
    expect(statusAndBodyOf(answered)).toEqual([201, whole]);
    expect(statusAndBodyOf(await desk.ask("GET /admin/pages/rules"))).toEqual([200, whole]);
    expect(statusAndBodyOf(await desk.ask("GET /admin/pages"))).toEqual([200, { pages: [listed] }]);
    const changed = await desk.ask("PUT /admin/pages/rules", {
      nav_order: 10,
      status: "published",
      base_revision: 1,
    });
    expect(statusAndBodyOf(changed)).toEqual([
      200,
      { ...whole, nav_order: 10, status: "published", revision: 2 },
    ]);
    expect(statusAndBodyOf(await get("/public/pages"))).toEqual([
      200,
      [{ slug: "rules", title: "Rules", nav_order: 10 }],
    ]);
    const { body, ...shown } = { ...whole, nav_order: 10, status: "published", revision: 2 };
    expect(body).toBe("*Be kind.*");
    expect(statusAndBodyOf(await get("/public/pages/rules"))).toEqual([200, shown]);
    expect(await desk.log("page", "rules")).toEqual([
      ["page.created", desk.users.editor.userId, { status: "draft", audience: "anonymous" }],
      ["page.updated", desk.users.editor.userId, { fields: ["navOrder", "status"] }],
    ]);
    expect(statusAndBodyOf(await desk.ask("DELETE /admin/pages/rules"))).toEqual([
      200,
      { slug: "rules" },
    ]);
    expect((await get("/public/pages/rules")).status).toBe(404);
  });

  it("refuses a stale change, a taken slug and a navigation place that is out of range", async () => {
    await desk.make("/admin/pages", { title: "One", body: "B" });
    await desk.make("/admin/pages", { title: "Two", body: "B" });
    const change = (body: object) => desk.ask("PUT /admin/pages/one", body);
    expect((await change({ base_revision: 7 })).status).toBe(409);
    expect((await change({ slug: "two" })).status).toBe(409);
    expect(statusAndBodyOf(await change({ nav_order: 10_000 }))).toEqual(
      wrongField("nav_order", "nav_order must be less than or equal to 9999"),
    );
    expect((await change({ nav_order: 1.5 })).status).toBe(400);
    expect((await change({ audience: "admin" })).status).toBe(400);
    expect((await desk.ask("PUT /admin/pages/three", { title: 1 })).status).toBe(404);
  });

  it("is listed in the navigation by its place and then its title, if it has a place", async () => {
    const other = { body: "B", status: "published" };
    for (const [title, nav_order] of [
      ["Nav C", 20],
      ["Nav B", 10],
      ["Nav A", 10],
      ["Nav 0", null],
    ]) {
      await desk.make("/admin/pages", { ...other, title, nav_order });
    }
    const { body } = await get("/public/pages");
    expect((body as { title: string }[]).map(({ title }) => title)).toEqual([
      "Nav A",
      "Nav B",
      "Nav C",
    ]);
  });
});

describe("hidden content", () => {
  /** A word that occurs in all hidden texts and in no visible text. */
  const secret = "zweihander";
  const text = { title: `${secret} title`, body: `Some ${secret} text.` };
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  let slugs: Record<string, string>;

  beforeAll(async () => {
    const page = { ...text, nav_order: 1, status: "published" };
    const make = async (route: string, body: object) =>
      (await desk.make<{ slug: string }>(route, body)).slug;
    slugs = {
      draftPost: await make("/admin/posts", { ...text, tags: [secret] }),
      scheduledPost: await make("/admin/posts", {
        ...text,
        tags: [secret],
        status: "scheduled",
        published_at: hour,
      }),
      draftWiki: await make("/admin/wiki", { ...text, tags: [secret], category: secret }),
      draftPage: await make("/admin/pages", { ...page, status: "draft" }),
      loggedIn: await make("/admin/pages", { ...page, slug: "members", audience: "logged_in" }),
      staff: await make("/admin/pages", { ...page, slug: "staff-room", audience: "staff" }),
    };
    // A page that was public before.
    await make("/admin/wiki", { ...text, slug: "taken-back", status: "published" });
    await desk.ask("PUT /admin/wiki/taken-back", { status: "draft", base_revision: 1 });
    // A draft that had another slug before.
    await make("/admin/wiki", { ...text, slug: "former-slug" });
    await desk.ask("PUT /admin/wiki/former-slug", { slug: "present-slug", base_revision: 1 });
  });

  const paths = () => ({
    draftPost: `/public/posts/${slugs["draftPost"]}`,
    scheduledPost: `/public/posts/${slugs["scheduledPost"]}`,
    draftWiki: `/public/wiki/${slugs["draftWiki"]}`,
    takenBack: "/public/wiki/taken-back",
    renamed: "/public/wiki/present-slug",
    formerSlug: "/public/wiki/former-slug",
    draftPage: `/public/pages/${slugs["draftPage"]}`,
    loggedIn: "/public/pages/members",
    staff: "/public/pages/staff-room",
  });

  const reach: Readonly<Record<string, readonly Caller[]>> = {
    loggedIn: ["player", "moderator", "editor", "admin"],
    staff: ["moderator", "editor", "admin"],
  };

  it.each(callers)("is answered to %s exactly like content that does not exist", async (caller) => {
    const seen = ({ status, text: bytes, headers }: ApiAnswer) => {
      const told = [...headers].filter(([header]) => !/^(?:x-request-id|date)$/.test(header));
      return { status, bytes, told };
    };
    const shown = Object.keys(reach).filter((name) => reach[name]?.includes(caller));
    for (const [name, path] of Object.entries(paths())) {
      const answered = await get(path, caller);
      const unknown = await get(path.replace(/[^/]+$/, "no-such-thing"), caller);
      const expected = shown.includes(name)
        ? { name, status: 200 }
        : { name, ...seen(unknown), status: 404 };
      expect({ name, ...seen(answered) }).toMatchObject(expected);
    }
    const { headers } = await get("/public/pages/no-such-thing", caller);
    expect(headers.get("etag")).toBeNull();
    expect(headers.get("cache-control")).toContain("no-store");
  });

  it.each(callers)(
    "takes as many database statements for %s as content that does not exist",
    async (caller) => {
      const readsOf = async (path: string) => {
        let status = 0;
        const reads = await statementsOf(desk.server.context, async () => {
          ({ status } = await get(path, caller));
        });
        return { status, reads: reads.length };
      };
      for (const [name, path] of Object.entries(paths())) {
        if (reach[name]?.includes(caller)) continue;
        const unknown = await readsOf(path.replace(/[^/]+$/, "no-such-thing"));
        expect({ name, ...(await readsOf(path)) }).toEqual({ name, ...unknown });
        expect(unknown.reads).toBeGreaterThan(0);
      }
    },
  );

  it.each(callers)("does not appear to %s in lists, counts, searches and feeds", async (caller) => {
    const isStaff = caller !== null && caller !== "player";
    const count = isStaff ? 2 : Number(caller === "player");
    const search = await get(`/public/search?q=${secret}`, caller);
    expect(search.body).toMatchObject({ total: count });
    expect((search.body as { hits: unknown[] }).hits).toHaveLength(count);
    for (const path of [
      "/public/posts",
      `/public/posts?q=${secret}`,
      `/public/posts?tag=${secret}`,
      "/public/wiki",
      `/public/wiki?q=${secret}`,
      `/public/wiki?tag=${secret}`,
      `/public/wiki?category=${secret}`,
      "/public/wiki/categories",
      "/public/wiki/tags",
      "/public/feed?format=rss",
      "/public/feed?format=atom",
      "/public/feed?format=json",
    ]) {
      const { status, text: bytes } = await get(path, caller);
      expect({ path, status, tells: bytes.includes(secret) }).toEqual({
        path,
        status: 200,
        tells: false,
      });
    }
    for (const path of [`/public/posts?q=${secret}`, `/public/wiki?tag=${secret}`]) {
      expect((await get(path, caller)).body).toMatchObject({ total: 0 });
    }
    const nav = (await get("/public/pages", caller)).body as { slug: string }[];
    const named = nav
      .map(({ slug }) => slug)
      .filter((slug) => /members|staff-room|draft/.test(slug));
    expect(named).toEqual(["members", "staff-room"].slice(0, count));
  });

  it("is linked by its title like a page that does not exist", async () => {
    await desk.make("/admin/wiki", { title: "Unseen", slug: "other-slug", body: "B" });
    const { body } = await desk.ask("POST /admin/content/preview", { body: "[[Unseen]]" });
    expect(body).toEqual({ html: '<p><a href="/wiki/unseen">Unseen</a></p>\n', removed: [] });
  });
});

describe("the routes of editors", () => {
  it.each<Caller>([null, "player", "moderator"])("are closed to %s", async (caller) => {
    const refused =
      caller === null
        ? [401, { error: "Not authenticated" }]
        : [403, { error: "Admin or editor role required" }];
    for (const route of [
      "GET /admin/posts",
      "GET /admin/posts/1",
      "POST /admin/posts",
      "PUT /admin/posts/1",
      "DELETE /admin/posts/1",
      "GET /admin/wiki",
      "POST /admin/wiki",
      "GET /admin/wiki/x",
      "PUT /admin/wiki/x",
      "DELETE /admin/wiki/x",
      "GET /admin/wiki/x/revisions",
      "POST /admin/wiki/x/revisions/1/restore",
      "GET /admin/pages",
      "POST /admin/pages",
      "GET /admin/pages/x",
      "PUT /admin/pages/x",
      "DELETE /admin/pages/x",
      "POST /admin/content/preview",
    ]) {
      const answered = await desk.ask(route, route.startsWith("GET") ? undefined : {}, caller);
      expect([route, ...statusAndBodyOf(answered)]).toEqual([route, ...refused]);
    }
  });
});

describe("caching of public answers", () => {
  it("lasts 5 seconds without a session, and a request gets 304 while the content is unchanged", async () => {
    await desk.make("/admin/pages", { title: "Kept", body: "B", status: "published" });
    for (const path of [
      "/public/posts",
      "/public/wiki/tags",
      "/public/pages/kept",
      "/public/feed",
    ]) {
      const first = await desk.read(path);
      expect(first.headers.get("cache-control")).toBe("public, max-age=5");
      expect(first.headers.get("vary")).toBe("Origin, Cookie, Authorization");
      const etag = first.headers.get("etag") as string;
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      const held = await desk.read(path, { "if-none-match": `"x", W/${etag}` });
      expect([held.status, held.text, held.headers.get("etag")]).toEqual([304, "", etag]);
      const head = await desk.ask(`HEAD ${path}`, undefined, null);
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", etag]);
    }
    const before = (await desk.read("/public/pages/kept")).headers.get("etag");
    await desk.ask("PUT /admin/pages/kept", { body: "C" });
    const changed = await desk.read("/public/pages/kept", { "if-none-match": before ?? "" });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(before);
  });

  it("is forbidden for signed-in callers", async () => {
    for (const path of ["/public/pages/kept", "/public/search?q=kept", "/public/posts"]) {
      const { headers } = await get(path, "player");
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("etag")).toBeNull();
      expect(headers.get("vary")).toBe("Origin, Cookie, Authorization");
    }
  });
});

describe("POST /admin/content/preview", () => {
  it("renders a text as saving does, reports removed parts, and refuses texts that are too long", async () => {
    const body = "# Hi\n\n![a](http://x/y.png) <b>";
    const { body: shown } = await desk.ask("POST /admin/content/preview", { body });
    const saved = await desk.make<{ slug: string; body_html: string }>("/admin/pages", {
      title: "Previewed",
      body,
    });
    expect(shown).toMatchObject({ html: saved.body_html });
    await desk.ask(`DELETE /admin/pages/${saved.slug}`);
    expect(shown).toEqual({
      html: '<h1 id="h-hi">Hi</h1>\n<p>a &lt;b&gt;</p>\n',
      removed: [
        {
          kind: "image",
          line: 3,
          text: "a",
          address: "http://x/y.png",
          rule: "image_source",
          message:
            "The image was removed, because its address is neither an https address without a user " +
            "name nor the path of a public picture of the site. Its alternative text stays.",
        },
      ],
    });
    const tooLong = await desk.ask("POST /admin/content/preview", { body: "x".repeat(100_001) });
    expect(tooLong.status).toBe(400);
    const huge = await desk.ask("POST /admin/content/preview", { body: "x".repeat(270_000) });
    expect(huge.status).toBe(413);
  });
});

describe("a new version of the renderer", () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker(desk.server, ["upkeep"]);
  });
  afterAll(() => worker.stop());

  const make = async (title: string) => {
    const text = { title, body: "# New\n\nText.\n\nQuicksilver.", status: "published" };
    const post = await desk.make("/admin/posts", text);
    const wiki = await desk.make("/admin/wiki", text);
    const page = await desk.make("/admin/pages", text);
    return [
      [`/admin/posts/${String(post["id"])}`, post],
      [`/admin/wiki/${String(wiki["slug"])}`, wiki],
      [`/admin/pages/${String(page["slug"])}`, page],
    ] as const;
  };
  /**
   * Makes content look as an older version stored it: rendered by an older renderer and without
   * searchable words.
   */
  const makeStale = async (title: string) => {
    const { Page, Post, SearchEntry, WikiPage } = desk.server.context.models;
    const old = { renderer: 0, bodyHtml: "old" };
    const where = { title };
    await Post.update(old, { where });
    await WikiPage.update(old, { where });
    await Page.update(old, { where });
    await SearchEntry.update({ words: col("heading"), text: "" }, { where });
  };
  const stale = async (title: string) => {
    const { Page, Post, WikiPage } = desk.server.context.models;
    const where = { title, renderer: 0 };
    const counts = [Post.count({ where }), WikiPage.count({ where }), Page.count({ where })];
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  const found = async (q: string) =>
    ((await desk.read(`/public/search?q=${q}`)).body as { total: number }).total;

  it("renders the texts of an older version again and changes nothing else of them", async () => {
    const texts = await make("Old text");
    await makeStale("Old text");
    expect(await found("quicksilver")).toBe(0);
    await desk.server.context.queue.enqueue("content.render-texts", {});
    await waitUntil("all are rendered", async () => (await stale("Old text")) === 0);
    for (const [path, expected] of texts) {
      expect((await desk.ask(`GET ${path}`)).body).toEqual(expected);
    }
    expect(await found("quicksilver")).toBe(3);
    expect(await renderStaleTexts(desk.server.context)).toEqual({ rendered: 0 });
  });

  it("renders all other texts again if one text fails, and the failed text in a later run", async () => {
    const [[post]] = await make("Cursed text");
    await makeStale("Cursed text");
    await query(
      desk.server,
      `create function refuse_post() returns trigger language plpgsql as
      'begin raise exception ''no''; end'`,
    );
    await query(
      desk.server,
      `create trigger refuse_post before update on posts for each row
      execute function refuse_post()`,
    );
    await expect(renderStaleTexts(desk.server.context)).rejects.toThrow(
      /^post \d+ cannot be rendered$/,
    );
    expect(await stale("Cursed text")).toBe(1);
    expect((await desk.ask(`GET ${post}`)).body).toMatchObject({ body_html: "old" });
    await query(desk.server, "drop trigger refuse_post on posts");
    await query(desk.server, "drop function refuse_post");
    expect(await renderStaleTexts(desk.server.context)).toEqual({ rendered: 1 });
  });
});
