import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute } from "../support/http/call.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
} from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** The tests use more links from one address than the default limits allow. */
const environment = { ...unlimited, RL_INVITE_MAX: "100000", RL_RESET_MAX: "100000" };

/** Inserts and reads rows. The racing requests go to two other processes. */
let server: TestServer;
let racers: RaceServers;
beforeAll(async () => {
  server = await startTestServer({ environment });
  racers = await RaceServers.start(server.database, environment);
});
afterAll(async () => {
  await racers.stop();
  await server.stop();
});

const statusesOf = async (request: Race) =>
  (await racers.inEach(request)).map(({ status }) => status);

const logInAs = ({ username }: { username: string }, password: string): Race => ({
  route: "POST /auth/login",
  body: { username, password },
});

describe("one invitation in thirty simultaneous requests", () => {
  it(
    "creates one account, with the invitation's role",
    repeatRace(async (round) => {
      const { headers } = await signIn(server, { role: "admin" });
      const body = { role: "editor" };
      const made = await callRoute(server, "POST /admin/invites", { headers, body });
      const [, token] = (made.body as { acceptUrl: string }).acceptUrl.split("#token=");
      const names = makeList(30, (index) => `guest-${round}-${index}`);
      const answers = await racers.run(
        names.map((username) => ({
          route: `POST /auth/invite/${token}/accept`,
          body: { username, password: "a long enough one" },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 201: 1, 404: 29 });
      const winner = names[answers.findIndex(({ status }) => status === 201)];
      const asked = { attributes: ["username", "role"], where: { username: names }, raw: true };
      expect(await server.context.models.User.findAll(asked)).toEqual([
        { username: winner, role: "editor" },
      ]);
      expect(await statusesOf({ route: `GET /auth/invite/${token}` })).toEqual([404, 404]);
    }, 5),
  );
});

describe("a reset link in simultaneous requests", () => {
  it(
    "sets the password of exactly one request",
    repeatRace(async () => {
      const user = await createTestUser(server, { email: "forgetful@example.org" });
      const made = await makeResetLink(user.userId, server.context);
      const passwords = makeList(30, (index) => `a brand new password ${index}`);
      const answers = await racers.run(
        passwords.map((password) => ({
          route: `POST /auth/password/reset/${made?.token}`,
          body: { password },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 200: 1, 404: 29 });
      const password = passwords[answers.findIndex(({ status }) => status === 200)] ?? "";
      expect(await statusesOf(logInAs(user, password))).toEqual([200, 200]);
      const used = { route: `GET /auth/password/reset/${made?.token}` };
      expect(await statusesOf(used)).toEqual([404, 404]);
    }, 5),
  );

  it(
    "sets one password if all twenty links of a user are used at once, and then all twenty are invalid",
    repeatRace(async () => {
      const user = await createTestUser(server, { email: "forgetful@example.org" });
      const { userId } = user;
      const links = await Promise.all(makeList(20, () => makeResetLink(userId, server.context)));
      const answers = await racers.run(
        links.map((made, index) => ({
          route: `POST /auth/password/reset/${made?.token}`,
          body: { password: `a brand new password ${index}` },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 200: 1, 404: 19 });
      const winner = answers.findIndex(({ status }) => status === 200);
      const password = `a brand new password ${winner}`;
      expect(await statusesOf(logInAs(user, password))).toEqual([200, 200]);
      for (const made of links) {
        const asked = { route: `GET /auth/password/reset/${made?.token}` };
        expect(await statusesOf(asked)).toEqual([404, 404]);
      }
    }, 5),
  );
});

describe("administrators who remove each other", () => {
  const removals = [
    ["PATCH", { role: "player" }],
    ["PATCH", { disabled: true }],
    ["DELETE", {}],
  ] as const;

  const removal = (actor: SignedIn, victim: SignedIn, index: number) => {
    const [method, body] = removals[index % removals.length] ?? removals[0];
    return { route: `${method} /admin/users/${victim.userId}`, headers: actor.headers, body };
  };

  async function startAdmins(count: number): Promise<SignedIn[]> {
    await server.context.models.User.destroy({ where: { role: "admin" } });
    return Promise.all(makeList(count, () => signIn(server, { role: "admin" })));
  }

  const readAdmins = () =>
    server.context.models.User.scope("administrators").findAll({ attributes: ["id"], raw: true });

  it(
    "leave at least one administrator of twenty",
    repeatRace(async () => {
      const admins = await startAdmins(20);
      const answers = await racers.run(
        admins.map((actor, index) => removal(actor, admins.at(index - 1) as SignedIn, index)),
      );
      const { 200: removed = 0, ...refused } = countStatuses(answers);
      expect(Object.keys(refused).every((status) => /^(401|403|404|409)$/.test(status))).toBe(true);
      const left = await readAdmins();
      expect(left.length).toBe(20 - removed);
      expect(left.length).toBeGreaterThan(0);
    }, 5),
  );

  it(
    "leave exactly one administrator of two",
    repeatRace(async (round) => {
      const [one, two] = (await startAdmins(2)) as [SignedIn, SignedIn];
      const answers = await racers.run([removal(one, two, round), removal(two, one, round)]);
      expect(countStatuses(answers)[200]).toBe(1);
      expect(await readAdmins()).toHaveLength(1);
    }, 15),
  );

  it(
    "get 409 for each of twenty requests that would remove the only administrator",
    repeatRace(async () => {
      const [last] = (await startAdmins(1)) as [SignedIn];
      const answers = await racers.run(makeList(20, (index) => removal(last, last, index)));
      expect(countStatuses(answers)).toEqual({ 409: 20 });
      expect(await readAdmins()).toEqual([{ id: last.userId }]);
    }),
  );
});
