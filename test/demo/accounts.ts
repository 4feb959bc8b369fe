import { addUser } from "../../jobs/commands/accounts/accounts.ts";
import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { ShellContext } from "../../jobs/commands/launch/shell-context.ts";
import type { DemoAccount } from "../../jobs/commands/machine/demo.ts";
import type { Role, User } from "../../models/auth/user.ts";
import { defineModels } from "../../models/index.ts";
import { findUserByName } from "../../shared/auth/users/users.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { verifyPassword } from "../../shared/platform/crypto/passwords.ts";

/**
 * Creates one account per role. Each is named after its role, except that the configuration names
 * the administrator.
 */
export async function ensureAccounts(context: ShellContext): Promise<DemoAccount[]> {
  return Promise.all(roles.map((role) => ensureAccount(role, context)));
}

/**
 * Returns the administrator as a caller, because content needs an author.
 * @throws {LaunchError} if the account no longer has the role
 */
export async function findAdmin({ config, sequelize }: ShellContext): Promise<Caller> {
  const admin = await findUserByName(config.ADMIN_USERNAME, { models: defineModels(sequelize) });
  if (admin?.role !== "admin") {
    throw new LaunchError("The demo's administrator is no administrator any more");
  }
  return callerOf(admin);
}

export function callerOf({
  id,
  username,
  role,
  generation,
}: Pick<User, "id" | "username" | "role" | "generation">): Caller {
  const now = Math.floor(Date.now() / 1000);
  return {
    userId: id,
    username,
    email: null,
    role,
    rung: role === "admin" ? "admin" : "player",
    totpEnabled: false,
    via: "web",
    amr: [],
    tokenId: "",
    generation,
    leftMs: Infinity,
    expiresAt: now,
    signedInAt: now,
    familyId: null,
    apiToken: null,
    holdRights: () => Promise.resolve(),
  };
}

/** Creates the account of a role. An existing account stays unchanged. */
async function ensureAccount(role: Role, context: ShellContext): Promise<DemoAccount> {
  const { config, sequelize } = context;
  const { ADMIN_USERNAME, ADMIN_PASSWORD, DEMO_PASSWORD } = config;
  const username = role === "admin" ? ADMIN_USERNAME : role;
  const password = role === "admin" ? (ADMIN_PASSWORD ?? DEMO_PASSWORD) : DEMO_PASSWORD;
  if (password === undefined) throw new Error("DEMO_PASSWORD is not set");
  const there = await findUserByName(username, { models: defineModels(sequelize) });
  if (there) {
    const hasDemoPassword = await verifyPassword(password, there, config, undefined);
    return { id: there.id, username: there.username, role: there.role, hasDemoPassword };
  }
  const { id } = await addUser({ username, role, password }, context);
  return { id, username, role, hasDemoPassword: true };
}
