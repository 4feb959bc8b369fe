import { randomInt } from "node:crypto";

import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { isSignedInEach } from "../support/accounts/is-signed-in.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
  triesOf,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, logIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import { storeSetting } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** Inserts and reads rows. The racing requests go to two other processes. */
let server: TestServer;
let track: RaceServers;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  track = await RaceServers.start(server.database, unlimited);
});
afterAll(async () => {
  await track.stop();
  await server.stop();
});

const race = (requests: readonly Race[]) => track.run(requests);

const usedCodesOf = ({ userId }: EnrolledUser) =>
  server.context.models.RecoveryCode.count({ where: { userId, usedAt: { [Op.ne]: null } } });

const usedStepsOf = ({ userId }: EnrolledUser) =>
  server.context.models.TotpUse.count({ where: { userId } });

const sessionOf = ({ cookies }: RacedAnswer) => ({
  cookie: cookies.find((pair) => pair.startsWith("session=")) ?? "",
});

/**
 * Returns true if the user can sign in with the password. Both processes must give the same answer.
 */
async function canSignIn(password: string, { username }: { username: string }): Promise<boolean> {
  const body = { username, password };
  const [one, other] = await track.inEach({ route: "POST /auth/login", body });
  expect(one?.status).toBe(other?.status);
  return one?.status === 200;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const bearer = ({ accessToken }: Tokens) => ({ authorization: `Bearer ${accessToken}` });

async function mobile({ username, password }: { username: string; password: string }) {
  const body = { username, password };
  return (await callRoute(server, "POST /auth/mobile/login", { body })).body as Tokens;
}

const refresh = ({ refreshToken }: Tokens): Race => ({
  route: "POST /auth/mobile/refresh",
  body: { refreshToken },
});

const successorsOf = (answers: readonly RacedAnswer[]): string[] => [
  ...new Set(answers.map(({ body }) => (body as Tokens).refreshToken)),
];

const completion = (challenge: string, answer: object): Race => ({
  route: "POST /auth/login/totp",
  body: { challenge, ...answer },
});

async function challengesFor(user: EnrolledUser, count: number): Promise<string[]> {
  const challenges: string[] = [];
  for (let index = 0; index < count; index += 1) {
    challenges.push(await requestChallenge(server, user));
  }
  return challenges;
}

describe("one refresh token in simultaneous requests", () => {
  let latest: Tokens;
  beforeAll(async () => {
    latest = await mobile(await createTestUser(server));
  });

  it(
    "gets the same next token for each request, and the device stays signed in",
    repeatRace(async () => {
      const former = latest;
      const answers = await race(makeList(30, () => refresh(former)));
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      expect(successorsOf(answers)).toHaveLength(1);
      latest = answers[0]?.body as Tokens;
      expect(await isSignedInEach(track, bearer(latest))).toBe(true);
    }, 5),
  );

  it(
    "is rejected once its next token is used, and the device stays signed in",
    repeatRace(async () => {
      const former = latest;
      const successor = (await race([refresh(former)]))[0]?.body as Tokens;
      const answers = await race([refresh(successor), ...makeList(29, () => refresh(former))]);
      const [first, ...others] = answers;
      expect(first?.status).toBe(200);
      latest = first?.body as Tokens;
      const got = successorsOf(successfulAnswersOf(others));
      expect(got.filter((token) => token !== successor.refreshToken)).toEqual([]);
      const lost = others.filter(({ status }) => status !== 200);
      expect(countStatuses(lost)).toEqual(lost.length > 0 ? { 401: lost.length } : {});
      expect(await isSignedInEach(track, bearer(latest))).toBe(true);
    }, 5),
  );

  it(
    "does not survive a simultaneous password change or end of all sessions",
    repeatRace(async (round) => {
      const user = await createTestUser(server);
      const tokens = await mobile(user);
      const headers = { cookie: await logIn(server, user) };
      const change: Race = {
        route: "PATCH /auth/me/account/password",
        headers,
        body: { currentPassword: user.password, newPassword: "a brand new password" },
      };
      const end: Race = { route: "DELETE /auth/me/sessions", headers };
      const ending = round % 2 === 0 ? change : end;
      const [first, ...others] = await race([ending, ...makeList(19, () => refresh(tokens))]);
      expect(first?.status).toBe(200);
      expect(successorsOf(successfulAnswersOf(others)).length).toBeLessThanOrEqual(1);
      for (const { body } of successfulAnswersOf(others)) {
        const pair = body as Tokens;
        expect(await isSignedInEach(track, bearer(pair))).toBe(false);
        expect((await race([refresh(pair)]))[0]?.status).toBe(401);
      }
      expect(await isSignedInEach(track, bearer(tokens))).toBe(false);
      expect(countStatuses(await track.inEach(refresh(tokens)))).toEqual({ 401: 2 });
      expect(await isSignedInEach(track, sessionOf(first as RacedAnswer))).toBe(true);
    }, 15),
  );

  it(
    "does not survive a simultaneous revocation of its device",
    repeatRace(async () => {
      const user = await createTestUser(server);
      const tokens = await mobile(user);
      const headers = { cookie: await logIn(server, user) };
      const { body } = await callRoute(server, "GET /auth/me/sessions", { headers });
      const [{ id } = { id: 0 }] = body as { id: number }[];
      const [ended, ...others] = await race([
        { route: `DELETE /auth/me/sessions/${id}`, headers },
        ...makeList(19, () => refresh(tokens)),
      ]);
      expect(ended?.body).toEqual({ deleted: true });
      for (const pair of [
        tokens,
        ...successfulAnswersOf(others).map(({ body: won }) => won as Tokens),
      ]) {
        expect(await isSignedInEach(track, bearer(pair))).toBe(false);
        expect(countStatuses(await track.inEach(refresh(pair)))).toEqual({ 401: 2 });
      }
      expect(await isSignedInEach(track, headers)).toBe(true);
    }, 10),
  );
});

describe("a password that is changed in simultaneous requests", () => {
  it(
    "lets no sign-in with the old password survive",
    repeatRace(async () => {
      const user = await signIn(server);
      const { username, password, headers } = user;
      const [changed, ...others] = await race([
        {
          route: "PATCH /auth/me/account/password",
          headers,
          body: { currentPassword: password, newPassword: "a brand new password" },
        },
        ...makeList(12, () => ({ route: "POST /auth/login", body: { username, password } })),
        ...makeList(8, () => ({ route: "POST /auth/mobile/login", body: { username, password } })),
      ]);
      expect(changed?.status).toBe(200);
      for (const answer of successfulAnswersOf(others)) {
        const { accessToken } = answer.body as Partial<Tokens>;
        const by = accessToken ? { authorization: `Bearer ${accessToken}` } : sessionOf(answer);
        expect(await isSignedInEach(track, by)).toBe(false);
      }
      expect(await isSignedInEach(track, headers)).toBe(false);
      expect(await isSignedInEach(track, sessionOf(changed as RacedAnswer))).toBe(true);
      expect(await canSignIn(password, user)).toBe(false);
      expect(await canSignIn("a brand new password", user)).toBe(true);
    }, 10),
  );

  it(
    "is changed once, to the value of the request that succeeds",
    repeatRace(async () => {
      const user = await signIn(server);
      const { password, headers } = user;
      const answers = await race(
        makeList(20, (index) => ({
          route: "PATCH /auth/me/account/password",
          headers,
          body: { currentPassword: password, newPassword: `the new password ${index}` },
        })),
      );
      expect(successfulAnswersOf(answers)).toHaveLength(1);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(await canSignIn(`the new password ${winner}`, user)).toBe(true);
      expect(await canSignIn(password, user)).toBe(false);
      expect(await isSignedInEach(track, headers)).toBe(false);
      expect(await isSignedInEach(track, sessionOf(answers[winner] as RacedAnswer))).toBe(true);
    }),
  );
});

describe("one second factor in simultaneous requests", () => {
  it(
    "admits one request with the same app code",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const challenges = await challengesFor(user, 25);
      await forgetSteps(server, user.userId);
      const code = codeOf(user.secret);
      const answers = await race(challenges.map((challenge) => completion(challenge, { code })));
      expect(countStatuses(answers)).toEqual({ 200: 1, 401: 24 });
      expect(
        await isSignedInEach(track, sessionOf(successfulAnswersOf(answers)[0] as RacedAnswer)),
      ).toBe(true);
      expect(await usedStepsOf(user)).toBe(1);
    }, 3),
  );

  it(
    "admits one request with the same recovery code",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const challenges = await challengesFor(user, 25);
      const [recoveryCode] = user.recoveryCodes;
      const answers = await race(
        challenges.map((challenge) => completion(challenge, { recoveryCode })),
      );
      expect(countStatuses(answers)).toEqual({ 200: 1, 401: 24 });
      expect(
        await isSignedInEach(track, sessionOf(successfulAnswersOf(answers)[0] as RacedAnswer)),
      ).toBe(true);
      expect(await usedCodesOf(user)).toBe(1);
    }, 3),
  );

  it(
    "admits one request with the same code across app and web",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const { username, password, secret, userId } = user;
      const challenges = await challengesFor(user, 10);
      await forgetSteps(server, userId);
      const code = codeOf(secret);
      const answers = await race([
        ...challenges.map((challenge) => completion(challenge, { code })),
        ...makeList(10, () => ({
          route: "POST /auth/mobile/login",
          body: { username, password, code },
        })),
      ]);
      expect(countStatuses(answers)).toEqual({ 200: 1, 401: 19 });
      expect(await usedStepsOf(user)).toBe(1);
    }),
  );

  it(
    "completes one challenge once if app codes and recovery codes are sent together",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      await forgetSteps(server, user.userId);
      const [challenge = ""] = await challengesFor(user, 1);
      const answers = await race(
        makeList(20, (index) =>
          completion(
            challenge,
            index % 2 === 0
              ? { code: codeOf(user.secret) }
              : { recoveryCode: user.recoveryCodes[index % 10] },
          ),
        ),
      );
      expect(successfulAnswersOf(answers)).toHaveLength(1);
      expect((await usedStepsOf(user)) + (await usedCodesOf(user))).toBe(1);
    }),
  );
});

