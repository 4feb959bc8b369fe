import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { Registry } from "prom-client";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { registerProcessMetrics } from "../../shared/ops/process-metrics.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { buildDiscordBody } from "../../shared/webhooks/messages/discord.ts";
import { hookStreams } from "../../shared/webhooks/messages/hook-streams.ts";
import { computeRetryDelayMs } from "../../shared/webhooks/sending/settle.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { buildEvent, buildRun } from "../support/factories/events.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeDeliveries, changeWebhooks } from "../support/factories/webhooks.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import {
  answer,
  type Behaviour,
  first,
  resetConnection,
  leaveUnanswered,
} from "../support/receiver/behaviour.ts";
import type { ReceivedRequest, ReceivingHook } from "../support/receiver/receiving-hook.ts";
import { describeInLongLane } from "../support/runner/lane.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { type HookSite, type MadeHook, startHookSite } from "../support/webhooks/hook-site.ts";

let site: HookSite;
/** A second server with short timeouts, for receivers that never answer. */
let hasty: TestServer;
let worker: TestWorker;

const startWorker = async (at = site.server): Promise<void> => {
  worker = await startTestWorker(at, ["push"], { everySeconds: 0.5 });
};

beforeAll(async () => {
  site = await startHookSite();
  const environment = { ...site.environment, PUSH_TIMEOUT: "2s" };
  hasty = await startTestServer({ database: site.server.database, environment });
  await startWorker();
});
// Remove all webhooks, so that later tests do not send to these receivers.
afterEach(() => site.server.context.models.Webhook.destroy({ where: {} }));
afterAll(async () => {
  await worker.stop();
  await hasty.stop();
  await site.stop();
});

const anyMessageId: unknown = expect.stringMatching(/^msg_[0-9a-f-]{36}$/);

/** Checks the signature of a message. @returns the body @throws if another secret was used */
const verify = ({ headers, body }: ReceivedRequest, secret: string): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

interface Body {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly ref: string; readonly event: Record<string, unknown> | null };
}

const told = ({ bodies }: ReceivingHook) => bodies.map((body) => (body as Body).data);

describe("a webhook message", () => {
  it("is signed as Standard Webhooks specifies, and sent once even if its push is announced five times", async () => {
    const { secret, receiver } = await site.make();
    const same = { key: "the same", ref: "7" };
    await Promise.all(makeList(5, () => site.announce("site.notice", same)));
    await site.settled();
    expect(receiver.posted).toHaveLength(1);
    const [posted] = receiver.posted as [ReceivedRequest];
    expect(verify(posted, secret)).toEqual({
      id: anyMessageId,
      type: "site.notice",
      timestamp: anyTime,
      data: { ref: "7", event: null },
    });
    expect(posted.headers).toMatchObject({
      "webhook-id": (JSON.parse(posted.body) as Body).id,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Guildhall\//),
    });
    const forged = { ...posted, body: posted.body.replace("7", "8") };
    expect(() => verify(forged, secret)).toThrow("No matching signature found");
  });

  it("is signed with both secrets after a rotation, until the former secret expires", async () => {
    const { id, secret, receiver } = await site.make();
    const rotated = await site.as(`PUT /admin/webhooks/${id}`, { rotateSecret: true });
    const { secret: next } = rotated.body as { secret: string };
    await site.announce("site.notice");
    await site.settled();
    const [posted] = receiver.posted as [ReceivedRequest];
    for (const one of [secret, next]) {
      expect(verify(posted, one)).toMatchObject({ type: "site.notice" });
    }
    await changeWebhooks(site.server, { formerSecretUntil: clockNowPlus(-1_000) });
    await site.announce("site.notice");
    await site.settled();
    const later = receiver.posted[1] as ReceivedRequest;
    expect(verify(later, next)).toMatchObject({ type: "site.notice" });
    expect(() => verify(later, secret)).toThrow("No matching signature found");
  });

  it("goes to every enabled webhook that subscribes to its stream, and to no other", async () => {
    const [one, two] = [await site.make(), await site.make()];
    const off = await site.make({ enabled: false });
    const other = await site.make({ streams: ["news.post"] });
    await site.announce("site.notice");
    await site.settled();
    const counts = [one, two, off, other].map(({ receiver }) => receiver.posted.length);
    expect(counts).toEqual([1, 1, 0, 0]);
    expect(one.receiver.ids).not.toEqual(two.receiver.ids);
  });

  it("is not sent for a push to a single user, even if its stream is public", async () => {
    const { receiver } = await site.make();
    const { context } = site.server;
    const { userId } = site.admin;
    await site.announce("site.notice", { key: "theirs", ref: "1", userId });
    await waitUntil("it is dispatched", async () => {
      const push = await context.models.Push.findOne({ where: { eventKey: "theirs" } });
      return push?.dispatchedAt !== null;
    });
    // Enqueue the job that a process would create if it ignored the audience of the push.
    const push = await context.models.Push.findOne({ where: { eventKey: "theirs" } });
    await context.queue.enqueue("webhook.dispatch", { pushId: push?.id ?? 0 });
    await site.settled();
    await site.announce("site.notice", { ref: "2" });
    await site.settled();
    expect(told(receiver)).toEqual([{ ref: "2", event: null }]);
  });

  it("creates no job while no webhook exists", async () => {
    const jobs = async () => {
      const queues = ["webhook.dispatch", "webhook.send"];
      const all = await Promise.all(queues.map((queue) => jobsOf(site.server, queue)));
      return all.map(({ length }) => length);
    };
    const before = await jobs();
    await site.announce("site.notice");
    await site.settled();
    expect(await jobs()).toEqual(before);
  });

  it("is sent even if push messages are switched off", async () => {
    const off = await startHookSite({ environment: { PUSH_ALLOWED_ORIGINS: "" } });
    const own = await startTestWorker(off.server, ["push"]);
    try {
      const { receiver } = await off.make();
      await off.announce("site.notice");
      await off.settled();
      expect(receiver.posted).toHaveLength(1);
    } finally {
      await own.stop();
      await off.stop();
    }
  });
});

