import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import type { Caller } from "../caller/caller.ts";
import { groundsOf, staffSeconds } from "./admission.ts";
import { validCredentialSql } from "./valid-credential.ts";

/**
 * Which of many sessions are no longer valid, asked in one statement. A session whose user has
 * another role by now counts as dead: what the session was admitted to may need the former role.
 */
export async function findDeadSessions(
  callers: readonly Caller[],
  context: Pick<Context, "sequelize" | "config">,
): Promise<ReadonlySet<Caller>> {
  const grounds = callers.map(groundsOf);
  const found = await rows<{ place: number }>(context.sequelize, deadSql, [
    grounds.map(({ userId }) => userId),
    grounds.map(({ issuedAt }) => issuedAt),
    grounds.map(({ tokenId }) => tokenId),
    grounds.map(({ familyId }) => familyId),
    grounds.map(({ signedInAt }) => signedInAt),
    callers.map(({ role }) => role),
    staffSeconds(context),
  ]);
  const dead = new Set(found.map(({ place }) => place));
  return new Set(callers.filter((_caller, index) => dead.has(index + 1)));
}

const askedColumns = {
  userId: "asked.user_id",
  issuedAt: "asked.issued_at",
  tokenId: "asked.token_id",
  familyId: "asked.family_id",
  signedInAt: "asked.signed_in_at",
  staffSeconds: "$7::integer",
};

const deadSql = `
  select asked.place
  from unnest($1::integer[], $2::bigint[], $3::uuid[], $4::integer[], $5::bigint[], $6::text[])
    with ordinality as asked (user_id, issued_at, token_id, family_id, signed_in_at, role, place)
  where not exists (
    select from users where ${validCredentialSql(askedColumns)} and users.role = asked.role)`;
