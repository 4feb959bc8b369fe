import type { Transaction } from "sequelize";

import type { Caller } from "../platform/access/caller.ts";
import type { Context } from "../platform/context.ts";
import { lockAccounts } from "../platform/db/stale-answers.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors/errors.ts";
import { displayName } from "./plain-texts.ts";

/** Reads the Steam accounts of a user, oldest link first. */
export async function readOwnSteamLinks(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name", "linkedAt"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
}

/** Reads a user's Steam accounts with the servers on which they were linked. */
export async function readLinkedAccounts(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const links = await models.SteamLink.findAll({
    where: { userId },
    include: [{ association: "server", attributes: ["id", "name"] }],
    order: ["linkedAt", "steamId"],
  });
  return links.map(({ steamId, name, linkedAt, server }) => ({
    steamId,
    name: displayName(name, steamId),
    linkedAt,
    server: server ? { id: server.id, name: server.name } : null,
  }));
}

/** Reads the ids of a user's Steam accounts, oldest link first. */
export async function readOwnSteamIds(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<string[]> {
  const links = await models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  return links.map(({ steamId }) => steamId);
}

/** Reads the ids of the Steam accounts that are or were linked to a user. */
export async function readFormerSteamIds(
  userId: number,
  context: Pick<Context, "models">,
): Promise<string[]> {
  const where = { actorId: userId, action: "survival.link.removed" };
  const removed = await context.models.ActivityEntry.findAll({ where, attributes: ["detail"] });
  const former = removed.map(({ detail }) => String(Object(detail)["steamId"]));
  return [...new Set([...(await readOwnSteamIds(userId, context)), ...former])];
}

/** Refuses a caller to whom the Steam account is or was linked. @throws AppError own_account */
export async function refuseOwnSteamAccount(
  { steamId, refusal }: { readonly steamId: string; readonly refusal: string },
  { userId }: Caller,
  transaction: Transaction,
): Promise<void> {
  // Take the lock under which links are created and removed.
  await lockAccounts("steam account", transaction);
  const { SteamLink, ActivityEntry } = modelsOf(transaction);
  // Check removed links too: they could be restored after the decision.
  const unlinked = { actorId: userId, action: "survival.link.removed", detail: { steamId } };
  const own =
    (await SteamLink.count({ where: { steamId, userId }, transaction })) +
    (await ActivityEntry.count({ where: unlinked, transaction }));
  if (own > 0) throw new AppError("own_account", refusal);
}
