import { type Transaction, col, fn, Op, where } from "sequelize";

import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { insertKitsSql } from "./kits.sql.ts";

/** A kit for some players. */
export interface KitGrant {
  readonly serverId: number;
  readonly steamIds: readonly string[];
  readonly kit: string;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly runId: number | null;
  readonly stepId: number | null;
  /** Each player gets at most one kit with this key. */
  readonly key: string;
  /** Milliseconds to delay the delivery job, for callers that deliver the kits themselves. */
  readonly afterMs?: number;
}

/** Stores kits for players who have none with this key, and schedules their delivery. */
export async function grantKits(
  entitling: KitGrant,
  transaction: Transaction,
  { queue }: Pick<Context, "queue">,
): Promise<void> {
  const { serverId, steamIds, kit, uses, expiresAt, runId, stepId, key, afterMs } = entitling;
  const values = [serverId, kit, uses, expiresAt, runId, stepId, key, [...steamIds]];
  const made = await rows(transaction, insertKitsSql, values);
  if (made.length === 0) return;
  await scheduleDelivery(serverId, { queue }, transaction, afterMs);
}

const counts = {
  entitled: computeColumn<number>("count(*)::integer"),
  waiting: computeColumn<number>("count(*) filter (where state = 'pending')::integer"),
};

/** Selects the kits of a key. The stored key of each player begins with this key. */
export const matchKitKey = (key: string) => ({
  [Op.and]: where(fn("starts_with", col("dedupe_key"), `${key}/`), true),
});

/** Counts the players who have a kit of this key, and the players whose kit is still pending. */
export async function countKitsByKey(
  key: string,
  { models }: Pick<Context, "models">,
): Promise<Readonly<Record<keyof typeof counts, number>>> {
  const [given] = await readPlainRows(models.SurvivalEntitlement, {
    columns: [],
    computed: counts,
    where: matchKitKey(key),
  });
  return given ?? { entitled: 0, waiting: 0 };
}

/** Schedules a job that delivers a server's pending kits, unless one is queued already. */
export async function scheduleDelivery(
  serverId: number,
  { queue }: Pick<Context, "queue">,
  within?: Transaction | SqlClient,
  afterMs = 0,
): Promise<void> {
  const name = String(serverId);
  const options = { key: name, subject: name, afterMs, ...(within && { within }) };
  await queue.enqueue("survival.deliver-kits", { serverId }, options);
}