describe("the content of a webhook message", () => {
  const house = {
    serial: "0x40000001",
    stage: "IDOC",
    map: "Felucca",
    x: 1,
    y: 2,
    z: 0,
    name: "The Owl",
    region: "Luna",
    ownerAcct: "canary-account",
    ownerSerial: "0x00000001",
  };
  let seq = 0;
  const store = async (kind: string, payload: object, reach = "public"): Promise<number> => {
    const event = await site.server.context.models.ShardEvent.create({
      source: "shard",
      epoch: "e",
      seq: ++seq,
      eventKey: null,
      bootId: "b",
      kind,
      t: 1_700_000_000_000,
      payload: { ...payload },
      reach: reach as "public",
    });
    return event.id;
  };

  it("is the public view of the shard event, without the house's owner", async () => {
    const { receiver } = await site.make({ streams: ["idoc.warning"] });
    const shardEventId = await store("house.decay", house);
    await site.announce("idoc.warning", { ref: house.serial, shardEventId });
    await site.settled();
    const { ownerAcct: _a, ownerSerial: _s, ...payload } = house;
    expect(told(receiver)).toEqual([
      {
        ref: house.serial,
        event: {
          id: shardEventId,
          kind: "house.decay",
          t: 1_700_000_000_000,
          bootId: "b",
          payload,
          createdAt: anyTime,
        },
      },
    ]);
  });

  it("leaves out fields that the current visibility hides, and no message is sent for a closed feature", async () => {
    const { receiver } = await site.make({ streams: ["idoc.warning"] });
    const see = (houses: object | null) =>
      site.as("PUT /admin/shard/visibility", { features: { houses } });
    const announce = async () => {
      const shardEventId = await store("house.decay", house);
      await site.announce("idoc.warning", { ref: house.serial, shardEventId });
      await site.settled();
    };
    const set = async (rule: { audience?: string; enabled?: boolean; fieldRules?: object }) => {
      await see(null);
      await see(rule);
      const { audience = "anonymous", enabled = true, fieldRules = {} } = rule;
      await waitUntil("it holds", () => {
        const now = site.server.context.visibility.current.houses;
        const isRuled = Object.keys(fieldRules).length === 0 || now.fieldRules.name === "staff";
        return now.audience === audience && now.enabled === enabled && isRuled;
      });
    };
    await set({ fieldRules: { name: "staff" } });
    await announce();
    await set({ audience: "logged_in" });
    await announce();
    await set({ enabled: false });
    await announce();
    await see(null);
    expect(told(receiver)).toHaveLength(1);
    expect(told(receiver)[0]?.event?.["payload"]).not.toHaveProperty("name");
  });

  it("has only the ref, and null as the event, if only staff may see the shard event", async () => {
    const { receiver } = await site.make({ streams: ["idoc.warning"] });
    const shardEventId = await store("house.decay", house, "staff");
    await site.announce("idoc.warning", { ref: house.serial, shardEventId });
    await site.settled();
    expect(told(receiver)).toEqual([{ ref: house.serial, event: null }]);
  });

  it("is the published post, and nothing is sent for a post that is withdrawn before dispatch", async () => {
    const { receiver } = await site.make({ streams: ["news.post"] });
    const body = { title: "Snow", body: "It *snows*", status: "published" };
    const { id, slug } = (await site.as("POST /admin/posts", body)).body as {
      id: number;
      slug: string;
    };
    await site.settled();
    expect(told(receiver)).toEqual([
      {
        ref: String(id),
        event: {
          id,
          slug,
          title: "Snow",
          excerpt: "It snows",
          image_url: null,
          tags: [],
          published_at: anyTime,
          url: `http://localhost:3000/news/${slug}`,
        },
      },
    ]);
    await worker.stop();
    const hidden = (await site.as("POST /admin/posts", body)).body as { id: number };
    await site.as(`PUT /admin/posts/${hidden.id}`, { status: "draft" });
    await startWorker();
    await site.settled();
    expect(receiver.posted).toHaveLength(1);
  });

  it("is the run of an announced event, and no message is sent for a rehearsal or an unannounced event", async () => {
    const { receiver } = await site.make({ streams: ["event.run"] });
    const narrow = await site.make({ streams: ["event.started", "event.run"] });
    const announced = await makeRun("the-feast", { listed: true });
    const rehearsal = await makeRun("the-rehearsal", { listed: true }, true);
    const unlisted = await makeRun("the-secret", {});
    for (const run of [announced, rehearsal, unlisted]) {
      await site.announce("event.started", { ref: String(run) });
    }
    await site.settled();
    expect(receiver.bodies).toMatchObject([{ type: "event.run" }]);
    expect(narrow.receiver.bodies).toMatchObject([{ type: "event.started" }]);
    await site.announce("event.completed", { ref: String(announced) });
    await site.settled();
    const run = {
      runId: announced,
      title: "The feast",
      slug: "the-feast",
      eventUrl: `http://localhost:3000/events/the-feast?run=${announced}`,
      startedAt: anyTime,
      endedAt: null,
    };
    expect(told(receiver)).toEqual([
      { ref: String(announced), event: { kind: "event.started", ...run } },
      { ref: String(announced), event: { kind: "event.completed", ...run } },
    ]);
  });
});

