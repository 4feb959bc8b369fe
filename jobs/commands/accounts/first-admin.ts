import { defineModels } from "../../../models/index.ts";
import { readAdminNames } from "../../../shared/auth/administration/admin-set.ts";
import { findUserByName } from "../../../shared/auth/users/users.ts";
import { AppError } from "../../../shared/platform/errors/errors.ts";
import { LaunchError } from "../launch/launch-error.ts";
import type { ShellContext } from "../launch/shell-context.ts";
import { addUser } from "./accounts.ts";
import { generatePassword } from "./generate-password.ts";

export interface FirstAdmin {
  readonly username: string;
  /** The generated password; null if ADMIN_PASSWORD is set. */
  readonly madePassword: string | null;
}

/**
 * Creates the first administrator and returns it, or returns null if there is an administrator.
 * @throws {LaunchError} if the name or password cannot be used
 */
export async function ensureFirstAdmin(context: ShellContext): Promise<FirstAdmin | null> {
  const { config, sequelize } = context;
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD } = config;
  const stores = { models: defineModels(sequelize) };
  if ((await readAdminNames(stores)).length > 0) return null;
  const namesake = await findUserByName(username, stores);
  if (namesake) {
    const wayOut = namesake.disabledAt
      ? `the user ${username} is disabled: set ADMIN_USERNAME to another name`
      : `the user ${username} exists: run npm run user -- role ${username} admin`;
    throw new LaunchError(`The site has no administrator, and ${wayOut}`);
  }
  const password = ADMIN_PASSWORD ?? generatePassword();
  try {
    await addUser({ username, role: "admin", password }, context);
  } catch (error) {
    // A concurrent start has created the administrator, or a player has taken the name: check again.
    if (error instanceof AppError && error.kind === "conflict") return ensureFirstAdmin(context);
    throw toLaunchError(error);
  }
  return { username, madePassword: ADMIN_PASSWORD === undefined ? password : null };
}

function toLaunchError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const faults = (error.faults ?? []).map(({ message }) => message).join("; ");
  return new LaunchError(`ADMIN_USERNAME and ADMIN_PASSWORD: ${faults}`, { cause: error });
}
