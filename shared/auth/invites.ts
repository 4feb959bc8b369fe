import { QueryTypes, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields, missing } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import { lockAdminSet } from "./admin-set.ts";
import { orderMail } from "./order-mail.ts";
import type { Role } from "./roles.ts";

/** An invitation as administrators see it; nobody reads a token again. */
export interface Invite {
  readonly id: number;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  /** Null when the account that invited is deleted. */
  readonly createdBy: number | null;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What makes an invitation good for one account. */
export const isOpenInvite =
  "accepted_at is null and revoked_at is null and expires_at > clock_timestamp()";

const columns = `id, email, role, created_at as "createdAt", created_by as "createdBy",
  expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`;

/** Longest list; older invitations are only history. */
const mostListed = 500;

/** Invitations, the newest first. */
export const listInvites = ({ sequelize }: Context): Promise<Invite[]> =>
  sequelize.query<Invite>(`select ${columns} from invites order by id desc limit ${mostListed}`, {
    type: QueryTypes.SELECT,
  });

export interface NewInvite {
  readonly email?: string | undefined;
  readonly role: Role;
}

/** An invitation just made; the token is there to hand on when mail is off, and else null. */
export interface MadeInvite {
  readonly invite: Invite;
  readonly token: string | null;
}

/**
 * Invites somebody to an account of a given role: by mail, or by a link while mail is off.
 * @throws AppError forbidden when the actor ceased to be an administrator: their invitations
 *   end with their rights, and this one would come after the end
 */
export function createInvite(
  { email, role }: NewInvite,
  actorId: number,
  context: Context,
): Promise<MadeInvite> {
  const { mail, config } = context;
  if (mail.isOn && email === undefined) {
    throw invalidFields([{ path: "email", message: "email is required" }]);
  }
  const token = mail.isOn ? null : newToken();
  return inTransaction(context.sequelize, async (transaction) => {
    await lockAdminSet(actorId, transaction);
    const { rows } = await sqlOf(transaction).query<Invite>(
      `insert into invites (email, role, created_by, token_hash, expires_at)
       values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))
       returning ${columns}`,
      [email ?? null, role, actorId, token && hashToken(token), config.INVITE_TTL / 1000],
    );
    const invite = rows[0] as Invite;
    const target = { type: "invite", id: invite.id };
    const line = { actorId, action: "invite.created", target, detail: { role } };
    await recordActivity(line, transaction);
    await orderMail({ letter: "invite", inviteId: invite.id }, transaction, context);
    return { invite, token };
  });
}

/** Takes an invitation back. @throws AppError missing when it is unknown, used or taken back */
export function revokeInvite(
  inviteId: number,
  actorId: number,
  { sequelize }: Context,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const { rowCount } = await sqlOf(transaction).query(
      `update invites set revoked_at = now()
       where id = $1::bigint and accepted_at is null and revoked_at is null`,
      [inviteId],
    );
    if (!rowCount) throw missing("Unknown invite");
    const target = { type: "invite", id: inviteId };
    await recordActivity({ actorId, action: "invite.revoked", target }, transaction);
  });
}

/** Revokes the open invitations of a user who may no longer invite. */
export async function revokeInvitesOf(userId: number, transaction: Transaction): Promise<void> {
  await sqlOf(transaction).query(
    "update invites set revoked_at = now() where created_by = $1 and revoked_at is null and accepted_at is null",
    [userId],
  );
}
