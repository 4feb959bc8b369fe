import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import type { Announcement } from "../../shared/facts/publish-facts.ts";
import type { PushStream } from "../../shared/facts/streams.ts";
import { registerProcessMetrics } from "../../shared/ops/process-metrics.ts";
import { dispatchPush } from "../../shared/push/dispatch/dispatch.ts";
import { drainRelay } from "../../shared/push/dispatch/drain.ts";
import { Breaker } from "../../shared/push/relay/breaker.ts";
import { RelayRegistry } from "../../shared/push/relay/relay.ts";
import { vapidPublicKey } from "../../shared/push/relay/vapid.ts";
import { scheduleHookDispatch } from "../../shared/webhooks/hooks/dispatch.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { changeDevice } from "../support/factories/push.ts";
import { buildUsers } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { makeCertificate } from "../support/network/certificate.ts";
import { forbiddenAddresses } from "../support/push/forbidden-addresses.ts";
import {
  type Follower,
  pushEnvironment,
  type PushSite,
  startPushSite,
} from "../support/push/push-site.ts";
import { makeList } from "../support/races/race.ts";
import {
  answer,
  type Behaviour,
  first,
  resetConnection,
  leaveUnanswered,
} from "../support/receiver/behaviour.ts";
import { Receiver } from "../support/receiver/receiver.ts";
import type { ReceivingDevice } from "../support/receiver/receiving-device.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let site: PushSite;
/** A second server with short timeouts, for receivers that never answer. */
let hasty: TestServer;
let worker: TestWorker;

const startWorker = async (at = site.server): Promise<void> => {
  worker = await startTestWorker(at, ["push"], { everySeconds: 0.5 });
};

beforeAll(async () => {
  site = await startPushSite({ environment: { RL_PUSH_TEST_MAX: "1000" } });
  const environment = { ...pushEnvironment(site.receiver, site.names), PUSH_TIMEOUT: "2s" };
  hasty = await startTestServer({ database: site.server.database, environment });
  await startWorker();
});
// Remove all subscriptions, so that later tests do not send to these devices.
afterEach(async () => {
  const { Push, PushSubscription } = site.server.context.models;
  await PushSubscription.destroy({ where: {} });
  await Push.destroy({ where: {} });
});
afterAll(async () => {
  await worker.stop();
  await hasty.stop();
  await site.stop();
});

const news = (stream: PushStream, extra: Partial<Announcement> = {}): Announcement => ({
  stream,
  ref: "42",
  key: randomUUID(),
  ...extra,
});

const dayMs = 86_400_000;

/** Creates a user who follows one stream. `behave` is how the user's device answers messages. */
async function following(stream: PushStream, behave: Behaviour = answer(201)): Promise<Follower> {
  const follower = await site.follower([stream]);
  follower.device.behave = behave;
  return follower;
}

const healthy = { last_error: null, failing: false, last_success_at: expect.any(String) };
const anyTime: unknown = expect.stringMatching(/Z$/);

describe("a push message", () => {
  it("holds only a stream and a ref, encrypted for its device and signed for its relay", async () => {
    const { device, seen } = await following("site.notice");
    await site.announce(news("site.notice"));
    await waitUntil("it arrives", () => device.received.length === 1);
    const [message] = device.received;
    expect(message).toMatchObject({
      payload: { stream: "site.notice", ref: "42" },
      headers: { ttl: "900", urgency: "normal", topic: expect.stringMatching(/^[\w-]{32}$/) },
      claims: { aud: new URL(device.endpoint).origin, sub: "mailto:no-reply@localhost" },
      publicKey: vapidPublicKey(site.server.config),
    });
    const lifeSeconds = (message?.claims.exp ?? 0) - Date.now() / 1000;
    expect(lifeSeconds).toBeGreaterThan(3_600);
    expect(lifeSeconds).toBeLessThan(24 * 3_600);
    await site.settled();
    expect(await seen()).toMatchObject(healthy);
  });

  it("has urgency high and a lifetime of a day, and goes only to the owner if its stream is personal", async () => {
    const [owner, other] = [await following("vendor.sale"), await following("vendor.sale")];
    await site.announce(news("vendor.sale", { userId: owner.user.userId, ref: "77" }));
    await site.settled();
    expect(owner.device.received).toMatchObject([
      {
        payload: { stream: "vendor.sale", ref: "77" },
        headers: { ttl: "86400", urgency: "high" },
      },
    ]);
    expect(other.device.payloads).toEqual([]);
  });

  it("has the same topic for one stream and ref on every device and at all times", async () => {
    const follower = await site.follower(["server.status", "champ.start"]);
    const other = await following("server.status");
    await site.announce(news("server.status", { ref: "shard" }));
    await site.settled();
    await site.announce(news("server.status", { ref: "shard" }), news("champ.start"));
    await site.settled();
    const topics = follower.device.received.map(({ payload, headers }) => [payload, headers.topic]);
    const [status] = other.device.received.map(({ headers }) => headers.topic);
    expect(topics).toContainEqual([
      { stream: "champ.start", ref: "42" },
      expect.not.stringMatching(String(status)),
    ]);
    expect(topics.filter(([, topic]) => topic === status)).toHaveLength(2);
  });
});

