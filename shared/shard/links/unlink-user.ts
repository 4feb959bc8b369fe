import { recordActivity } from "../../activity/activity.ts";
import { BridgeError } from "../../bridge/bridge-error.ts";
import { serviceActor } from "../../bridge/call.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { listLinks, unlink } from "../calls/bridge-calls.ts";
import { readSidecarLink } from "../sidecar/sidecar-link.ts";

/**
 * Unlinks on the shard every account of a user who was deleted here. It goes by the shard's own
 * list each time, so that a try after one that was cut off undoes nobody else's link.
 * @throws {BridgeError} when the shard could not be asked
 */
export async function unlinkDeletedUser(userId: number, context: Context): Promise<void> {
  const { tokenSealed, baseUrl } = await readSidecarLink(context.models);
  if (tokenSealed === null || baseUrl === "") return;
  const { links } = await context.shard.call((control) => control.read(listLinks));
  for (const link of links) {
    if (link.userId === userId) await unlinkOne(link.account, userId, context);
  }
}

/** Of a user who is gone the log keeps the id alone, so it does not name the account. */
async function unlinkOne(account: string, userId: number, context: Context): Promise<void> {
  const outcome = await tryUnlink(account, context);
  await recordLine({ userId, outcome }, context);
}

/** Each try is an order of its own: a refusal that was remembered would stand for a day. */
async function tryUnlink(account: string, { shard }: Context): Promise<string> {
  const order = { actor: serviceActor };
  try {
    await shard.call((control) => control.command(unlink, order, { params: { account } }));
    return "done";
  } catch (error) {
    if (error instanceof BridgeError && final.includes(error.code)) return error.code;
    throw error;
  }
}

/** Trying again changes none of these: staff accounts stay with the shard's owner. */
const final: readonly string[] = ["PROTECTED", "NOT_FOUND"];

/** Says that the shard still has links of a user who is gone. */
export const giveUpUnlinking = (userId: number, context: Context): Promise<void> =>
  recordLine({ userId, outcome: "given up" }, context);

const recordLine = (
  { userId, ...detail }: { readonly userId: number; readonly outcome: string },
  { sequelize }: Context,
): Promise<void> =>
  inTransaction(sequelize, (transaction) =>
    recordActivity(
      { actorId: null, action: "shard.unlink", target: { type: "user", id: userId }, detail },
      transaction,
    ),
  );
