import pLimit from "p-limit";

import { doubledMs } from "../../backoff.ts";
import type { Config } from "../../config/config.ts";
import type { Context } from "../../context.ts";
import { isFull, refuseWhenFull } from "../../crypto/slow-hash.ts";
import { AppError } from "../../errors.ts";
import { addressKey } from "../../net/address-key.ts";
import { tooMany } from "../../throttle/rate-limits.ts";
import { type SignInFault, SignInRefusal } from "../rules/refusals.ts";
import { foldUsername } from "../rules/usernames.ts";
import { withinFailureCap } from "./failure-caps.ts";
import { blockLogins, readLoginBlock } from "./login-block.ts";
import { wait } from "./waiting.ts";

/**
 * What every request to sign in passes before anything of it is looked at: the block, the cap on
 * all tries, and a wait that grows with the failures.
 * @param key the address, as `addressKey` makes it
 * @throws AppError limited; unavailable when too many passwords are being checked
 */
export async function passLoginLimits(key: string, context: Context): Promise<void> {
  const { config } = context;
  // Refusals are delayed: clients that are refused at once retry at once.
  if (isFull()) await wait(config.RL_LOGIN_CROWDED, config);
  const delayMs = await counting(() => countLogin(key, context));
  if (await wait(delayMs, config)) return;
  await returnLoginTry(key, context);
  throw tooMany(config.RL_LOGIN_SLOW_LONGEST);
}

/**
 * Sign-ins that are counted at once. More of them would take every connection of the pool, only to
 * be refused after the counting because too many passwords are being checked.
 */
const counting = pLimit(2);

/** @returns how long to wait */
async function countLogin(key: string, context: Context): Promise<number> {
  refuseWhenFull();
  const { rateLimits, config } = context;
  const blockedMs = await readLoginBlock(key, context);
  if (blockedMs > 0) throw tooMany(blockedMs);
  const total = await rateLimits.count("loginTotal", key);
  if (total > rateLimits.max("loginTotal")) throw tooMany(await blockLogins(key, context));
  // A new block empties the counts, so a request counted after that must look for the block again.
  const [standsMs, { uses: failures }] = await Promise.all([
    readLoginBlock(key, context),
    rateLimits.used("loginFailed", key),
  ]);
  if (standsMs === 0) return delayAfter(failures, config);
  await returnLoginTry(key, context);
  throw tooMany(Math.max(standsMs, config.RL_LOGIN_SLOW_LONGEST));
}

function delayAfter(failures: number, config: Config): number {
  const over = failures - config.RL_LOGIN_SLOW_AFTER;
  return over < 0 ? 0 : doubledMs(config.RL_LOGIN_SLOW, config.RL_LOGIN_SLOW_LONGEST, over);
}

/** A try that was refused for its number alone is not counted. */
export const returnLoginTry = (key: string, { rateLimits }: Context): Promise<void> =>
  rateLimits.refund("loginTotal", key);

/**
 * Runs one sign-in, or its second step, of an address that may fail so often; one too many blocks
 * it.
 * @param key the address, as `addressKey` makes it
 * @throws AppError limited
 */
export function withinLoginCap<T>(
  key: string,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const max = context.rateLimits.max("loginFailed");
  const refuse = async () => {
    throw tooMany(await blockLogins(key, context));
  };
  const failed = async (failures: number) => {
    if (failures >= max) await blockLogins(key, context);
  };
  const cap = { name: "loginFailed", subject: key, forgives: false, failed, refuse } as const;
  return withinFailureCap(cap, context, async () => {
    // A new block empties the counts, so a request that got room after that must look for it again.
    const blockedMs = await readLoginBlock(key, context);
    if (blockedMs > 0) throw tooMany(blockedMs);
    return work();
  });
}

/** Who tries to sign in, and from where. */
export interface LoginPair {
  readonly username: string;
  readonly address: string | undefined;
}

/**
 * Runs one check of a password. An address that fails too often with one name is refused for that
 * name alone, so that nobody can lock a user out of their own account from elsewhere. The right
 * password forgets the failures before it.
 * @throws AppError limited
 */
export async function withinPairLimit<T>(
  { username, address }: LoginPair,
  context: Context,
  check: () => Promise<T>,
): Promise<T> {
  const user = foldUsername(username);
  const cap = {
    name: "loginPair",
    subject: `${user} ${addressKey(address)}`,
    forgives: true,
    failed: () => countGuess(user, context),
    refuse: (endsInMs: number) => Promise.reject(tooMany(endsInMs)),
  } as const;
  return withinFailureCap(cap, context, async () => {
    await slowGuessing(user, context);
    return check();
  });
}

async function slowGuessing(user: string, { rateLimits, config }: Context): Promise<void> {
  const { uses: failures } = await rateLimits.used("loginUser", user);
  if (failures <= rateLimits.max("loginUser")) return;
  const pressedMs = config.RL_LOGIN_USER_SLOW;
  if (!(await wait(pressedMs, config))) throw tooMany(pressedMs);
}

async function countGuess(user: string, { rateLimits, log }: Context): Promise<void> {
  const failures = await rateLimits.count("loginUser", user);
  if (failures === rateLimits.max("loginUser") + 1) {
    log.warn({ failures }, "one user name is being guessed at");
  }
}

/** What a refusal says of its caller, if it is a failed proof of identity. */
export const signInFaultOf = (error: unknown): SignInFault | undefined =>
  error instanceof SignInRefusal ? error.fault : undefined;

export const isLimited = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "limited";
