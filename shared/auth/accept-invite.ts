import { QueryTypes, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { hashToken } from "../crypto/tokens.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import type { Client } from "./client.ts";
import { completeLogin } from "./complete-login.ts";
import { deadLink } from "./dead-link.ts";
import { isOpenInvite } from "./invites.ts";
import type { SignedIn } from "./login.ts";
import { checkPassword } from "./password-policy.ts";
import { isTrap, type PasswordAttempt } from "./prove-password.ts";
import type { Role } from "./roles.ts";
import { mintSession } from "./sessions.ts";
import { checkUsername } from "./usernames.ts";
import { createUser, type UserRow } from "./users.ts";

/** What the holder of a link is invited to. */
export interface OpenInvite {
  readonly tokenHash: Buffer;
  readonly email: string | null;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** Looks and uses nothing up. @throws SignInRefusal when the link is dead */
export async function findInvite(token: string, { sequelize }: Context): Promise<OpenInvite> {
  const tokenHash = hashToken(token);
  const [invite] = await sequelize.query<Omit<OpenInvite, "tokenHash">>(
    `select email, role, expires_at as "expiresAt" from invites
     where token_hash = $1 and ${isOpenInvite}`,
    { bind: [tokenHash], type: QueryTypes.SELECT },
  );
  if (!invite) throw deadLink();
  return { tokenHash, ...invite };
}

/**
 * Makes the account somebody is invited to and signs it in, whether or not registration is open.
 * However many accept at once, one account comes of it; a name that is taken leaves the
 * invitation as it was.
 * @throws SignInRefusal when the link is dead, or another request was first
 */
export async function acceptInvite(
  { tokenHash }: OpenInvite,
  attempt: PasswordAttempt,
  client: Client,
  context: Context,
): Promise<SignedIn> {
  const { username, password, company } = attempt;
  if (isTrap(company)) throw deadLink("honeypot");
  const faults = [...checkUsername(username), ...checkPassword(password, { username })];
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await hashPassword(password, context.config);
  return inTransaction(context.sequelize, async (transaction) => {
    const invite = await take(tokenHash, transaction);
    const { email, role } = invite;
    const created = await createUser({ username, email, role, ...stored }, transaction);
    await recordAccepted(invite, created, client, transaction);
    const amr = ["pwd"];
    const user = await completeLogin({ user: created, amr, via: "web", client }, transaction);
    return { user, session: await mintSession({ user, amr }, context.config) };
  });
}

interface TakenInvite {
  readonly id: number;
  readonly email: string | null;
  readonly role: Role;
}

/** One conditional statement decides who takes it; the role is what the row says. */
async function take(tokenHash: Buffer, transaction: Transaction): Promise<TakenInvite> {
  const { rows } = await sqlOf(transaction).query<TakenInvite>(
    `update invites set accepted_at = now() where token_hash = $1 and ${isOpenInvite}
     returning id, email, role`,
    [tokenHash],
  );
  if (!rows[0]) throw deadLink();
  return rows[0];
}

async function recordAccepted(
  { id, role }: TakenInvite,
  user: UserRow,
  { address }: Client,
  transaction: Transaction,
): Promise<void> {
  await sqlOf(transaction).query("update invites set accepted_user_id = $2 where id = $1", [
    id,
    user.id,
  ]);
  const target = { type: "invite", id };
  const line = { actorId: user.id, action: "invite.accepted", target, address, detail: { role } };
  await recordActivity(line, transaction);
}