describe("a burst of wrong codes", () => {
  it(
    "uses up one challenge after five tries",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const [challenge = ""] = await challengesFor(user, 1);
      const code = wrongCodeOf(user.secret);
      const answers = await race(makeList(40, () => completion(challenge, { code })));
      expect(countStatuses(answers)).toEqual({ 401: 40 });
      expect(await triesOf(server, user.userId)).toEqual([5]);
      expect((await wrongCodesOf(server, user.userId)).failures).toBe(5);
      await forgetSteps(server, user.userId);
      const right = completion(challenge, { code: codeOf(user.secret) });
      expect(countStatuses(await track.inEach(right))).toEqual({ 401: 2 });
    }, 3),
  );

  it(
    "locks the account after ten tries",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const challenges = await challengesFor(user, 30);
      const code = wrongCodeOf(user.secret);
      await race(challenges.map((challenge) => completion(challenge, { code })));
      const { failures, lockedMs } = await wrongCodesOf(server, user.userId);
      expect(failures).toBe(10);
      expect(lockedMs).toBeGreaterThan(0);
      await forgetSteps(server, user.userId);
      const { username, password, secret } = user;
      const body = { username, password, code: codeOf(secret) };
      const right = await track.inEach({ route: "POST /auth/mobile/login", body });
      expect(countStatuses(right)).toEqual({ 401: 2 });
    }, 3),
  );
});

