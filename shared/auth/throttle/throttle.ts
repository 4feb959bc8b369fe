import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { isFullFor, refuseWhenFull } from "../../platform/crypto/slow-hash.ts";
import { countChanged } from "../../platform/db/rows.ts";
import { doublingTime } from "../../platform/db/sql-text.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { FairQueue } from "../../platform/net/fair-queue.ts";
import { addressKey, networksOf } from "../../platform/net/networks.ts";
import { tooMany } from "../../platform/throttle/rate-limits.ts";
import { type Subject, subjectsOf } from "../../platform/throttle/subjects.ts";
import { doubledMs } from "../../platform/time/backoff.ts";
import { type SignInFault, SignInRefusal } from "../rules/refusals.ts";
import { foldUsername } from "../rules/usernames.ts";
import { withinFailureCap } from "./failure-caps.ts";
import { wait } from "./waiting.ts";

/**
 * What every request to sign in passes before anything of it is looked at: the block, the caps on
 * all tries of the address and of its networks, and a wait that grows with the failures.
 * @throws AppError limited; unavailable when too many passwords are being checked
 */
export async function passLoginLimits(address: string, context: Context): Promise<void> {
  const { config } = context;
  // Refusals are delayed: clients that are refused at once retry at once.
  if (isFullFor(address)) await wait(config.RL_LOGIN_CROWDED, address, config);
  const delayMs = await counting.run(address, () => countLogin(address, context));
  if (await wait(delayMs, address, config)) return;
  await returnLoginTry(address, context);
  throw tooMany(config.RL_LOGIN_SLOW_LONGEST);
}

/**
 * Sign-ins that are counted at once. More of them would take every connection of the pool, only to
 * be refused after the counting because too many passwords are being checked.
 */
const counting = new FairQueue({ atOnce: 2 });

/** @returns how long to wait */
async function countLogin(address: string, context: Context): Promise<number> {
  refuseWhenFull(address);
  const { rateLimits, config } = context;
  const [own, ...wider] = subjectsOf(networksOf(address), config);
  const key = own.id;
  // Looked at first: addresses of a network that is over its limit leave no rows.
  await rateLimits.requireLeft(["loginTotal", "loginFailed"], wider);
  await refuseBlocked(key, context);
  const total = await rateLimits.count("loginTotal", key);
  if (total > rateLimits.max("loginTotal")) throw tooMany(await blockLogins(key, context));
  // A new block empties the counts, so a request counted after that must look for the block again.
  const [standsMs, { uses: failures }] = await Promise.all([
    readLoginBlock(key, context),
    rateLimits.used("loginFailed", key),
  ]);
  try {
    if (standsMs > 0) throw tooMany(Math.max(standsMs, config.RL_LOGIN_SLOW_LONGEST));
    if (wider.length > 0) await rateLimits.spend("loginTotal", wider);
  } catch (error) {
    await rateLimits.refund("loginTotal", key);
    throw error;
  }
  return delayAfter(failures, config);
}

function delayAfter(failures: number, config: Config): number {
  const over = failures - config.RL_LOGIN_SLOW_AFTER;
  return over < 0 ? 0 : doubledMs(config.RL_LOGIN_SLOW, config.RL_LOGIN_SLOW_LONGEST, over);
}

/**
 * Refuses an address that may not sign in now, and counts nothing: for requests that are refused anyway.
 * @throws AppError limited
 */
export const refuseBlockedLogin = (address: string, context: Context): Promise<void> =>
  refuseBlocked(addressKey(address), context);

async function refuseBlocked(key: string, context: Context): Promise<void> {
  const blockedMs = await readLoginBlock(key, context);
  if (blockedMs > 0) throw tooMany(blockedMs);
}

/** A try that was refused for its number alone is not counted. */
export const returnLoginTry = (address: string, { rateLimits, config }: Context): Promise<void> =>
  rateLimits.refund("loginTotal", subjectsOf(networksOf(address), config));