async function makeRun(slug: string, spec: object, rehearsal = false): Promise<number> {
  const draft = { slug, title: "Working title", spec };
  const event = await buildEvent(site.server, draft, { title: "The feast" });
  return (await buildRun(site.server, event, { rehearsal })).id;
}

const delivered = {
  id: expect.any(Number),
  message_id: anyMessageId,
  event: "site.notice",
  status: "delivered",
  attempts: 1,
  code: 204,
  error: null,
  answer: null,
  next_at: null,
  created_at: anyTime,
  delivered_at: anyTime,
};

/** Sends up to 10 MB, as long as the client reads. */
const large =
  (status: number): Behaviour =>
  (response) => {
    let left = 10 * 1024 * 1024;
    response.writeHead(status);
    response.on("error", () => undefined);
    const more = (): void => {
      while (left > 0 && !response.destroyed && response.write("x".repeat(16_384))) left -= 16_384;
      if (left <= 0) response.end();
    };
    response.on("drain", more);
    more();
  };

describe("a receiver's answer", () => {
  it("marks the delivery as delivered if it is any 2xx, and at most 500 characters of it are stored", async () => {
    const hooks = [await site.make(), await site.make(), await site.make()] as const;
    hooks[1].receiver.behave = (response) => void response.writeHead(200).end("Thank\0 you\n");
    hooks[2].receiver.behave = large(201);
    await site.announce("site.notice");
    await site.settled();
    expect(await site.log(hooks[0].id)).toEqual([delivered]);
    expect(await site.log(hooks[1].id)).toEqual([{ ...delivered, code: 200, answer: "Thank you" }]);
    expect(await site.log(hooks[2].id)).toEqual([
      { ...delivered, code: 201, answer: "x".repeat(500) },
    ]);
    for (const { id } of hooks) {
      expect(await site.seen(id)).toMatchObject({
        failing: false,
        last_error: null,
        last_success_at: anyTime,
      });
    }
  });

  it("that never arrives leads to retries under the same id until the message is accepted", async () => {
    const { id, secret, receiver } = await site.make();
    receiver.behave = leaveUnanswered;
    await worker.stop();
    await startWorker(hasty);
    await site.announce("site.notice");
    await waitUntil("it was tried", async () => (await site.log(id))[0]?.["error"] === "timeout");
    expect(await site.seen(id)).toMatchObject({ last_error: "timeout", failing: false });
    await worker.stop();
    receiver.behave = answer(204);
    await startWorker();
    await site.settled();
    const attempts = receiver.posted.length;
    expect(attempts).toBeGreaterThan(1);
    expect(await site.log(id)).toEqual([{ ...delivered, attempts }]);
    expect(new Set(receiver.ids).size).toBe(1);
    for (const posted of receiver.posted) expect(verify(posted, secret)).toBeTruthy();
  });

  it("that is no 2xx leads to retries under the same id, each with a new signature, until one succeeds", async () => {
    const elsewhere = site.address();
    const redirect = answer(307, { location: elsewhere.url });
    const bad: readonly (readonly [Behaviour, number | null, string])[] = [
      [answer(500), 500, "unavailable"],
      [answer(404), 404, "refused"],
      [answer(401), 401, "refused"],
      [answer(413), 413, "too_large"],
      [redirect, 307, "redirect"],
      [resetConnection, null, "unreachable"],
      [large(503), 503, "unavailable"],
    ];
    const hooks: MadeHook[] = [];
    let isOpen = false;
    for (const [behave] of bad) {
      const hook = await site.make();
      hook.receiver.behave = (response, before, request) =>
        (isOpen ? answer(204) : behave)(response, before, request);
      hooks.push(hook);
    }
    await site.announce("site.notice");
    for (const [at, [, code, error]] of bad.entries()) {
      const { id } = hooks[at] as MadeHook;
      await waitUntil(
        `it was tried: ${error}`,
        async () => (await site.log(id))[0]?.["error"] === error,
      );
      const [shown] = await site.log(id);
      expect(shown).toMatchObject({ code, delivered_at: null });
      expect(await site.seen(id)).toMatchObject({ last_error: error, failing: false });
    }
    isOpen = true;
    await site.settled(30_000);
    for (const { id, secret, receiver } of hooks) {
      expect(await site.log(id)).toEqual([{ ...delivered, attempts: receiver.posted.length }]);
      expect(receiver.posted.length).toBeGreaterThan(1);
      expect(new Set(receiver.ids).size).toBe(1);
      expect(new Set(receiver.posted.map(({ body }) => body)).size).toBe(1);
      for (const posted of receiver.posted) expect(verify(posted, secret)).toBeTruthy();
    }
    expect(elsewhere.posted).toEqual([]);
  });

  it("delays all messages of the webhook for the time in its Retry-After, whether in seconds or as a date", async () => {
    const hooks = [await site.make(), await site.make()] as const;
    const later = { "retry-after": new Date(Date.now() + 3_000).toUTCString() };
    hooks[0].receiver.behave = first(answer(429, { "retry-after": "2" }), answer(204));
    hooks[1].receiver.behave = first(answer(503, later), answer(204));
    const startedAt = performance.now();
    await site.announce("site.notice");
    for (const { id } of hooks) {
      await waitUntil("it was tried", async () => (await site.seen(id))?.["last_error"] !== null);
    }
    await site.announce("site.notice");
    await site.settled(30_000);
    for (const { receiver } of hooks) {
      expect(receiver.posted).toHaveLength(3);
      const [, ...others] = receiver.posted;
      for (const { at } of others) expect(at - startedAt).toBeGreaterThan(1_500);
    }
  });

  it("fails the delivery and switches the webhook off if it is 410, which the activity log records", async () => {
    const { id, receiver } = await site.make();
    await site.announce("site.notice", { ref: "1" });
    await site.settled();
    const [earlier] = await site.log(id);
    const later = { state: "waiting", nextAt: clockNowPlus(3_600_000), deliveredAt: null } as const;
    await changeDeliveries(site.server, { id: Number(earlier?.["id"]) }, later);
    receiver.behave = answer(410);
    await site.announce("site.notice", { ref: "2" });
    await site.settled();
    expect(receiver.posted).toHaveLength(2);
    expect(await site.seen(id)).toMatchObject({
      enabled: false,
      failing: true,
      last_error: "gone",
      disabled_reason: "gone",
    });
    expect(await site.log(id)).toMatchObject([
      { ...delivered, status: "failed", code: 410, error: "gone", delivered_at: null },
      { id: earlier?.["id"], status: "failed", error: "gone" },
    ]);
    const disabled = { action: "webhook.disabled" };
    const lines = await activityOf(site.server, disabled, ["actorId", "targetId", "detail"]);
    expect(lines).toEqual([{ actorId: null, targetId: String(id), detail: { reason: "gone" } }]);
    await site.announce("site.notice");
    await site.settled();
    expect(receiver.posted).toHaveLength(2);
    receiver.behave = answer(204);
    await site.as(`PUT /admin/webhooks/${id}`, { enabled: true });
    expect(await site.seen(id)).toMatchObject({
      enabled: true,
      failing: false,
      last_error: null,
      disabled_reason: null,
    });
  });

  it("with 410 from a replaced address leads to a delivery to the new one, and the webhook stays on", async () => {
    const { id, receiver: former } = await site.make();
    const present = site.address();
    former.behave = (response) => {
      void site
        .as(`PUT /admin/webhooks/${id}`, { url: present.url })
        .then(() => response.writeHead(410, { "retry-after": "3600" }).end());
    };
    await site.announce("site.notice");
    await waitUntil(
      "the change is made",
      async () => (await site.seen(id))?.["url"] === present.url,
    );
    await site.settled();
    expect([former.count, present.ids]).toEqual([1, former.ids]);
    expect(await site.log(id)).toMatchObject([{ status: "delivered", attempts: 2, code: 204 }]);
    const well = { enabled: true, failing: false, last_error: null, disabled_reason: null };
    expect(await site.seen(id)).toMatchObject(well);
  });

  it("with 500 at nine attempts fails the delivery, and the webhook counts as failing until a delivery succeeds", async () => {
    const { id, receiver } = await site.make();
    receiver.behave = answer(500);
    await site.announce("site.notice");
    await waitUntil("it was tried", () => receiver.posted.length === 1);
    await changeDeliveries(site.server, {}, { tries: 8 });
    await site.settled();
    expect(await site.seen(id)).toMatchObject({
      failing: true,
      failing_since: anyTime,
      last_error: "unavailable",
      enabled: true,
    });
    expect(await site.log(id)).toMatchObject([{ status: "failed", code: 500, next_at: null }]);
    receiver.behave = answer(204);
    await site.announce("site.notice");
    await site.settled();
    expect(await site.seen(id)).toMatchObject({ failing: false, failing_since: null });
  });

  it("switches the webhook off at the next failure if it has been 500 for five days", async () => {
    const { id, receiver } = await site.make();
    receiver.behave = answer(500);
    const day = 86_400_000;
    const since = (ageMs: number) =>
      changeWebhooks(site.server, { failingSince: clockNowPlus(-ageMs) });
    await since(5 * day - 3_600_000);
    await site.announce("site.notice");
    await waitUntil("it was tried", async () => (await site.seen(id))?.["last_error"] !== null);
    expect(await site.seen(id)).toMatchObject({ enabled: true, failing: true });
    await since(5 * day + 60_000);
    await waitUntil("it is off", async () => (await site.seen(id))?.["enabled"] === false);
    expect(await site.seen(id)).toMatchObject({ failing: true, disabled_reason: "failing" });
    await site.settled();
    expect(await site.log(id)).toMatchObject([{ status: "failed", error: "unavailable" }]);
  });

  const limitedFor = (seconds: number): Behaviour => {
    const body = JSON.stringify({ message: "You are being rate limited.", retry_after: seconds });
    return (response) =>
      void response.writeHead(429, { "content-type": "application/json" }).end(body);
  };
  const noMore = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1e14" };

  it.each<[string, Behaviour, object]>([
    ["in seconds", answer(503, { "retry-after": "999999999" }), {}],
    ["in seconds with 400 digits", answer(503, { "retry-after": "9".repeat(400) }), {}],
    ["as a date", answer(429, { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }), {}],
    ["in Discord's answer to a limited request", limitedFor(1e14), { format: "discord" }],
    ["in Discord's headers of an accepted request", answer(204, noMore), { format: "discord" }],
  ])(
    "delays for no more than one day if it asks for decades, %s, and five failing days then switch the webhook off",
    async (_how, behave, body) => {
      const day = 86_400_000;
      const address = site.address("/api/webhooks/76/patient-canary");
      const { id, receiver } = await site.make(body, address);
      receiver.behave = behave;
      await site.announce("site.notice");
      await site.settled();
      const { Webhook: Hook } = site.server.context.models;
      const [held] = await storedRows(Hook, ["heldUntil"], { id });
      const heldUntil = held?.heldUntil?.valueOf() ?? 0;
      expect(Math.abs(heldUntil - Date.now() - day)).toBeLessThan(60_000);
      // The webhook was put on hold a day ago and has failed for five days.
      const failingSince = clockNowPlus(-5 * day - 60_000);
      await changeWebhooks(site.server, { heldUntil: new Date(heldUntil - day), failingSince });
      receiver.behave = answer(500);
      await site.announce("site.notice");
      await waitUntil("it is off", async () => (await site.seen(id))?.["enabled"] === false);
      expect(await site.seen(id)).toMatchObject({ disabled_reason: "failing" });
      expect(receiver.posted).toHaveLength(2);
    },
  );
});

