import { generateSync } from "otplib";

import { readNow, restMs } from "../../../models/queries/clock.ts";
import type { OnDatabase } from "../database/query.ts";
import { call } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";
import { type SignedIn, signIn, type TestUserOptions } from "./sign-in.ts";

/** A user with a second factor and a live session. */
export interface EnrolledUser extends SignedIn {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code of now, or of so many steps of 30 seconds before or after. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

/** A code that is wrong now and in the steps around. */
export function wrongCodeOf(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find(
    (code) => !right.includes(code),
  ) as string;
}

/** Enrols a new user over HTTP, as an authenticator app would be. */
export async function enrol(
  server: Pick<TestServer, "context" | "url">,
  options: TestUserOptions = {},
): Promise<EnrolledUser> {
  const user = await signIn(server, options);
  const { headers } = user;
  const setup = await call(server, "POST /auth/me/account/totp/setup", { headers, body: {} });
  const { secret } = setup.body as { secret: string };
  const body = { code: codeOf(secret) };
  const enabled = await call(server, "POST /auth/me/account/totp/enable", { headers, body });
  const { recoveryCodes } = enabled.body as { recoveryCodes: string[] };
  return { ...user, secret, recoveryCodes };
}

/** Lets codes of the present step count again, so that a test need not wait for the next. */
export async function forgetSteps({ context }: OnDatabase, userId: number): Promise<void> {
  await context.models.TotpUse.destroy({ where: { userId } });
}

/** The wrong codes that a user gave in a row, and what is left of the lock: null where there was none. */
export async function wrongCodesOf(
  { context }: OnDatabase,
  userId: number,
): Promise<{ readonly failures: number; readonly lockedMs: number | null }> {
  const attributes = ["totpFailCount", "totpLockedUntil", readNow()];
  const user = await context.models.User.findByPk(userId, { attributes, rejectOnEmpty: true });
  const { totpFailCount: failures, totpLockedUntil: until } = user;
  return { failures, lockedMs: until && restMs(until, user) };
}

/** The tries that were taken of each of a user's challenges. */
export async function triesOf({ context }: OnDatabase, userId: number): Promise<number[]> {
  const challenges = await context.models.AuthChallenge.findAll({ where: { userId } });
  return challenges.map(({ attempts }) => attempts);
}

/** The challenge that a password gets. */
export async function challengeFor(
  server: Pick<TestServer, "url">,
  { username, password }: Pick<SignedIn, "username" | "password">,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await call(server, "POST /auth/login", {
    body: { username, password },
    headers,
  });
  return (body as { challenge: string }).challenge;
}
