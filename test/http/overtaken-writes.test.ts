import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { configHash } from "../../shared/survival/config/plugin-files.ts";
import { insertUserRows } from "../auth/insert-user-rows.ts";
import { buildOneStepSpec } from "../events/specs.ts";
import { HostileProvider } from "../provider/hostile-provider.ts";
import { createEnrolledUser } from "../support/accounts/second-factor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import { tableNames } from "../support/database/table-names.ts";
import { buildStep } from "../support/factories/events.ts";
import { buildProcess } from "../support/factories/ops.ts";
import { endDevices, revokeTokensOf, signOut, tokenIdOf } from "../support/factories/sessions.ts";
import { storeSetting } from "../support/factories/site.ts";
import { changeUser, cutOffUser, disableUser } from "../support/factories/users.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { NameServer } from "../support/push/name-server.ts";
import {
  type UserChange,
  userChangeOf,
  changeUserDuringRequest,
} from "../support/races/overtake.ts";
import { sampleCases } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { type Ids, pathOf, readIds, writes, writesOfNobody } from "./writes-of-callers.ts";

// The address of a push relay. No server listens there.
const relay = "https://relay.push.test:9";
const environment = {
  ...unlimited,
  WEBHOOK_ALLOWED_ORIGINS: "http://127.0.0.1:9",
  PUSH_ALLOWED_ORIGINS: relay,
  OIDC_ALLOW_INSECURE: "true",
  PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
};

let server: TestServer;
let game: SurvivalGameSite;
let provider: HostileProvider;
let names: NameServer;
/** The administrator whose requests are tested. The administrator owns an object of each kind. */
let user: SignedIn;
/** A second administrator, who has a second factor. */
let enrolled: SignedIn;
let ids: Ids;
beforeAll(async () => {
  [provider, names] = await Promise.all([HostileProvider.start(), NameServer.start()]);
  names.say("relay.push.test", ["127.0.0.1"]);
  server = await startTestServer({
    environment: {
      ...environment,
      DISCORD_BASE_URL: provider.issuer,
      PUSH_DNS: names.address,
    },
  });
  game = await startSurvivalGame(server);
  await game.hear();
  await storeSetting(server, "game_account_signup", true);
  await storeSetting(server, "appeals_enabled", true);
  user = await signIn(server, { role: "admin" });
  enrolled = await createEnrolledUser(server, { role: "admin" });
  await insertUserRows(user.userId, "planted", server);
  ids = await readIds(server, user, await plantThings());
});
afterAll(async () => {
  await server?.stop();
  await game?.simulator.stop();
  await provider?.stop();
  names?.stop();
});

/** Creates the objects that do not belong to a user. */
async function plantThings(): Promise<Ids> {
  const { headers } = user;
  const { AtlasState, SurvivalEvent, SurvivalNpcPlacement } = server.context.models;
  const make = async (route: string, body?: object) => {
    const made = await callRoute(server, route, { headers, ...(body && { body }) });
    if (made.status >= 300) throw new Error(`${route} answered ${made.status}: ${made.text}`);
    return made.body as Record<string, { id: number }> & Record<string, string>;
  };
  const spec = buildOneStepSpec({ actionId: "core.confirm", params: {} });
  const { event } = await make("POST /admin/events", { title: "There", spec });
  await make(`POST /admin/events/${event?.id}/publish`);
  const { run } = await make(`POST /admin/events/${event?.id}/runs`, { scope: "site" });
  const { secret = "" } = await make("POST /auth/me/account/totp/setup", {});
  // Inserts a worker whose heartbeat stays valid during the tests.
  await buildProcess(server, { seenAt: clockNowPlus(3_600_000) });
  await buildStep(server, { runId: run?.id ?? 0, confirm: true });
  await AtlasState.update({ pendingStatus: "pending" }, { where: {} });
  await SurvivalNpcPlacement.update({ serverId: game.server.id }, { where: {} });
  const chat = { serverId: game.server.id, kind: "player.chat", payload: {} };
  const line = await SurvivalEvent.create({ ...chat, epoch: "planted", seq: 1, t: 1 });
  const job = await server.context.queue.enqueue("ops.prune-processes", {});
  await make("POST /admin/events/series", { name: "There" });
  await make("POST /admin/pages", { title: "There", body: "There" });
  const app = { enabled: true, clientId: "x", clientSecret: "y" };
  await make("PUT /admin/auth/providers/discord", app);
  await make("POST /admin/webhooks", { url: "http://127.0.0.1:9/hook", streams: ["news.post"] });
  const kits = `/admin/survival/config/${game.server.id}/files/Kits`;
  const readHash = () => configHash(String(game.simulator.world.plugins.get("Kits")?.config));
  const text = '{ "Use UI": false }';
  const { writeId = "" } = await make(`PUT ${kits}`, { text, baseHash: readHash() });
  await game.hear();
  const hash = readHash();
  return {
    game: game.server.id,
    line: line.id,
    provider: "discord",
    relay,
    secret,
    job: job ?? "",
    hash,
    write: writeId,
  };
}

