import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import type { Caller } from "./caller.ts";

/**
 * Which of many sessions no longer stand, asked in one statement. A session whose user has another
 * role by now counts as dead: what it was let in for may no longer be so.
 * @returns the token ids of the dead
 */
export async function findDeadSessions(
  callers: readonly Caller[],
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlySet<string>> {
  const rows = await sequelize.query<{ tokenId: string }>(deadSql, {
    bind: [
      callers.map(({ tokenId }) => tokenId),
      callers.map(({ userId }) => userId),
      callers.map(({ issuedAt }) => issuedAt),
      callers.map(({ role }) => role),
      callers.map(({ familyId }) => familyId),
    ],
    type: QueryTypes.SELECT,
  });
  return new Set(rows.map(({ tokenId }) => tokenId));
}

const deadSql = `
  select asked.token_id as "tokenId"
  from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::text[], $5::integer[])
    as asked (token_id, user_id, issued_at, role, family_id)
  left join users on users.id = asked.user_id and users.disabled_at is null
    and users.tokens_valid_after < asked.issued_at and users.role = asked.role
  where users.id is null
    or exists (select from revoked_tokens where token_id = asked.token_id)
    or (asked.family_id is not null and not exists (
      select from mobile_families as family
      where family.id = asked.family_id and family.user_id = users.id
        and family.revoked_at is null and family.expires_at > now()))`;
