import type { Transaction } from "sequelize";

import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError } from "../../platform/errors/errors.ts";
import { readStoredSetting } from "../../platform/settings/settings.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { honeypotError } from "../rules/sign-in-errors.ts";
import { checkUsername } from "../rules/usernames.ts";
import { mintSession } from "../sessions/sessions.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { createUser } from "../users/users.ts";
import { authorizeProvenUser, recordLogin } from "./authorize-login.ts";
import type { WebSignIn } from "./login.ts";
import { isHoneypotFilled } from "./prove-password.ts";

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | undefined;
  /** Honeypot field: people do not see it, so only programs fill it. */
  readonly company?: unknown;
}

/** @throws AppError forbidden while registration is closed */
export async function requireRegistrationOpen(
  context: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<void> {
  const { value: isOpen } = await readStoredSetting("registration_enabled", context, transaction);
  if (!isOpen) throw new AppError("registration_closed", "Registration is closed");
}

/** Creates an account and signs it in. The role is always player. */
export async function register(
  registration: Registration,
  client: SignInClient,
  context: Context,
): Promise<WebSignIn> {
  const { username, password, email, company } = registration;
  if (isHoneypotFilled(company)) throw honeypotError();
  const faults = [...checkUsername(username), ...checkPassword(password, { username })];
  if (faults.length > 0) throw invalidFieldsError(faults);
  const stored = await hashPassword(password, context.config, client.address);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const created = await createUser({ username, email, role: "player", ...stored }, transaction);
    // Check again: registration may have been closed since the request arrived.
    await requireRegistrationOpen(context, transaction);
    const userId = created.id;
    await recordOwnActivity({ userId, action: "auth.registered", client }, transaction);
    const amr = ["pwd"];
    const authorized = await authorizeProvenUser(created, created, context);
    await recordLogin(authorized, { amr, via: "web", client });
    const session = await mintSession(authorized, { amr }, context.config);
    return { user: authorized.user, session };
  });
}
