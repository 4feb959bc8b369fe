import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { isFull, refuseWhenFull } from "../crypto/slow-hash.ts";
import { AppError } from "../errors.ts";
import { addressKey } from "../net/address-key.ts";
import { Turns } from "../turns.ts";
import { blockLogins, readLoginBlock } from "./login-block.ts";
import { tooMany } from "./rate-limits.ts";
import { type SignInFault, SignInRefusal } from "./refusals.ts";
import { usernameKey } from "./usernames.ts";

/** Requests of this process that wait. In memory on purpose: it counts its own sockets. */
let waiting = 0;

/**
 * What every request to sign in passes before anything of it is looked at: the block, the cap on
 * all tries, and a wait that grows with the failures.
 * @param key the address, as `addressKey` makes it
 * @throws AppError limited; unavailable when too many passwords are being checked
 */
export async function passLoginLimits(key: string, context: Context): Promise<void> {
  const { config } = context;
  // A storm that is refused at once comes back at once.
  if (isFull()) await wait(config.RL_LOGIN_CROWDED, config);
  const delayMs = await counting.take(() => countLogin(key, context));
  if (await wait(delayMs, config)) return;
  await returnLoginTry(key, context);
  throw tooMany(config.RL_LOGIN_SLOW_LONGEST);
}

/**
 * Sign-ins that are counted at once. A storm of them would take every connection of the pool, and
 * be refused only after all the counting because too many passwords are being checked.
 */
const counting = new Turns(2);

/** @returns how long to wait */
async function countLogin(key: string, context: Context): Promise<number> {
  refuseWhenFull();
  const { rateLimits, config } = context;
  const blockedMs = await readLoginBlock(key, context);
  if (blockedMs > 0) throw tooMany(blockedMs);
  const total = await rateLimits.count("loginTotal", key);
  if (total > rateLimits.max("loginTotal")) throw tooMany(await blockLogins(key, context));
  // A block empties the counts: whoever was counted in the new ones looks again whether it stands.
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
  return over < 0 ? 0 : Math.min(config.RL_LOGIN_SLOW * 2 ** over, config.RL_LOGIN_SLOW_LONGEST);
}

/** A try that was refused for its number alone is not counted. */
export const returnLoginTry = (key: string, { rateLimits }: Context): Promise<void> =>
  rateLimits.refund("loginTotal", key);

/** Counts a failed sign-in; one too many blocks the address. */
export async function countLoginFailure(key: string, context: Context): Promise<void> {
  const { rateLimits } = context;
  const failures = await rateLimits.count("loginFailed", key);
  if (failures >= rateLimits.max("loginFailed")) await blockLogins(key, context);
}

/** Who tries to sign in, and from where. */
export interface LoginPair {
  readonly username: string;
  readonly address: string | undefined;
}

/**
 * Runs one check of a password. An address that fails too often with one name is refused for that
 * name alone, so that nobody can lock a user out of their own account from elsewhere.
 * @throws AppError limited
 */
export async function withinPairLimit<T>(
  { username, address }: LoginPair,
  context: Context,
  check: () => Promise<T>,
): Promise<T> {
  const { rateLimits, config } = context;
  const user = usernameKey(username);
  const pair = `${user} ${addressKey(address)}`;
  const [{ uses, endsInMs }, { uses: failures }] = await Promise.all([
    rateLimits.used("loginPair", pair),
    rateLimits.used("loginUser", user),
  ]);
  if (uses >= rateLimits.max("loginPair")) throw tooMany(endsInMs);
  const isPressed = failures > rateLimits.max("loginUser");
  const pressedMs = config.RL_LOGIN_USER_SLOW;
  if (isPressed && !(await wait(pressedMs, config))) throw tooMany(pressedMs);
  try {
    const checked = await check();
    await rateLimits.forget("loginPair", pair);
    return checked;
  } catch (error) {
    if (error instanceof SignInRefusal) await countGuess(user, pair, context);
    throw error;
  }
}

async function countGuess(user: string, pair: string, context: Context): Promise<void> {
  const { rateLimits, log } = context;
  const [failures] = await Promise.all([
    rateLimits.count("loginUser", user),
    rateLimits.count("loginPair", pair),
  ]);
  if (failures === rateLimits.max("loginUser") + 1) {
    log.warn({ failures }, "one user name is being guessed at");
  }
}

/** What a refusal says of its caller, if it is a failed proof of identity. */
export const signInFaultOf = (error: unknown): SignInFault | undefined =>
  error instanceof SignInRefusal ? error.fault : undefined;

export const isLimited = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "limited";

/** @returns false when too many wait already */
async function wait(ms: number, { RL_LOGIN_WAITING }: Config): Promise<boolean> {
  if (ms === 0) return true;
  if (waiting >= RL_LOGIN_WAITING) return false;
  waiting += 1;
  await sleep(ms);
  waiting -= 1;
  return true;
}
