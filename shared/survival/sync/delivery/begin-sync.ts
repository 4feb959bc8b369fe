import { randomUUID } from "node:crypto";

import { col, literal, type Transaction } from "sequelize";

import { clockNowPlus, clockNow } from "../../../../models/queries/clock.ts";
import type { SurvivalServer } from "../../../../models/survival/survival-server.ts";
import type { SyncState, SurvivalSync } from "../../../../models/survival/survival-sync.ts";
import { executeStatement, firstRow } from "../../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { lacksCapability } from "../../calls/call-rules.ts";
import type { SurvivalContext } from "../../context.ts";
import { lockServerShared } from "../../server-locks.ts";
import { type SyncResult, type RunningSync, settleSync } from "../settle-sync.ts";
import type { PreparedSync, SyncKind, SyncName } from "../sync-kind.ts";

export interface SyncTask {
  readonly serverId: number;
  readonly name: SyncName;
}

/**
 * If no sync begins, `rest` is the sync's state: nothing is due, or another process may still send for `busyMs`.
 */
export type SyncBeginResult =
  | { readonly push: RunningSync; readonly prepared: PreparedSync }
  | { readonly rest: SyncState | null; readonly busyMs: number };

/** Longer than any command takes. After this time the sending process counts as dead. */
const leaseMs = 90_000;

interface Row extends Pick<SurvivalSync, "state" | "ref">, Pick<SurvivalServer, "enabled"> {
  readonly isDirty: boolean;
  readonly isDue: boolean;
  readonly busyMs: number;
}

/**
 * Begins a sync, one per server and name at a time. Stores its contents and ledger entries before they are sent.
 */
export const beginSync = (
  { serverId, name }: SyncTask,
  kind: SyncKind,
  context: SurvivalContext,
): Promise<SyncBeginResult> =>
  inCallersTransaction(context.sequelize, async (transaction): Promise<SyncBeginResult> => {
    await lockServerShared(serverId, transaction);
    const row = await firstRow<Row>(transaction, readRow, [serverId, name]);
    if (!row?.isDirty) return { rest: row?.state ?? null, busyMs: 0 };
    if (row.busyMs > 0) return { rest: row.state, busyMs: row.busyMs };
    if (!row.isDue) return { rest: row.state, busyMs: 0 };
    if (row.ref !== null) await markEntriesLost(serverId, row.ref, transaction);
    const push = { serverId, name, ref: randomUUID() };
    await markBegun(push, transaction);
    const hindrance = await findObstacle(row, kind, serverId, transaction);
    const prepared = hindrance
      ? null
      : await kind.prepare({ serverId, ref: push.ref, config: context.config }, transaction);
    if (!prepared) {
      const end: SyncResult = hindrance ?? { state: "clean" };
      await settleSync(push, end, context.queue, transaction);
      return { rest: end.state, busyMs: 0 };
    }
    await insertLedgerEntries(push, prepared, transaction);
    return { push, prepared };
  });

async function findObstacle(
  { enabled }: Row,
  { capability }: SyncKind,
  serverId: number,
  transaction: Transaction,
): Promise<SyncResult | null> {
  if (!enabled) return { state: "offline", problem: "the server is disabled" };
  const state = await modelsOf(transaction).SurvivalServerState.findByPk(serverId, {
    attributes: ["hello"],
    raw: true,
    transaction,
  });
  if (!lacksCapability(state, capability)) return null;
  return {
    state: "unsupported",
    problem: `the server's plugin does not have the capability ${capability}`,
  };
}

async function insertLedgerEntries(
  { serverId, ref }: RunningSync,
  { enters }: PreparedSync,
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).SurvivalLedgerEntry.bulkCreate(
    enters.map((what) => ({ serverId, what, ref, state: "pushed" })),
    { transaction },
  );
  if (enters.length === 0) return;
  await executeStatement(transaction, deleteOldestEntries, [
    serverId,
    [...enters],
    maxLedgerEntries,
  ]);
}

/**
 * Maximum number of ledger entries per server and type, not counting entries of event runs. Each hello adds
 * entries.
 */
const maxLedgerEntries = 5_000;

const deleteOldestEntries = `
  delete from survival_ledger where id = any(array(
    select id from unnest($2::text[]) as sort (what) cross join lateral (
      select id from survival_ledger
      where server_id = $1 and what = sort.what and run_id is null and state <> 'pushed'
      order by id desc offset $3) old
    limit 1000))`;

/** Locks the row, so that the changes of concurrent writers are read. */
const readRow = `
  select push.state, push.ref, push.asked > push.pushed as "isDirty", server.enabled,
    coalesce(push.retry_at <= clock_timestamp(), true) as "isDue",
    greatest(0, coalesce(extract(epoch from push.busy_until - clock_timestamp()) * 1000, 0))::float8
      as "busyMs"
  from survival_pushes push join survival_servers server on server.id = push.server_id
  where push.server_id = $1 and push.name = $2
  for no key update of push`;

async function markBegun(
  { serverId, name, ref }: RunningSync,
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).SurvivalPush.update(
    {
      state: "pushing",
      ref,
      covers: col("asked"),
      tries: literal("tries + 1"),
      retryAt: null,
      busyUntil: clockNowPlus(leaseMs),
      lastPushAt: clockNow(),
    },
    { where: { serverId, name }, transaction },
  );
}

/** Marks a sync's open entries as lost: its process died, or the server reported no outcome. */
async function markEntriesLost(
  serverId: number,
  ref: string,
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).SurvivalLedgerEntry.update(
    { state: "lost", reason: "no-outcome", endedAt: clockNow() },
    { where: { serverId, ref, state: "pushed" }, transaction },
  );
}
