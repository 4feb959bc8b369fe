import type { Transaction } from "sequelize";

import { lockAccounts } from "../../platform/db/stale-answers.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { CommandResult } from "../calls/bridge-answers.ts";
import { banCall, broadcastCall, kickCall, unbanCall } from "../calls/staff-calls.ts";
import type { ShardContext } from "../context.ts";
import { toIsoTime } from "../kinds/fields.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountOf } from "../players/characters.ts";
import { endPunishment, findBanInForce } from "../punishments/in-force.ts";
import { confirmBan } from "../punishments/reported-bans.ts";
import { deleteRefusedBan, buildGameReason, storeSiteBan } from "../punishments/site-bans.ts";
import { type PayloadFields, plainViews, pickAllVisibleFields } from "../visibility/view.ts";
import { runCommand, type ShardCommand, type CommandRequest } from "./commands.ts";

export interface BanRequest extends PlayerTarget {
  /** 0 or absent: permanent. */
  readonly durationSec?: number | undefined;
  readonly reason?: string | undefined;
}

export interface BroadcastRequest {
  readonly text: string;
  readonly hue?: number | undefined;
}

/** Disconnects a player, who may connect again. */
export const kickPlayer = (
  body: PlayerTarget,
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> =>
  moderate(
    {
      action: "shard.kick",
      target: targetOf(body),
      detail: { ...body },
      send: (control, sent) => control.command(kickCall, sent, { body }),
    },
    order,
    context,
  );

/**
 * Bans a game account. While appeals are open, the reason shown to the player ends with the ban's number and the
 * address for appeals.
 * @throws AppError own_account if the account is the caller's, who could otherwise shorten a ban by a new one
 */
export async function banAccount(
  body: BanRequest,
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> {
  const { caller, idempotencyKey: orderKey } = order;
  const accounts = await accountsOf(body, order, context);
  const check = refuseOwnAccounts(accounts, order);
  await inCallersTransaction(context.sequelize, check);
  const [account] = accounts;
  const ordered = { ...body, account, issuedBy: caller.userId, orderKey };
  const written = await storeSiteBan(ordered, context);
  const { id, suffix } = written.row;
  const reason = buildGameReason(body.reason ?? "", suffix);
  const command: ShardCommand<CommandResult> & { readonly detail: PlayerTarget } = {
    action: "shard.ban",
    target: targetOf(body),
    detail: { ...body },
    check,
    send: (control, sent) =>
      control.command(banCall, sent, { body: { ...body, ...(reason !== "" && { reason }) } }),
    keep: async ({ account: told = account }, transaction) => {
      if (typeof told === "string") await confirmBan({ id, account: told }, transaction);
    },
  };
  try {
    return await moderate(command, order, context);
  } catch (error) {
    await deleteRefusedBan(written, error, context);
    throw error;
  }
}

export async function unbanAccount(
  body: { readonly account: string },
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> {
  // Read the ban before the command, so that a ban issued during the command stays in force.
  const punishment = await findBanInForce(body.account, context);
  const command: ShardCommand<CommandResult> & { readonly detail: PlayerTarget } = {
    action: "shard.unban",
    target: targetOf(body),
    detail: { ...body },
    check: refuseOwnAccounts([body.account], order),
    send: (control, sent) => control.command(unbanCall, sent, { body }),
    keep: async (_, transaction) => {
      if (punishment) await endPunishment(punishment.id, transaction);
    },
  };
  return moderate(command, order, context);
}

export const sendBroadcast = (
  body: BroadcastRequest,
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> =>
  moderate(
    {
      action: "shard.broadcast",
      detail: { ...body },
      send: (control, sent) => control.command(broadcastCall, sent, { body }),
    },
    order,
    context,
  );

const targetOf = ({ account, serial }: PlayerTarget) =>
  account === undefined
    ? { type: "character", id: serial ?? "" }
    : { type: "gameAccount", id: account };

async function moderate(
  command: ShardCommand<CommandResult> & { readonly detail: PlayerTarget },
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> {
  const { account, until, ...done } = await runCommand(command, order, context);
  // Only admins, and staff who named the account themselves, may see the account of a character.
  const mayKnow = order.caller.role === "admin" || command.detail.account !== undefined;
  return {
    ...pickAllVisibleFields(publicFields, done),
    ...(mayKnow && typeof account === "string" && { account }),
    ...(until !== undefined && { until: toIsoTime(until) }),
  };
}

const publicFields = plainViews("ok", "kicked", "wasBanned", "recipients");

/** A player, named by account, by character or by both. */
export interface PlayerTarget {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

/**
 * Returns the game accounts of a target. It asks the shard for the account of a character, because stored
 * data may lack a new character.
 * @throws {BridgeError} NOT_FOUND if the shard does not know the character
 */
async function accountsOf(
  { account, serial }: PlayerTarget,
  order: Pick<CommandRequest, "requestId">,
  context: ShardContext,
): Promise<readonly string[]> {
  const named = account === undefined ? [] : [account];
  return serial === undefined ? named : [...named, await readAccountOf(serial, order, context)];
}

/**
 * Returns a check that throws if one of the accounts is linked to the caller, even if the caller is an
 * administrator. The check locks the account links until its transaction ends, so run it before the command.
 */
function refuseOwnAccounts(
  accounts: readonly string[],
  { caller }: Pick<CommandRequest, "caller">,
): (transaction: Transaction) => Promise<void> {
  const keys = accounts.map(accountKey);
  return async (transaction) => {
    await lockAccounts("game account", transaction);
    if (await hasLinkedAccount(caller.userId, keys, transaction)) throw ownAccountError();
  };
}

/** Returns true if the user has linked one of the accounts. Lock the accounts first. */
export async function hasLinkedAccount(
  userId: number,
  keys: readonly string[],
  transaction: Transaction,
): Promise<boolean> {
  const where = { userId, accountKey: [...keys] };
  return (await modelsOf(transaction).ShardLink.count({ where, transaction })) > 0;
}

const ownAccountError = () =>
  new AppError("own_account", "Another staff member must decide on a ban of your own game account");
