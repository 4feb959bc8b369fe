import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterAll(() => desk.stop());

interface Made {
  readonly id: number;
  readonly slug: string;
  readonly revision: number;
  readonly published_at: string | null;
  readonly status: string;
}

const write = (body: object) =>
  desk.make<Made>("/admin/posts", { title: "A post", body: "Text.", ...body });
const change = (id: number, body: object) => desk.ask(`PUT /admin/posts/${id}`, body);
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const newest = {
  id: expect.any(Number),
  title: "A post",
  excerpt: "Text.",
  image_url: null,
  tags: [],
  pinned: false,
  created_at: anyTime,
  updated_at: anyTime,
  revision: 1,
};

describe("POST /admin/posts", () => {
  it("creates a draft and answers it with its source", async () => {
    const { userId, username } = desk.users.editor;
    const answered = await desk.ask("POST /admin/posts", {
      title: "  Winter\n in   Britain ",
      body: "Snow on the **roofs**.\r\nMore.\n\nAnd then?",
    });
    expect(statusAndBodyOf(answered)).toEqual([
      201,
      {
        ...newest,
        slug: "winter-in-britain",
        title: "Winter in Britain",
        excerpt: "Snow on the roofs. More.",
        status: "draft",
        author_id: userId,
        author: { id: userId, username },
        published_at: null,
        body: "Snow on the **roofs**.\nMore.\n\nAnd then?",
        body_html: "<p>Snow on the <strong>roofs</strong>.\nMore.</p>\n<p>And then?</p>\n",
      },
    ]);
    const { id } = answered.body as Made;
    expect(statusAndBodyOf(await desk.ask(`GET /admin/posts/${id}`))).toEqual([200, answered.body]);
    expect(await desk.log("post", id)).toEqual([
      ["post.created", userId, { slug: "winter-in-britain", status: "draft" }],
    ]);
  });

  it("publishes at once, logs it once, and shows the public all fields except the source", async () => {
    const { userId, username } = desk.users.editor;
    const made = await write({
      title: "Out now",
      slug: "out-now",
      excerpt: "In short",
      image_url: "https://example.org/a.png",
      tags: ["News", " EVENTS ", "news"],
      pinned: true,
      status: "published",
    });
    expect(made.status).toBe("published");
    expect(statusAndBodyOf(await desk.read("/public/posts/out-now"))).toEqual([
      200,
      {
        ...newest,
        id: made.id,
        slug: "out-now",
        title: "Out now",
        excerpt: "In short",
        image_url: "https://example.org/a.png",
        tags: ["news", "events"],
        status: "published",
        pinned: true,
        author_id: userId,
        author: { id: userId, username },
        published_at: anyTime,
        body_html: "<p>Text.</p>\n",
      },
    ]);
    expect(await desk.log("post", made.id)).toEqual([
      ["post.published", userId, { slug: "out-now" }],
      ["post.created", userId, { slug: "out-now", status: "published" }],
    ]);
  });

  it.each<[string, object, string, string]>([
    ["no title", { title: undefined }, "title", "title is required"],
    ["an empty title", { title: " \n " }, "title", "title is not allowed to be empty"],
    [
      "a title of 151 characters",
      { title: "🎉".repeat(151) },
      "title",
      "title length must be less than or equal to 150 characters long",
    ],
    ["a number as the title", { title: 7 }, "title", "title must be a string"],
    ["an empty body", { body: "" }, "body", "body is not allowed to be empty"],
    [
      "a body of 100,001 characters",
      { body: "x".repeat(100_001) },
      "body",
      "body length must be less than or equal to 100000 characters long",
    ],
    [
      "a slug of other characters",
      { slug: "Out_Now" },
      "slug",
      "slug with value Out_Now fails to match the slug pattern",
    ],
    [
      "eleven tags",
      { tags: Array.from({ length: 11 }, (_, index) => `t${index}`) },
      "tags",
      "tags must contain less than or equal to 10 items",
    ],
    [
      "a tag of 41 characters",
      { tags: ["x".repeat(41)] },
      "tags.0",
      "tags[0] length must be less than or equal to 40 characters long",
    ],
    [
      "another status",
      { status: "secret" },
      "status",
      "status must be one of [draft, scheduled, published]",
    ],
    [
      "a time without a zone",
      { published_at: "2026-11-22T10:00:00" },
      "published_at",
      "published_at with value 2026-11-22T10:00:00 fails to match the ISO 8601 time with its zone pattern",
    ],
    [
      "a scheduled post without a time",
      { status: "scheduled" },
      "published_at",
      "published_at is required if a post is scheduled or remains published",
    ],
    [
      "an image that is not loaded safely",
      { image_url: "http://example.org/a.png" },
      "image_url",
      "image_url must be an https address without a user name, or the path of a public picture of the site",
    ],
    [
      "an image of another host without a scheme",
      { image_url: "//example.org/a.png" },
      "image_url",
      "image_url must be an https address without a user name, or the path of a public picture of the site",
    ],
    ["a NUL", { body: "a\0" }, "body", "body must be well-formed text without NUL"],
  ])("refuses %s", async (_what, body, path, message) => {
    const answered = await desk.ask("POST /admin/posts", { title: "T", body: "B", ...body });
    expect(statusAndBodyOf(answered)).toEqual(wrongField(path, message));
  });

  it.each([
    "0000-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59-23:59",
    "2026-13-01T00:00:00Z",
    "2027-02-30T10:00:00Z",
    "2027-04-31T10:00:00+02:00",
    "2027-02-29T10:00Z",
    "2026-11-22T24:00:00Z",
    "2026-11-22T25:00:00Z",
    "2026-11-22T10:00:00+99:99",
    "now",
  ])("refuses %s as the time of publication", async (published_at) => {
    const body = { title: "T", body: "B", status: "published", published_at };
    expect((await desk.ask("POST /admin/posts", body)).status).toBe(400);
  });

  it.each(["9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "2027-02-30T10:00:00Z"])(
    "names the allowed range of times if it refuses %s",
    async (published_at) => {
      const body = { title: "T", body: "B", status: "published", published_at };
      expect(statusAndBodyOf(await desk.ask("POST /admin/posts", body))).toEqual(
        wrongField(
          "published_at",
          "published_at must be an existing time from 1970-01-01T00:00:00Z to 9999-12-31T00:00:00Z",
        ),
      );
    },
  );

  it("counts an emoji as one character and drops characters that XML cannot contain", async () => {
    const { title, body } = await desk.make<{ title: string; body: string }>("/admin/posts", {
      title: "🎉".repeat(150),
      body: "a\u0001b\u000Bc\uFFFEd e\u0301",
    });
    expect([title, body]).toEqual(["🎉".repeat(150), "abcd é"]);
  });

  it("ignores the fields that the server sets itself", async () => {
    const made = await write({ id: 1_000_000, author_id: 99, body_html: "<script>", revision: 7 });
    expect(made).toMatchObject({
      author_id: desk.users.editor.userId,
      body_html: "<p>Text.</p>\n",
      revision: 1,
    });
    expect(made.id).toBeLessThan(1_000_000);
  });
});

describe("the slug of a post", () => {
  it("is made from a title in any script, and gets a number if it is taken", async () => {
    const slugs = [];
    for (const title of ["Ёлка в Москве", "Ёлка в Москве", "Елка в москве!", "北京"]) {
      slugs.push((await write({ title })).slug);
    }
    expect(slugs).toEqual(["yolka-v-moskve", "yolka-v-moskve-2", "elka-v-moskve", "bei-jing"]);
  });

  it("loses its last word if the number does not fit behind it", async () => {
    const title = `Gathering ${"z".repeat(70)}`;
    const slugs = [];
    for (let count = 0; count < 3; count++) slugs.push((await write({ title })).slug);
    expect(slugs).toEqual([`gathering-${"z".repeat(70)}`, "gathering-2", "gathering-3"]);
  });

  it("is made from the id if the title has no letter", async () => {
    const { id, slug } = await write({ title: "🎉🎉" });
    expect(slug).toBe(`post-${id}`);
  });

  it("is refused with 409 if the editor chose it and it is taken", async () => {
    await write({ slug: "taken" });
    const other = await write({});
    const refused = [409, { error: "The slug taken is taken" }];
    const again = await desk.ask("POST /admin/posts", { title: "T", body: "B", slug: "taken" });
    expect(statusAndBodyOf(again)).toEqual(refused);
    expect(again.headers.get("x-error-code")).toBe("slug_taken");
    expect(statusAndBodyOf(await change(other.id, { slug: "taken" }))).toEqual(refused);
  });

  it("stays when the title changes, and leaves no redirect when the slug itself is changed", async () => {
    const { id, slug } = await write({ title: "Before", status: "published" });
    const renamed = await change(id, { title: "After" });
    expect(renamed.body).toMatchObject({ title: "After", slug });
    await change(id, { slug: "after-all" });
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(404);
    expect((await desk.read("/public/posts/after-all")).status).toBe(200);
  });
});

describe("PUT /admin/posts/:id", () => {
  it("changes only the given fields, and null clears a field", async () => {
    const { id } = await write({ excerpt: "Short", tags: ["a"], image_url: "/images/a.png" });
    const answered = await change(id, { body: "Another\n\ntext", excerpt: null, image_url: null });
    expect(answered.body).toMatchObject({
      title: "A post",
      excerpt: "Another",
      tags: ["a"],
      image_url: null,
      body_html: "<p>Another</p>\n<p>text</p>\n",
      revision: 2,
    });
    expect((await desk.log("post", id)).at(-1)).toEqual([
      "post.updated",
      desk.users.editor.userId,
      { slug: expect.any(String), fields: ["excerpt", "body", "imageUrl"] },
    ]);
  });

  it("answers 409 if another change was saved after the base revision of the request", async () => {
    const { id } = await write({});
    await change(id, { title: "First", base_revision: 1 });
    const late = await change(id, { title: "Second", base_revision: 1 });
    expect(statusAndBodyOf(late)).toEqual([
      409,
      {
        error: "The change is based on revision 1, and 2 is the newest",
        current: expect.objectContaining({ id, revision: 2, title: "First" }),
      },
    ]);
    expect(late.headers.get("x-error-code")).toBe("stale_revision");
    expect((await change(id, { title: "Last" })).body).toMatchObject({
      title: "Last",
      revision: 3,
    });
  });

  it("answers 404 to an unknown or impossible id before it validates the body", async () => {
    for (const id of [999_999, 9_007_199_254_740_991]) {
      for (const asked of [change(id, { title: 7 }), desk.ask(`DELETE /admin/posts/${id}`)]) {
        expect(statusAndBodyOf(await asked)).toEqual([404, { error: "Unknown post" }]);
      }
      expect((await desk.ask(`GET /admin/posts/${id}`)).status).toBe(404);
    }
    expect((await change(0, {})).status).toBe(400);
  });

  it("refuses to clear the publication time of a post that stays published", async () => {
    const { id } = await write({ status: "published" });
    expect((await change(id, { published_at: null })).status).toBe(400);
  });
});

describe("a scheduled post", () => {
  it("is hidden from the public until its time, at which a job announces it", async () => {
    const time = inSeconds(3_600);
    const { id, slug, status } = await write({
      title: "Soon",
      status: "published",
      published_at: time,
    });
    expect(status).toBe("scheduled");
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(404);
    expect((await desk.ask("GET /admin/posts?status=scheduled")).body).toMatchObject({
      posts: [{ id, status: "scheduled", published_at: time }],
    });
    const [job] = await jobsOf(desk.server, "content.announce-posts");
    expect(job?.startAfter).toEqual(new Date(time));
    await desk.server.context.models.Post.update({ publishedAt: clockNow() }, { where: { id } });
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(200);
    expect((await desk.ask(`GET /admin/posts/${id}`)).body).toMatchObject({ status: "published" });
  });

  it("becomes public at once if it is published before its time", async () => {
    const { id, slug } = await write({ status: "scheduled", published_at: inSeconds(3_600) });
    expect((await change(id, { status: "published" })).body).toMatchObject({ status: "published" });
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(200);
  });

  it("is published at once if its time has passed", async () => {
    const { status } = await write({ status: "scheduled", published_at: inSeconds(-60) });
    expect(status).toBe("published");
  });
});

describe("publishing a post again", () => {
  it("keeps the first publication time and logs no second announcement", async () => {
    const { id, slug, published_at } = await write({ status: "published" });
    expect((await change(id, { status: "draft" })).body).toMatchObject({ status: "draft" });
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(404);
    const again = await change(id, { status: "published" });
    expect(again.body).toMatchObject({ status: "published", published_at });
    const told = (await desk.log("post", id)).filter(
      (line) => (line as string[])[0] === "post.published",
    );
    expect(told).toHaveLength(1);
  });
});

describe("GET /public/posts", () => {
  it("lists pinned posts first and then the newest, without their texts", async () => {
    await desk.server.context.models.Post.destroy({ where: {} });
    const times = [-300, -100, -200].map(inSeconds);
    for (const [index, published_at] of times.entries()) {
      const tags = index === 1 ? ["events"] : [];
      await write({
        title: `Ñandú ${index}`,
        status: "published",
        published_at,
        pinned: index === 0,
        tags,
      });
    }
    await write({ title: "Ñandú draft" });
    const titles = async (search: string) => {
      const { body } = await desk.read(`/public/posts${search}`);
      const { posts, total } = body as { posts: { title: string }[]; total: number };
      return [total, posts.map(({ title }) => title)];
    };
    expect(await titles("")).toEqual([3, ["Ñandú 0", "Ñandú 1", "Ñandú 2"]]);
    expect(await titles("?limit=1&offset=1")).toEqual([3, ["Ñandú 1"]]);
    expect(await titles("?tag=Events")).toEqual([1, ["Ñandú 1"]]);
    expect(await titles("?q=NANDU%202&tag=")).toEqual([1, ["Ñandú 2"]]);
    expect(await titles("?q=%25")).toEqual([0, []]);
    expect(await titles("?offset=9000000000000000")).toEqual([3, []]);
    const { body } = await desk.read("/public/posts?limit=1");
    expect(body).toEqual({
      posts: [
        {
          ...newest,
          title: "Ñandú 0",
          slug: "nandu-0",
          status: "published",
          pinned: true,
          author_id: desk.users.editor.userId,
          author: { id: desk.users.editor.userId, username: desk.users.editor.username },
          published_at: times[0],
        },
      ],
      total: 3,
      limit: 1,
      offset: 0,
    });
    expect((await desk.read("/public/posts?limit=101")).status).toBe(400);
  });
});

type Tagged = Readonly<{ slug: string; tags: readonly string[] }>;
type Lists = Readonly<Record<"posts" | "pages", readonly object[]>>;

describe("a tag", () => {
  // Each case has a tag as an editor types it, as it is stored, and as a visitor may type it.
  it.each([
    ["of characters beyond the basic plane", "🐉".repeat(40), "🐉".repeat(40), "🐉".repeat(40)],
    ["with a combining accent", "Cafe\u0301", "caf\u00E9", "CAFE\u0301"],
    ["that has a single character only in lower case", "J\u030Cen", "\u01F0en", "j\u030Cen"],
    ["of two words", "two \t words", "two words", " Two   words "],
  ])(
    "%s is found by its stored form and by other spellings",
    async (_what, typed, stored, other) => {
      const text = { title: "Tagged", body: "B", status: "published", tags: [typed] };
      for (const kind of ["posts", "wiki"]) {
        const { slug, tags } = await desk.make<Tagged>(`/admin/${kind}`, text);
        expect(tags).toEqual([stored]);
        for (const tag of [typed, stored, other]) {
          const answered = await desk.read(`/public/${kind}?tag=${encodeURIComponent(tag)}`);
          const { [kind === "posts" ? "posts" : "pages"]: found } = answered.body as Lists;
          expect(found).toEqual([expect.objectContaining({ slug })]);
        }
      }
    },
  );

  it("is refused if it is too long, and a blank tag in a query excludes nothing", async () => {
    const { status } = await desk.read(`/public/posts?tag=${encodeURIComponent("🐉".repeat(41))}`);
    expect(status).toBe(400);
    const blank = await desk.read("/public/posts?tag=%20");
    expect([blank.status, blank.body]).toEqual([200, (await desk.read("/public/posts")).body]);
    const tags = ["\u0130".repeat(21)];
    const answered = await desk.ask("POST /admin/posts", { title: "T", body: "B", tags });
    expect(statusAndBodyOf(answered)).toEqual(
      wrongField("tags.0", "tags[0] length must be less than or equal to 40 characters long"),
    );
  });
});

describe("DELETE /admin/posts/:id", () => {
  it("answers the id and deletes the post, but keeps its lines in the activity log", async () => {
    const { id, slug } = await write({ title: "Brief", status: "published" });
    expect(statusAndBodyOf(await desk.ask(`DELETE /admin/posts/${id}`))).toEqual([200, { id }]);
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(404);
    expect((await desk.log("post", id)).map((line) => (line as string[])[0])).toEqual([
      "post.published",
      "post.created",
      "post.deleted",
    ]);
  });
});

describe("the author of a post", () => {
  it("is null after the account is deleted, but the author id stays", async () => {
    const { slug } = await write({ title: "Left behind", status: "published" });
    const { userId } = desk.users.editor;
    await desk.server.context.models.Post.update({ authorId: 77_777 }, { where: { slug } });
    const { body } = await desk.read(`/public/posts/${slug}`);
    expect(body).toMatchObject({ author_id: 77_777, author: null });
    expect(userId).not.toBe(77_777);
  });
});
