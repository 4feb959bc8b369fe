import { generateSync } from "otplib";

import { selectReadAt, remainingMs } from "../../../models/queries/clock.ts";
import type { DatabaseHolder } from "../database/query.ts";
import { callRoute } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";
import { type SignedIn, signIn, type TestUserOptions } from "./sign-in.ts";

export interface EnrolledUser extends SignedIn {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/**
 * Returns the code of the present step of 30 seconds, or of a step that is this many steps later.
 */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

/** Returns a code that is wrong in the present step and in the two steps before and after it. */
export function wrongCodeOf(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find(
    (code) => !right.includes(code),
  ) as string;
}

/**
 * Creates a user and enrolls a second factor over the API, as a user with an authenticator app
 * does.
 */
export async function createEnrolledUser(
  server: Pick<TestServer, "context" | "url">,
  options: TestUserOptions = {},
): Promise<EnrolledUser> {
  const user = await signIn(server, options);
  const { headers } = user;
  const setup = await callRoute(server, "POST /auth/me/account/totp/setup", { headers, body: {} });
  const { secret } = setup.body as { secret: string };
  const body = { code: codeOf(secret) };
  const enabled = await callRoute(server, "POST /auth/me/account/totp/enable", { headers, body });
  const { recoveryCodes } = enabled.body as { recoveryCodes: string[] };
  return { ...user, secret, recoveryCodes };
}

/**
 * Makes the used codes of a user valid again. Otherwise a test would have to wait for the next
 * step.
 */
export async function forgetSteps({ context }: DatabaseHolder, userId: number): Promise<void> {
  await context.models.TotpUse.destroy({ where: { userId } });
}

/**
 * Returns the number of wrong codes in a row, and the remaining milliseconds of the lock, which are null without
 * a lock.
 */
export async function wrongCodesOf(
  { context }: DatabaseHolder,
  userId: number,
): Promise<{ readonly failures: number; readonly lockedMs: number | null }> {
  const attributes = ["totpFailCount", "totpLockedUntil", selectReadAt()];
  const user = await context.models.User.findByPk(userId, { attributes, rejectOnEmpty: true });
  const { totpFailCount: failures, totpLockedUntil: until } = user;
  return { failures, lockedMs: until && remainingMs(until, user) };
}

/** Returns the number of attempts at each challenge of a user. */
export async function triesOf({ context }: DatabaseHolder, userId: number): Promise<number[]> {
  const challenges = await context.models.AuthChallenge.findAll({ where: { userId } });
  return challenges.map(({ attempts }) => attempts);
}

/** Signs in with a password. @returns the challenge of the second factor */
export async function requestChallenge(
  server: Pick<TestServer, "url">,
  { username, password }: Pick<SignedIn, "username" | "password">,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await callRoute(server, "POST /auth/login", {
    body: { username, password },
    headers,
  });
  return (body as { challenge: string }).challenge;
}
