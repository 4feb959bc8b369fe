import { Op } from "sequelize";

import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Punishment } from "../../../models/shard/punishment.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/db/rows.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { readSetting } from "../../platform/settings/settings.ts";
import type { ShardContext } from "../context.ts";
import { accountKey } from "../owners/link-mirror.ts";

export interface SiteBan {
  readonly account?: string | undefined;
  readonly durationSec?: number | undefined;
  readonly reason?: string | undefined;
  readonly issuedBy: number;
  /** Idempotency key, which marks a retry. */
  readonly orderKey?: string | undefined;
}

/** How long the shard remembers commands. A retry after this time is executed again. */
const commandMemoryMs = 24 * 60 * 60 * 1000;

interface StoredBan {
  readonly row: Punishment;
  /** True if an earlier attempt stored the ban and perhaps sent it. */
  readonly isRepeated: boolean;
}

/**
 * Stores a ban before it is sent, so that the reason shown in the game can contain its number. The ban takes
 * effect when the shard confirms it. A retry with the same key returns the same ban and reason.
 */
export async function storeSiteBan(ban: SiteBan, context: ShardContext): Promise<StoredBan> {
  const { Punishment } = context.models;
  const isOld = { issuedAt: { [Op.lt]: clockNowPlus(-commandMemoryMs) } };
  await Punishment.scope("unconfirmed").destroy({ where: isOld });
  if (ban.orderKey !== undefined) {
    await Punishment.update({ orderKey: null }, { where: { ...isOld, orderKey: ban.orderKey } });
  }
  try {
    return { row: await insert(ban, context), isRepeated: false };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const where = { orderKey: ban.orderKey ?? "" };
    return { row: await Punishment.findOne({ where, rejectOnEmpty: true }), isRepeated: true };
  }
}

async function insert(ban: SiteBan, context: ShardContext): Promise<Punishment> {
  const { account, durationSec = 0, reason = "", issuedBy, orderKey = null } = ban;
  const isOpen = await readSetting("appeals_enabled", context);
  const { config, models, sequelize } = context;
  return inCallersTransaction(sequelize, async (transaction) => {
    const row = await models.Punishment.create(
      {
        account: account ?? null,
        accountKey: account === undefined ? null : accountKey(account),
        reason,
        expiresAt: durationSec === 0 ? null : clockNowPlus(durationSec * 1000),
        issuedBy,
        issuerName: null,
        orderKey,
        confirmedAt: null,
        endedAt: null,
      },
      { transaction },
    );
    if (!isOpen) return row;
    return row.update({ suffix: buildSuffix(row.id, config.PUBLIC_BASE_URL) }, { transaction });
  });
}

/** Returns the end of a ban's reason: the ban's number, and the address for appeals unless it is long. */
function buildSuffix(id: number, baseUrl: string): string {
  const whole = `(ban #${id}, appeal: ${baseUrl}/appeals)`;
  return whole.length <= limits.banReason / 2 ? whole : `(ban #${id})`;
}

/** Joins a reason and its suffix; shortens the reason if both are too long for the shard. */
export function buildGameReason(reason: string, suffix: string): string {
  if (suffix === "") return reason;
  if (reason === "") return suffix;
  const room = limits.banReason - suffix.length - 1;
  if (reason.length <= room) return `${reason} ${suffix}`;
  return `${cut(reason, room - 1)}… ${suffix}`;
}

/** Cuts a text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  const start = text.slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

/** Returns true if the shard refused the ban and no earlier attempt can have succeeded. */
function isRefused(error: unknown, isRepeated: boolean): boolean {
  if (error instanceof AppError && error.errorCode === "own_account") return !isRepeated;
  if (!(error instanceof BridgeError)) return false;
  return error.isUnsent ? !isRepeated : !uncertainCodes.includes(error.code);
}

const uncertainCodes: readonly string[] = [
  "SHARD_DOWN",
  "UNAVAILABLE",
  "MALFORMED",
  "TOO_LARGE",
  "CONFLICT",
];

/**
 * Deletes a ban that the shard refused or never received, so that no later ban from the game is matched with it.
 * A ban with an unknown outcome stays until the stream reports it.
 */
export async function deleteRefusedBan(
  { row: { id }, isRepeated }: StoredBan,
  error: unknown,
  { models }: Context,
): Promise<void> {
  if (!isRefused(error, isRepeated)) return;
  await models.Punishment.scope("unconfirmed").destroy({ where: { id } });
}
