import type { Model, ModelStatic } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { takeTransactionLock } from "../../shared/platform/db/lock.ts";
import { rows } from "../../shared/platform/db/rows.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { locksHere } from "../support/database/locks-here.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { type ApiAnswer, statusAndBodyOf } from "../support/http/call.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import { describeInLongLane } from "../support/runner/lane.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
let track: RaceServers;
const workers: ChildProgram[] = [];
beforeAll(async () => {
  desk = await ContentTestSite.open();
  track = await RaceServers.start(desk.server.database, {});
});
afterAll(async () => {
  for (const worker of workers) await worker.kill();
  await track.stop();
  await desk.stop();
});

const as = (route: string, body: object): Race => ({
  route,
  body,
  headers: desk.users.editor.headers,
});

const published = async (id: number): Promise<number> =>
  (await desk.log("post", id)).filter((line) => (line as string[])[0] === "post.published").length;

/** Reads a route as an editor in each process. @returns one status and body per process */
const readInEach = async (route: string): Promise<readonly unknown[]> => {
  const { headers } = desk.users.editor;
  return (await track.inEach({ route, headers })).map(({ status, body }) => [status, body]);
};

describe("thirty concurrent requests through two processes", () => {
  it(
    "let one of thirty editors save a page, and answer 409 to the others without overwriting text",
    repeatRace(async () => {
      const { slug } = await desk.make<{ slug: string }>("/admin/wiki", {
        title: "One",
        body: "0",
      });
      const change = (index: number) => ({ body: `Text ${index}`, base_revision: 1 });
      const answers = await track.run(
        makeList(30, (index) => as(`PUT /admin/wiki/${slug}`, change(index))),
      );
      expect(countStatuses(answers)).toEqual({ 200: 1, 409: 29 });
      const [winner] = successfulAnswersOf(answers);
      const now = [200, winner?.body];
      expect(await readInEach(`GET /admin/wiki/${slug}`)).toEqual([now, now]);
      const { WikiPage, WikiRevision } = desk.server.context.models;
      const page = await WikiPage.findOne({ where: { slug }, rejectOnEmpty: true });
      const revisions = await WikiRevision.findAll({
        where: { pageId: page.id },
        attributes: ["revision"],
        order: ["revision"],
        raw: true,
      });
      expect(revisions).toEqual([{ revision: 1 }, { revision: 2 }]);
    }),
  );

  it(
    "save thirty changes of a post without a base revision as thirty revisions in order",
    repeatRace(async () => {
      const { id } = await desk.make<{ id: number }>("/admin/posts", { title: "Two", body: "0" });
      const answers = await track.run(
        makeList(30, (index) => as(`PUT /admin/posts/${id}`, { body: `Text ${index}` })),
      );
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      const saved = answers.map(({ body }) => body as { revision: number });
      const inOrder = saved.toSorted((one, other) => one.revision - other.revision);
      expect(inOrder.map(({ revision }) => revision)).toEqual(makeList(30, (index) => index + 2));
      const now = [200, inOrder.at(-1)];
      expect(await readInEach(`GET /admin/posts/${id}`)).toEqual([now, now]);
    }),
  );

  it.each([
    ["posts", "Post"],
    ["wiki", "WikiPage"],
    ["pages", "Page"],
  ] as const)(
    "give thirty %s with the same title thirty different slugs, and give a requested slug to only one of thirty",
    repeatRace(async (round, kind: string, name: "Page" | "Post" | "WikiPage") => {
      const titled = {
        title: `Same title in ${round}`,
        body: "B",
        status: "published",
        category: "New one",
      };
      const answers = await track.run(makeList(30, () => as(`POST /admin/${kind}`, titled)));
      expect(countStatuses(answers)).toEqual({ 201: 30 });
      const slugs = answers.map(({ body }) => (body as { slug: string }).slug);
      const first = `same-title-in-${round}`;
      const expected = [first, ...makeList(29, (index) => `${first}-${index + 2}`)];
      expect(slugs.toSorted()).toEqual(expected.toSorted());
      const chosen = { ...titled, slug: `chosen-slug-${round}` };
      const rivals = await track.run(makeList(30, () => as(`POST /admin/${kind}`, chosen)));
      expect(countStatuses(rivals)).toEqual({ 201: 1, 409: 29 });
      const model: ModelStatic<Model> = desk.server.context.models[name];
      const stored = await model.findAll({ where: { title: titled.title } });
      expect(stored.map((text) => String(text.get("slug"))).toSorted()).toEqual(
        [...expected, chosen.slug].toSorted(),
      );
    }),
  );

  it(
    "create one category if thirty pages name it",
    repeatRace(async (round) => {
      const category = `Wanted ${round}`;
      const answers = await track.run(
        makeList(30, (index) =>
          as("POST /admin/wiki", { title: `Of it ${index}`, body: "B", category }),
        ),
      );
      expect(countStatuses(answers)).toEqual({ 201: 30 });
      const { WikiCategory, WikiPage } = desk.server.context.models;
      const found = await WikiCategory.findAll({ where: { name: category } });
      expect(found.map(({ slug }) => slug)).toEqual([`wanted-${round}`]);
      expect(await WikiPage.count({ where: { categoryId: found[0]?.id ?? 0 } })).toBe(30);
    }),
  );

  it(
    "announce a post once if all requests publish it",
    repeatRace(async () => {
      const { id } = await desk.make<{ id: number }>("/admin/posts", { title: "Three", body: "B" });
      const body = { status: "published" };
      const answers = await track.run(makeList(30, () => as(`PUT /admin/posts/${id}`, body)));
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      expect(await published(id)).toBe(1);
      const dates = answers.map((answer) => (answer.body as { published_at: string }).published_at);
      expect(new Set(dates).size).toBe(1);
    }),
  );

  it(
    "let only one of two pages take a new slug, and never give one slug to both pages",
    repeatRace(async (round) => {
      const [left, right, middle] = ["left", "right", "middle"].map((name) => `${name}-${round}`);
      for (const slug of [left, right]) {
        await desk.make("/admin/wiki", { title: slug, slug, body: "B", status: "published" });
      }
      const answers = await track.run(
        makeList(30, (index) =>
          as(`PUT /admin/wiki/${index % 2 === 0 ? left : right}`, {
            slug: middle,
            base_revision: 1,
          }),
        ),
      );
      expect(successfulAnswersOf(answers)).toHaveLength(1);
      expect(answers.every(({ status }) => [200, 404, 409].includes(status))).toBe(true);
      const slugs = [left, right, middle].map(String);
      const ofThem = { where: { slug: slugs }, attributes: ["slug"], raw: true };
      const { WikiPage, WikiRedirect } = desk.server.context.models;
      const pages = await WikiPage.findAll(ofThem);
      const redirects = await WikiRedirect.findAll(ofThem);
      const won = answers.findIndex(({ status }) => status === 200);
      const [moved, stayed] = won % 2 === 0 ? [left, right] : [right, left];
      expect(pages.map(({ slug }) => slug).toSorted()).toEqual(
        [middle, stayed].map(String).toSorted(),
      );
      expect(redirects).toEqual([{ slug: moved }]);
    }),
  );

  it(
    "delete a post once and answer 404 to the other requests",
    repeatRace(async () => {
      const { id } = await desk.make<{ id: number }>("/admin/posts", { title: "Four", body: "B" });
      const answers = await track.run(makeList(30, () => as(`DELETE /admin/posts/${id}`, {})));
      expect(countStatuses(answers)).toEqual({ 200: 1, 404: 29 });
      const log = (await desk.log("post", id)).map((line) => (line as string[])[0]);
      expect(log.filter((action) => action === "post.deleted")).toHaveLength(1);
      const { headers } = desk.users.editor;
      const gone = await track.inEach({ route: `GET /admin/posts/${id}`, headers });
      expect(countStatuses(gone)).toEqual({ 404: 2 });
    }),
  );

  it(
    "save thirty long texts of the same words without a deadlock",
    repeatRace(async (round) => {
      const words = makeList(3_000, (index) => `word${(index * 7_919) % 9_973}`);
      const text = (seed: number) =>
        words.toSorted((one, other) => (one + seed).localeCompare(other + seed)).join(" ");
      const title = `Long ${round}`;
      const bodies = makeList(30, text);
      const answers = await track.run(
        bodies.map((body) => as("POST /admin/posts", { title, body, status: "published" })),
      );
      expect(countStatuses(answers)).toEqual({ 201: 30 });
      const { Post } = desk.server.context.models;
      const stored = await Post.findAll({ where: { title } });
      expect(stored.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
    }),
  );
});

describe("a page that names a new category", () => {
  /** Returns the number of transactions that wait for the advisory lock on slugs. */
  const waiting = async (): Promise<number> => {
    const text = `select 1 from ${locksHere} where locktype = 'advisory' and not granted`;
    return (await query(desk.server, text)).length;
  };

  it("is saved while another page with the same new category is created", async () => {
    const { slug } = await desk.make<{ slug: string }>("/admin/wiki", {
      title: "The forge",
      slug: "smithy",
      body: "B",
    });
    const category = "Wanted by two";
    const saved: Promise<ApiAnswer>[] = [];
    await inTransaction(desk.server.context.sequelize, async (transaction) => {
      await takeTransactionLock("slugs", transaction);
      saved.push(desk.ask("POST /admin/wiki", { title: "The anvil", body: "B", category }));
      await waitUntil(
        "the one that is made waits for the slugs",
        async () => (await waiting()) === 1,
      );
      const change = { category, base_revision: 1 };
      saved.push(desk.ask(`PUT /admin/wiki/${slug}`, change, "admin"));
      await waitUntil("the other one does too", async () => (await waiting()) === 2);
    });
    const answers = await Promise.all(saved);
    const named = { category: { slug: "wanted-by-two", name: category } };
    expect(answers.map(statusAndBodyOf)).toMatchObject([
      [201, named],
      [200, named],
    ]);
  });
});

describeInLongLane("a scheduled post", () => {
  const startWorker = async (): Promise<ChildProgram> => {
    const { database } = desk.server;
    const worker = await startProgram("worker", { database, arguments: ["upkeep"] });
    workers.push(worker);
    return worker;
  };

  /** Creates a post that is scheduled in an hour. `comeDue` makes it due at once. */
  const schedule = (title: string) =>
    desk.make<{ id: number; slug: string }>("/admin/posts", {
      title,
      body: "B",
      status: "scheduled",
      published_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
  async function comeDue({ id }: { readonly id: number }): Promise<void> {
    await desk.server.context.models.Post.update({ publishedAt: clockNow() }, { where: { id } });
    const waiting = (await jobsOf(desk.server, "content.announce-posts")).filter(
      ({ state }) => state === "created",
    );
    for (const job of waiting) await changeJob(desk.server, job.id, { startsIn: 0 });
  }

  it("is announced once, even if the worker is killed while it announces the post", async () => {
    const post = await schedule("At midnight");
    const { id, slug } = post;
    expect((await desk.read(`/public/posts/${slug}`)).status).toBe(404);
    await comeDue(post);
    // Lock the log, so that the worker stops after it has marked the post and before it writes the
    // log line.
    await inTransaction(desk.server.context.sequelize, async (transaction) => {
      await rows(transaction, "lock table activity_log in exclusive mode");
      const first = await startWorker();
      await waitUntil("the worker waits for the log", async () => {
        const waiting = await query(
          desk.server,
          `select 1 from ${locksHere} where relation = 'activity_log'::regclass and not granted`,
        );
        return waiting.length > 0;
      });
      expect((await desk.read(`/public/posts/${slug}`)).status).toBe(200);
      await first.kill();
    });
    expect(await published(id)).toBe(0);
    await expireWorkerHeartbeats(desk.server);
    const others = await Promise.all([startWorker(), startWorker()]);
    await waitUntil(
      () => ["the post is announced", ...others.map(({ said }) => said)].join("\n"),
      async () => (await published(id)) > 0,
    );
    await desk.ask(`PUT /admin/posts/${id}`, { title: "Past midnight", status: "published" });
    // Schedule another post. Once it is announced, the workers have done any repeated work on the first post.
    const later = await schedule("Marker");
    await comeDue(later);
    await waitUntil("the marker is announced", async () => (await published(later.id)) === 1);
    expect(await published(id)).toBe(1);
    const [line] = (await desk.log("post", id)).filter(
      (each) => (each as string[])[0] === "post.published",
    );
    expect(line).toEqual(["post.published", null, { slug }]);
  });
});