describe("the recipients of a push", () => {
  it("are all devices of every subscriber, once each, however often the push is announced", async () => {
    const one = await following("champ.start");
    const second = site.device();
    await site.register(one.user, second);
    const bystander = await following("site.notice");
    const same = news("champ.start", { ref: "0x40000001" });
    await Promise.all(makeList(10, () => site.announce(same, same)));
    await site.settled();
    const expected = [{ stream: "champ.start", ref: "0x40000001" }];
    expect([one.device.payloads, second.payloads]).toEqual([expected, expected]);
    expect(bystander.device.payloads).toEqual([]);
  });

  it("get one message per device and event, even if two of their streams announce the event", async () => {
    const streams = ["idoc.warning", "house.idoc"] as const;
    const both = await site.follower(streams);
    const late = await following("idoc.warning");
    const [fall, another] = [{ shardEventId: 901 }, { shardEventId: 902 }];
    const own = ({ user: { userId } }: Follower) => ({ userId });
    await site.announce(news("idoc.warning", fall));
    await site.settled();
    await site.subscribe(late.user, ...streams);
    await site.announce(
      news("house.idoc", { ...fall, ...own(both) }),
      news("house.idoc", { ...fall, ...own(late) }),
      news("house.idoc", { ...another, ref: "43", ...own(both) }),
    );
    await site.settled();
    const warned = { stream: "idoc.warning", ref: "42" };
    expect(late.device.payloads).toEqual([warned]);
    expect(both.device.payloads).toEqual([warned, { stream: "house.idoc", ref: "43" }]);
  });

  it("are all subscribers, even if they do not fit into one batch", async () => {
    const users = 26;
    const name = "many.push.test";
    site.names.say(name, ["127.0.0.1"]);
    const { agent } = site.device();
    const devices = makeList(20, () => site.receiver.device(name, agent));
    const { p256dh, auth } = agent.keys;
    const origin = site.receiver.origin(name);
    const { Push, PushDelivery, PushDevice, PushSubscription, User } = site.server.context.models;
    const fans = await buildUsers(
      site.server,
      makeList(users, (at) => ({ username: `fan${at}` })),
    );
    const ids = fans.map(({ id }) => id);
    await PushSubscription.bulkCreate(ids.map((userId) => ({ userId, stream: "site.notice" })));
    const keys = { origin, p256dh, auth };
    const registered = ids.flatMap((userId) =>
      devices.map(({ endpoint }) => ({ userId, endpoint, ...keys })),
    );
    await PushDevice.bulkCreate(registered);
    await site.announce(news("site.notice", { key: "many" }));
    await waitUntil("it is dispatched", async () => {
      const push = await Push.findOne({ where: { eventKey: "many" } });
      return push?.dispatchedAt !== null;
    });
    expect(await PushDelivery.count({ where: { origin } })).toBe(users * 20);
    // Every user has registered all the devices, so each device gets one message per user.
    await waitUntil("they arrive", () => devices.every(({ received }) => received.length >= users));
    expect(devices.map(({ received }) => received.length)).toEqual(makeList(20, () => users));
    await User.destroy({ where: { id: ids } });
  });

  it("are determined at dispatch, so that late subscribers are included, and former and disabled users are not", async () => {
    await worker.stop();
    const left = await following("site.notice");
    const disabled = await following("site.notice");
    const deleted = await following("site.notice");
    await site.announce(news("site.notice"));
    const late = await following("site.notice");
    await site.subscribe(left.user);
    await site.server.context.models.User.update(
      { disabledAt: new Date() },
      { where: { id: disabled.user.userId } },
    );
    await site.server.context.models.User.destroy({ where: { id: deleted.user.userId } });
    await startWorker();
    await site.settled();
    expect(late.device.payloads).toEqual([{ stream: "site.notice", ref: "42" }]);
    for (const { device } of [left, disabled, deleted]) expect(device.payloads).toEqual([]);
  });

  it("include only users who may use the feature of the stream at dispatch", async () => {
    const admin = await signIn(site.server, { role: "admin" });
    const see = (governors: object | null) =>
      callRoute(site.server, "PUT /admin/shard/visibility", {
        headers: admin.headers,
        body: { features: { governors } },
      });
    const roles = ["player", "editor", "admin"] as const;
    const [player, editor, boss] = await Promise.all(
      roles.map((role) => site.follower(["governor.election"], { role })),
    );
    const linked = await following("governor.election");
    await site.server.context.models.ShardLink.create({
      accountKey: "linked",
      account: "linked",
      userId: linked.user.userId,
      linkedAt: new Date(),
    });
    const reached = async (rule: object | null): Promise<number[]> => {
      await see(null);
      await see(rule);
      await waitUntil("it holds", () => {
        const { audience = "anonymous", enabled = true } = (rule ?? {}) as Record<string, unknown>;
        const now = site.server.context.visibility.current.governors;
        return now.audience === audience && now.enabled === enabled;
      });
      const all = [player, linked, editor, boss].map((one) => one?.device as ReceivingDevice);
      const before = all.map(({ received }) => received.length);
      await site.announce(news("governor.election"));
      await site.settled();
      return all.map(({ received }, at) => received.length - (before[at] ?? 0));
    };
    expect(await reached(null)).toEqual([1, 1, 1, 1]);
    expect(await reached({ audience: "player" })).toEqual([0, 1, 1, 1]);
    expect(await reached({ audience: "staff" })).toEqual([0, 0, 1, 1]);
    expect(await reached({ audience: "admin" })).toEqual([0, 0, 0, 1]);
    expect(await reached({ enabled: false })).toEqual([0, 0, 0, 0]);
    expect(await reached({ stream: false })).toEqual([1, 1, 1, 1]);
    await see(null);
  });

  it("are checked by their role at dispatch and again at each retry if the stream is for staff", async () => {
    const { User } = site.server.context.models;
    const follow = (role: "admin" | "moderator") => site.follower(["survival.staff"], { role });
    const [admin, early, late] = [
      await follow("admin"),
      await follow("moderator"),
      await follow("moderator"),
    ];
    const demote = ({ user: { userId } }: Follower) =>
      User.update({ role: "editor" }, { where: { id: userId } });
    late.device.behave = first(answer(503, { "retry-after": "1" }));
    await worker.stop();
    await site.announce(
      ...[admin, early, late].map(({ user: { userId } }) => news("survival.staff", { userId })),
    );
    await demote(early);
    await startWorker();
    await waitUntil(
      "it was tried",
      async () => (await late.seen())?.["last_error"] === "unavailable",
    );
    await demote(late);
    await site.settled();
    expect([admin, early, late].map(({ device }) => device.payloads.length)).toEqual([1, 0, 1]);
  });

  it("get no message about an event that is too old, but get a message about an event in the future", async () => {
    const { device, user } = await site.follower(["idoc.warning", "house.idoc"]);
    const minute = 60_000;
    const at = (ms: number, ref: string) => ({ happenedAt: Date.now() + ms, ref });
    const own = { userId: user.userId };
    await site.announce(
      news("idoc.warning", at(-16 * minute, "old")),
      news("idoc.warning", at(-14 * minute, "new")),
      news("idoc.warning", at(60 * minute, "ahead")),
      news("house.idoc", { ...at(-25 * 60 * minute, "old"), ...own }),
      news("house.idoc", { ...at(-23 * 60 * minute, "new"), ...own }),
    );
    await site.settled();
    expect(device.payloads).toHaveLength(3);
    expect(device.payloads).toEqual(
      expect.arrayContaining([
        { stream: "idoc.warning", ref: "new" },
        { stream: "idoc.warning", ref: "ahead" },
        { stream: "house.idoc", ref: "new" },
      ]),
    );
  });

  it("do not include a device that has failed for seven days, until it is registered again", async () => {
    const stale = await following("site.notice");
    const recent = await following("site.notice");
    await changeDevice(site.server, stale.deviceId, {
      failingSince: clockNowPlus(-7 * dayMs - 60_000),
    });
    await changeDevice(site.server, recent.deviceId, { failingSince: clockNowPlus(-6 * dayMs) });
    await site.announce(news("site.notice"));
    await site.settled();
    expect([stale.device.payloads.length, recent.device.payloads.length]).toEqual([0, 1]);
    expect(await stale.seen()).toMatchObject({ failing: true });
    expect(await recent.seen()).toMatchObject(healthy);
    await site.register(stale.user, stale.device);
    expect(await stale.seen()).toMatchObject({ failing: false });
    await site.announce(news("site.notice"));
    await site.settled();
    expect(stale.device.payloads).toHaveLength(1);
  });

  it("get no message if the queue fails, and the producer's transaction still commits", async () => {
    const { sequelize, models, log } = site.server.context;
    const queue = {
      ...site.server.context.queue,
      enqueueAll: () => Promise.reject(new Error("away")),
    };
    const { storeAnnouncements: announce } = await import("../../shared/facts/publish-facts.ts");
    const { inTransaction } = await import("../../shared/platform/db/transaction.ts");
    await inTransaction(sequelize, async (transaction) => {
      await models.Setting.create({ name: "kept", value: 1 }, { transaction });
      await announce([news("site.notice", { key: "away" })], transaction, { queue, log });
    });
    expect(await models.Setting.count({ where: { name: "kept" } })).toBe(1);
    expect(await models.Push.count({ where: { eventKey: "away" } })).toBe(0);
    await models.Setting.destroy({ where: { name: "kept" } });
  });
});

