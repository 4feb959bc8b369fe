import type { Transaction } from "sequelize";

import { anyId } from "../../models/queries/any-id.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { type Fault, invalidFields } from "../platform/errors/errors.ts";

// THE order of locks around survival servers: a server's source, the server, and then groups, Steam links,
// grants, pushes and all other rows that name it. The deletion of a server takes it for itself before it
// touches any of these, and a row that names a server asks for it again when it is stored: whoever locked
// such a row first would wait for the deletion, which waits for the row.

type Held = Pick<SurvivalServer, "id">;

/** Keeps a server from being deleted until the transaction ends. @returns null where there is none */
export const holdServer = (id: number, transaction: Transaction): Promise<Held | null> =>
  modelsOf(transaction).SurvivalServer.findOne({
    where: { id: anyId(id) },
    attributes: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });

/** The same of a server whose Steam links count now. @returns null for any other */
export const holdLinkingServer = (id: number, transaction: Transaction): Promise<Held | null> =>
  modelsOf(transaction).SurvivalServer.findOne({
    where: { id: anyId(id), enabled: true, listed: true, acceptsLinks: true },
    attributes: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });

/** The same of all servers, for what any of them may be named by. @returns their ids */
export async function holdServers(transaction: Transaction): Promise<ReadonlySet<number>> {
  const held = await modelsOf(transaction).SurvivalServer.findAll({
    attributes: ["id"],
    order: ["id"],
    raw: true,
    transaction,
    lock: transaction.LOCK.KEY_SHARE,
  });
  return new Set(held.map(({ id }) => id));
}

/** What is wrong with ids of servers that a caller names: those that there are not. */
export function unknownServers(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): Fault[] {
  const unknown = asked.filter((id) => !known.has(id));
  return unknown.length === 0
    ? []
    : [{ path, message: `there is no server ${unknown.join(", ")}` }];
}

/** @throws AppError naming the servers that there are not */
export function refuseUnknownServers(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): void {
  const faults = unknownServers(path, asked, known);
  if (faults.length > 0) throw invalidFields(faults);
}

/** As ingest names a survival server in `ingest_sources` and `rejected_frames`. */
export const sourceNameOf = (serverId: number): string => `survival:${serverId}`;

/** The same as SQL. @param serverId the SQL of the server's id */
export const sourceNameSql = (serverId: string): string => `'survival:' || ${serverId}`;

/** The seed of a server's world for everybody but its administrators; null where it is not shown. */
export const shownSeed = (
  { showSeed }: Pick<SurvivalServer, "showSeed">,
  seed: unknown,
): string | null =>
  showSeed && (typeof seed === "string" || typeof seed === "number") ? String(seed) : null;
