import { randomUUID } from "node:crypto";

import type { Description } from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { findRevisionField } from "../../api/http/based-on.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import type { SignedIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { countDeadlocks } from "../support/database/deadlocks.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type AdminRaces, startAdminRaces } from "../support/races/admin-races.ts";
import { countStatuses, repeatRace, makeList } from "../support/races/race.ts";
import type { TestServer } from "../support/service/server.ts";
import { writesOfOneRow } from "./writes-of-one-row.ts";

let races: AdminRaces;
let server: TestServer;
let admins: readonly SignedIn[];
let serverIds: number[];
beforeAll(async () => {
  races = await startAdminRaces(10);
  ({ server, admins } = races);
  const made = await Promise.all(
    makeList(2, () => buildSurvivalServer(server, { permissionSync: true })),
  );
  serverIds = made.map(({ id }) => id);
});
afterAll(() => races.stop());

type Ordered = Readonly<Record<string, unknown>>;

/** Returns the fields in reverse order. */
const turned = (fields: Ordered): Ordered =>
  Object.fromEntries(Object.entries(fields).toReversed());

const settings = { registration_enabled: true, appeals_enabled: true, game_account_signup: false };
const features = {
  market: { enabled: false },
  guilds: { enabled: true },
  houses: { audience: "staff" },
};
const pairs = makeList(12, (index) => ({ a: `faction-${index}`, b: "zealots", stance: "ally" }));
const rules = ["playersKilled", "playtime"].map((stat) => ({ stat, topN: 1, color: "#ff5533" }));
const streams = ["news.post", "vendor.sale"];

/**
 * CATALOGUE of routes that write several rows named by the body. Each has two bodies that name the
 * rows in opposite orders.
 */
const writes: Readonly<Record<string, () => readonly [object, object]>> = {
  "PUT /admin/settings": () => [settings, turned(settings)],
  "PUT /admin/shard/visibility": () => [{ features }, { features: turned(features) }],
  "PUT /admin/survival/npcs/factions": () => [{ pairs }, { pairs: pairs.toReversed() }],
  "PUT /admin/survival/servers/:id/titles": () => [
    { mode: "upTo", max: 2, rules },
    { mode: "upTo", max: 2, rules: rules.toReversed() },
  ],
  "POST /admin/survival/permissions/sync": () => [
    { serverIds },
    { serverIds: serverIds.toReversed() },
  ],
  "POST /admin/survival/npcs/push": () => [{ serverIds }, { serverIds: serverIds.toReversed() }],
};

/**
 * CATALOGUE of routes that write several of the caller's own rows. Each has two bodies that name the rows in
 * opposite orders.
 */
const ownWrites: Readonly<Record<string, () => readonly [object, object]>> = {
  "PUT /auth/me/notifications/subscriptions": () => [
    { streams },
    { streams: streams.toReversed() },
  ],
};

const plainTypes = ["string", "number", "boolean", "date"];

/** Returns true if the body may name several objects, by two fields or by a list. */
function namesMany({ body, basedOn }: Route): boolean {
  const { keys = {} } = (body?.describe() ?? {}) as { keys?: Record<string, Description> };
  // `basedOn` does not name an object to write, so do not count it.
  const types = Object.entries(keys)
    .filter(([name]) => !basedOn || name !== findRevisionField(basedOn))
    .map(([, { type }]) => type ?? "any");
  return types.length > 1 || types.some((type) => !plainTypes.includes(type));
}

