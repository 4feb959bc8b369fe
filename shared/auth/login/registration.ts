import type { Transaction } from "sequelize";

import type { Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalidFields } from "../../platform/errors/errors.ts";
import { readStoredSetting } from "../../platform/settings/settings.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { trapped } from "../rules/refusals.ts";
import { checkUsername } from "../rules/usernames.ts";
import { mintSession } from "../sessions/sessions.ts";
import { recordOwn } from "../users/own-activity.ts";
import { createUser } from "../users/users.ts";
import { admitByProof, completeLogin } from "./complete-login.ts";
import type { SignedIn } from "./login.ts";
import { isTrap } from "./prove-password.ts";

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | undefined;
  /** Honeypot field: people do not see it, so only programs fill it. */
  readonly company?: unknown;
}

/** @throws AppError forbidden while registration is closed */
export async function passRegistrationGate(
  context: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<void> {
  const { value: isOpen } = await readStoredSetting("registration_enabled", context, transaction);
  if (!isOpen) throw new AppError("registration_closed", "Registration is closed");
}

/** Creates an account and signs it in. The role is always player. */
export async function register(
  registration: Registration,
  client: Client,
  context: Context,
): Promise<SignedIn> {
  const { username, password, email, company } = registration;
  if (isTrap(company)) throw trapped();
  const faults = [...checkUsername(username), ...checkPassword(password, { username })];
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await hashPassword(password, context.config, client.address);
  return inTransaction(context.sequelize, async (transaction) => {
    const created = await createUser({ username, email, role: "player", ...stored }, transaction);
    // Registration may have been closed since the request arrived.
    await passRegistrationGate(context, transaction);
    const userId = created.id;
    await recordOwn({ userId, action: "auth.registered", client }, transaction);
    const amr = ["pwd"];
    const admission = await admitByProof(created, created, context);
    await completeLogin(admission, { amr, via: "web", client });
    const session = await mintSession(admission, { amr }, context.config);
    return { user: admission.user, session };
  });
}
