import { matchClientId } from "../../../../models/queries/any-id.ts";
import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { Context } from "../../../platform/context.ts";
import { rows } from "../../../platform/db/rows.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";
import { searchGrantsSql, selectGrantSql, selectUnfinishedGrantsSql } from "./grants.sql.ts";

/** `expiring`: the grant has ended, but a server that has it could not be updated yet. */
export const grantStates = ["active", "expiring", "expired", "revoked"] as const;
export type GrantState = (typeof grantStates)[number];

export interface GrantSearch {
  readonly steamId?: string;
  readonly userId?: number;
  readonly group?: string;
  readonly value?: string;
  readonly server?: number;
  readonly state?: GrantState;
  readonly limit: number;
  readonly offset: number;
}

export interface GrantRecord extends Pick<
  SurvivalGrant,
  | "id"
  | "kind"
  | "steamId"
  | "userId"
  | "value"
  | "scopeAll"
  | "serverIds"
  | "source"
  | "reason"
  | "expiresAt"
  | "createdAt"
  | "revokedAt"
> {
  readonly state: GrantState;
  readonly createdBy: string | null;
  readonly revokedBy: string | null;
}

type Database = Pick<Context, "sequelize">;

/** Searches grants, newest first, and counts all matches. */
export async function readGrants(
  { steamId, userId, group, value, server, state, limit, offset }: GrantSearch,
  { sequelize }: Database,
): Promise<{ grants: GrantRecord[]; total: number }> {
  const found = await rows<GrantRecord & { total: number }>(sequelize, searchGrantsSql, [
    steamId,
    userId,
    group,
    value,
    server,
    state,
    limit,
    offset,
  ]);
  const grants = found.map(({ total: _total, ...grant }) => grant);
  if (grants.length > 0 || offset === 0) return { grants, total: found[0]?.total ?? 0 };
  const first = { steamId, userId, group, value, server, state, limit: 1, offset: 0 };
  return { grants, total: (await readGrants(first as GrantSearch, { sequelize })).total };
}

/** Reads a player's grants that are active or still on a server. Omits a grant if an equal newer one exists. */
export const readUnfinishedGrants = (
  steamIds: readonly string[],
  { sequelize }: Database,
): Promise<GrantRecord[]> =>
  rows<GrantRecord>(sequelize, selectUnfinishedGrantsSql, [[...steamIds]]);

/** @throws AppError missing if no grant has this id */
export async function findGrant(id: number, { sequelize }: Database): Promise<GrantRecord> {
  const [grant] = await rows<GrantRecord>(sequelize, selectGrantSql, [id]);
  if (!grant) throw notFoundError("Unknown grant");
  return grant;
}

/** @throws AppError missing if no grant has this id */
export async function requireGrant(id: number, { models }: Pick<Context, "models">): Promise<void> {
  if ((await models.SurvivalGrant.count({ where: { id: matchClientId(id) } })) > 0) return;
  throw notFoundError("Unknown grant");
}
