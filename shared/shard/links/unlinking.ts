import type { Transaction } from "sequelize";

import type { DeletedUser } from "../../../models/auth/deleted-user.ts";
import { openActivity, recordActivity, settleActivity } from "../../platform/activity/activity.ts";
import { BridgeError, mayBeDone } from "../../platform/bridge/bridge-error.ts";
import { type Order, serviceActor } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type EndedAttempt, speaksForJob } from "../../platform/job-records/job-states.ts";
import { listLinks, unlink } from "../calls/bridge-calls.ts";
import type { ShardContext } from "../context.ts";
import { accountKey, type LinkOnShard } from "../owners/link-mirror.ts";
import { readSidecarLink, takesCommands } from "../sidecar/sidecar-link.ts";

/**
 * Unlinks on the shard every account of a user who was deleted here. It goes by the shard's own
 * list each time, so that a try after one that was cut off undoes nobody else's link.
 * @throws {BridgeError} when the shard could not be asked
 */
export async function unlinkDeletedUser(userId: number, context: ShardContext): Promise<void> {
  if (!takesCommands(await readSidecarLink(context.models))) return;
  const { links } = await context.shard.call((control) => control.read(listLinks));
  for (const link of links) {
    if (link.userId === userId) await unlinkOne(link, context);
  }
}

/**
 * The line of the log is there before the command is: a job may be cut in the middle. Of a user who is
 * gone the log keeps the id alone, so it does not name the account.
 */
async function unlinkOne(link: MeantLink, context: ShardContext): Promise<void> {
  const { sequelize } = context;
  const lineId = await inTransaction(sequelize, (transaction) =>
    openActivity(lineOf(link.userId), transaction),
  );
  const settle = (outcome: string): Promise<void> =>
    inTransaction(sequelize, (transaction) => settleActivity(lineId, { outcome }, transaction));
  try {
    await settle(await tryUnlink(link, context));
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    if (!mayBeDone(error)) await settle(error.code);
    if (!final.includes(error.code)) throw error;
  }
}

/** Each try is an order of its own: a refusal that was remembered would stand for a day. */
async function tryUnlink(link: MeantLink, { shard }: ShardContext): Promise<string> {
  const { unlinked } = await shard.call((control) =>
    unlinkOnShard(link, control, { actor: serviceActor }),
  );
  return unlinked ? "done" : "NOT_FOUND";
}

/** Trying again changes none of these: staff accounts stay with the shard's owner. */
const final: readonly string[] = ["PROTECTED", "NOT_FOUND"];

/** Says that the shard still has links of a user who is gone, unless their job is tried again. */
export const giveUpUnlinking = (
  userId: number,
  last: EndedAttempt,
  { sequelize }: Context,
): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    if (!(await speaksForJob(last, transaction))) return;
    await recordActivity({ ...lineOf(userId), detail: { outcome: "given up" } }, transaction);
  });

const lineOf = (userId: number) =>
  ({
    actorId: null,
    action: "shard.unlink",
    target: { type: "user", id: userId },
  }) as const;

/** A link that is meant to be undone. */
type MeantLink = Pick<LinkOnShard, "account" | "userId">;

export interface Unlinking {
  readonly account: string;
  /** Whether the shard still had the link. */
  readonly unlinked: boolean;
  /** Whose the account is instead. */
  readonly other: LinkOnShard | null;
}

/**
 * Undoes a link on the shard. The command names the account alone, which may be another user's by now:
 * the shard's list is asked immediately before, and nothing is sent unless the link is the one meant.
 * @throws {BridgeError} PROTECTED for accounts of the game's own staff
 */
export async function unlinkOnShard(
  { account, userId }: MeantLink,
  control: Control,
  order: Order,
): Promise<Unlinking> {
  const { requestId, signal } = order;
  const { links } = await control.read(listLinks, { requestId, signal });
  const found = links.find((link) => accountKey(link.account) === accountKey(account));
  if (found?.userId !== userId) return { account, unlinked: false, other: found ?? null };
  const answer = await control.command(unlink, order, { params: { account } });
  return { ...answer, other: null };
}

/**
 * Has the shard undo those of its links that are to users who were deleted here, once the transaction
 * has committed. Links to users whom this site never had are none of its business.
 */
export async function orderUnlinking(
  links: readonly Pick<LinkOnShard, "userId">[],
  within: Transaction | Sql,
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
