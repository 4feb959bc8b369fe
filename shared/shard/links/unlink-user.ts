import { openActivity, recordActivity, settleActivity } from "../../platform/activity/activity.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { serviceActor } from "../../platform/bridge/calls/call.ts";
import { mayBeDone } from "../../platform/bridge/doubt.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type EndedAttempt, speaksForJob } from "../../platform/job-records/own-attempt.ts";
import { listLinks } from "../calls/bridge-calls.ts";
import type { ShardContext } from "../context.ts";
import { readSidecarLink, takesCommands } from "../sidecar/sidecar-link.ts";
import { type MeantLink, unlinkOnShard } from "./unlink-on-shard.ts";

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