/**
 * Runs one sign-in, or its second step, of an address that may fail so often, as may its networks. One
 * failure too many blocks the address; a network is refused until its window ends, and never blocked.
 * @throws AppError limited
 */
export function withinLoginCap<T>(
  address: string,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const [own, ...wider] = subjectsOf(networksOf(address), context.config);
  // The narrowest is outermost: tries that wait for room of their address hold none of its networks.
  const inNetworks = wider.reduceRight<() => Promise<T>>(
    (inner, subject) => () => withinFailureCap(networkCap(subject, address), context, inner),
    work,
  );
  return withinAddressCap(own, address, context, inNetworks);
}

const networkCap = (subject: Subject, address: string) =>
  ({
    name: "loginFailed",
    subject,
    address,
    forgives: false,
    failed: () => Promise.resolve(),
    refuse: (endsInMs: number) => Promise.reject(tooMany(endsInMs)),
  }) as const;

function withinAddressCap<T>(
  subject: Subject,
  address: string,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const key = subject.id;
  const max = context.rateLimits.max("loginFailed");
  const refuse = async () => {
    throw tooMany(await blockLogins(key, context));
  };
  const failed = async (failures: number) => {
    if (failures >= max) await blockLogins(key, context);
  };
  const cap = {
    name: "loginFailed",
    subject,
    address,
    forgives: false,
    failed,
    refuse,
  } as const;
  return withinFailureCap(cap, context, async () => {
    // A new block empties the counts, so a request that got room after that must look for it again.
    await refuseBlocked(key, context);
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
    subject: { id: `${user} ${addressKey(address)}`, times: 1 },
    address,
    forgives: true,
    failed: () => countGuess(user, context),
    refuse: (endsInMs: number) => Promise.reject(tooMany(endsInMs)),
  } as const;
  return withinFailureCap(cap, context, async () => {
    await slowGuessing(user, address, context);
    return check();
  });
}

async function slowGuessing(
  user: string,
  address: string | undefined,
  { rateLimits, config }: Context,
): Promise<void> {
  const { uses: failures } = await rateLimits.used("loginUser", user);
  if (failures <= rateLimits.max("loginUser")) return;
  const pressedMs = config.RL_LOGIN_USER_SLOW;
  if (!(await wait(pressedMs, address, config))) throw tooMany(pressedMs);
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

/** @returns milliseconds for which the address may not try to sign in; 0 when it may */
const readLoginBlock = (key: string, { models }: Context): Promise<number> =>
  models.AddressReputation.readLoginBlock(key);

/**
 * Blocks an address that is over its limit from signing in. Each block in a row is twice as long
 * as the one before. While one lasts it is not made longer, however many fail at the same time.
 * @returns milliseconds until it ends
 */
async function blockLogins(key: string, context: Context): Promise<number> {
  const { sequelize, config, rateLimits } = context;
  await countChanged(
    sequelize,
    `insert into ip_reputation as known (address_key, login_strikes, login_blocked_until)
     values ($1, 1, clock_timestamp() + ${blockLengthSql("0")})
     on conflict (address_key) do update set
       login_strikes = ${strikesSql} + 1,
       login_blocked_until = clock_timestamp() + ${blockLengthSql(strikesSql)}
     where known.login_blocked_until is null
       or known.login_blocked_until <= clock_timestamp()`,
    [key, config.RL_LOGIN_BLOCK / 1000, config.RL_LOGIN_BLOCK_LONGEST / 1000],
  );
  // The block outlasts the window, so an address is counted anew after it.
  await rateLimits.forget("loginFailed", key);
  await rateLimits.forget("loginTotal", key);
  return readLoginBlock(key, context);
}

const strikesSql = `case
  when known.login_blocked_until < clock_timestamp() - make_interval(secs => $3) then 0
  else known.login_strikes end`;

const blockLengthSql = (before: string): string =>
  doublingTime({ first: "$2", longest: "$3", before });
