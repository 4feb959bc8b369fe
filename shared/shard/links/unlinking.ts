import type { Transaction } from "sequelize";

import type { DeletedUser } from "../../../models/auth/deleted-user.ts";
import {
  beginActivity,
  recordActivity,
  recordActivityOutcome,
} from "../../platform/activity/activity.ts";
import { BridgeError, isPossiblyExecuted } from "../../platform/bridge/bridge-error.ts";
import { type CommandOptions, serviceActor } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { type EndedJobAttempt, lockCurrentAttempt } from "../../platform/job-records/job-states.ts";
import { listLinksCall, unlinkCall } from "../calls/account-calls.ts";
import type { ShardContext } from "../context.ts";
import { accountKey, type ShardAccountLink } from "../owners/link-mirror.ts";
import { readSidecarLink, canTakeCommands } from "../sidecar/sidecar-link.ts";

/**
 * Unlinks every account of a deleted user on the shard. It reads the shard's list on each attempt, so that
 * a retry cannot remove a link of another user.
 * @throws {BridgeError} if the shard cannot be asked
 */
export async function unlinkDeletedUser(userId: number, context: ShardContext): Promise<void> {
  if (!canTakeCommands(await readSidecarLink(context.models))) return;
  const { links } = await context.shard.call((control) => control.read(listLinksCall));
  for (const link of links) {
    if (link.userId === userId) await unlinkAndLog(link, context);
  }
}

/**
 * Writes the log entry before the command, because the job may be killed in between. The entry names a
 * deleted user only by id, so it omits the account.
 */
async function unlinkAndLog(link: LinkToRemove, context: ShardContext): Promise<void> {
  const { sequelize } = context;
  const lineId = await inCallersTransaction(sequelize, (transaction) =>
    beginActivity(activityOf(link.userId), transaction),
  );
  const settle = (outcome: string): Promise<void> =>
    inCallersTransaction(sequelize, (transaction) =>
      recordActivityOutcome(lineId, { outcome }, transaction),
    );
  try {
    await settle(await tryUnlink(link, context));
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    if (!isPossiblyExecuted(error)) await settle(error.code);
    if (!finalCodes.includes(error.code)) throw error;
  }
}

/**
 * Removes the link without an idempotency key: with a key, the sidecar would repeat a stored refusal for a day.
 */
async function tryUnlink(link: LinkToRemove, { shard }: ShardContext): Promise<string> {
  const { unlinked } = await shard.call((control) =>
    unlinkAccountOnShard(link, control, { actor: serviceActor }),
  );
  return unlinked ? "done" : "NOT_FOUND";
}

/** Errors that no retry changes. Accounts of the game's staff stay linked. */
const finalCodes: readonly string[] = ["PROTECTED", "NOT_FOUND"];

/** Logs that the shard still has links of a deleted user, unless the job is retried. */
export const logFailedUnlinking = (
  userId: number,
  last: EndedJobAttempt,
  { sequelize }: Context,
): Promise<void> =>
  inCallersTransaction(sequelize, async (transaction) => {
    if (!(await lockCurrentAttempt(last, transaction))) return;
    await recordActivity({ ...activityOf(userId), detail: { outcome: "given up" } }, transaction);
  });

const activityOf = (userId: number) =>
  ({
    actorId: null,
    action: "shard.unlink",
    target: { type: "user", id: userId },
  }) as const;

/** A link to remove. */
type LinkToRemove = Pick<ShardAccountLink, "account" | "userId">;

export interface UnlinkResult {
  readonly account: string;
  /** True if the shard still had the link. */
  readonly unlinked: boolean;
  /** The account's link to another user, if there is one. */
  readonly other: ShardAccountLink | null;
}

/**
 * Removes a link on the shard. The command names only the account, which may have another owner by now. So
 * read the shard's list immediately before, and send the command only if the link is unchanged.
 * @throws {BridgeError} PROTECTED for accounts of the game's staff
 */
export async function unlinkAccountOnShard(
  { account, userId }: LinkToRemove,
  control: ControlClient,
  order: CommandOptions,
): Promise<UnlinkResult> {
  const { requestId, signal } = order;
  const { links } = await control.read(listLinksCall, { requestId, signal });
  const found = links.find((link) => accountKey(link.account) === accountKey(account));
  if (found?.userId !== userId) return { account, unlinked: false, other: found ?? null };
  const answer = await control.command(unlinkCall, order, { params: { account } });
  return { ...answer, other: null };
}

/** Enqueues jobs that remove the links of deleted users from the shard. Links to other unknown ids stay. */
export async function enqueueUnlinking(
  links: readonly Pick<ShardAccountLink, "userId">[],
  within: Transaction | SqlClient,
  { queue }: Pick<Context, "queue">,
): Promise<void> {
  const deleted = await rows<Pick<DeletedUser, "id">>(
    within,
    "select id from deleted_users where id = any($1::integer[]) order by id",
    [links.map(({ userId }) => userId)],
  );
  const orders = deleted.map(({ id }) => ({ userId: id }));
  await queue.enqueueAll("shard.unlink-user", orders, within);
}
