import bcrypt from "bcrypt";
import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { hashPassword } from "../../shared/platform/crypto/passwords.ts";
import { requestChallenge, createEnrolledUser } from "../support/accounts/second-factor.ts";
import { createTestUser, type TestUser } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import { buildUsers, changeUser, disableUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** The hash cost that is configured now, and the costs of the hashes stored before. */
const costs = { now: 6, before: [4, 7] };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { ...unlimited, BCRYPT_COST: `${costs.now}` } });
});
afterAll(() => server.stop());

/** Spies that record the calls of bcrypt. `workOf` adds up the hash rounds of these calls. */
const compare = vi.spyOn(bcrypt, "compare");
const hash = vi.spyOn(bcrypt, "hash");

async function workOf(send: () => Promise<{ status: number }>, status = 401): Promise<number> {
  compare.mockClear();
  hash.mockClear();
  expect((await send()).status).toBe(status);
  const compared = compare.mock.calls.map(([, stored]) => 2 ** bcrypt.getRounds(stored));
  const hashed = hash.mock.calls.map(([, cost]) => 2 ** Number(cost));
  return [...compared, ...hashed].reduce((sum, rounds) => sum + rounds, 0);
}

const rehash = async ({ userId, password }: TestUser, cost: number) => {
  const config = { ...server.config, BCRYPT_COST: cost };
  const { passwordHash } = await hashPassword(password, config, undefined);
  await changeUser(server, userId, { passwordHash });
};

async function userAt(cost: number): Promise<TestUser> {
  const user = await createTestUser(server);
  await rehash(user, cost);
  return user;
}

const disable = ({ userId }: TestUser) => disableUser(server, userId);

/** Returns the bodies of failing sign-ins, by reason. The users' stored hashes have the cost `cost`. */
async function failures(cost: number): Promise<Record<string, object>> {
  const password = "not this one";
  const [disabled, enrolled] = [await userAt(cost), await createEnrolledUser(server)];
  await disable(disabled);
  await rehash(enrolled, cost);
  return {
    "a wrong password": { ...(await userAt(cost)), password },
    "a second factor": { ...enrolled, password },
    "the right password of a disabled user": disabled,
    "a wrong password of a disabled user": { ...disabled, password },
    "a filled trap": { ...(await userAt(cost)), company: "x" },
  };
}

const works = async (route: string, bodies: Record<string, object>) => {
  const found: Record<string, number> = {};
  for (const [name, body] of Object.entries(bodies)) {
    found[name] = await workOf(() => callRoute(server, route, { body }));
  }
  return found;
};

const all = (bodies: Record<string, object>, rounds: number) =>
  Object.fromEntries(Object.keys(bodies).map((name) => [name, rounds]));

const leaveHashesUpTo = (cost: number) =>
  query(server, "delete from users where substr(password_hash, 5, 2)::integer > $1", cost);

describe.each(["POST /auth/login", "POST /auth/mobile/login"])("a failed %s", (route) => {
  it("takes the same bcrypt work for every cause and hash cost, after each change of the cost", async () => {
    const nobody = { username: "nobody-here", password: "not this one" };
    const without = { ...(await createTestUser(server, { password: null })), password: "not this" };
    for (const highest of costs.before.toReversed()) {
      const found: Record<string, object> = { "a name nobody bears": nobody, without };
      for (const cost of costs.before.filter((each) => each <= highest)) {
        for (const [name, body] of Object.entries(await failures(cost))) {
          found[`${name} at ${cost}`] = body;
        }
      }
      const rounds = 2 ** Math.max(highest, costs.now);
      expect(await works(route, found)).toEqual(all(found, rounds));
      await leaveHashesUpTo(costs.now);
    }
  });
});

describe("a lowered bcrypt cost", () => {
  it("makes sign-ins with unknown names cheaper once no costlier hash is stored, without a restart", async () => {
    const costly = await userAt(8);
    const signInRequest = (body: object) => () => callRoute(server, "POST /auth/login", { body });
    const nobody = signInRequest({ username: "nobody-here", password: "wrong" });
    expect(await workOf(nobody)).toBe(2 ** 8);
    // A successful sign-in renews a hash of another cost: one comparison at the old cost, one hash
    // at the new.
    expect(await workOf(signInRequest(costly), 200)).toBe(2 ** 8 + 2 ** costs.now);
    expect(await workOf(nobody)).toBe(2 ** costs.now);
  });

  it("is detected by a backward index scan for the highest stored cost", async () => {
    const many = makeList(500, (n) => ({ username: `many-${n}`, passwordHash: "$2b$06$" }));
    await buildUsers(server, many);
    await query(server, "analyze users");
    const plan = await query(
      server,
      "explain select max(substr(password_hash, 5, 2))::integer as cost from users",
    );
    expect(JSON.stringify(plan)).toContain("Index Scan Backward using users_password_cost");
    await server.context.models.User.destroy({ where: { username: { [Op.like]: "many-%" } } });
  });
});

describe("a recovery code", () => {
  it("takes the same bcrypt work whether or not one of the user's codes begins with its characters, at each hash cost", async () => {
    for (const cost of [4, 5, 6, 7]) {
      const user = await createEnrolledUser(server);
      const stored = await bcrypt.hash("a code", cost);
      const { RecoveryCode } = server.context.models;
      const where = { userId: user.userId };
      await RecoveryCode.update({ codeHash: stored }, { where });
      const slots = (await RecoveryCode.findAll({ where })).map(({ slot }) => slot);
      const none = ["00", "11", "22", "33", "44", "55", "66", "77", "88", "99", "AA"].find(
        (slot) => !slots.includes(slot),
      );
      for (const start of [slots[0], none, "?"]) {
        const body = {
          challenge: await requestChallenge(server, user),
          recoveryCode: `${start}-00000-00000`,
        };
        const send = () => callRoute(server, "POST /auth/login/totp", { body });
        expect(await workOf(send)).toBe(2 ** Math.max(cost, costs.now));
      }
    }
  });
});
