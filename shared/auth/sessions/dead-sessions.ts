import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { basisOfCredential, staffSessionSeconds } from "./authorized-user.ts";
import { validCredentialSql } from "./valid-credential.sql.ts";

/** Finds sessions that are invalid or whose user's role changed, because open streams depend on the role. */
export async function findInvalidSessionCallers(
  callers: readonly Caller[],
  context: Pick<Context, "sequelize" | "config">,
): Promise<ReadonlySet<Caller>> {
  const basis = callers.map(basisOfCredential);
  const found = await rows<{ place: number }>(context.sequelize, deadSql, [
    basis.map(({ userId }) => userId),
    basis.map(({ generation }) => generation),
    basis.map(({ tokenId }) => tokenId),
    basis.map(({ expiresAt }) => expiresAt),
    basis.map(({ familyId }) => familyId),
    basis.map(({ signedInAt }) => signedInAt),
    callers.map(({ role }) => role),
    staffSessionSeconds(context),
  ]);
  const dead = new Set(found.map(({ place }) => place));
  return new Set(callers.filter((_caller, index) => dead.has(index + 1)));
}

const requestedColumns = {
  userId: "asked.user_id",
  generation: "asked.generation",
  tokenId: "asked.token_id",
  expiresAt: "asked.expires_at",
  familyId: "asked.family_id",
  signedInAt: "asked.signed_in_at",
  staffSeconds: "$8::integer",
};

const deadSql = `
  select asked.place
  from unnest($1::integer[], $2::integer[], $3::uuid[], $4::bigint[], $5::integer[], $6::bigint[],
      $7::text[])
    with ordinality
      as asked (user_id, generation, token_id, expires_at, family_id, signed_in_at, role, place)
  where not exists (
    select from users where ${validCredentialSql(requestedColumns)} and users.role = asked.role)`;