describe("every write whose body may name several objects", () => {
  it("is tested with two orders of its objects, or exempt with a reason", () => {
    const many = routes
      .filter((route) => route.method !== "get" && namesMany(route))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.slice("/api/v1".length)}`);
    const listed = Object.values(writesOfOneRow).flat();
    const known = [...Object.keys(writes), ...Object.keys(ownWrites), ...listed];
    expect(known.toSorted()).toEqual(many.toSorted());
  });
});

const anyServer = (route: string) => route.replace(":id", String(serverIds[0]));

const race = async (route: string, bodies: readonly [object, object], by: readonly SignedIn[]) => {
  const named = anyServer(route);
  const answers = await races.track.run(
    makeList(by.length, (index) => ({
      route: named,
      // Requests alternate between two processes, so change the order after every second request.
      // Each process gets both orders.
      body: bodies[index % 4 < 2 ? 0 : 1],
      headers: by[index]?.headers ?? {},
    })),
  );
  return countStatuses(answers);
};

describe("concurrent changes of the same rows in two orders, through two processes", () => {
  it.each(Object.keys(writes))(
    "all succeed: %s",
    repeatRace(async (_round, route: string) => {
      const bodies = writes[route]?.() ?? [{}, {}];
      expect(await race(route, bodies, admins)).toEqual({ 200: admins.length });
      if (!route.startsWith("PUT")) return;
      const asked = {
        route: anyServer(route.replace("PUT", "GET")),
        headers: races.headersOf(0),
      };
      await waitUntil("both processes say the same", async () => {
        const [first, second] = await races.track.inEach(asked);
        expect([first?.status, second?.status]).toEqual([200, 200]);
        return JSON.stringify(first?.body) === JSON.stringify(second?.body);
      });
    }, 5),
  );

  it(
    "all succeed if they come from the sessions of one user",
    repeatRace(async () => {
      const [one] = admins as [SignedIn];
      const tenTimes = makeList(10, () => one);
      for (const [route, bodiesOf] of Object.entries(ownWrites)) {
        expect(await race(route, bodiesOf(), tenTimes)).toEqual({ 200: 10 });
      }
      expect(await race("PUT /admin/settings", [settings, turned(settings)], tenTimes)).toEqual({
        200: 10,
      });
      const { models } = server.context;
      const where = { userId: one.userId };
      const chosen = await models.PushSubscription.findAll({ where });
      expect(chosen.map(({ stream }) => stream).toSorted()).toEqual(streams);
    }),
  );

  it(
    "all succeed if two administrators delete each other's trusted devices",
    repeatRace(async () => {
      const [one, other] = admins as [SignedIn, SignedIn];
      const answers = await races.track.run(
        makeList(20, (index) => {
          const [by, of] = index % 4 < 2 ? [one, other] : [other, one];
          const route = `DELETE /admin/users/${of.userId}/trusted-devices/1`;
          return { route, headers: by.headers };
        }),
      );
      expect(countStatuses(answers)).toEqual({ 200: 20 });
    }, 5),
  );

  it("cause no deadlock", async () => {
    expect(await countDeadlocks(server)).toBe(0);
  });
});

describe("a queue that thirty administrators pause, resume and retry concurrently", () => {
  const [queue, other] = ["ops.prune-processes", "auth.prune-credentials"] as const;
  const all = (what: string) =>
    races.track.run(
      makeList(30, (index) => ({
        route: `POST /admin/jobs/queues/${queue}/${what}`,
        headers: races.headersOf(index),
      })),
    );
  const pausedInEach = async () => {
    const answers = await races.track.inEach({
      route: "GET /admin/jobs",
      headers: races.headersOf(0),
    });
    return answers.map(({ body }) => {
      const { queues } = body as { queues: { name: string; paused: object | null }[] };
      return queues.filter(({ paused }) => paused !== null).map(({ name }) => name);
    });
  };

  it(
    "is paused, resumed and retried once, with one activity entry each",
    repeatRace(async () => {
      const { models } = server.context;
      await models.ActivityEntry.destroy({ where: { targetType: "queue" } });
      await forgetJobs(server, "%");
      const paused = await all("pause");
      expect(await pausedInEach()).toEqual([[queue], [queue]]);
      const pausers = paused.map(
        ({ body }) => (body as { queue: { paused: { by: string } } }).queue.paused.by,
      );
      expect(pausers).toEqual(makeList(30, () => pausers[0]));
      const resumed = await all("resume");
      expect(await pausedInEach()).toEqual([[], []]);
      for (const name of [queue, other].flatMap((one) => makeList(5, () => one))) {
        await server.context.queue.enqueue(name, {}, { key: randomUUID() });
      }
      for (const { id } of [...(await jobsOf(server, queue)), ...(await jobsOf(server, other))]) {
        await changeJob(server, id, { state: "failed" });
      }
      const retried = await all("retry-failed");
      expect(countStatuses([...paused, ...resumed, ...retried])).toEqual({ 200: 90 });
      const jobs = retried.map(({ body }) => (body as { retried: number }).retried);
      expect(jobs.toSorted((one, two) => two - one)).toEqual([5, ...makeList(29, () => 0)]);
      const statesOf = async (name: string) =>
        (await jobsOf(server, name)).map(({ state }) => state);
      expect([await statesOf(other), await statesOf(queue)]).toEqual([
        makeList(5, () => "failed"),
        makeList(5, () => "retry"),
      ]);
      const lines = await activityOf(server, { targetType: "queue", targetId: queue }, [
        "actorId",
        "action",
        "detail",
      ]);
      expect(lines).toEqual([
        {
          actorId: admins.find(({ username }) => username === pausers[0])?.userId,
          action: "queue.paused",
          detail: {},
        },
        { actorId: expect.any(Number), action: "queue.resumed", detail: {} },
        { actorId: expect.any(Number), action: "queue.failed_retried", detail: { jobs: 5 } },
      ]);
    }),
  );
});
