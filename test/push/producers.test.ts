import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { announceDuePosts } from "../../shared/content/posts/announcements.ts";
import type { StepAttempt } from "../../shared/events/actions/action.ts";
import { findAction } from "../../shared/events/actions/catalogue.ts";
import type { ParamValues } from "../../shared/facts/param.ts";
import { storeAnnouncements } from "../../shared/facts/publish-facts.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { timeoutMs } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { callRoute } from "../support/http/call.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let site: PushSite;
let worker: TestWorker;
let admin: SignedIn;
let follower: Follower;

beforeAll(async () => {
  site = await startPushSite();
  worker = await startTestWorker(site.server, ["push"], { everySeconds: 0.5 });
  admin = await signIn(site.server, { role: "admin" });
  follower = await site.follower(["news.post", "site.notice"]);
});
afterEach(() => {
  follower.device.received.length = 0;
});
afterAll(async () => {
  await worker.stop();
  await site.stop();
});

async function write(extra: object = {}): Promise<number> {
  const { body } = await callRoute(site.server, "POST /admin/posts", {
    headers: admin.headers,
    body: { title: "News", body: "What happened", ...extra },
  });
  return (body as { readonly id: number }).id;
}

const told = async (): Promise<unknown[]> => {
  await site.settled();
  return follower.device.payloads;
};

/** Runs an action as a step of an event run does. */
async function run(id: string, params: ParamValues, idempotencyKey: string): Promise<void> {
  const { context } = site.server;
  const attempt: StepAttempt = {
    runId: 7,
    params,
    idempotencyKey,
    actor: { userId: admin.userId, username: admin.username, role: "admin" },
    signal: AbortSignal.timeout(timeoutMs),
    resultOf: async () => undefined,
    effect: async (_call, bringAbout) => bringAbout(context),
  };
  await findAction(id)?.run(attempt, context);
}

describe("a scheduled post", () => {
  it("is announced once, when its time of publication has come, and not before", async () => {
    const { context } = site.server;
    const published_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await write({ status: "published", published_at });
    await announceDuePosts(context);
    expect(await told()).toEqual([]);
    await context.models.Post.update({ publishedAt: clockNow() }, { where: { id } });
    await announceDuePosts(context);
    await announceDuePosts(context);
    expect(await told()).toEqual([{ stream: "news.post", ref: String(id) }]);
  });
});

describe("an action of an event run", () => {
  it("announces a post once if it publishes the post, however often the step is tried", async () => {
    const postId = await write();
    await run("site.post", { postId }, "evt:post");
    await run("site.post", { postId }, "evt:post");
    expect(await told()).toEqual([{ stream: "news.post", ref: String(postId) }]);
  });

  it("announces a notice once if it sends the notice as a push, however often the step is tried", async () => {
    await run("site.push", { stream: "site.notice" }, "evt:push");
    await run("site.push", { stream: "site.notice" }, "evt:push");
    expect(await told()).toEqual([{ stream: "site.notice", ref: "7" }]);
  });
});

describe("a producer whose transaction is rolled back", () => {
  it("announces nothing, and can announce the same push at its next attempt", async () => {
    const { context } = site.server;
    const notice = { stream: "site.notice", ref: "9", key: "rolled back" } as const;
    const before = await jobsOf(site.server, "push.dispatch");
    const failing = inTransaction(context.sequelize, async (transaction) => {
      await storeAnnouncements([notice], transaction, context);
      throw new Error("the producer fails");
    });
    await expect(failing).rejects.toThrow("the producer fails");
    expect(await context.models.Push.count({ where: { eventKey: notice.key } })).toBe(0);
    expect(await jobsOf(site.server, "push.dispatch")).toHaveLength(before.length);
    await site.announce(notice);
    expect(await told()).toEqual([{ stream: "site.notice", ref: "9" }]);
  });
});
