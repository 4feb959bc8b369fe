import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { scopes } from "../../api/http/scopes.ts";
import { clockNow } from "../../models/queries/clock.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { changeApiToken } from "../support/factories/users.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
} from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** Inserts and reads rows. The racing requests go to two other processes. */
let server: TestServer;
let track: RaceServers;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  track = await RaceServers.start(server.database, {});
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await track.stop();
  await server.stop();
});

interface Made {
  readonly token: { readonly id: number };
  readonly secret: string;
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const wanted = { name: "one of many", role: "moderator", scopes };

const ask = ({ headers }: SignedIn, body: object = wanted): Race => ({
  route: "POST /admin/tokens",
  headers,
  body,
});

async function made(body: object, { headers }: SignedIn): Promise<Made> {
  const answered = await callRoute(server, "POST /admin/tokens", { headers, body });
  if (answered.status !== 201) throw new Error(answered.text);
  return answered.body as Made;
}

const unrevoked = () => server.context.models.ApiToken.scope("unrevoked");
const revokeEach = () => unrevoked().update({ revokedAt: clockNow() }, { where: {} });

describe("simultaneous requests for API tokens", () => {
  it(
    "create at most twenty tokens, and another one for each token that ends",
    repeatRace(async () => {
      await revokeEach();
      const { headers } = admin;
      const answers = await track.run(makeList(30, () => ask(admin)));
      expect(countStatuses(answers)).toEqual({ 201: 20, 409: 10 });
      for (const { status, body } of answers.filter((one) => one.status !== 201)) {
        expect([status, body]).toEqual([
          409,
          { error: "There are already 20 tokens: revoke one first" },
        ]);
      }
      const madeIds = answers
        .filter(({ status }) => status === 201)
        .map(({ body }) => (body as Made).token.id);
      for (const { body } of await track.inEach({ route: "GET /admin/tokens", headers })) {
        const { tokens } = body as { tokens: { id: number }[] };
        const alive = tokens.map(({ id }) => id).filter((id) => madeIds.includes(id));
        expect(alive).toHaveLength(20);
      }
      expect(await unrevoked().count()).toBe(20);
      const [first = 0, second = 0] = madeIds;
      const revoked = await callRoute(server, `DELETE /admin/tokens/${first}`, { headers });
      expect(statusAndBodyOf(revoked)).toEqual([200, { id: first }]);
      expect(countStatuses(await track.inEach(ask(admin)))).toEqual({ 201: 1, 409: 1 });
      await changeApiToken(server, second, { expiresAt: clockNow() });
      expect(countStatuses(await track.inEach(ask(admin)))).toEqual({ 201: 1, 409: 1 });
      await revokeEach();
    }),
  );

  it(
    "create no token that outlives its creator's admin role",
    repeatRace(async () => {
      const maker = await signIn(server, { role: "admin" });
      const asks = makeList(6, () => ask(maker));
      const demotion = {
        route: `PATCH /admin/users/${maker.userId}`,
        headers: admin.headers,
        body: { role: "editor" },
      };
      const answers = await track.run([...asks.slice(0, 3), demotion, ...asks.slice(3)]);
      expect(answers.splice(3, 1)[0]?.status).toBe(200);
      expect(answers.filter(({ status }) => ![201, 401, 403].includes(status))).toEqual([]);
      expect(await unrevoked().findAll({ where: { createdBy: maker.userId } })).toEqual([]);
      for (const { body } of answers.filter(({ status }) => status === 201)) {
        const headers = bearer((body as Made).secret);
        const used = await track.inEach({ route: "GET /admin/shard/audit", headers });
        expect(countStatuses(used)).toEqual({ 401: 2 });
      }
    }, 10),
  );
});

describe("an API token that ends during its requests", () => {
  it.each<readonly [string, (made: Made, makerId: number) => string, object]>([
    ["it is revoked", ({ token }) => `DELETE /admin/tokens/${token.id}`, {}],
    ["its creator is deleted", (_, id) => `DELETE /admin/users/${id}`, {}],
    ["its creator is disabled", (_, id) => `PATCH /admin/users/${id}`, { disabled: true }],
  ])(
    "is rejected by both processes afterward: %s",
    repeatRace(
      async (
        _round,
        _what: string,
        route: (made: Made, makerId: number) => string,
        body: object,
      ) => {
        const maker = await signIn(server, { role: "admin" });
        const token = await made({ name: "bot", role: "moderator", scopes }, maker);
        const headers = bearer(token.secret);
        const audit = { route: "GET /admin/shard/audit", headers };
        const uses = makeList(20, (index) =>
          index % 4 < 2 ? audit : { route: "GET /public/shard/features", headers },
        );
        const end = { route: route(token, maker.userId), headers: admin.headers, body };
        const [ended, ...used] = await track.run([end, ...uses]);
        expect(ended?.status).toBe(200);
        for (const { status } of used) expect([200, 401]).toContain(status);
        expect(countStatuses(await track.inEach(audit))).toEqual({ 401: 2 });
      },
      5,
    ),
  );
});