describe("a published post", () => {
  interface Written {
    readonly id: number;
  }

  it("is announced once, when it first becomes visible, and not if it is withdrawn before that", async () => {
    const { device } = await following("news.post");
    const editor = await signIn(site.server, { role: "editor" });
    const ask = async (route: string, body: object): Promise<Written> => {
      const { headers } = editor;
      return (await callRoute(site.server, route, { headers, body })).body as Written;
    };
    const write = (title: string, extra: object) =>
      ask("POST /admin/posts", { title, body: "What happened", ...extra });
    const draft = await write("Draft", {});
    const shown = await write("Shown", { status: "published" });
    await site.settled();
    expect(device.payloads).toEqual([{ stream: "news.post", ref: String(shown.id) }]);
    for (const status of ["draft", "published"]) {
      await ask(`PUT /admin/posts/${shown.id}`, { status });
    }
    await worker.stop();
    const withdrawn = await write("Withdrawn", { status: "published" });
    await ask(`PUT /admin/posts/${withdrawn.id}`, { status: "draft" });
    await ask(`PUT /admin/posts/${draft.id}`, { status: "published" });
    await startWorker();
    await site.settled();
    expect(device.payloads).toEqual([
      { stream: "news.post", ref: String(shown.id) },
      { stream: "news.post", ref: String(draft.id) },
    ]);
  });
});

