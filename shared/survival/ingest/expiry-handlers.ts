import {
  isLedgerObjectType,
  type LedgerObjectType,
} from "../../../models/survival/survival-ledger-entry.ts";
import { executeStatement, firstRow, type Database, rows } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers } from "../kinds/handler.ts";
import { expireKit } from "../rewards/kit-handlers.ts";
import {
  expireLedgerEntrySql,
  expireLeaseSql,
  expireParticipationSql,
  insertExpiredLedgerEntrySql,
} from "./events.sql.ts";

/**
 * Handlers of frames that report an object's end without a command: by its lease, a wipe or the end of the game
 * process.
 */
export const expiryHandlers: FrameHandlers = {
  "world.expired": ({ payload, bootId }, ground) => {
    const { what, ref, reason, at } = payload;
    return expire({ what, ref, reason, at, openedAt: at, bootId }, ground);
  },
  // Use the lease's own id, because the game's name for the object may be reused.
  "lease.expired": ({ payload, t, bootId }, ground) => {
    const { what, leaseId, leaseUntil, openedAt } = payload;
    const at = leaseUntil ?? t;
    const times = { at, openedAt: openedAt ?? at };
    return expire({ what, ref: leaseId, reason: "timeout", ...times, bootId }, ground);
  },
};

type ExpiryReport = Omit<ExpiredObject, "serverId" | "what"> & { readonly what: string };

async function expire({ what, ...told }: ExpiryReport, ground: FrameHandlerContext): Promise<void> {
  if (!isLedgerObjectType(what)) return;
  const { serverId, connection } = ground;
  await expireEntry({ ...told, what, serverId }, ground);
  const { ref, reason, at } = told;
  if (what === "zone") await expireLease({ serverId, leaseId: ref, reason, at }, connection);
  if (what === "participation") await expireParticipation(serverId, ref, connection);
  if (what === "kit") await expireKit(ground, ref, reason);
}

interface ExpiredObject {
  readonly serverId: number;
  readonly what: LedgerObjectType;
  readonly ref: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly openedAt: number;
  readonly bootId: string | null;
}

/** Types whose objects end only once, so that a second report is ignored. Names of other types may be reused. */
const typesEndingOnce: readonly string[] = [
  "zone",
  "participation",
  "kit",
] satisfies LedgerObjectType[];

/**
 * Marks an object's newest ledger entry as expired. Prefers entries that are not `pushed`, because the game may
 * not have executed a pushed entry. Adds an expired entry if the object has none, or if the name can be reused
 * and the newest entry ended at another time.
 */
async function expireEntry(
  expiry: ExpiredObject,
  { connection, room }: Pick<FrameHandlerContext, "connection" | "room">,
): Promise<void> {
  const { serverId, what, ref, reason, at, openedAt, bootId } = expiry;
  const values = [serverId, what, ref, reason, at, typesEndingOnce.includes(what)];
  const found = await firstRow<{ isUnknown: boolean }>(connection, expireLedgerEntrySql, values);
  if (!found?.isUnknown || (await room.take("ledger", 1)) === 0) return;
  await executeStatement(connection, insertExpiredLedgerEntrySql, [
    serverId,
    what,
    ref,
    reason,
    at,
    openedAt,
    bootId,
  ]);
}

/** Closes a participation that the game has ended. Nobody can join it now, but its result can be collected. */
async function expireParticipation(
  serverId: number,
  ref: string,
  database: Database,
): Promise<void> {
  await executeStatement(database, expireParticipationSql, [ref, serverId]);
}

interface LeaseEnd {
  readonly serverId: number;
  /** The lease's name in the frame, which may be any text. */
  readonly leaseId: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Ends a lease of this server after the game has ended its zone without a command. */
async function expireLease(
  { serverId, leaseId, reason, at }: LeaseEnd,
  database: Database,
): Promise<void> {
  await rows(database, expireLeaseSql, [leaseId, serverId, reason, at]);
}
