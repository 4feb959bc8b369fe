import { randomBytes } from "node:crypto";

import type { Role } from "../../../models/auth/user.ts";
import { findCaller, readCredential } from "../../../shared/auth/sessions/sessions.ts";
import { createUser } from "../../../shared/auth/users/users.ts";
import type { Caller } from "../../../shared/platform/access/caller.ts";
import type { Context } from "../../../shared/platform/context.ts";
import { hashPassword } from "../../../shared/platform/crypto/passwords.ts";
import { inTransaction } from "../../../shared/platform/db/transaction.ts";
import { callRoute, cookieOf } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";

export interface TestUser {
  readonly userId: number;
  readonly username: string;
  readonly password: string;
}

export interface SignedIn extends TestUser {
  readonly cookie: string;
  readonly headers: { readonly cookie: string };
}

export interface TestUserOptions {
  readonly role?: Role;
  readonly username?: string;
  readonly email?: string;
  /** The password. With null, the user has none, like a user who signs in only at a provider. */
  readonly password?: string | null;
}

/** Inserts a user into the database. */
export async function createTestUser(
  server: { readonly context: Pick<Context, "config" | "sequelize"> },
  options: TestUserOptions = {},
): Promise<TestUser> {
  const { config, sequelize } = server.context;
  const { role = "player", username = `user-${randomBytes(5).toString("hex")}`, email } = options;
  const { password = "correct horse battery" } = options;
  const stored =
    password === null
      ? { passwordHash: null, pepperId: null }
      : await hashPassword(password, { ...config, BCRYPT_COST: 4 }, undefined);
  const user = await inTransaction(sequelize, (transaction) =>
    createUser({ username, email, role, ...stored }, transaction),
  );
  return { userId: user.id, username, password: password ?? "" };
}

/** Signs a user in over HTTP. @returns the session cookie */
export async function logIn(
  server: Pick<TestServer, "url">,
  { username, password }: Pick<TestUser, "username" | "password">,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = { username, password };
  const answer = await callRoute(server, "POST /auth/login", { body, headers });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.text}`);
  const cookie = cookieOf(answer, "session") ?? cookieOf(answer, "__Host-session");
  if (!cookie) throw new Error("login set no session cookie");
  return cookie;
}

/** Creates a user and signs the user in on the web. */
export async function signIn(
  server: Pick<TestServer, "context" | "url">,
  options: TestUserOptions = {},
): Promise<SignedIn> {
  const user = await createTestUser(server, options);
  const cookie = await logIn(server, user);
  return { ...user, cookie, headers: { cookie } };
}

/** Returns the user of a session in the form that permission checks take. */
export async function callerOf(
  { config, context }: Pick<TestServer, "config" | "context">,
  { cookie }: Pick<SignedIn, "cookie">,
): Promise<Caller> {
  const token = cookie.slice("session=".length);
  const credential = await readCredential({ via: "web", token }, config);
  const caller = credential && (await findCaller(credential, context));
  if (!caller) throw new Error("the session has ended");
  return caller;
}
