import type { Transaction } from "sequelize";

import type { Invite } from "../../../models/auth/invite.ts";
import type { Client } from "../../platform/access/client.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { hashToken } from "../../platform/crypto/tokens.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFields } from "../../platform/errors/errors.ts";
import { admitByProof, completeLogin } from "../login/complete-login.ts";
import type { SignedIn } from "../login/login.ts";
import { isTrap, type PasswordAttempt } from "../login/prove-password.ts";
import { deadLink } from "../rules/dead-link.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { checkUsername } from "../rules/usernames.ts";
import { mintSession } from "../sessions/sessions.ts";
import { createUser, type UserRow } from "../users/users.ts";

/** What the holder of a link is invited to. */
export interface OpenInvite extends Readonly<Pick<Invite, "email" | "role" | "expiresAt">> {
  readonly tokenHash: Buffer;
}

/** Reads without using the link up. @throws SignInRefusal when the link is dead */
export async function findInvite(token: string, { models }: Context): Promise<OpenInvite> {
  const tokenHash = hashToken(token);
  const invite = await models.Invite.scope("open").findOne({ where: { tokenHash } });
  if (!invite) throw deadLink();
  const { email, role, expiresAt } = invite;
  return { tokenHash, email, role, expiresAt };
}

/**
 * Makes the account of an invitation and signs it in, whether or not registration is open. Of many
 * requests at once one makes an account; a name that is taken leaves the invitation open.
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
  const stored = await hashPassword(password, context.config, client.address);
  return inTransaction(context.sequelize, async (transaction) => {
    // The role may have been read long ago: the row that is accepted decides.
    const invite = await context.models.Invite.acceptOnce(tokenHash, transaction);
    if (!invite) throw deadLink();
    const { email, role } = invite;
    const created = await createUser({ username, email, role, ...stored }, transaction);
    await recordAccepted(invite, created, client, transaction);
    const amr = ["pwd"];
    const admission = await admitByProof(created, created, context);
    await completeLogin(admission, { amr, via: "web", client });
    const session = await mintSession(admission, { amr }, context.config);
    return { user: admission.user, session };
  });
}

async function recordAccepted(
  { id, role }: Invite,
  user: UserRow,
  { address }: Client,
  transaction: Transaction,
): Promise<void> {
  const { Invite: Invites } = modelsOf(transaction);
  await Invites.update({ acceptedUserId: user.id }, { where: { id }, transaction });
  const target = { type: "invite", id };
  const line = { actorId: user.id, action: "invite.accepted", target, address, detail: { role } };
  await recordActivity(line, transaction);
}
