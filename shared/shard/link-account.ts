import { BridgeError } from "../bridge/bridge-error.ts";
import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { conflict, invalid } from "../errors.ts";
import { listLinks, redeemLink, unlink } from "./bridge-calls.ts";
import { carryOut, type ShardOrder } from "./commands.ts";
import { accountKey, type LinkOnShard, writeLinks } from "./links.ts";
import type { ShardLink } from "./own-links.ts";

/**
 * Links the game account whose player was given the code in the game to the caller.
 * @throws AppError 400 for a code that is unknown or used up, 409 for another user's account
 */
export async function linkByCode(
  code: string,
  order: ShardOrder,
  context: Context,
): Promise<ShardLink> {
  const { userId } = order.caller;
  try {
    const { account, linkedAt } = await carryOut<LinkOnShard>(
      {
        action: "shard.link",
        target: { type: "user", id: userId },
        detail: {},
        send: async (control, sent) => {
          const redeemed = await control.command(redeemLink, sent, { body: { code } });
          return confirmLink({ ...redeemed, userId }, order, context);
        },
        keep: (link, transaction) => writeLinks([link], sqlOf(transaction)),
        noted: (link) => ({ account: link.account }),
      },
      order,
      context,
    );
    return { account, linkedAt: new Date(linkedAt) };
  } catch (error) {
    throw inWordsOfLinking(error);
  }
}

function inWordsOfLinking(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error;
  if (error.code === "NOT_FOUND") return invalid("Unknown or expired code", { cause: error });
  if (error.code !== "TAKEN") return error;
  return conflict("The game account is linked to another user", { cause: error });
}

/**
 * The link as it is. What a sidecar answers to a repetition is what it answered the first time, and
 * the account may be somebody else's by now: so a repeated order is held against the shard's list.
 * @throws {BridgeError} NOT_FOUND when the account is the caller's no more
 */
async function confirmLink(
  link: LinkOnShard,
  { requestId, idempotencyKey }: ShardOrder,
  { shard }: Context,
): Promise<LinkOnShard> {
  if (idempotencyKey === undefined) return link;
  const { links } = await shard.call((control) => control.read(listLinks, { requestId }));
  const found = links.find(({ account }) => accountKey(account) === accountKey(link.account));
  if (found?.userId !== link.userId) throw new BridgeError("NOT_FOUND");
  return found;
}

/**
 * Unlinks a user's game account on the shard, and then here.
 * @throws {BridgeError} PROTECTED for accounts of the game's own staff
 */
export function unlinkAccount(
  { userId, account }: { readonly userId: number; readonly account: string },
  order: ShardOrder,
  context: Context,
): Promise<{ account: string; unlinked: boolean }> {
  return carryOut(
    {
      action: "shard.unlink",
      target: { type: "user", id: userId },
      detail: { account },
      send: (control, sent) => control.command(unlink, sent, { params: { account } }),
      keep: (_, transaction) =>
        sqlOf(transaction).query(
          "delete from shard_links where account_key = $1 and user_id = $2",
          [accountKey(account), userId],
        ),
    },
    order,
    context,
  );
}