/**
 * A change that ends the rights of a session, the function that undoes it, and the refusal of requests until
 * then.
 */
interface Cut {
  readonly change: UserChange;
  readonly undo: (userId: number) => Promise<unknown>;
  readonly refusal: readonly [number, object];
}

type Headers = Readonly<Record<string, string>>;

const signedOut = [401, { error: "Not authenticated" }] as const;

function cutsOf({ cookie }: SignedIn): Readonly<Record<string, Cut>> {
  const { RevokedToken, User } = server.context.models;
  return {
    "was signed out everywhere": {
      change: cutOffUser,
      undo: (id) => User.decrement("generation", { where: { id } }),
      refusal: signedOut,
    },
    "was signed out": {
      change: signOut(cookie),
      undo: () => RevokedToken.destroy({ where: { tokenId: tokenIdOf(cookie) } }),
      refusal: signedOut,
    },
    "was disabled": {
      change: disableUser,
      undo: (id) => changeUser(server, id, { disabledAt: null }),
      refusal: signedOut,
    },
    "was given a lesser role": {
      change: userChangeOf({ role: "player" }),
      undo: (id) => changeUser(server, id, { role: "admin" }),
      refusal: [403, { error: "Your role no longer allows this" }],
    },
  };
}

/** Tables that belong to no user: counters of requests, and unfinished sign-ins. */
const ofNobody = /^(rate_limit|ip_reputation|sso_sessions)/;

/** Returns a checksum of the rows of each table. */
async function sumOfRows(): Promise<Readonly<Record<string, string>>> {
  const sums = (await tableNames(server))
    .filter((name) => !ofNobody.test(name))
    .map(
      (name) =>
        `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), ''))
           as sum from "${name}" t`,
    );
  const jobs = "select 'jobs', count(*)::text from pgboss.job";
  const found = await query<{ name: string; sum: string }>(
    server,
    [...sums, jobs].join(" union all "),
  );
  return Object.fromEntries(found.map(({ name, sum }) => [name, sum]));
}

const namesOf = (table: object): string[] => Object.keys(table).toSorted();

describe("every route that may write", () => {
  it("is in this test's list of writes, or exempt with a reason", () => {
    const served = routes
      .filter(({ method }) => method !== "get")
      .map(({ method, path }) => `${method.toUpperCase()} ${path.slice("/api/v1".length)}`);
    expect(served.toSorted()).toEqual(namesOf({ ...writes, ...writesOfNobody }));
  });
});