describe("simultaneous requests to trust a device", () => {
  // A code is valid once, so only one request could succeed. This trigger makes used codes valid
  // again.
  beforeAll(async () => {
    await query(
      server,
      `create function forget_step() returns trigger language plpgsql as
       'begin delete from totp_used where user_id = new.user_id; return null; end'`,
    );
    await query(
      server,
      `create trigger forget_step after insert or update on totp_used
       for each row execute function forget_step()`,
    );
  });
  afterAll(() => query(server, "drop trigger forget_step on totp_used"));

  it(
    "fill the limit of trusted devices exactly, and the rejected requests use up no challenge",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const challenges = await challengesFor(user, 25);
      const answer = { code: codeOf(user.secret), trustDevice: true };
      const answers = await race(challenges.map((challenge) => completion(challenge, answer)));
      expect(countStatuses(answers)).toEqual({ 200: 10, 409: 15 });
      const { AuthChallenge, TrustedDevice } = server.context.models;
      const { userId } = user;
      const unused = { userId, consumedAt: null, attempts: 0 };
      expect(await TrustedDevice.count({ where: { userId } })).toBe(10);
      expect(await AuthChallenge.count({ where: unused })).toBe(15);
    }, 3),
  );
});

describe("simultaneous requests for one user name", () => {
  const bearersOf = (name: string) =>
    query(
      server,
      "select id, username from users where lower(normalize(username, NFKC)) = $1",
      name,
    );

  it(
    "give the name to one of twenty registrations",
    repeatRace(async (round) => {
      await storeSetting(server, "registration_enabled", true);
      const answers = await race(
        makeList(20, (index) => ({
          route: "POST /auth/register",
          body: {
            username: index % 2 === 0 ? `Wanted-${round}` : `wanted-${round}`,
            password: "a long enough one",
          },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 201: 1, 409: 19 });
      const winner = answers.findIndex(({ status }) => status === 201);
      expect(await bearersOf(`wanted-${round}`)).toEqual([
        {
          id: expect.any(Number),
          username: winner % 2 === 0 ? `Wanted-${round}` : `wanted-${round}`,
        },
      ]);
      expect(await canSignIn("a long enough one", { username: `wanted-${round}` })).toBe(true);
    }),
  );

  it(
    "give the name to one of twelve users who rename themselves",
    repeatRace(async (round) => {
      const users = await Promise.all(makeList(12, () => signIn(server)));
      const answers = await race(
        users.map(({ headers }) => ({
          route: "PATCH /auth/me/account/username",
          headers,
          body: { username: `coveted-${round}` },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 200: 1, 409: 11 });
      const winner = users[answers.findIndex(({ status }) => status === 200)];
      expect(await bearersOf(`coveted-${round}`)).toEqual([
        { id: winner?.userId, username: `coveted-${round}` },
      ]);
      const losers = users.filter((user) => user !== winner);
      const asked = { where: { username: losers.map(({ username }) => username) } };
      expect(await server.context.models.User.count(asked)).toBe(11);
    }),
  );
});

describe("simultaneous requests for one user name in several forms", () => {
  it(
    "give the name to one of thirty registrations, in any form of sigma",
    repeatRace(async () => {
      const { headers } = await signIn(server, { role: "admin" });
      const name = `ΑΣΑΣ${makeList(8, () => "ΑΒΓΔ".charAt(randomInt(4))).join("")}ΟΣ`;
      const lower = name.toLowerCase();
      const forms = [name, lower, lower.replaceAll("ς", "σ"), lower.replaceAll("σ", "ς")];
      const answers = await race(
        makeList(30, (index) => ({
          route: "POST /admin/users",
          headers,
          body: { username: forms[index % 4], role: "player", password: "a long enough one" },
        })),
      );
      expect(countStatuses(answers)).toEqual({ 201: 1, 409: 29 });
      const [won] = successfulAnswersOf(answers) as [RacedAnswer];
      const { id } = won.body as { id: number };
      const bearers = await server.context.models.User.findAll({
        where: { username: forms },
        attributes: ["id", "username"],
        raw: true,
      });
      const username = forms[answers.findIndex(({ status }) => status === 201) % 4];
      expect(bearers).toEqual([{ id, username }]);
      for (const form of forms) {
        expect(await canSignIn("a long enough one", { username: form })).toBe(true);
      }
    }),
  );
});

describe("simultaneous requests for recovery codes", () => {
  it(
    "leave one complete set of codes",
    repeatRace(async () => {
      const user = await createEnrolledUser(server);
      const { headers, password, userId } = user;
      const answers = await race(
        makeList(10, () => ({
          route: "POST /auth/me/recovery-codes/regenerate",
          headers,
          body: { password },
        })),
      );
      const sets = successfulAnswersOf(answers).map(
        ({ body }) => (body as { codes: string[] }).codes,
      );
      const stored = await server.context.models.RecoveryCode.findAll({ where: { userId } });
      const slots = stored.map(({ slot }) => slot).toSorted();
      expect(sets.map((codes) => codes.map((code) => code.slice(0, 2)).toSorted())).toContainEqual(
        slots,
      );
    }),
  );
});

describe("an account that is deleted by its owner", () => {
  const deleteOwnAccount = (headers: Readonly<Record<string, string>>): Race => ({
    route: "DELETE /auth/me/account",
    headers,
  });

  it(
    "leaves no simultaneous sign-in, refresh or invitation valid",
    repeatRace(async (round) => {
      await storeSetting(server, "registration_enabled", true);
      await createTestUser(server, { role: "admin" });
      const email = `leaver-${round}@example.org`;
      const user = await signIn(server, { role: "admin", email });
      const { userId, username, password, headers } = user;
      const tokens = await mobile(user);
      const { token } = (await makeResetLink(userId, server.context)) ?? { token: "" };
      const made = await callRoute(server, "POST /admin/invites", {
        headers,
        body: { role: "player" },
      });
      const { acceptUrl } = made.body as { acceptUrl: string };
      const invited = { username: `invited-${round}`, password: "a long enough one" };
      const [left, ...others] = await race([
        deleteOwnAccount(headers),
        { route: `POST /auth/invite/${acceptUrl.split("#token=")[1]}/accept`, body: invited },
        { route: `POST /auth/password/reset/${token}`, body: { password: "another long one" } },
        refresh(tokens),
        ...makeList(8, () => ({ route: "POST /auth/login", body: { username, password } })),
        ...makeList(8, () => ({ route: "POST /auth/mobile/login", body: { username, password } })),
      ]);
      for (const answer of successfulAnswersOf(others.slice(2))) {
        const { accessToken } = answer.body as Partial<Tokens>;
        const by = accessToken ? { authorization: `Bearer ${accessToken}` } : sessionOf(answer);
        expect(await isSignedInEach(track, by)).toBe(false);
      }
      // If the new password was set first, it ended the session with which the user deletes the
      // account.
      const isReset = others[1]?.status === 200 && left?.status === 401;
      expect(await canSignIn("another long one", { username })).toBe(isReset);
      if (isReset) return;
      expect(left?.body).toEqual({ id: userId });
      const { Invite, MobileFamily, User } = server.context.models;
      expect(await User.findByPk(userId)).toBeNull();
      expect(await MobileFamily.count({ where: { userId } })).toBe(0);
      expect(await Invite.count({ where: { createdBy: userId } })).toBe(0);
    }, 8),
  );

  it(
    "is kept for one of the last two administrators if both delete their own accounts at once",
    repeatRace(async () => {
      const { User } = server.context.models;
      await User.update({ role: "player" }, { where: { role: "admin" } });
      const [one, other] = [
        await signIn(server, { role: "admin" }),
        await signIn(server, { role: "admin" }),
      ];
      const answers = await race([deleteOwnAccount(one.headers), deleteOwnAccount(other.headers)]);
      expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 });
      expect(await User.count({ where: { role: "admin" } })).toBe(1);
    }, 10),
  );

  it(
    "leaves one of two administrators if the second one demotes or disables one of the two meanwhile",
    repeatRace(async (round) => {
      const { User } = server.context.models;
      await User.update({ role: "player" }, { where: { role: "admin" } });
      const [one, other] = [
        await signIn(server, { role: "admin" }),
        await signIn(server, { role: "admin" }),
      ];
      const user = round % 4 < 2 ? other : one;
      const body = round % 2 === 0 ? { role: "player" } : { disabled: true };
      const change = { route: `PATCH /admin/users/${user.userId}`, headers: other.headers, body };
      const answers = await race([deleteOwnAccount(one.headers), change]);
      for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status);
      const left = await User.count({ where: { role: "admin", disabledAt: null } });
      expect(left).toBe(1);
    }, 10),
  );

  it(
    "is deleted once by thirty simultaneous requests of one session",
    repeatRace(async () => {
      await createTestUser(server, { role: "admin" });
      const { headers, userId } = await signIn(server);
      const answers = await race(makeList(30, () => deleteOwnAccount(headers)));
      expect(countStatuses(answers)).toEqual({ 200: 1, 401: 29 });
      expect(successfulAnswersOf(answers)[0]?.body).toEqual({ id: userId });
      expect(await server.context.models.User.findByPk(userId)).toBeNull();
      expect(await isSignedInEach(track, headers)).toBe(false);
      const deleted = { action: "user.deleted", targetId: String(userId) };
      expect(await server.context.models.ActivityEntry.count({ where: deleted })).toBe(1);
    }),
  );

  it(
    "is deleted without a deadlock if an administrator deletes it at the same time",
    repeatRace(async () => {
      const admin = await signIn(server, { role: "admin" });
      const user = await signIn(server, { role: "admin" });
      const answers = await race([
        deleteOwnAccount(user.headers),
        { route: `DELETE /admin/users/${user.userId}`, headers: admin.headers },
        deleteOwnAccount(user.headers),
      ]);
      expect(successfulAnswersOf(answers)).toHaveLength(1);
      for (const { status } of answers) expect([200, 401, 404]).toContain(status);
      expect(await server.context.models.User.findByPk(user.userId)).toBeNull();
      expect(await isSignedInEach(track, user.headers)).toBe(false);
    }, 10),
  );
});