describe("a push relay's answer", () => {
  it.each([200, 201, 202, 204])("%i marks the message as delivered", async (status) => {
    const { device, seen } = await following("site.notice", answer(status));
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toHaveLength(1);
    expect(await seen()).toMatchObject(healthy);
  });

  it.each([404, 410])("%i removes the device", async (status) => {
    const { device, seen } = await following("site.notice", answer(status));
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toHaveLength(1);
    expect(await seen()).toBeUndefined();
  });

  it.each([
    [301, "redirect"],
    [307, "redirect"],
    [400, "refused"],
    [401, "refused"],
    [403, "refused"],
    [418, "refused"],
  ])(
    "%i ends the delivery without a retry, and the device counts as failing until a message arrives",
    async (status, fault) => {
      const follower = await following("site.notice");
      const elsewhere = await following("champ.start");
      follower.device.behave = first(answer(status, { location: elsewhere.device.endpoint }));
      await site.announce(news("site.notice"));
      await site.settled();
      expect(follower.device.received).toHaveLength(1);
      expect(elsewhere.device.received).toEqual([]);
      expect(await follower.seen()).toMatchObject({ last_error: fault, failing: true });
      await site.announce(news("site.notice"));
      await site.settled();
      expect(await follower.seen()).toMatchObject(healthy);
    },
  );

  it.each([
    ["201 and then 403", [201, 403], { last_error: "refused", failing: true }],
    ["403 and then 201", [403, 201], { last_error: null, failing: false }],
    ["403, 201 and then 413", [403, 201, 413], { last_error: "too_large", failing: false }],
  ] as const)(
    "sets the state of the device if it is the last of several answers in one batch (%s)",
    async (_what, statuses, shown) => {
      const { device, deviceId, seen } = await following("site.notice");
      await changeDevice(site.server, deviceId, { failingSince: clockNowPlus(-dayMs) });
      device.behave = (response) => {
        const { ref } = device.payloads.at(-1) as { readonly ref: string };
        response.writeHead(statuses[Number(ref)] ?? 500).end();
      };
      await worker.stop();
      const { context } = site.server;
      const { signal } = new AbortController();
      for (const ref of statuses.keys()) {
        await site.announce(news("site.notice", { ref: String(ref) }));
      }
      const pushes = await context.models.Push.findAll({ order: ["id"] });
      for (const { id } of pushes) {
        await dispatchPush(id, { context, signal, after: scheduleHookDispatch });
      }
      await drainRelay(new URL(device.endpoint).origin, context, signal);
      await startWorker();
      expect(await seen()).toMatchObject({ ...shown, last_success_at: expect.any(String) });
    },
  );

  it.each([
    [401, "refused"],
    [403, "refused"],
    [413, "too_large"],
  ])(
    "%i is logged in one line, which names neither the device nor the message",
    async (status, fault) => {
      const warned = vi.spyOn(site.server.context.log, "warn");
      const { device } = await following("site.notice", answer(status, { "x-said": "canary" }));
      await site.announce(news("site.notice"));
      await site.settled();
      const { origin } = new URL(device.endpoint);
      const lines = warned.mock.calls.filter(
        ([facts]) => (facts as { readonly origin?: string }).origin === origin,
      );
      expect(lines).toEqual([
        [
          { origin, count: 1, fault, status, reason: undefined },
          "the push relay did not accept messages",
        ],
      ]);
      warned.mockRestore();
    },
  );

  it("413 ends the delivery without a retry, and the device does not count as failing", async () => {
    const { device, seen } = await following("site.notice", answer(413));
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toHaveLength(1);
    expect(await seen()).toMatchObject({ last_error: "too_large", failing: false });
  });

  it.each([
    ["408", answer(408), "timeout"],
    ["429", answer(429), "limited"],
    ["500", answer(500), "unavailable"],
    ["503", answer(503), "unavailable"],
    ["a broken connection", resetConnection, "unreachable"],
  ] as const)("%s leads to a retry under the same topic", async (_what, behaviour, fault) => {
    const { device, seen } = await following("site.notice", first(behaviour));
    await site.announce(news("site.notice"));
    await waitUntil("it was tried", async () => (await seen())?.["last_error"] === fault);
    expect(await seen()).toMatchObject({ failing: false });
    await site.settled();
    expect(device.payloads).toEqual(makeList(2, () => ({ stream: "site.notice", ref: "42" })));
    expect(new Set(device.received.map(({ headers }) => headers.topic)).size).toBe(1);
    expect(device.received.map(({ headers }) => Number(headers.ttl))).toEqual([
      900,
      expect.any(Number),
    ]);
    expect(Number(device.received[1]?.headers.ttl)).toBeLessThanOrEqual(900);
    expect(await seen()).toMatchObject(healthy);
  });

  it("leads to a retry under the same topic if it never arrives", async () => {
    const { device, seen } = await following("site.notice", leaveUnanswered);
    await worker.stop();
    await startWorker(hasty);
    await site.announce(news("site.notice"));
    await waitUntil("it was tried", async () => (await seen())?.["last_error"] === "timeout");
    expect(await seen()).toMatchObject({ failing: false });
    await worker.stop();
    device.behave = answer(201);
    await startWorker();
    await site.settled();
    const messages = device.received.map(({ payload, headers: { topic } }) => ({ payload, topic }));
    const payload = { stream: "site.notice", ref: "42" };
    const topic: unknown = expect.stringMatching(/^[\w-]{32}$/);
    expect(messages.length).toBeGreaterThan(1);
    expect(messages).toEqual(makeList(messages.length, () => ({ payload, topic })));
    expect(new Set(messages.map((message) => message.topic)).size).toBe(1);
    expect(await seen()).toMatchObject(healthy);
  });

  itInLongLane(
    "502 at five attempts ends the delivery, and the device counts as failing",
    async () => {
      const { device, seen } = await following("site.notice", answer(502));
      await site.announce(news("site.notice"));
      await site.settled(30_000);
      expect(device.received).toHaveLength(5);
      expect(await seen()).toMatchObject({ last_error: "unavailable", failing: true });
    },
  );

  it.each([
    ["seconds", () => "2"],
    ["a date", () => new Date(Date.now() + 3_000).toUTCString()],
  ])(
    "delays all messages to the device for the time that its Retry-After gives as %s",
    async (_how, value) => {
      const limited: Behaviour = (response) =>
        void response.writeHead(429, { "retry-after": value() }).end();
      const { device, seen } = await following("site.notice", first(limited));
      await site.announce(news("site.notice"));
      await waitUntil("it is noted", async () => (await seen())?.["last_error"] === "limited");
      await site.announce(news("site.notice", { ref: "43" }));
      await site.settled(30_000);
      expect(device.received).toHaveLength(3);
      const [told, ...others] = device.received.map(({ at }) => at);
      for (const at of others) expect(at - (told ?? 0)).toBeGreaterThan(1_900);
    },
  );

  describe("a push relay's answer while the queue push.sweep is paused", () => {
    const queue = "push.sweep";
    beforeAll(async () => {
      await worker.stop();
      await site.server.context.models.PausedQueue.create({ queue, pausedBy: null });
      await startWorker();
    });
    afterAll(async () => {
      await worker.stop();
      await site.server.context.models.PausedQueue.destroy({ where: { queue } });
      await startWorker();
    });

    itInLongLane(
      "delays each device of the relay for the time in the Retry-After of its own answer",
      async () => {
        const name = "patient.push.test";
        site.names.say(name, ["127.0.0.1"]);
        const followers: Follower[] = [];
        for (const seconds of ["1", "2", "4"]) {
          const device = site.receiver.device(name);
          followers.push(await site.follower(["site.notice"], { device }));
          device.behave = first(answer(503, { "retry-after": seconds }));
        }
        await site.announce(news("site.notice"));
        await site.settled(20_000);
        expect(followers.map(({ device }) => device.received.length)).toEqual([2, 2, 2]);
        for (const { seen } of followers) expect(await seen()).toMatchObject(healthy);
      },
    );

    it("a delayed device gets its message when its delay has ended", async () => {
      const { device, deviceId } = await following("site.notice");
      await changeDevice(site.server, deviceId, { heldUntil: clockNowPlus(2_000) });
      await site.announce(news("site.notice"));
      await site.settled(20_000);
      expect(device.payloads).toEqual([{ stream: "site.notice", ref: "42" }]);
    });
  });

  it("ends the delivery if its Retry-After exceeds the message's lifetime", async () => {
    const { device, seen } = await following("site.notice", answer(503, { "retry-after": "901" }));
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toHaveLength(1);
    expect(await seen()).toMatchObject({ last_error: "unavailable", failing: true });
  });

  it.each([
    ["seconds", "999999999"],
    ["seconds with 400 digits", "9".repeat(400)],
    ["a date", "Fri, 31 Dec 9999 23:59:59 GMT"],
  ])(
    "delays the device by only one day if its Retry-After asks for decades, given as %s",
    async (_how, value) => {
      const { deviceId } = await following("site.notice", answer(503, { "retry-after": value }));
      await site.announce(news("site.notice"));
      await site.settled();
      const { PushDevice } = site.server.context.models;
      const [row] = await storedRows(PushDevice, ["heldUntil"], { id: deviceId });
      const heldMs = (row?.heldUntil?.valueOf() ?? 0) - Date.now();
      expect(Math.abs(heldMs - 86_400_000)).toBeLessThan(60_000);
    },
  );

  it("503 at each attempt until the message expires ends the delivery, and the device counts as failing", async () => {
    const busy = answer(503, { "retry-after": "1" });
    const { device, seen } = await following("site.notice", busy);
    const rested = await following("site.notice");
    await changeDevice(site.server, rested.deviceId, { heldUntil: clockNowPlus(2_000) });
    await site.announce(news("site.notice"));
    await waitUntil("it was tried", async () => (await seen())?.["last_error"] === "unavailable");
    expect(await seen()).toMatchObject({ failing: false });
    await worker.stop();
    await site.server.context.models.Push.update({ expiresAt: clockNow() }, { where: {} });
    await startWorker();
    await site.settled(20_000);
    expect([device.received.length, rested.device.received.length]).toEqual([1, 0]);
    expect(await seen()).toMatchObject({ last_error: "unavailable", failing: true });
    // The message expired before any attempt, so this device has no error.
    expect(await rested.seen()).toMatchObject({ last_error: null, failing: false });
  });

  it("is read only in part if it is endless, and the message counts as delivered", async () => {
    let sent = 0;
    const endless: Behaviour = (response) => {
      response.writeHead(201);
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(16_384))) sent += 16_384;
        if (sent > 64 * 1024 * 1024) response.destroy();
      };
      response.on("drain", more);
      response.on("error", () => undefined);
      more();
    };
    const { device, seen } = await following("site.notice", endless);
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toHaveLength(1);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    expect(await seen()).toMatchObject(healthy);
  });
});

