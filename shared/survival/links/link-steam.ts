import type { Transaction } from "sequelize";

import { lockCaller } from "../../auth/sessions/lock-caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import {
  findStaleAccounts,
  lockAccounts,
  type DatabaseTime,
  readDatabaseTime,
} from "../../platform/db/stale-answers.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { networksOf } from "../../platform/net/networks.ts";
import type { LimitAttemptOutcome } from "../../platform/throttle/limit-counts.ts";
import { rateLimitedError } from "../../platform/throttle/rate-limits.ts";
import { listLimitSubjects } from "../../platform/throttle/subjects.ts";
import type { CommandRequest } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";
import { revokeGrantsOf } from "../permissions/grants/manage-grants.ts";
import { displayName } from "../plain-texts.ts";
import { lockLinkingServerShared, lockServersShared } from "../server-locks.ts";
import {
  findAnnouncedCodes,
  isAnyLinkServerConnected,
  type AnnouncedLinkCode,
  type CodeOwner,
  redeemLinkCode,
} from "./link-codes.ts";

interface LinkResult {
  readonly steamId: string;
  readonly name: string;
  readonly linkedAt: Date;
}

type Refusal = { readonly refusal: AppError; readonly isGuess: boolean };
type LinkAttempt = { readonly result: LinkResult } | Refusal;

/**
 * Links the player's Steam account to the caller. Asks only the server that announced the code (see
 * `link-codes.ts`). A code links once.
 * @throws AppError 400 for an unknown code, 409 if another user has the account, 429 after too many wrong
 * codes, 503 if the server did not answer or none is connected
 */
export async function linkSteamByCode(
  code: string,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<LinkResult> {
  return runWithinLinkLimits(order, context, async () => {
    // The game server accepts a code only once, so check the caller's rights before sending the code.
    const askedAt = await inCallersTransaction(context.sequelize, readDatabaseTime);
    const [minted, ...others] = await findAnnouncedCodes(code, context);
    if (!minted) {
      return (await isAnyLinkServerConnected(context))
        ? wrongCode()
        : { ...wrongCode(), refusal: noAnswerError() };
    }
    if (others.length > 0) return refuseDisputed([minted, ...others], order, context);
    if (minted.usedAt) return repeatLink(minted, order, context);
    const redeemed = await redeemLinkCode(code, minted, order, context);
    if (redeemed === "silent") return { refusal: noAnswerError(), isGuess: false };
    if (redeemed === "unknown") return wrongCode();
    return storeLink({ ...redeemed, minted, askedAt }, order, context);
  });
}

const unknownCode = (): AppError => new AppError("invalid_link_code", "Unknown or expired code");

/** Counts as a guess, because the answer reveals that no server announced the code. */
const wrongCode = (): Refusal => ({ refusal: unknownCode(), isGuess: true });

const noAnswerError = (): AppError =>
  new AppError("shard_unavailable", "A game server cannot be reached: try again", {
    retryAfter: 10,
  });

/** Refuses a code that several servers announced: a server lies, or two servers chose the same code by chance. */
async function refuseDisputed(
  minted: readonly AnnouncedLinkCode[],
  { caller, address }: CommandRequest,
  context: SurvivalContext,
): Promise<Refusal> {
  const serverIds = minted.map(({ serverId }) => serverId).toSorted((one, other) => one - other);
  context.log.warn(
    { serverIds },
    "several survival servers claim that they created the same link code",
  );
  await inCallersTransaction(context.sequelize, (transaction) => {
    const target = { type: "user", id: caller.userId };
    const detail = { serverIds, reason: "several servers claim that they created the code" };
    const action = "survival.link.refused";
    return recordActivity({ actor: caller, action, target, address, detail }, transaction);
  });
  return wrongCode();
}

/** Repeats the answer to the user who used the code, while the user still has the account. */
async function repeatLink(
  { usedBy, steamId }: AnnouncedLinkCode,
  { caller: { userId } }: CommandRequest,
  { models }: Context,
): Promise<LinkAttempt> {
  if (usedBy !== userId || steamId === null) return wrongCode();
  const link = await models.SteamLink.findOne({ where: { steamId, userId }, raw: true });
  if (!link) return { refusal: unknownCode(), isGuess: false };
  return { result: { steamId, name: link.name, linkedAt: link.linkedAt } };
}

interface PendingLink extends CodeOwner {
  readonly minted: AnnouncedLinkCode;
  readonly askedAt: DatabaseTime;
}

/** Stores the link. The code is marked as used even if another user has the account. */
async function storeLink(
  { minted, steamId, name, askedAt }: PendingLink,
  { caller, address }: CommandRequest,
  context: SurvivalContext,
): Promise<LinkAttempt> {
  const { userId } = caller;
  const { serverId } = minted;
  const link = await inCallersTransaction(context.sequelize, async (transaction) => {
    // Check the rights again, because the game server's answer took time.
    await lockCaller(caller, transaction, context);
    // The server may have been deleted, unlisted or disabled since the request.
    if (!(await lockLinkingServerShared(serverId, transaction))) return "over";
    if (!(await useCode(minted, { userId, steamId }, transaction))) return "over";
    const asked = { keys: [steamId], askedAt };
    const overtaken = await findStaleAccounts("steam account", asked, transaction);
    if (overtaken.size > 0 && !(await isLinked(steamId, transaction))) return "over";
    const given = { steamId, userId, name: displayName(name, steamId), serverId };
    const stored = await modelsOf(transaction).SteamLink.linkAccount(given, transaction);
    const action = stored ? "survival.link.created" : "survival.link.refused";
    if (stored?.isNew === false) return stored;
    const target = { type: "user", id: userId };
    const detail = { steamId, serverId };
    await recordActivity({ actor: caller, action, target, address, detail }, transaction);
    return stored;
  });
  if (link === "over") return { refusal: unknownCode(), isGuess: false };
  if (link) {
    return { result: { steamId, name: displayName(name, steamId), linkedAt: link.linkedAt } };
  }
  const refusal = new AppError(
    "account_linked_elsewhere",
    "The Steam account is linked to another user",
  );
  return { refusal, isGuess: true };
}

/** Marks a code as used. A repeated call with the same user and account also succeeds. */
async function useCode(
  { id }: AnnouncedLinkCode,
  { userId, steamId }: { readonly userId: number; readonly steamId: string },
  transaction: Transaction,
): Promise<boolean> {
  return (await executeStatement(transaction, markUsed, [id, userId, steamId])) > 0;
}

const markUsed = `
  update survival_link_codes
  set used_at = coalesce(used_at, clock_timestamp()), used_by = $2, steam_id = $3
  where id = $1 and (used_at is null and expires_at > clock_timestamp()
    or used_by = $2 and steam_id = $3)`;

const isLinked = async (steamId: string, transaction: Transaction): Promise<boolean> =>
  (await modelsOf(transaction).SteamLink.count({ where: { steamId }, transaction })) > 0;

/** Unlinks a Steam account. @throws AppError missing if it is not linked to the caller */
export async function unlinkSteam(
  steamId: string,
  { caller, address }: CommandRequest,
  context: SurvivalContext,
): Promise<{ steamId: string; unlinked: boolean }> {
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await lockServersShared(transaction);
    await lockAccounts("steam account", transaction);
    await removeLink(steamId, caller.userId, transaction);
    const target = { type: "user", id: caller.userId };
    const detail = { steamId };
    const action = "survival.link.removed";
    await recordActivity({ actor: caller, action, target, address, detail }, transaction);
    await revokeGrantsOf(caller.userId, caller, context, transaction);
  });
  return { steamId, unlinked: true };
}

