import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { isHashQueueFull, requireQueueSpace } from "../../platform/crypto/slow-hash.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { doublingIntervalSql } from "../../platform/db/sql-text.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { FairQueue } from "../../platform/net/fair-queue.ts";
import { addressKey, networksOf } from "../../platform/net/networks.ts";
import { findLatestWindow, rateLimitedError } from "../../platform/throttle/rate-limits.ts";
import { type CountedSubject, listLimitSubjects } from "../../platform/throttle/subjects.ts";
import { computeDoubledMs } from "../../platform/time/backoff.ts";
import { type RefusalReason, SignInRefusal } from "../rules/sign-in-errors.ts";
import { foldUsername } from "../rules/usernames.ts";
import { type FailureCap, type ProofCallback, runWithinFailureCaps } from "./failure-caps.ts";
import { sleepWithinWaitingLimit } from "./failure-caps.ts";

/**
 * Counts a sign-in request before its body is read. Refuses a blocked address, and an address or network with too
 * many attempts. Delays an address after failures; each failure makes the delay longer.
 * @throws AppError limited; unavailable if too many passwords are being checked
 */
export async function requireLoginAllowed(address: string, context: Context): Promise<void> {
  const { config } = context;
  // Clients retry at once after a fast refusal, so delay it.
  if (isHashQueueFull(address)) {
    await sleepWithinWaitingLimit(config.RL_LOGIN_CROWDED, address, config);
  }
  const failures = await countingQueue.run(address, () => countLogin(address, context));
  const over = failures - config.RL_LOGIN_SLOW_AFTER;
  const { RL_LOGIN_SLOW, RL_LOGIN_SLOW_LONGEST } = config;
  const delayMs = over < 0 ? 0 : computeDoubledMs(RL_LOGIN_SLOW, RL_LOGIN_SLOW_LONGEST, over);
  if (await sleepWithinWaitingLimit(delayMs, address, config)) return;
  await refundLoginAttempt(address, context);
  throw rateLimitedError(RL_LOGIN_SLOW_LONGEST);
}

/** Limits concurrent counting: otherwise refused sign-ins could take every connection of the pool. */
const countingQueue = new FairQueue({ atOnce: 2 });

/**
 * Counts the request for the address and its networks with one statement. A refused request is not
 * counted, so addresses of a network over its limit create no rows. The statement sees blocks and
 * failures as of its start; `recheckLimits` handles a later block.
 * @returns the failures of the address so far
 */
async function countLogin(address: string, context: Context): Promise<number> {
  requireQueueSpace(address);
  const { rateLimits, config } = context;
  const [own, ...wider] = listLimitSubjects(networksOf(address), config);
  const answer = await rateLimits.countOrRefuse(
    [
      { name: "loginFailed", subject: own, takes: "look", isUnlimited: true },
      ...wider.map((subject) => ({ name: "loginFailed", subject, takes: "look" }) as const),
      ...[own, ...wider].map((subject) => ({ name: "loginTotal", subject, takes: "use" }) as const),
    ],
    own.id,
  );
  if ("counts" in answer) return answer.counts[0]?.uses ?? 0;
  const ofNetworks = answer.full.filter(({ subject }) => subject !== own);
  if (ofNetworks.length > 0) throw rateLimitedError(findLatestWindow(ofNetworks).endsInMs);
  throw rateLimitedError(answer.blockedMs || (await blockLogins(own.id, context)));
}

/** Refuses a blocked address without counting the request. @throws AppError limited */
export async function refuseBlockedLogin(address: string, { rateLimits }: Context): Promise<void> {
  const answer = await rateLimits.countOrRefuse([], addressKey(address));
  if ("full" in answer) throw rateLimitedError(answer.blockedMs);
}

/** Takes back the count of an attempt that was refused only because too many requests were waiting. */
export const refundLoginAttempt = (
  address: string,
  { rateLimits, config }: Context,
): Promise<void> => rateLimits.refund("loginTotal", listLimitSubjects(networksOf(address), config));

export interface LoginAttempt extends Pick<SignInClient, "address"> {
  /** Absent at the second step of a sign-in, which checks no password. */
  readonly username?: string;
}

/**
 * Runs a sign-in or its second step under failure limits of the address and its networks. An address over
 * its limit is blocked; a network is only refused until its window ends. Failures for one name block only
 * that name from that address: otherwise a stranger could lock a user out. The correct password resets
 * the failures for the name.
 * @param work calls `proven` once the password is correct
 * @throws AppError limited
 */
