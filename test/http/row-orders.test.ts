import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { buildSurvivalServer } from "../support/factories/survival.ts";
import { query } from "../support/query.ts";
import { counts, RaceTrack, times } from "../support/race.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

let server: TestServer;
let track: RaceTrack;
let admins: SignedIn[];
let serverId: number;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  track = await RaceTrack.start(server.database, unlimited);
  admins = await Promise.all(times(10, () => signIn(server, { role: "admin" })));
  serverId = (await buildSurvivalServer(server)).id;
});
afterAll(async () => {
  await track?.stop();
  await server?.stop();
});

type Ordered = Readonly<Record<string, unknown>>;

/** The same in the other order. */
const turned = (fields: Ordered): Ordered =>
  Object.fromEntries(Object.entries(fields).toReversed());

const settings = { registration_enabled: true, appeals_enabled: true, game_account_signup: false };
const features = {
  market: { enabled: false },
  guilds: { enabled: true },
  houses: { audience: "staff" },
};
const pairs = times(12, (index) => ({ a: `faction-${index}`, b: "zealots", stance: "ally" }));
const rules = ["playersKilled", "playtime"].map((stat) => ({ stat, topN: 1, color: "#ff5533" }));
const streams = ["news.post", "vendor.sale"];

/** Every route that writes many rows which the request names, with the rows in either order. */
const writes: Readonly<Record<string, () => readonly [object, object]>> = {
  "PUT /admin/settings": () => [settings, turned(settings)],
  "PUT /admin/shard/visibility": () => [{ features }, { features: turned(features) }],
  "PUT /admin/survival/npcs/factions": () => [{ pairs }, { pairs: pairs.toReversed() }],
  "PUT /admin/survival/servers/:id/titles": () => [
    { mode: "upTo", max: 2, rules },
    { mode: "upTo", max: 2, rules: rules.toReversed() },
  ],
};

const race = async (route: string, bodies: readonly [object, object], by: readonly SignedIn[]) => {
  const named = route.replace(":id", String(serverId));
  const answers = await track.run(
    times(by.length, (index) => ({
      route: named,
      // Two processes take turns: each gets both orders.
      body: bodies[index % 4 < 2 ? 0 : 1],
      headers: by[index]?.headers ?? {},
    })),
  );
  return counts(answers);
};

describe("changes of the same rows in two orders at once, in two processes", () => {
  it.each(Object.keys(writes))("are all made by %s", async (route) => {
    const bodies = writes[route]?.() ?? [{}, {}];
    for (let round = 0; round < 5; round += 1) {
      expect(await race(route, bodies, admins)).toEqual({ 200: admins.length });
    }
  });

  it("are all made of one user's own, and by one user's own sessions", async () => {
    const [one] = admins as [SignedIn];
    const bodies = [{ streams }, { streams: streams.toReversed() }] as const;
    const route = "PUT /auth/me/notifications/subscriptions";
    expect(
      await race(
        route,
        bodies,
        times(10, () => one),
      ),
    ).toEqual({ 200: 10 });
    expect(
      await race(
        "PUT /admin/settings",
        [settings, turned(settings)],
        times(10, () => one),
      ),
    ).toEqual({ 200: 10 });
  });

  it("are all made of each other's trusted devices, by two administrators", async () => {
    const [one, other] = admins as [SignedIn, SignedIn];
    for (let round = 0; round < 5; round += 1) {
      const answers = await track.run(
        times(20, (index) => {
          const [by, of] = index % 4 < 2 ? [one, other] : [other, one];
          const route = `DELETE /admin/users/${of.userId}/trusted-devices/1`;
          return { route, headers: by.headers };
        }),
      );
      expect(counts(answers)).toEqual({ 200: 20 });
    }
    const deadlocks = await query<{ deadlocks: number }>(
      server,
      "select deadlocks::integer from pg_stat_database where datname = current_database()",
    );
    expect(deadlocks).toEqual([{ deadlocks: 0 }]);
  });
});
