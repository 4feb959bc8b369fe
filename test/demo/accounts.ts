import { type Role, roles } from "../../shared/auth/roles.ts";
import { findUserByName } from "../../shared/auth/users.ts";
import { verifyPassword } from "../../shared/crypto/passwords.ts";
import { addUser, type ShellGround } from "../../shared/local/accounts.ts";
import type { DemoAccount } from "../../shared/local/demo.ts";

/** One account of each role, named after it; the administrator's name is configured. */
export async function ensureAccounts(ground: ShellGround): Promise<DemoAccount[]> {
  return Promise.all(roles.map((role) => ensureAccount(role, ground)));
}

/** An account that is there already stays as it is, whatever was made of it since. */
async function ensureAccount(role: Role, ground: ShellGround): Promise<DemoAccount> {
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
