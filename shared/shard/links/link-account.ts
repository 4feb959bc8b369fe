import type { Transaction } from "sequelize";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import {
  findStaleAccounts,
  type DatabaseTime,
  readDatabaseTime,
} from "../../platform/db/stale-answers.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { listLinksCall, redeemLinkCall } from "../calls/account-calls.ts";
import type { ShardContext } from "../context.ts";
import {
  accountKey,
  lockExistingUsers,
  type ShardAccountLink,
  writeLinks,
} from "../owners/link-mirror.ts";
import type { LinkedAccount } from "../owners/own-links.ts";
import { isBanPending, lockBanInForce } from "../punishments/in-force.ts";
import { runCommand, type CommandRequest } from "../staff/commands.ts";
import { enqueueUnlinking, type UnlinkResult, unlinkAccountOnShard } from "./unlinking.ts";

/**
 * Links a game account to the caller, by the code that the game showed to the account's player.
 * @throws AppError 400 if the code is unknown or used, 409 if the account has another owner
 */
export async function linkAccountByCode(
  code: string,
  order: CommandRequest,
  context: ShardContext,
): Promise<LinkedAccount> {
  const { userId } = order.caller;
  let isOvertaken = false;
  try {
    const link = await runCommand<ShardAccountLink>(
      {
        action: "shard.link",
        target: { type: "user", id: userId },
        detail: {},
        send: async (control, sent) => {
          const redeemed = await control.command(redeemLinkCall, sent, { body: { code } });
          return confirmLink({ ...redeemed, userId }, order, context);
        },
        keep: async (redeemed, transaction, askedAt) => {
          isOvertaken = !(await storeLink(redeemed, askedAt, transaction, context));
        },
        noted: (redeemed) => ({ account: redeemed.account }),
      },
      order,
      context,
    );
    const { account, linkedAt } = isOvertaken ? await refetchLink(link, order, context) : link;
    return { account, linkedAt: new Date(linkedAt) };
  } catch (error) {
    throw toLinkError(error);
  }
}

function toLinkError(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error;
  if (error.code === "NOT_FOUND") {
    return new AppError("invalid_link_code", "Unknown or expired code", { cause: error });
  }
  if (error.code !== "TAKEN") return error;
  return new AppError("account_linked_elsewhere", "The game account is linked to another user", {
    cause: error,
  });
}

/**
 * Returns the link of the answer, checked against the shard's list if the request has an idempotency key. A retry
 * gets the sidecar's stored first answer, but the account may have another owner by now.
 * @throws {BridgeError} NOT_FOUND if the account is no longer the caller's
 */
async function confirmLink(
  link: ShardAccountLink,
  order: CommandRequest,
  context: ShardContext,
): Promise<ShardAccountLink> {
  return order.idempotencyKey === undefined ? link : findCurrentLink(link, order, context);
}

/**
 * Reads the link from the shard again, because an event newer than the answer changed it.
 * @throws {BridgeError} NOT_FOUND if the account is not the caller's
 */
async function refetchLink(
  link: ShardAccountLink,
  order: CommandRequest,
  context: ShardContext,
): Promise<ShardAccountLink> {
  const askedAt = await readDatabaseTime(context.sequelize);
  const found = await findCurrentLink(link, order, context);
  await inCallersTransaction(context.sequelize, (transaction) =>
    storeLink(found, askedAt, transaction, context),
  );
  return found;
}

async function findCurrentLink(
  link: ShardAccountLink,
  { requestId }: CommandRequest,
  { shard }: ShardContext,
): Promise<ShardAccountLink> {
  const { links } = await shard.call((control) => control.read(listLinksCall, { requestId }));
  const found = links.find(({ account }) => accountKey(account) === accountKey(link.account));
  if (found?.userId !== link.userId) throw new BridgeError("NOT_FOUND");
  return found;
}

/**
 * Unlinks a user's game account, first on the shard and then here.
 * @throws AppError own_account if the caller's own account is banned or is being banned; otherwise a staff member
 * could unlink it and then decide on that ban
 * @throws {BridgeError} PROTECTED for accounts of the game's staff
 */
export async function unlinkAccount(
  link: { readonly userId: number; readonly account: string },
  order: CommandRequest,
  context: ShardContext,
): Promise<{ account: string; unlinked: boolean }> {
  const { userId, account: named } = link;
  const keys = [accountKey(named)];
  const { account, unlinked } = await runCommand<UnlinkResult>(
    {
      action: "shard.unlink",
      target: { type: "user", id: userId },
      detail: { account: named },
      check: async (transaction) => {
        if (userId !== order.caller.userId) return;
        const isBanned =
          (await lockBanInForce(named, transaction)) !== null ||
          (await isBanPending(named, new Date(0), context, transaction));
        if (!isBanned) return;
        throw new AppError(
          "own_account",
          "Another staff member must unlink your own game account while it is banned",
        );
      },
      send: (control, sent) => unlinkAccountOnShard(link, control, sent),
      keep: async ({ other }, transaction, askedAt) => {
        const overtaken = await findStaleAccounts("game account", { keys, askedAt }, transaction);
        if (overtaken.size > 0) return;
        const where = { accountKey: keys, userId };
        await context.models.ShardLink.destroy({ where, transaction });
        if (other) await writeLinks([other], transaction);
      },
    },
    order,
    context,
  );
  return { account, unlinked };
}

/**
 * Stores a link from an answer of the shard, unless a newer change of the account is stored. If the user
 * was deleted meanwhile, it makes the shard remove the link.
 * @returns false if a newer change is stored
 */
export async function storeLink(
  link: ShardAccountLink,
  askedAt: DatabaseTime,
  transaction: Transaction,
  context: Pick<Context, "queue">,
): Promise<boolean> {
  const keys = [accountKey(link.account)];
  const overtaken = await findStaleAccounts("game account", { keys, askedAt }, transaction);
  const users = await lockExistingUsers([link], transaction);
  if (!users.has(link.userId)) {
    await enqueueUnlinking([link], transaction, context);
    return true;
  }
  if (overtaken.size > 0) return false;
  await writeLinks([link], transaction);
  return true;
}