async function removeLink(
  steamId: string,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  const where = { steamId, userId };
  const removed = await modelsOf(transaction).SteamLink.destroy({ where, transaction });
  if (removed === 0) throw notFoundError("That Steam account is not linked to you");
}

/** The result of an attempt. A refusal counts as a wrong code if it helps a guesser. */
type AttemptResult<T> =
  | { readonly result: T }
  | { readonly refusal: AppError; readonly isGuess: boolean };

/**
 * Runs one attempt to use a code under the limits on wrong codes per user, address and network. Each
 * attempt is counted before the work, and uncounted unless the code was wrong. So concurrent attempts in
 * any number of processes cannot exceed the limits.
 * @throws AppError limited, or the refusal
 */
async function runWithinLinkLimits<T>(
  { caller, address }: CommandRequest,
  { rateLimits, config }: SurvivalContext,
  work: () => Promise<AttemptResult<T>>,
): Promise<T> {
  const rooms = await rateLimits.holdRoom([
    { name: "steamLink", subject: { id: String(caller.userId), times: 1 } },
    ...listLimitSubjects(networksOf(address), config).map(
      (subject) => ({ name: "steamLinkAddress", subject }) as const,
    ),
  ]);
  if ("full" in rooms) {
    const [first] = rooms.full;
    // Attempts in progress may be uncounted when they end, so suggest an early retry.
    throw rateLimitedError(first?.isUsedUp ? first.endsInMs : retryMs);
  }
  let outcome: LimitAttemptOutcome = "released";
  try {
    const tried = await work();
    if ("result" in tried) return tried.result;
    if (tried.isGuess) outcome = "failed";
    throw tried.refusal;
  } finally {
    await rateLimits.settleAttempts(rooms.held.map((held) => ({ ...held, outcome })));
  }
}

const retryMs = 2_000;