describe("a push relay", () => {
  it("gets no connection while its name resolves to a forbidden address, and gets one again afterward", async () => {
    const { device, seen } = await following("site.notice");
    const { hostname } = new URL(device.endpoint);
    await site.announce(news("site.notice", { ref: "1" }));
    await site.settled();
    const { connections } = site.receiver;
    for (const addresses of [
      ["127.0.0.2"],
      ["::1"],
      ["127.0.0.1", "10.0.0.1"],
      ["169.254.169.254"],
    ]) {
      site.names.say(hostname, addresses);
      await site.announce(news("site.notice", { ref: "2" }));
      await site.settled();
      expect(await seen()).toMatchObject({ last_error: "address", failing: true });
    }
    expect(site.receiver.connections).toBe(connections);
    expect(device.payloads).toEqual([{ stream: "site.notice", ref: "1" }]);
    site.names.say(hostname, ["127.0.0.1"]);
    await site.announce(news("site.notice", { ref: "3" }));
    await site.settled();
    expect(device.payloads).toHaveLength(2);
    expect(await seen()).toMatchObject(healthy);
  });

  it("gets no connection at any address that the registration of devices refuses", async () => {
    const { device, deviceId, user, seen } = await site.follower([]);
    const { hostname } = new URL(device.endpoint);
    const test = () =>
      callRoute(site.server, `POST /auth/me/devices/${deviceId}/test`, { headers: user.headers });
    expect((await test()).body).toEqual({ delivered: true, status: 201 });
    const { connections } = site.receiver;
    for (const address of forbiddenAddresses.filter((one) => one !== "127.0.0.1")) {
      for (const all of [[address], ["127.0.0.1", address]]) {
        site.names.say(hostname, all);
        expect([address, (await test()).body]).toEqual([
          address,
          { delivered: false, status: null },
        ]);
      }
      expect(await seen()).toMatchObject({ last_error: "address", failing: true });
    }
    expect([site.receiver.connections, device.received.length]).toEqual([connections, 1]);
  });

  it("is tried again if its name cannot be looked up", async () => {
    const { device, seen } = await following("site.notice");
    const { hostname } = new URL(device.endpoint);
    site.names.say(hostname, "fails");
    await site.announce(news("site.notice"));
    await waitUntil("it was tried", async () => (await seen())?.["last_error"] === "unreachable");
    site.names.say(hostname, ["127.0.0.1"]);
    await site.settled(20_000);
    expect(device.payloads).toHaveLength(1);
  });

  it("gets no message if its certificate is not the trusted one", async () => {
    const impostor = await Receiver.startWith(makeCertificate(["*.push.test"]));
    const other = await startTestServer({
      database: site.server.database,
      environment: pushEnvironment(impostor, site.names),
    });
    try {
      site.names.say("impostor.push.test", ["127.0.0.1"]);
      const user = await signIn(site.server);
      const device = impostor.device("impostor.push.test");
      const id = await site.register(user, device, other);
      const test = await callRoute(other, `POST /auth/me/devices/${id}/test`, {
        headers: user.headers,
      });
      expect(test.body).toEqual({ delivered: false, status: null });
      const { body } = await callRoute(other, "GET /auth/me/devices", { headers: user.headers });
      expect(body).toMatchObject([{ last_error: "certificate", failing: true }]);
      expect(device.received).toEqual([]);
    } finally {
      await other.stop();
      await impostor.stop();
    }
  });

  it("gets a message at a private address only if the operator configured the relay", async () => {
    const [named, other] = [site.device(), site.device()];
    const { origin } = new URL(named.endpoint);
    const environment = {
      ...pushEnvironment(site.receiver, site.names),
      PUSH_ALLOW_PRIVATE_FOR_TESTS: "false",
      PUSH_EXTRA_ORIGINS: origin,
    };
    const own = await startTestServer({ database: site.server.database, environment });
    try {
      const user = await signIn(site.server);
      const ids = [
        await site.register(user, named, own),
        await site.register(user, other, site.server),
      ];
      const test = (id: number | undefined) =>
        callRoute(own, `POST /auth/me/devices/${id}/test`, { headers: user.headers });
      expect((await test(ids[0])).body).toEqual({ delivered: true, status: 201 });
      expect((await test(ids[1])).body).toEqual({ delivered: false, status: null });
      expect([named.received.length, other.received.length]).toEqual([1, 0]);
    } finally {
      await own.stop();
    }
  });

  it("gets no message once the site no longer allows the relay", async () => {
    const { device, deviceId, seen } = await following("site.notice");
    await changeDevice(site.server, deviceId, {
      origin: "https://gone.test",
      endpoint: "https://gone.test/x",
    });
    site.names.say("gone.test", ["127.0.0.1"]);
    await site.announce(news("site.notice"));
    await site.settled();
    expect(device.received).toEqual([]);
    expect(await seen()).toMatchObject({ last_error: "address", failing: true });
  });

  it("does not delay other relays if it hangs, and is paused after ten failures", async () => {
    const name = "dead.push.test";
    site.names.say(name, ["127.0.0.1"]);
    const asked: ServerResponse[] = [];
    const dead = makeList(30, () => {
      const device = site.receiver.device(name);
      device.behave = (response) => void asked.push(response);
      return device;
    });
    for (const device of dead) await site.follower(["site.notice"], { device });
    const lively = await Promise.all(makeList(5, () => following("site.notice")));
    await site.announce(news("site.notice"));
    await waitUntil("as many are on their way to it as may be", () => asked.length === 20);
    await waitUntil("the others have it", () =>
      lively.every(({ device }) => device.received.length === 1),
    );
    const triedAtDead = async (): Promise<{ tries: number; now: number }> => {
      const where = { origin: site.receiver.origin(name) };
      const sent = await site.server.context.models.PushDelivery.findAll({ where });
      const tries = sent.reduce((sum, { attempts }) => sum + attempts, 0);
      return { tries, now: sent.filter(({ state }) => state === "trying").length };
    };
    expect(await triedAtDead()).toEqual({ tries: 20, now: 20 });
    for (const { socket } of asked) socket?.destroy();
    await waitUntil("it is left alone", async () => (await triedAtDead()).now === 0);
    expect(await triedAtDead()).toEqual({ tries: 20, now: 0 });
    expect(await readMetrics()).toMatchObject({ 'relays{state="resting"}': 1 });
    await site.server.context.models.Push.destroy({ where: {} });
  });
});