export function runWithLoginCaps<T>(
  { username, address }: LoginAttempt,
  context: Context,
  work: (proven: ProofCallback) => Promise<T>,
): Promise<T> {
  const user = username === undefined ? null : foldUsername(username);
  const [own, ...wider] = listLimitSubjects(networksOf(address), context.config);
  const caps: FailureCap[] = [
    addressCap(own, context),
    ...wider.map((subject) => ({ name: "loginFailed", subject }) as const),
  ];
  if (user !== null) caps.push(usernameAddressCap(user, own, context));
  return runWithinFailureCaps({ caps, address }, context, async (proven) => {
    await recheckLimits(user, address, context);
    return work(proven);
  });
}

function addressCap(subject: CountedSubject, context: Context): FailureCap {
  const failed = async (failures: number) => {
    if (failures >= context.rateLimits.max("loginFailed")) await blockLogins(subject.id, context);
  };
  const refusal = async () => rateLimitedError(await blockLogins(subject.id, context));
  return { name: "loginFailed", subject, failed, refusal };
}

function usernameAddressCap(
  user: string,
  { id }: CountedSubject,
  { rateLimits, log }: Context,
): FailureCap {
  const failed = async () => {
    const failures = await rateLimits.count("loginUser", user);
    if (failures === rateLimits.max("loginUser") + 1) {
      log.warn(
        { failures },
        "too many sign-ins with one user name failed: further ones are delayed",
      );
    }
  };
  const subject = { id: `${user} ${id}`, times: 1 };
  return { name: "loginPair", subject, forgives: true, failed };
}

/**
 * Refuses an attempt whose address was blocked while it waited, and delays one whose name has many
 * failures. A new block deletes the counts, so a waiting attempt gets its reservation. The reserving
 * statement may wait for a lock and sees other tables as of its start, so check in a later statement.
 */
async function recheckLimits(
  user: string | null,
  address: string | undefined,
  { rateLimits, config }: Context,
): Promise<void> {
  const guesses = { name: "loginUser", takes: "look", isUnlimited: true } as const;
  const guessCounts = user === null ? [] : [{ ...guesses, subject: user }];
  const answer = await rateLimits.countOrRefuse(guessCounts, addressKey(address));
  if ("full" in answer) throw rateLimitedError(answer.blockedMs);
  if ((answer.counts[0]?.uses ?? 0) <= rateLimits.max("loginUser")) return;
  const guessDelayMs = config.RL_LOGIN_USER_SLOW;
  if (!(await sleepWithinWaitingLimit(guessDelayMs, address, config))) {
    throw rateLimitedError(guessDelayMs);
  }
}

/** Returns the reason of a failed proof of identity; undefined for other errors. */
export const signInFaultOf = (error: unknown): RefusalReason | undefined =>
  error instanceof SignInRefusal ? error.fault : undefined;

export const isRateLimitError = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "limited";

/**
 * Blocks an address from signing in, twice as long for each block in a row. Failures during a block do
 * not extend it. @returns milliseconds until it ends
 */
async function blockLogins(key: string, context: Context): Promise<number> {
  const { sequelize, config, rateLimits } = context;
  await executeStatement(
    sequelize,
    `insert into ip_reputation as known (address_key, login_strikes, login_blocked_until)
     values ($1, 1, clock_timestamp() + ${blockIntervalSql("0")})
     on conflict (address_key) do update set
       login_strikes = ${strikesSql} + 1,
       login_blocked_until = clock_timestamp() + ${blockIntervalSql(strikesSql)}
     where known.login_blocked_until is null
       or known.login_blocked_until <= clock_timestamp()`,
    [key, config.RL_LOGIN_BLOCK / 1000, config.RL_LOGIN_BLOCK_LONGEST / 1000],
  );
  // Delete the counts: the block lasts longer than their window, so counting starts again after it.
  await rateLimits.deleteCounts(["loginFailed", "loginTotal"], key);
  return context.models.AddressReputation.readLoginBlock(key);
}

const strikesSql = `case
  when known.login_blocked_until < clock_timestamp() - make_interval(secs => $3) then 0
  else known.login_strikes end`;

const blockIntervalSql = (before: string): string =>
  doublingIntervalSql({ first: "$2", longest: "$3", before });