describe("a write whose caller loses rights while it waits for a lock", () => {
  const areaOf = (route: string) => route.split("/").slice(1, 3).join("/");
  it.each(sampleCases(Object.keys(writes), areaOf))(
    "%s is refused and writes nothing",
    async (route) => {
      const who = route.includes("totp/disable") ? enrolled : user;
      const { userId, headers } = who;
      const [method = "", pattern = ""] = route.split(" ");
      const given = writes[route];
      const body = typeof given === "function" ? given(ids) : given;
      const request = () =>
        callRoute(server, `${method} ${pathOf(pattern, ids)}`, { headers, ...(body && { body }) });
      const before = await sumOfRows();
      const answers: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [name, { change, undo, refusal }] of Object.entries(cutsOf(who))) {
        answers[name] = statusAndBodyOf(
          await changeUserDuringRequest(server, { userId, change }, request),
        );
        expected[name] = refusal;
        await undo(userId);
      }
      expect(answers).toEqual(expected);
      expect(await sumOfRows()).toEqual(before);
    },
  );
});

describe("a caller who loses access while a request waits for a lock", () => {
  const refusedOnce = async (
    route: string,
    body: object,
    { headers, change }: { readonly headers: Headers; readonly change: UserChange },
  ) => {
    const before = await sumOfRows();
    const request = () => callRoute(server, route, { headers, body });
    const answered = await changeUserDuringRequest(
      server,
      { userId: user.userId, change },
      request,
    );
    expect(statusAndBodyOf(answered)).toEqual(signedOut);
    const after = await sumOfRows();
    return Object.keys(after).filter((name) => after[name] !== before[name]);
  };

  it("writes nothing with the access token of a device session that ended", async () => {
    const { username, password } = user;
    const login = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password },
    });
    const { accessToken } = login.body as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    const body = { streams: ["vendor.sale"] };
    const route = "PUT /auth/me/notifications/subscriptions";
    expect(await refusedOnce(route, body, { headers, change: endDevices })).toEqual([
      "mobile_families",
    ]);
  });

  it("writes nothing with an API token that was revoked", async () => {
    const body = { name: "crier", role: "moderator", scopes: ["shard-staff:write"] };
    const made = await callRoute(server, "POST /admin/tokens", { headers: user.headers, body });
    const { secret } = made.body as { secret: string };
    const headers = { authorization: `Bearer ${secret}` };
    // Use the token now, so that the tested request does not record a time of use. The service does so at most
    // once a minute.
    const empty = await callRoute(server, "POST /admin/shard/broadcast", { headers, body: {} });
    expect(empty.status).toBe(400);
    const route = "POST /admin/shard/broadcast";
    expect(
      await refusedOnce(route, { text: "Hear ye" }, { headers, change: revokeTokensOf }),
    ).toEqual(["api_tokens"]);
  });
});

/** Requests that need only a session, and no second factor. */
const plain = [
  "PUT /admin/settings",
  "PUT /admin/site-mode",
  "PUT /admin/discord-bot/config",
  "PUT /admin/shard/visibility",
  "PUT /admin/shardlink/config",
  "PUT /admin/shard/atlas/path",
  "PUT /admin/shard/clilocs/path",
  "POST /admin/posts",
  "POST /admin/wiki",
  "POST /admin/pages",
  "POST /admin/webhooks",
  "POST /admin/tokens",
  "POST /admin/auth/providers",
  "POST /admin/invites",
  "POST /admin/users",
  "POST /admin/events",
  "POST /admin/events/series",
  "PUT /admin/events/actions",
  "POST /admin/jobs/queues/:queue/pause",
  "PUT /admin/survival/voice",
  "POST /player/market/searches",
  "PUT /auth/me/notifications/subscriptions",
] as const;

describe("the tested writes by a caller with a live session", () => {
  it("succeed", async () => {
    const { headers } = await signIn(server, { role: "admin" });
    const refused = [];
    for (const route of plain) {
      const [method = "", pattern = ""] = route.split(" ");
      const body = writes[route];
      const asked = `${method} ${pathOf(pattern, ids)}`;
      const { status } = await callRoute(server, asked, { headers, ...(body && { body }) });
      if (status >= 400) refused.push([route, status]);
      if (route.includes("site-mode")) {
        await callRoute(server, route, { headers, body: { site_mode: "live" } });
      }
    }
    expect(refused).toEqual([]);
  });
});
