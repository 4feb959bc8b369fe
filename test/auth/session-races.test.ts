import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createEnrolledUser, type EnrolledUser } from "../support/accounts/second-factor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute } from "../support/http/call.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import {
  repeatRace,
  type Race,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import { sampleCases } from "../support/runner/lane.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

/** Creates and reads users. The racing requests go to two other processes. */
let server: TestServer;
let track: RaceServers;
let admin: SignedIn;
beforeAll(async () => {
  server = await sharedServer();
  track = await RaceServers.start(server.database, unlimited);
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await track.stop();
});

type Headers = Readonly<Record<string, string>>;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** An owner and a thief who has a copy of one of the owner's sessions. */
interface Scene {
  readonly user: SignedIn & Partial<Pick<EnrolledUser, "recoveryCodes">>;
  /** Another web session of the owner. */
  readonly other: Headers;
  readonly stolen: Headers;
  /** The token of a stolen device session. */
  readonly refreshToken: string;
  readonly familyId: number;
}

const bearer = ({ accessToken }: Tokens) => ({ authorization: `Bearer ${accessToken}` });
const newPassword = "a brand new password";

/** Returns a recovery code from the half of the codes that the thief has. */
const thiefsCode = ({ recoveryCodes = [] }: Scene["user"], index: number) =>
  recoveryCodes[index % 5];

const cookieOf = (lines: readonly string[]): Headers => ({
  cookie: lines.find((line) => line.startsWith("session="))?.split(";")[0] ?? "",
});

/**
 * Signs the owner in on the web. Uses a recovery code from the owner's half if a code is required.
 */
async function signInOwner(
  user: Scene["user"],
  password: string,
  code: number,
): Promise<Headers | null> {
  const body = { username: user.username, password };
  const first = await callRoute(server, "POST /auth/login", { body });
  const { challenge } = first.body as { challenge?: string };
  if (challenge === undefined) return first.status === 200 ? cookieOf(first.setCookies) : null;
  const second = { challenge, recoveryCode: user.recoveryCodes?.[code] };
  return cookieOf((await callRoute(server, "POST /auth/login/totp", { body: second })).setCookies);
}

/**
 * Ends the session again after the race: signs the owner in and repeats the request.
 * @returns its status
 */
async function retryEnding(scene: Scene, end: Ending["end"]): Promise<number | undefined> {
  for (const password of [newPassword, scene.user.password]) {
    const headers = await signInOwner(scene.user, password, 9);
    if (headers) return (await track.run([end(scene, headers, password)]))[0]?.status;
  }
  throw new Error("the owner cannot sign in");
}

interface StolenSession {
  readonly via: "app" | "web";
  readonly name: keyof typeof mints;
}

async function stealSession({ via, name }: StolenSession): Promise<Scene> {
  const isEnrolled = name === "switching the second factor off";
  const user: Scene["user"] = await (isEnrolled ? createEnrolledUser : signIn)(server, {
    role: "moderator",
  });
  const other = (await signInOwner(user, user.password, 7)) ?? {};
  const { username, password, headers } = user;
  if (via === "web") return { user, other, stolen: headers, refreshToken: "none", familyId: 0 };
  const body = { username, password, recoveryCode: user.recoveryCodes?.[8] };
  const tokens = (await callRoute(server, "POST /auth/mobile/login", { body })).body as Tokens;
  const listed = await callRoute(server, "GET /auth/me/sessions", { headers });
  const [{ id: familyId } = { id: 0 }] = listed.body as { id: number }[];
  return { user, other, stolen: bearer(tokens), refreshToken: tokens.refreshToken, familyId };
}

type Mint = (scene: Scene, index: number) => Race;

/** CATALOGUE of requests that make a new credential from a stolen one. */
const mints = {
  "signing out everywhere else": ({ stolen }: Scene) => ({
    route: "DELETE /auth/me/sessions",
    headers: stolen,
  }),
  "a change of the password": ({ stolen, user }: Scene) => ({
    route: "PATCH /auth/me/account/password",
    headers: stolen,
    body: { currentPassword: user.password, newPassword },
  }),
  "switching the second factor off": ({ stolen, user }: Scene, index: number) => ({
    route: "POST /auth/me/account/totp/disable",
    headers: stolen,
    body: { recoveryCode: thiefsCode(user, index) },
  }),
  "a refresh": ({ refreshToken }: Scene) => ({
    route: "POST /auth/mobile/refresh",
    body: { refreshToken },
  }),
} as const satisfies Readonly<Record<string, Mint>>;

const namesOfMints = Object.keys(mints) as StolenSession["name"][];
const thefts: readonly StolenSession[] = [
  ...namesOfMints.map((name) => ({ via: "app", name }) as const),
  ...namesOfMints.slice(0, -1).map((name) => ({ via: "web", name }) as const),
];

/**
 * A request with which the owner ends the stolen session. It is sent from that session ("itself") or from another
 * one.
 */
interface Ending {
  readonly by: "itself" | "another";
  readonly via: readonly StolenSession["via"][];
  readonly end: (scene: Scene, owner: Headers, password: string) => Race;
}

/** CATALOGUE of the owner's ways to end a session. */
const endings: Readonly<Record<string, Ending>> = {
  "a log-out": {
    by: "itself",
    via: ["app", "web"],
    end: (_scene, headers) => ({ route: "POST /auth/logout", headers }),
  },
  "a log-out by refresh token": {
    by: "itself",
    via: ["app"],
    end: ({ refreshToken }) => ({ route: "POST /auth/mobile/logout", body: { refreshToken } }),
  },
  "the end of the device's session": {
    by: "another",
    via: ["app"],
    end: ({ familyId }, headers) => ({ route: `DELETE /auth/me/sessions/${familyId}`, headers }),
  },
  "the end of all sessions": {
    by: "another",
    via: ["app", "web"],
    end: (_scene, headers) => ({ route: "DELETE /auth/me/sessions", headers }),
  },
  "a new password": {
    by: "another",
    via: ["app", "web"],
    end: (_scene, headers, currentPassword) => ({
      route: "PATCH /auth/me/account/password",
      headers,
      body: { currentPassword, newPassword: "the owner's new password" },
    }),
  },
  "the end of the account": {
    by: "another",
    via: ["app", "web"],
    end: (_scene, headers, password) => ({
      route: "DELETE /auth/me/account",
      headers,
      body: { password },
    }),
  },
};

/** CATALOGUE of requests by which an administrator ends all sessions of a user. */
const administrations: Readonly<Record<string, (userId: number) => Omit<Race, "headers">>> = {
  "an administrator's revocation": (id) => ({ route: `POST /admin/users/${id}/sessions/revoke` }),
  "a reset of the second factor": (id) => ({ route: `POST /admin/users/${id}/mfa/reset` }),
  "a demotion": (id) => ({ route: `PATCH /admin/users/${id}`, body: { role: "player" } }),
  "disabling the user": (id) => ({ route: `PATCH /admin/users/${id}`, body: { disabled: true } }),
  "deleting the user": (id) => ({ route: `DELETE /admin/users/${id}` }),
};

/** Returns the credentials that an answer contains. */
const credentialsIn = ({
  cookies,
  body,
}: RacedAnswer): { headers: Headers; refreshToken?: string } => {
  const tokens = body as Partial<Tokens>;
  const cookie = cookies.find((pair) => /^session=./.test(pair)) ?? "";
  if (tokens.accessToken === undefined) return { headers: { cookie } };
  return { headers: bearer(tokens as Tokens), refreshToken: tokens.refreshToken ?? "" };
};

/** Counts the valid credentials, including the stolen one, in both processes. */
async function countAlive(scene: Scene, answers: readonly RacedAnswer[]): Promise<number> {
  const stolen = { headers: scene.stolen, refreshToken: scene.refreshToken };
  const asked = [stolen, ...answers.map(credentialsIn)].flatMap(({ headers, refreshToken }) => [
    { route: "GET /auth/me", headers },
    { route: "GET /auth/me", headers },
    { route: "POST /auth/mobile/refresh", body: { refreshToken: refreshToken ?? "none" } },
  ]);
  return successfulAnswersOf(await track.run(asked)).length;
}

const atOnce = 16;

/**
 * Sends sixteen requests at once: the owner's request at position `place`, all others by the thief.
 * @returns the owner's answer and the thief's successful answers
 */
async function raceFor(owners: Race, thiefs: (index: number) => Race, place: number) {
  const requests = makeList(atOnce, (index) => (index === place ? owners : thiefs(index)));
  const answers = await track.run(requests);
  const faults = answers.filter(({ status }) => status >= 500);
  expect(faults).toEqual([]);
  const [owner] = answers.splice(place, 1);
  return { owner: owner as RacedAnswer, gains: successfulAnswersOf(answers) };
}

const namesOfEndings = Object.keys(endings);
const pairsOfEndings = namesOfEndings.flatMap((one, place) =>
  namesOfEndings.slice(place).map((other) => [one, other] as const),
);

const endOf = (name: string, scene: Scene): Race => {
  const { by, end } = endings[name] as Ending;
  return end(scene, by === "itself" ? scene.stolen : scene.other, scene.user.password);
};

let rounds = 0;
/** Varies the position of the owner's request, and so the process that gets it. */
const nextPosition = () => (rounds += 5) % atOnce;
let gained = 0;

describe("a stolen session", () => {
  it.each(Object.keys(endings))(
    "stays ended after %s, despite simultaneous requests by the thief",
    repeatRace(async (_round, ending: string) => {
      const { by, via, end } = endings[ending] as Ending;
      const possible = thefts.filter((theft) => via.includes(theft.via));
      for (const theft of sampleCases(possible, (each) => `${ending} ${each.via}`)) {
        const scene = await stealSession(theft);
        const owner = by === "itself" ? scene.stolen : scene.other;
        const owners = end(scene, owner, scene.user.password);
        const thiefs = (index: number) => mints[theft.name](scene, index);
        const raced = await raceFor(owners, thiefs, nextPosition());
        // If the thief's request was first, it may have ended the owner's other session or changed the password
        // after the session was checked.
        const isOut = by === "another" && [401, 403].includes(raced.owner.status);
        expect(isOut ? await retryEnding(scene, end) : raced.owner.status).toBe(200);
        gained += raced.gains.length;
        expect([theft, await countAlive(scene, raced.gains)]).toEqual([theft, 0]);
      }
    }),
  );

  it.each(Object.keys(administrations))(
    "stays ended after an administrator's action: %s",
    repeatRace(async (_round, ending: string) => {
      const administer = administrations[ending] as (typeof administrations)[string];
      for (const theft of sampleCases(thefts, (each) => `${ending} ${each.via}`)) {
        const scene = await stealSession(theft);
        const owners = { ...administer(scene.user.userId), headers: admin.headers };
        const thiefs = (index: number) => mints[theft.name](scene, index);
        const raced = await raceFor(owners, thiefs, nextPosition());
        expect(raced.owner.status).toBe(200);
        gained += raced.gains.length;
        expect([theft, await countAlive(scene, raced.gains)]).toEqual([theft, 0]);
      }
    }),
  );

  it.each(sampleCases(pairsOfEndings, () => "pair", 6))(
    "stays ended if these two happen at once: %s, %s",
    repeatRace(async (_round, one: string, other: string) => {
      for (const names of [
        [one, other],
        [other, one],
      ]) {
        const scene = await stealSession({ via: "app", name: "a refresh" });
        const answers = await track.run(names.map((name) => endOf(name, scene)));
        // One request may have ended the session that another request uses or ends.
        expect(answers.filter(({ status }) => ![200, 401, 403, 404].includes(status))).toEqual([]);
        const won = successfulAnswersOf(answers);
        expect(won.length).toBeGreaterThan(0);
        const isDeleted = names.some(
          (name, place) => name === "the end of the account" && answers[place]?.status === 200,
        );
        // Sessions that the owner opened during the race stay valid, unless the account was
        // deleted.
        expect([names, await countAlive(scene, isDeleted ? won : [])]).toEqual([names, 0]);
      }
    }),
  );

  it(
    "stays ended if the thief's requests and all ways to end the session happen at once",
    repeatRace(async (round) => {
      const theft = { via: "app", name: "switching the second factor off" } as const;
      const scene = await stealSession(theft);
      const { user, stolen, other } = scene;
      const owners = Object.values(endings).map(({ by, end }) =>
        end(scene, by === "itself" ? stolen : other, user.password),
      );
      const { headers } = admin;
      const admins = Object.values(administrations).map((administer) => ({
        ...administer(user.userId),
        headers,
      }));
      const all = [...owners, ...admins, ...Object.values(mints).map((mint) => mint(scene, round))];
      const turned = makeList(all.length, (index) => all[(index + round * 4) % all.length] as Race);
      const answers = await track.run(turned);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await countAlive(scene, successfulAnswersOf(answers))).toBe(0);
    }, 4),
  );

  it("gets answers to some requests before it ends, which proves that the races happened", () => {
    expect(gained).toBeGreaterThan(0);
  });
});
