import type { Context } from "../context.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { inTransaction } from "../db/transaction.ts";
import { forbidden, invalidFields } from "../errors.ts";
import { readSetting } from "../site/settings.ts";
import type { Client } from "./client.ts";
import { completeLogin } from "./complete-login.ts";
import type { SignedIn } from "./login.ts";
import { recordOwn } from "./own-activity.ts";
import { checkPassword } from "./password-policy.ts";
import { isTrap } from "./prove-password.ts";
import { trapped } from "./refusals.ts";
import { mintSession } from "./sessions.ts";
import { checkUsername } from "./usernames.ts";
import { createUser } from "./users.ts";

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | undefined;
  /** A field people do not see: whatever fills it is a program. */
  readonly company?: unknown;
}

/** @throws AppError forbidden while administrators keep the site's door closed */
export async function passRegistrationGate({ sequelize }: Context): Promise<void> {
  const isOpen = await readSetting("registration_enabled", sequelize);
  if (!isOpen) throw forbidden("Registration is closed");
}

/** Makes a player's account and signs it in. No other role comes in by this door. */
export async function register(
  registration: Registration,
  client: Client,
  context: Context,
): Promise<SignedIn> {
  const { username, password, email, company } = registration;
  if (isTrap(company)) throw trapped();
  const faults = [...checkUsername(username), ...checkPassword(password, { username })];
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await hashPassword(password, context.config);
  return inTransaction(context.sequelize, async (transaction) => {
    const created = await createUser({ username, email, role: "player", ...stored }, transaction);
    const userId = created.id;
    await recordOwn({ userId, action: "auth.registered", client }, transaction);
    const amr = ["pwd"];
    const user = await completeLogin({ user: created, amr, via: "web", client }, transaction);
    return { user, session: await mintSession({ user, amr }, context.config) };
  });
}
