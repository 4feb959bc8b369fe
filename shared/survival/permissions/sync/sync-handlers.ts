import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import { executeStatement, rows, firstRow } from "../../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../../kinds/handler.ts";
import type { SurvivalPayload } from "../../kinds/kinds.ts";
import { permissionNotification } from "../../notifications/makers.ts";
import { requestSync } from "../../sync/request-sync.ts";
import { type SyncResult, settleSync } from "../../sync/settle-sync.ts";
import type { PermissionOp, PermissionRow } from "../permission-ops.ts";
import {
  type FailedOp,
  type PermissionOpResult,
  listPermissionOpResults,
} from "../permission-sync.ts";
import {
  lockPermissionSyncSql,
  selectFailedRowSql,
  selectSyncRowsSql,
  updateFinishedRowsSql,
  updateRefusedRowsSql,
} from "./sync.sql.ts";

export const syncHandlers: FrameHandlers = {
  "perm.sync": async (taken, ground) => {
    const { rowsLeftOut } = taken;
    const { pushId, ok, failed } = taken.payload;
    await lockPush(ground);
    const refused = await settleRefused(taken, ground);
    // If rows were dropped, the failed steps are unknown, so the whole sync is repeated.
    if (rowsLeftOut === 0) await settleRest(taken, ground);
    const isTold = rowsLeftOut === 0 && (ok || failed.length > 0);
    const undone = refused.filter((one) => !isAlreadyRemoved(one));
    const problem = problemOf(undone) ?? (isTold ? null : "the server failed");
    const push = { serverId: ground.serverId, name: "permissions", ref: pushId } as const;
    const end: SyncResult = problem === null ? { state: "clean" } : { state: "failed", problem };
    await settleSync(push, end, ground.context.queue, ground.connection);
  },
  "player.joined": ({ payload }, ground) => retryAtJoin(payload.steamId, ground),
};

/** Waits for a sync that is beginning, so that this outcome does not overwrite the new steps of that sync. */
const lockPush = ({ serverId, connection }: FrameHandlerContext): Promise<unknown> =>
  rows(connection, lockPermissionSyncSql, [serverId]);

interface Row extends PermissionOp {
  readonly state: PermissionRow["state"];
}

interface RefusedOp extends PermissionOpResult {
  readonly reason: string;
}

const isRefused = (settled: PermissionOpResult): settled is RefusedOp => settled.reason !== null;

/** Records the steps that the server refused, and removes them from the sync. */
async function settleRefused(
  { payload, t, bootId }: ReceivedFrame<SurvivalPayload<"perm.sync">>,
  { serverId, connection }: FrameHandlerContext,
): Promise<RefusedOp[]> {
  const failed = payload.failed as readonly FailedOp[];
  if (failed.length === 0) return [];
  const found = await rows<Row>(connection, selectSyncRowsSql, [serverId, payload.pushId]);
  const stateBefore = new Map(found.map((row) => [row as PermissionOp, row.state]));
  const refused = listPermissionOpResults(found, failed).filter(isRefused);
  const ends = refused.map((one) => ({ ...one.op, ...endOf(one, stateBefore.get(one.op)) }));
  await executeStatement(connection, updateRefusedRowsSql, [
    serverId,
    ends.map(({ subjectKind }) => subjectKind),
    ends.map(({ subject }) => subject),
    ends.map(({ kind }) => kind),
    ends.map(({ value }) => value),
    ends.map(({ state }) => state),
    ends.map(({ error }) => error),
    t,
    bootId,
  ]);
  return refused;
}

/**
 * Marks the steps that the server did not refuse as done. Sends one notice per grant that is live for the first
 * time.
 */
async function settleRest(
  { payload, t, bootId }: ReceivedFrame<SurvivalPayload<"perm.sync">>,
  { serverId, connection, tell }: FrameHandlerContext,
): Promise<void> {
  const values = [serverId, payload.pushId, t, bootId];
  const grants = await rows<LiveGrant>(connection, updateFinishedRowsSql, values);
  for (const { userId, ...grant } of grants) {
    const change = { ...grant, change: "live", userId: userId ?? undefined } as const;
    tell(permissionNotification(change, new Date(t)));
  }
}

interface LiveGrant extends Readonly<
  Pick<SurvivalGrant, "kind" | "userId" | "expiresAt" | "scopeAll" | "serverIds">
> {
  readonly grantId: SurvivalGrant["id"];
}

const removingOps: ReadonlySet<PermissionOp["op"]> = new Set(["revoke", "leave", "remove"]);

/** True if the entry to remove is unknown to the server, and so is already removed. */
const isAlreadyRemoved = ({ op, reason }: RefusedOp): boolean =>
  removingOps.has(op.op) && reason.startsWith("unknown-");

/** Returns the state of an entry whose step was refused. */
function endOf(
  refused: RefusedOp,
  before: PermissionRow["state"] | undefined,
): { state: PermissionRow["state"]; error: string | null } {
  if (isAlreadyRemoved(refused)) return { state: "withdrawn", error: null };
  const { op, reason } = refused;
  const stays = removingOps.has(op.op) || before === "pushed";
  return { state: stays ? (before ?? "failed") : "failed", error: reason };
}

/** Summarizes failures for staff: their number and the first one. */
function problemOf(undone: readonly RefusedOp[]): string | null {
  const [first] = undone;
  if (!first) return null;
  const { op, subject, value } = first.op;
  const what = [op, subject, value].filter((part) => part !== "").join(" ");
  return `${undone.length} of the changes failed, for example ${what}: ${first.reason}`;
}

/** Retries failed grants: some mod loaders refuse players who have never joined. */
async function retryAtJoin(
  steamId: string,
  { serverId, connection, context }: FrameHandlerContext,
): Promise<void> {
  if (!(await firstRow(connection, selectFailedRowSql, [serverId, steamId]))) return;
  const ask = { names: ["permissions"], serverIds: [serverId], reason: "join" } as const;
  await requestSync(ask, context, connection);
}