describe("the waits between retries", () => {
  it("grow, add up to less than a day, and are at least as long as the receiver asks for", () => {
    const day = 24 * 3_600_000;
    const failed = { fault: "unavailable", holdMs: null } as const;
    const wait = (tries: number, leftMs = day) =>
      computeRetryDelayMs({ tries, leftMs }, failed, 10_000) ?? 0;
    const random = vi.spyOn(Math, "random").mockReturnValue(0.999_999);
    const longest = makeList(8, (at) => wait(at + 1));
    random.mockReturnValue(0);
    const shortest = makeList(8, (at) => wait(at + 1));
    random.mockRestore();
    expect(shortest.map((ms) => ms / 1_000)).toEqual([
      10, 40, 160, 640, 2_560, 10_240, 28_800, 28_800,
    ]);
    expect(longest.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(day);
    expect(computeRetryDelayMs({ tries: 9, leftMs: day }, failed, 10_000)).toBeNull();
    const held = { fault: "limited", holdMs: 3_600_000 } as const;
    expect(computeRetryDelayMs({ tries: 1, leftMs: day }, held, 10_000)).toBe(3_600_000);
    expect(computeRetryDelayMs({ tries: 1, leftMs: 3_000_000 }, held, 10_000)).toBeNull();
  });
});

describe("a receiver whose host name resolves to a forbidden address", () => {
  it("gets no connection until its name resolves to the allowed address again", async () => {
    const { id, receiver } = await site.make();
    const { hostname } = new URL(receiver.url);
    await site.announce("site.notice");
    await site.settled();
    const { connections } = site.receiver;
    for (const addresses of [
      ["127.0.0.2"],
      ["::1"],
      ["127.0.0.1", "10.0.0.1"],
      ["169.254.169.254"],
    ]) {
      site.names.say(hostname, addresses);
      const test = await site.as(`POST /admin/webhooks/${id}/test`);
      expect(statusAndBodyOf(test)).toEqual([200, { delivered: false, status: null }]);
      expect(await site.seen(id)).toMatchObject({ last_error: "address" });
    }
    await site.announce("site.notice");
    await waitUntil("it was tried", async () => (await site.log(id))[0]?.["error"] === "address");
    expect(site.receiver.connections).toBe(connections);
    site.names.say(hostname, ["127.0.0.1"]);
    await site.settled(30_000);
    expect(receiver.posted).toHaveLength(2);
    expect(await site.seen(id)).toMatchObject({ failing: false, last_error: null });
  });
});

describe("POST /admin/webhooks/:id/test", () => {
  it("sends one test message at once, even if the webhook is off, and logs it", async () => {
    const { id, secret, receiver } = await site.make({ enabled: false });
    const test = (at = site.server) => site.as(`POST /admin/webhooks/${id}/test`, undefined, at);
    expect(statusAndBodyOf(await test())).toEqual([200, { delivered: true, status: 204 }]);
    expect(verify(receiver.posted[0] as ReceivedRequest, secret)).toEqual({
      id: anyMessageId,
      type: "test",
      timestamp: anyTime,
      data: { ref: String(id), event: null },
    });
    receiver.behave = answer(500);
    expect(statusAndBodyOf(await test())).toEqual([200, { delivered: false, status: 500 }]);
    receiver.behave = leaveUnanswered;
    expect(statusAndBodyOf(await test(hasty))).toEqual([200, { delivered: false, status: null }]);
    expect(receiver.posted).toHaveLength(3);
    expect(await site.log(id)).toMatchObject([
      { event: "test", status: "failed", error: "timeout", attempts: 1 },
      { event: "test", status: "failed", code: 500, attempts: 1 },
      { event: "test", status: "delivered", attempts: 1 },
    ]);
  });

  it("answers 404 for a webhook that is deleted during the request", async () => {
    const { id, receiver } = await site.make();
    const { context } = site.server;
    const asked: Promise<ApiAnswer>[] = [];
    await inTransaction(context.sequelize, async (transaction) => {
      await context.models.Webhook.destroy({ where: { id }, transaction });
      asked.push(site.as(`POST /admin/webhooks/${id}/test`));
      await waitUntil("the test waits for it", async () => {
        const text = `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return (await query(site.server, text)).length > 0;
      });
    });
    expect((await Promise.all(asked)).map(statusAndBodyOf)).toEqual([
      [404, { error: "Unknown webhook" }],
    ]);
    expect(receiver.count).toBe(0);
  });

  it("logs the result even if the session of the request ends meanwhile", async () => {
    const { id, receiver } = await site.make();
    const leaving = await signIn(site.server, { role: "admin" });
    const { headers } = leaving;
    receiver.behave = (response) => {
      void callRoute(site.server, "POST /auth/logout", { headers }).then(() =>
        response.writeHead(204).end(),
      );
    };
    await callRoute(site.server, `POST /admin/webhooks/${id}/test`, { headers });
    expect(await site.log(id)).toMatchObject([{ event: "test", status: "delivered", code: 204 }]);
    expect(await site.seen(id)).toMatchObject({ last_success_at: anyTime });
  });
});

describe("redelivery", () => {
  it("sends one delivery or all failed deliveries again, each under its own id", async () => {
    const { id, receiver } = await site.make();
    receiver.behave = answer(500);
    for (const ref of ["1", "2", "3"]) await site.announce("site.notice", { ref });
    await waitUntil("all were tried", () => new Set(receiver.ids).size === 3);
    await changeDeliveries(site.server, {}, { tries: 9 });
    await site.settled();
    const failed = await site.log(id);
    expect(failed.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    receiver.behave = answer(204);
    receiver.posted.length = 0;
    const [newest] = failed;
    const again = await site.as(
      `POST /admin/webhooks/${id}/deliveries/${String(newest?.["id"])}/redeliver`,
    );
    expect(statusAndBodyOf(again)).toEqual([
      202,
      { delivery: { ...newest, status: "waiting", next_at: anyTime } },
    ]);
    await site.settled();
    expect(receiver.ids).toEqual([newest?.["message_id"]]);
    const all = () => site.as(`POST /admin/webhooks/${id}/redeliver-failed`);
    expect(statusAndBodyOf(await all())).toEqual([202, { queued: 2 }]);
    await site.settled();
    expect(receiver.ids).toHaveLength(3);
    expect(new Set(receiver.ids)).toEqual(new Set(failed.map((one) => one["message_id"])));
    expect(statusAndBodyOf(await all())).toEqual([202, { queued: 0 }]);
    const log = await site.log(id);
    expect(log.map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
    const page = await site.as(`GET /admin/webhooks/${id}/deliveries?limit=1&offset=1`);
    expect(page.body).toEqual({ deliveries: [log[1]], total: 3, limit: 1, offset: 1 });
    const lines = await activityOf(site.server, { action: "webhook.redelivered" }, ["detail"]);
    expect(lines).toEqual([{ detail: { deliveryId: newest?.["id"] } }, { detail: { count: 2 } }]);
  });

  it("is refused while the webhook is off, and for a delivery of another webhook", async () => {
    const [one, other] = [await site.make(), await site.make({ enabled: false })];
    await site.as(`POST /admin/webhooks/${one.id}/test`);
    const [delivery] = await site.log(one.id);
    const path = `deliveries/${String(delivery?.["id"])}/redeliver`;
    const off = await site.as(`POST /admin/webhooks/${other.id}/${path}`);
    expect(statusAndBodyOf(off)).toEqual([409, { error: "The webhook is switched off" }]);
    expect(off.headers.get("x-error-code")).toBe("webhook_disabled");
    await site.as(`PUT /admin/webhooks/${other.id}`, { enabled: true });
    const foreign = await site.as(`POST /admin/webhooks/${other.id}/${path}`);
    expect(statusAndBodyOf(foreign)).toEqual([404, { error: "Unknown delivery" }]);
  });
});

describeInLongLane("two push workers", () => {
  const start = (): Promise<ChildProgram> =>
    startProgram("worker", {
      database: site.server.database,
      environment: { ...site.environment, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      arguments: ["push"],
    });

  it("send each message once, and send the message of a killed worker again under its own id", async () => {
    await worker.stop();
    const workers = await Promise.all([start(), start()]);
    try {
      const [calm, held] = [await site.make(), await site.make({ streams: ["news.post"] })];
      for (let at = 0; at < 30; at++) await site.announce("site.notice", { ref: String(at) });
      await site.settled();
      expect(new Set(calm.receiver.ids).size).toBe(30);
      expect(calm.receiver.posted).toHaveLength(30);
      // The receiver gets the message and does not answer, and then the workers are killed.
      held.receiver.behave = first(leaveUnanswered, answer(204));
      const body = { title: "Snow", body: "It snows", status: "published" };
      await site.as("POST /admin/posts", body);
      await waitUntil("it is being sent", () => held.receiver.posted.length === 1);
      await Promise.all(workers.map((one) => one.kill()));
      expect(await site.log(held.id)).toMatchObject([{ status: "trying", attempts: 1 }]);
      await expireWorkerHeartbeats(site.server);
      // Make the lease of the delivery expire.
      await changeDeliveries(site.server, { state: "trying" }, { nextAt: clockNow() });
      await startWorker();
      await site.server.context.queue.enqueue("push.sweep", {});
      await site.settled(30_000);
      expect(held.receiver.posted).toHaveLength(2);
      expect(new Set(held.receiver.ids).size).toBe(1);
      expect(await site.log(held.id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
    } finally {
      await Promise.all(workers.map((one) => one.kill()));
    }
  });
});

/**
 * The schema of a Discord message, with the fields that the site uses. It follows Discord's
 * reference for webhooks.
 */
const discordMessage = {
  type: "object",
  additionalProperties: false,
  required: ["content", "embeds", "allowed_mentions"],
  properties: {
    content: { type: "string", minLength: 1, maxLength: 2_000 },
    allowed_mentions: { const: { parse: [] } },
    embeds: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["title"],
        properties: {
          title: { type: "string", minLength: 1, maxLength: 256 },
          description: { type: "string", minLength: 1, maxLength: 4_096 },
          url: { type: "string", format: "uri", pattern: "^https?://" },
          timestamp: { type: "string", format: "date-time" },
          image: {
            type: "object",
            additionalProperties: false,
            required: ["url"],
            properties: { url: { type: "string", format: "uri", pattern: "^https://" } },
          },
          fields: {
            type: "array",
            maxItems: 25,
            items: {
              type: "object",
              additionalProperties: false,
              required: ["name", "value"],
              properties: {
                name: { type: "string", minLength: 1, maxLength: 256 },
                value: { type: "string", minLength: 1, maxLength: 1_024 },
                inline: { type: "boolean" },
              },
            },
          },
        },
      },
    },
  },
};

interface DiscordBody {
  readonly content: string;
  readonly embeds: readonly { readonly title: string; readonly description?: string }[];
}

describe("a webhook in the format discord", () => {
  const isDiscord = addFormats.default(new Ajv()).compile(discordMessage);
  const hostile = "@everyone [free gold](https://evil.example) \\".repeat(200);
  const location = { map: "Felucca", x: 1, y: 2, z: 3, region: hostile };
  const samples: Readonly<Record<string, readonly unknown[]>> = {
    "news.post": [
      {
        title: hostile,
        excerpt: hostile,
        url: "https://guildhall.example/news/snow",
        image_url: "https://guildhall.example/snow.png",
      },
      { title: "x", excerpt: "", url: "https://guildhall.example/news/x", image_url: "/here.png" },
    ],
    "server.status": [
      { kind: "server.started", payload: { shard: "Sosaria" } },
      { kind: "server.stopping", payload: { reason: hostile } },
    ],
    "idoc.warning": [
      {
        kind: "house.decay",
        payload: { name: hostile, region: hostile, map: hostile, x: 1, y: 2 },
      },
      { kind: "house.decay", payload: { name: null } },
    ],
    "champ.start": [
      { kind: "champ.start", payload: { id: "0x1", name: hostile, type: hostile, location } },
      { kind: "champ.start", payload: { id: "0x1" } },
    ],
    "governor.election": [
      { kind: "governor.election", payload: { city: hostile, phase: "voting", until: 1_700e9 } },
      { kind: "governor.result", payload: { city: "Moonglow", elect: { name: hostile } } },
      { kind: "governor.result", payload: { city: "Moonglow" } },
    ],
    "site.notice": [{ title: hostile, eventUrl: "https://guildhall.example/events/x?run=1" }],
    "event.started": [],
    "event.completed": [],
    "survival.server": [],
    "survival.wipe": [],
    "event.run": [
      { kind: "event.started", title: hostile, eventUrl: "https://guildhall.example/events/x" },
      { kind: "event.completed", title: "The feast", eventUrl: "https://guildhall.example/x" },
    ],
    test: [],
  };

  it("sends text in a form and length that Discord accepts, and mentions nobody", () => {
    expect(Object.keys(samples).toSorted()).toEqual([...hookStreams, "test"].toSorted());
    for (const [stream, events] of Object.entries(samples)) {
      for (const event of [...events, null]) {
        const happenedAt = new Date();
        const body = buildDiscordBody({ stream, data: { ref: "1", event }, happenedAt });
        const message = JSON.parse(body) as DiscordBody;
        expect(isDiscord(message) ? [] : [stream, event, isDiscord.errors]).toEqual([]);
        // Without an escape, one of these characters could begin a mention or a link.
        for (const { title, description = "" } of message.embeds) {
          expect(`${title} ${description}`).not.toMatch(/(?<!\\)(?:\\\\)*[@[\]()<>*_~`|]/);
        }
        expect(body.length).toBeLessThan(6_000 * 1.5);
      }
    }
  });

  it("posts without a signature, and retries after the wait that Discord asks for", async () => {
    const path = "/api/webhooks/77/canary-of-discord";
    const { id, receiver } = await site.make({ format: "discord" }, site.address(path));
    receiver.behave = first((response) => {
      const body = { message: "You are being rate limited.", retry_after: 1.2, global: false };
      response.writeHead(429, { "content-type": "application/json", "retry-after": "1" });
      response.end(JSON.stringify(body));
    }, answer(204));
    const startedAt = performance.now();
    await site.announce("site.notice");
    await site.settled(30_000);
    expect(receiver.posted).toHaveLength(2);
    expect((receiver.posted[1] as ReceivedRequest).at - startedAt).toBeGreaterThan(1_200);
    for (const { headers, body } of receiver.posted) {
      expect(Object.keys(headers).filter((name) => name.startsWith("webhook-"))).toEqual([]);
      expect(isDiscord(JSON.parse(body))).toBe(true);
      expect(JSON.parse(body)).toMatchObject({ content: "Notices of the staff" });
    }
    expect(await site.log(id)).toMatchObject([{ status: "delivered", attempts: 2, code: 204 }]);
    expect(JSON.stringify([await site.seen(id), await site.log(id)])).not.toContain("canary");
  });

  it("pauses when Discord's rate limit headers say that no request remains", async () => {
    const path = "/api/webhooks/78/another-canary";
    const { receiver } = await site.make({ format: "discord" }, site.address(path));
    const limit = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5" };
    receiver.behave = first(answer(204, limit), answer(204));
    await site.announce("site.notice");
    await waitUntil("the first came", () => receiver.posted.length === 1);
    await waitUntil("it is noted", async () => {
      const [row] = await storedRows(site.server.context.models.Webhook, ["heldUntil"]);
      return row?.heldUntil !== null;
    });
    await site.announce("site.notice");
    await site.settled(30_000);
    const [one, two] = receiver.posted as [ReceivedRequest, ReceivedRequest];
    expect(two.at - one.at).toBeGreaterThan(1_400);
  });

  it("is switched off when Discord answers 404", async () => {
    const path = "/api/webhooks/79/deleted-canary";
    const { id, receiver } = await site.make({ format: "discord" }, site.address(path));
    receiver.behave = answer(404);
    await site.announce("site.notice");
    await site.settled();
    expect(await site.seen(id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
  });
});

describe("the webhook metrics for Prometheus", () => {
  it("count attempts by outcome, retries, and webhooks that were switched off", async () => {
    const registry = new Registry();
    registerProcessMetrics(registry, "worker", site.server.context);
    const read = async (): Promise<Record<string, number>> => {
      const samples = (await registry.metrics()).matchAll(/^guildhall_(webhook\S+) (\d+)$/gm);
      return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
    };
    const before = await read();
    const behaviours = [answer(204), first(answer(503), answer(204)), answer(410)];
    for (const behave of behaviours) (await site.make()).receiver.behave = behave;
    await site.announce("site.notice");
    await site.settled();
    const after = await read();
    const grown = Object.entries(after)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, growth]) => growth !== 0);
    expect(Object.fromEntries(grown)).toEqual({
      'webhook_attempts_total{outcome="delivered"}': 2,
      'webhook_attempts_total{outcome="unavailable"}': 1,
      'webhook_attempts_total{outcome="gone"}': 1,
      webhook_retried_total: 1,
      webhooks_switched_off_total: 1,
      'webhook_servers{state="closed"}': 3,
    });
    expect(Object.keys(after).filter((name) => name.includes("hook.test"))).toEqual([]);
  });
});