describe("the relays that a process remembers", () => {
  it("are forgotten an hour after the last message to one of their devices", async () => {
    let now = 0;
    const relays = new RelayRegistry(site.server.config, () => now);
    const [kept] = ["one", "two", "three"].map((name) => relays.of(`https://${name}.push.test`));
    now = 1_800_000;
    expect(relays.of("https://one.push.test") === kept).toBe(true);
    now = 3_600_000;
    relays.of("https://four.push.test");
    expect(relays.countByState()).toEqual({ closed: 2, resting: 0, trying: 0 });
    expect(relays.of("https://one.push.test") === kept).toBe(true);
    await relays.close();
  });
});

describe("a circuit breaker", () => {
  it("opens for a minute after ten failures in a row, then passes one message at a time until one succeeds", () => {
    let now = 0;
    const breaker = new Breaker(() => now);
    breaker.record([...makeList(9, () => true), false, ...makeList(9, () => true)]);
    expect([breaker.admit(10), breaker.restMs]).toEqual([10, 0]);
    breaker.record([true]);
    expect([breaker.admit(10), breaker.restMs]).toEqual([0, 60_000]);
    now = 60_000;
    expect([breaker.admit(10), breaker.admit(10)]).toEqual([1, 0]);
    breaker.record([true]);
    breaker.release();
    expect([breaker.admit(10), breaker.restMs]).toEqual([0, 60_000]);
    now = 120_000;
    expect(breaker.admit(10)).toBe(1);
    breaker.record([false]);
    breaker.release();
    expect(breaker.admit(10)).toBe(10);
  });
});

