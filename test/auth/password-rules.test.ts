import { beforeAll, describe, expect, it } from "vitest";

import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await sharedServer();
  admin = await signIn(server, { role: "admin" });
  const body = { registration_enabled: true };
  await callRoute(server, "PUT /admin/settings", { headers: admin.headers, body });
});

let count = 0;
const newName = () => `chooser-${++count}`;

/** A user name, and a request that sets the password of this user. */
interface Choice {
  readonly username: string;
  readonly set: (password: string) => Promise<ApiAnswer>;
}

/** CATALOGUE of the ways to set a password. Each prepares a user or name of its own. */
const ways: Readonly<Record<string, () => Promise<Choice>>> = {
  "POST /auth/register": async () => {
    const username = newName();
    const set = (password: string) =>
      callRoute(server, "POST /auth/register", { body: { username, password } });
    return { username, set };
  },
  "POST /auth/invite/:token/accept": async () => {
    const username = newName();
    const { headers } = admin;
    const made = await callRoute(server, "POST /admin/invites", {
      headers,
      body: { role: "player" },
    });
    const [, token] = (made.body as { acceptUrl: string }).acceptUrl.split("#token=");
    const set = (password: string) =>
      callRoute(server, `POST /auth/invite/${token}/accept`, { body: { username, password } });
    return { username, set };
  },
  "POST /auth/password/reset/:token": async () => {
    const username = newName();
    const { userId } = await createTestUser(server, { username, email: "chooser@example.org" });
    const made = await makeResetLink(userId, server.context);
    const set = (password: string) =>
      callRoute(server, `POST /auth/password/reset/${made?.token}`, { body: { password } });
    return { username, set };
  },
  "PATCH /auth/me/account/password": async () => {
    const { username, password, headers } = await signIn(server, { username: newName() });
    const set = (newPassword: string) =>
      callRoute(server, "PATCH /auth/me/account/password", {
        headers,
        body: { currentPassword: password, newPassword },
      });
    return { username, set };
  },
  "POST /admin/users": async () => {
    const username = newName();
    const { headers } = admin;
    const set = (password: string) =>
      callRoute(server, "POST /admin/users", {
        headers,
        body: { username, role: "player", password },
      });
    return { username, set };
  },
};

const signInAs = async (username: string, password: string): Promise<number> =>
  (await callRoute(server, "POST /auth/login", { body: { username, password } })).status;

describe.each(Object.entries(ways))("a password set by %s", (_route, begin) => {
  it("is rejected if it is short, common or a name, and a better password is accepted afterward", async () => {
    const { username, set } = await begin();
    for (const weak of [
      "seven77",
      "😀".repeat(7),
      "password123",
      "QwertyUiop",
      username,
      "guildhall",
    ]) {
      const answered = await set(weak);
      expect(answered.status).toBe(400);
      const [fault, ...others] = (answered.body as { errors: { path: string }[] }).errors;
      expect(fault?.path).toMatch(/^(newP|p)assword$/);
      expect(others).toEqual([]);
      expect(await signInAs(username, weak)).toBe(401);
    }
    expect([200, 201]).toContain((await set("eight 88")).status);
    expect(await signInAs(username, "eight 88")).toBe(200);
  });

  it("may have 1024 characters of any width, and no more", async () => {
    const { username, set } = await begin();
    const widest = "😀".repeat(1024);
    expect((await set(`${widest}😀`)).status).toBe(400);
    expect((await set("x".repeat(1025))).status).toBe(400);
    expect([200, 201]).toContain((await set(widest)).status);
    expect(await signInAs(username, widest)).toBe(200);
    expect(await signInAs(username, `${widest}😀`)).toBe(400);
  });

  it("is compared up to its last character, and case and space matter", async () => {
    const { username, set } = await begin();
    const password = `é${"x".repeat(98)} `;
    expect([200, 201]).toContain((await set(password)).status);
    const others = [
      password.trim(),
      password.slice(0, 72),
      password.slice(0, 71),
      `${password} `,
      password.toUpperCase(),
    ];
    for (const other of others) expect(await signInAs(username, other)).toBe(401);
    // A keyboard may send the accent as a separate character.
    for (const same of [password, password.normalize("NFD")]) {
      expect(await signInAs(username, same)).toBe(200);
    }
  });
});