describe("a webhook's secret, its signatures and its URL's query", () => {
  it("appear in no answer and no table, even if the receiver sends them back", async () => {
    const own = site.address();
    const url = `${own.url}?token=canary-in-the-query`;
    const { id, secret } = await site.make({ url }, own);
    own.behave = (response, _before, { headers, url: path }) =>
      void response.writeHead(400).end(`${path} ${JSON.stringify(headers)} ${secret}`);
    await site.announce("site.notice");
    await waitUntil("it was tried", async () => (await site.log(id))[0]?.["code"] === 400);
    const [{ answer: kept = "" } = {}] = await site.log(id);
    expect(kept).toContain("********");
    const shown = [await site.seen(id), await site.log(id)];
    const signature = String(own.posted[0]?.headers["webhook-signature"]).slice(3);
    for (const hidden of [secret.slice(6), signature, "canary-in-the-query"]) {
      expect(JSON.stringify(shown)).not.toContain(hidden);
      expect(await tablesHolding(site.server, hidden)).toEqual([]);
    }
  });
});

describe("a webhook delivery", () => {
  it("is deleted after thirty days and not before, and expires at its deadline of a day while its webhook is off", async () => {
    const { id } = await site.make();
    for (const ref of ["1", "2", "3"]) await site.announce("site.notice", { ref });
    await site.settled();
    const hours = await query<{ hours: number }>(
      site.server,
      `select distinct round(extract(epoch from give_up_at - created_at) / 3600)::int as hours
       from webhook_deliveries where webhook_id = $1`,
      id,
    );
    expect(hours).toEqual([{ hours: 24 }]);
    const [old, late, young] = await site.log(id);
    const thirtyDays = 30 * 86_400_000;
    const aged = (ms: number) => ({ createdAt: clockNowPlus(-ms) });
    await changeDeliveries(site.server, { id: Number(old?.["id"]) }, aged(thirtyDays + 60_000));
    await changeDeliveries(site.server, { id: Number(young?.["id"]) }, aged(thirtyDays - 600_000));
    await site.as(`PUT /admin/webhooks/${id}`, { enabled: false });
    const givenUp = { state: "waiting", giveUpAt: clockNow() } as const;
    await changeDeliveries(site.server, { id: Number(late?.["id"]) }, givenUp);
    await site.server.context.queue.enqueue("push.sweep", {});
    await waitUntil("the old one is gone", async () => (await site.log(id)).length === 2);
    expect(await site.log(id)).toMatchObject([
      { id: late?.["id"], status: "failed", error: "expired" },
      { id: young?.["id"], status: "delivered" },
    ]);
  });

  it("expires if its webhook is off and the worker that was sending it is dead", async () => {
    const { id } = await site.make({ enabled: false });
    await site.as(`POST /admin/webhooks/${id}/test`);
    const left = { state: "trying", nextAt: clockNowPlus(-1_000), deliveredAt: null } as const;
    await changeDeliveries(site.server, { webhookId: id }, left);
    await site.server.context.queue.enqueue("push.sweep", {});
    await waitUntil("it is given up", async () => (await site.log(id))[0]?.["status"] !== "trying");
    expect(await site.log(id)).toMatchObject([
      { event: "test", status: "failed", error: "expired" },
    ]);
  });
});