/** Reads the metrics of push messages. */
async function readMetrics(): Promise<Record<string, number>> {
  const registry = new Registry();
  registerProcessMetrics(registry, "worker", site.server.context);
  const samples = (await registry.metrics()).matchAll(/^guildhall_push_(\S+) (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
}

describe("the push metrics for Prometheus", () => {
  it("count attempts by outcome, retries, and devices that were removed", async () => {
    const before = await readMetrics();
    const behaviours = [answer(201), first(answer(503)), answer(410), answer(403)];
    for (const behaviour of behaviours) await following("site.notice", behaviour);
    await site.announce(news("site.notice"));
    await site.settled();
    const after = await readMetrics();
    const grown = Object.entries(after)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([name, value]) => value !== 0 && !name.startsWith("relays"));
    expect(Object.fromEntries(grown)).toEqual({
      sent_total: 5,
      'attempts_total{outcome="delivered"}': 2,
      'attempts_total{outcome="unavailable"}': 1,
      'attempts_total{outcome="gone"}': 1,
      'attempts_total{outcome="refused"}': 1,
      retried_total: 1,
      devices_removed_total: 1,
    });
    expect(after['relays{state="closed"}']).toBeGreaterThanOrEqual(4);
    expect(Object.keys(after).filter((name) => name.includes("push.test"))).toEqual([]);
  });
});

describe("POST /auth/me/devices/:id/test", () => {
  const test = ({ user, deviceId }: Pick<Follower, "user" | "deviceId">, at = site.server) =>
    callRoute(at, `POST /auth/me/devices/${deviceId}/test`, { headers: user.headers });

  it("sends one message at once, regardless of subscriptions, and answers the relay's status", async () => {
    const follower = await site.follower([]);
    const { status, body } = await test(follower);
    expect([status, body]).toEqual([200, { delivered: true, status: 201 }]);
    expect(follower.device.received).toMatchObject([
      {
        payload: { stream: "test", ref: String(follower.deviceId) },
        headers: { ttl: "60", urgency: "high" },
      },
    ]);
    expect(await follower.seen()).toMatchObject({ ...healthy, last_success_at: anyTime });
  });

  it.each([
    [answer(403), 403, { last_error: "refused", failing: true }],
    [answer(503), 503, { last_error: "unavailable", failing: false }],
    [leaveUnanswered, null, { last_error: "timeout", failing: false }],
    [answer(410), 410, undefined],
  ] as const)(
    "sends one message without retries and shows the result on the device (case %#)",
    async (behaviour, status, shown) => {
      const follower = await site.follower([]);
      follower.device.behave = behaviour;
      const at = behaviour === leaveUnanswered ? hasty : site.server;
      expect((await test(follower, at)).body).toEqual({ delivered: false, status });
      expect(follower.device.received).toHaveLength(1);
      const seen = await follower.seen();
      expect(seen && { last_error: seen["last_error"], failing: seen["failing"] }).toEqual(shown);
    },
  );

  it("makes a device that failed for seven days active again when the test message arrives", async () => {
    const stale = await following("site.notice", first(answer(503)));
    await changeDevice(site.server, stale.deviceId, { failingSince: clockNowPlus(-8 * dayMs) });
    expect((await test(stale)).body).toEqual({ delivered: false, status: 503 });
    await site.announce(news("site.notice", { ref: "1" }));
    await site.settled();
    expect(await stale.seen()).toMatchObject({ last_error: "unavailable", failing: true });
    expect((await test(stale)).body).toEqual({ delivered: true, status: 201 });
    expect(await stale.seen()).toMatchObject(healthy);
    await site.announce(news("site.notice", { ref: "2" }));
    await site.settled();
    const tests = makeList(2, () => ({ stream: "test", ref: String(stale.deviceId) }));
    expect(stale.device.payloads).toEqual([...tests, { stream: "site.notice", ref: "2" }]);
  });

  it("answers 404 for another user's device and for an unknown one", async () => {
    const [one, other] = [await site.follower([]), await site.follower([])];
    const foreign = await test({ user: one.user, deviceId: other.deviceId });
    expect([foreign.status, foreign.body]).toEqual([404, { error: "Unknown device" }]);
    expect((await test({ user: one.user, deviceId: 2 ** 40 })).status).toBe(404);
    expect(other.device.received).toEqual([]);
  });

  it("limits the requests of each user", async () => {
    const strict = await startTestServer({
      database: site.server.database,
      environment: { ...pushEnvironment(site.receiver, site.names), RL_PUSH_TEST_MAX: "5" },
    });
    try {
      const { user, deviceId, device } = await site.follower([]);
      const answers = await Promise.all(
        makeList(12, () =>
          callRoute(strict, `POST /auth/me/devices/${deviceId}/test`, { headers: user.headers }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
      expect(device.received).toHaveLength(5);
    } finally {
      await strict.stop();
    }
  });
});
