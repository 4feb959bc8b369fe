import type { Caller } from "../../shared/auth/caller.ts";
import { type Role, roles } from "../../shared/auth/roles.ts";
import { findUserByName } from "../../shared/auth/users.ts";
import { verifyPassword } from "../../shared/crypto/passwords.ts";
import { addUser } from "../../shared/local/accounts.ts";
import type { DemoAccount } from "../../shared/local/demo.ts";
import type { Ground } from "../../shared/local/ground.ts";
import { LaunchFault } from "../../shared/local/launch-fault.ts";

/** One account of each role, named after it; the administrator's name is configured. */
export async function ensureAccounts(ground: Ground): Promise<DemoAccount[]> {
  return Promise.all(roles.map((role) => ensureAccount(role, ground)));
}

/**
 * The administrator as one who is signed in: content is made by somebody.
 * @throws {LaunchFault} when it is none any more
 */
export async function findAdmin({ config, sequelize }: Ground): Promise<Caller> {
  const admin = await findUserByName(config.ADMIN_USERNAME, sequelize);
  if (admin?.role !== "admin") {
    throw new LaunchFault("The demo's administrator is no administrator any more");
  }
  const now = Math.floor(Date.now() / 1000);
  return {
    userId: admin.id,
    username: admin.username,
    email: null,
    role: "admin",
    rung: "admin",
    totpEnabled: false,
    via: "web",
    amr: [],
    tokenId: "",
    issuedAt: now,
    expiresAt: now,
    signedInAt: now,
    familyId: null,
  };
}

/** An account that is there already stays as it is, whatever was made of it since. */
async function ensureAccount(role: Role, ground: Ground): Promise<DemoAccount> {
  const { config, sequelize } = ground;
  const { ADMIN_USERNAME, ADMIN_PASSWORD, DEMO_PASSWORD } = config;
  const username = role === "admin" ? ADMIN_USERNAME : role;
  const password = role === "admin" ? (ADMIN_PASSWORD ?? DEMO_PASSWORD) : DEMO_PASSWORD;
  if (password === undefined) throw new Error("DEMO_PASSWORD is not set");
  const there = await findUserByName(username, sequelize);
  if (there) {
    const hasDemoPassword = await verifyPassword(password, there, config);
    return { id: there.id, username: there.username, role: there.role, hasDemoPassword };
  }
  const { id } = await addUser({ username, role, password }, ground);
  return { id, username, role, hasDemoPassword: true };
}
