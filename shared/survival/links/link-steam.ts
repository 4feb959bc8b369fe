import type { Transaction } from "sequelize";

import { recordActivity } from "../../activity/activity.ts";
import { lockCaller } from "../../auth/sessions/own-account.ts";
import type { Context } from "../../context.ts";
import { inTransaction, modelsOf } from "../../db/transaction.ts";
import { AppError, missing } from "../../errors.ts";
import { findOvertaken, holdAccounts, type Moment, readMoment } from "../../late-answers.ts";
import type { ShardOrder } from "../../shard/staff/commands.ts";
import { withdrawGrantsOf } from "../permissions/grants/manage-grants.ts";
import { shownName } from "../players/shown-name.ts";
import { holdServer, holdServers } from "../server-rows/hold-servers.ts";
import { withinLinkTries } from "./link-tries.ts";
import { type Redeemed, redeemAtServers } from "./redeem-code.ts";

interface Linked {
  readonly steamId: string;
  readonly name: string;
  readonly linkedAt: Date;
}

/**
 * Links the Steam account whose player was given the code on one of the servers to the caller.
 * @throws AppError 400 for a code that no server knows, 409 for another user's account, 429 after
 *   too many wrong ones, 503 where a server did not answer that may have made it
 */
export async function linkSteamByCode(
  code: string,
  order: ShardOrder,
  context: Context,
): Promise<Linked> {
  return withinLinkTries(order, context, async () => {
    // A code is used up by being asked about: the caller's rights are asked for before.
    const askedAt = await inTransaction(context.sequelize, readMoment);
    const redeemed = await redeemAtServers(code, order, context);
    if ("serverId" in redeemed) return keepLink({ ...redeemed, askedAt }, order, context);
    const { isRefused, isUncertain } = redeemed;
    if (!isUncertain) return { refusal: unknownCode(), isGuess: true };
    return { refusal: noAnswer(), isGuess: isRefused };
  });
}

const unknownCode = (): AppError => new AppError("invalid_link_code", "Unknown or expired code");

const noAnswer = (): AppError =>
  new AppError("shard_unavailable", "A game server cannot be reached: try again", {
    retryAfter: 10,
  });

/** The code is used up by now, also where the account turns out to be somebody else's. */
async function keepLink(
  { serverId, steamId, name, askedAt }: Redeemed & { readonly askedAt: Moment },
  { caller, address }: ShardOrder,
  context: Context,
): Promise<{ result: Linked } | { refusal: AppError; isGuess: boolean }> {
  const { userId } = caller;
  const link = await inTransaction(context.sequelize, async (transaction) => {
    // The servers had the order by now: nothing but this asks after it.
    await lockCaller(caller, transaction, context);
    // Null for one that was deleted since it took the code.
    const server = await holdServer(serverId, transaction);
    const asked = { keys: [steamId], askedAt };
    const overtaken = await findOvertaken("steam account", asked, transaction);
    if (overtaken.size > 0 && !(await isLinked(steamId, transaction))) return "unlinked since";
    const given = { steamId, userId, name: shownName(name, steamId) };
    const standing = { ...given, serverId: server?.id ?? null };
    const stored = await modelsOf(transaction).SteamLink.keep(standing, transaction);
    const action = stored ? "survival.link.created" : "survival.link.refused";
    if (stored?.isNew === false) return stored;
    const target = { type: "user", id: userId };
    const detail = { steamId, serverId };
    await recordActivity({ actor: caller, action, target, address, detail }, transaction);
    return stored;
  });
  if (link === "unlinked since") return { refusal: unknownCode(), isGuess: false };
  if (link) {
    return { result: { steamId, name: shownName(name, steamId), linkedAt: link.linkedAt } };
  }
  const refusal = new AppError(
    "account_linked_elsewhere",
    "The Steam account is linked to another user",
  );
  return { refusal, isGuess: true };
}

const isLinked = async (steamId: string, transaction: Transaction): Promise<boolean> =>
  (await modelsOf(transaction).SteamLink.count({ where: { steamId }, transaction })) > 0;

/**
 * Takes a Steam account from the caller.
 * @throws AppError missing for one that is not linked to them
 *
 * @openapi
 * components:
 *   schemas:
 *     SteamUnlinked:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, unlinked]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         unlinked: { type: boolean, example: true, description: Always true. }
 */
export async function unlinkSteam(
  steamId: string,
  { caller, address }: ShardOrder,
  context: Context,
): Promise<{ steamId: string; unlinked: boolean }> {
  await inTransaction(context.sequelize, async (transaction) => {
    await holdServers(transaction);
    await holdAccounts("steam account", transaction);
    await removeLink(steamId, caller.userId, transaction);
    const target = { type: "user", id: caller.userId };
    const detail = { steamId };
    const action = "survival.link.removed";
    await recordActivity({ actor: caller, action, target, address, detail }, transaction);
    await withdrawGrantsOf(caller.userId, caller, context, transaction);
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
  if (removed === 0) throw missing("That Steam account is not linked to you");
}
