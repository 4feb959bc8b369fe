import type { Transaction } from "sequelize";

import { matchClientId } from "../../models/queries/any-id.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { type Fault, invalidFieldsError } from "../platform/errors/errors.ts";

// THE order of locks around survival servers: a server's source, the server, and then groups, Steam links,
// grants, syncs and all other rows that refer to the server. The deletion of a server locks the server
// exclusively before it touches any of these rows. Storing a row that refers to a server locks the server too, so
// a writer that locks a referring row before the server deadlocks with the deletion.

type ServerId = Pick<SurvivalServer, "id">;

/** Locks a server's source as ingest does, so that ingest stores nothing until the transaction ends. */
export async function lockSource(id: number, transaction: Transaction): Promise<void> {
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const where = { source: sourceNameOf(id) };
  await modelsOf(transaction).IngestSource.findOne({ where, raw: true, transaction, lock });
}

/** Keeps a server from being deleted until the transaction ends. @returns null if it is missing */
export const lockServerShared = (id: number, transaction: Transaction): Promise<ServerId | null> =>
  modelsOf(transaction).SurvivalServer.findOne({
    where: { id: matchClientId(id) },
    attributes: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });

/**
 * Locks a server like `lockServerShared`.
 * @returns null unless the site accepts Steam links from the server now
 */
export const lockLinkingServerShared = (
  id: number,
  transaction: Transaction,
): Promise<ServerId | null> =>
  modelsOf(transaction).SurvivalServer.findOne({
    where: { id: matchClientId(id), enabled: true, listed: true, acceptsLinks: true },
    attributes: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });

/** Locks all servers like `lockServerShared`. @returns their ids */
export async function lockServersShared(transaction: Transaction): Promise<ReadonlySet<number>> {
  const held = await modelsOf(transaction).SurvivalServer.findAll({
    attributes: ["id"],
    order: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });
  return new Set(held.map(({ id }) => id));
}

/** Returns a fault that names the unknown ids. */
export function findUnknownServerFaults(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): Fault[] {
  const unknown = asked.filter((id) => !known.has(id));
  return unknown.length === 0
    ? []
    : [{ path, message: `there is no server ${unknown.join(", ")}` }];
}

/** @throws AppError naming the unknown servers */
export function refuseUnknownServers(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): void {
  const faults = findUnknownServerFaults(path, asked, known);
  if (faults.length > 0) throw invalidFieldsError(faults);
}

/** Returns a server's name in `ingest_sources` and `rejected_frames`. */
export const sourceNameOf = (serverId: number): string => `survival:${serverId}`;

/** Returns SQL of the name that `sourceNameOf` returns. @param serverId SQL of the server's id */
export const ingestSourceNameSql = (serverId: string): string => `'survival:' || ${serverId}`;

/** Returns the map seed for callers who are not administrators; null if the server hides its seed. */
export const toVisibleSeed = (
  { showSeed }: Pick<SurvivalServer, "showSeed">,
  seed: unknown,
): string | null =>
  showSeed && (typeof seed === "string" || typeof seed === "number") ? String(seed) : null;
