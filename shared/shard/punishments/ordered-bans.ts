import { Op } from "sequelize";

import { clockAfter } from "../../../models/queries/clock.ts";
import type { Punishment } from "../../../models/shard/punishment.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { readSetting } from "../../platform/settings/settings.ts";
import type { ShardContext } from "../context.ts";
import { accountKey } from "../owners/link-mirror.ts";

/** A ban that is about to be sent to the shard. */
export interface OrderedBan {
  readonly account?: string | undefined;
  readonly durationSec?: number | undefined;
  readonly reason?: string | undefined;
  readonly issuedBy: number;
  /** By which the shard knows a command that is sent again. */
  readonly orderKey?: string | undefined;
}

/** The shard remembers commands for this long; its answer to a later one is a new deed. */
const rememberedMs = 24 * 60 * 60 * 1000;

/** A ban as it was written down. */
interface WrittenBan {
  readonly row: Punishment;
  /** Whether the same was written down before, and perhaps sent. */
  readonly isRepeated: boolean;
}

/**
 * Writes a ban down before it is sent, so that its text in the game can name it. It counts as a
 * punishment from when the shard says that it was carried out. Sent again under its key it is the
 * same ban, with the same text.
 */
export async function writeOrderedBan(ban: OrderedBan, context: ShardContext): Promise<WrittenBan> {
  const { Punishment } = context.models;
  const isOld = { issuedAt: { [Op.lt]: clockAfter(-rememberedMs) } };
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

async function insert(ban: OrderedBan, context: ShardContext): Promise<Punishment> {
  const { account, durationSec = 0, reason = "", issuedBy, orderKey = null } = ban;
  const isOpen = await readSetting("appeals_enabled", context);
  const { config, models, sequelize } = context;
  return inTransaction(sequelize, async (transaction) => {
    const row = await models.Punishment.create(
      {
        account: account ?? null,
        accountKey: account === undefined ? null : accountKey(account),
        reason,
        expiresAt: durationSec === 0 ? null : clockAfter(durationSec * 1000),
        issuedBy,
        issuerName: null,
        orderKey,
        confirmedAt: null,
        endedAt: null,
      },
      { transaction },
    );
    if (!isOpen) return row;
    return row.update({ suffix: suffixOf(row.id, config.PUBLIC_BASE_URL) }, { transaction });
  });
}

/** What a banned player reads of where to appeal. An address that leaves no room is left out. */
function suffixOf(id: number, baseUrl: string): string {
  const whole = `(ban #${id}, appeal: ${baseUrl}/appeals)`;
  return whole.length <= limits.banReason / 2 ? whole : `(ban #${id})`;
}

/** A reason with its suffix as the shard takes it: where both are too long, the reason gives way. */
export function reasonInGame(reason: string, suffix: string): string {
  if (suffix === "") return reason;
  if (reason === "") return suffix;
  const room = limits.banReason - suffix.length - 1;
  if (reason.length <= room) return `${reason} ${suffix}`;
  return `${cut(reason, room - 1)}… ${suffix}`;
}

/** The first characters, none of them halved. */
function cut(text: string, length: number): string {
  const start = text.slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

/** Whether the shard surely did nothing, and did nothing either when the same was sent before. */
function isRefused(error: unknown, isRepeated: boolean): boolean {
  if (error instanceof AppError && error.errorCode === "own_account") return !isRepeated;
  if (!(error instanceof BridgeError)) return false;
  return error.isUnsent ? !isRepeated : !perhapsDone.includes(error.code);
}

const perhapsDone: readonly string[] = [
  "SHARD_DOWN",
  "UNAVAILABLE",
  "MALFORMED",
  "TOO_LARGE",
  "CONFLICT",
];

/**
 * Forgets a ban that the shard refused or never heard of: one in the game would be taken for it. One of
 * which nobody knows waits for what the stream says.
 */
export async function dropRefusedBan(
  { row: { id }, isRepeated }: WrittenBan,
  error: unknown,
  { models }: Context,
): Promise<void> {
  if (!isRefused(error, isRepeated)) return;
  await models.Punishment.scope("unconfirmed").destroy({ where: { id } });
}
