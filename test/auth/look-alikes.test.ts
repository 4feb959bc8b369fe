import { randomInt } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrate, migrateDown } from "../../migrations/migrate.ts";
import { storeMissingFoldedNames } from "../../shared/auth/users/users.ts";
import { listMigrationNames } from "../../shared/ops/schema.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { changeUser, deleteUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Returns a Greek name that no other test uses. */
const newName = () =>
  `ΑΣΑΣ${Array.from({ length: 8 }, () => "ΑΒΓΔ".charAt(randomInt(4))).join("")}ΟΣ`;

async function create(username: string, at: { url: string } = server) {
  const { headers } = admin;
  const body = { username, role: "player", password: "correct horse battery" };
  return callRoute(at, "POST /admin/users", { headers, body });
}

let admin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await signIn(server, { role: "admin" });
});

async function signInAs(username: string): Promise<unknown> {
  const body = { username, password: "correct horse battery" };
  const answered = await callRoute(server, "POST /auth/login", { body });
  return answered.status === 200 ? (answered.body as { user: { id: number } }).user.id : null;
}

const rename = (headers: Readonly<Record<string, string>>, username: string) =>
  callRoute(server, "PATCH /auth/me/account/username", { headers, body: { username } });

const taken = [409, { error: "Username is taken" }];
const malformed = [
  400,
  {
    error: "Validation failed",
    errors: [
      {
        path: "username",
        message: "username must be 3 to 32 letters, digits, '.', '_' or '-'",
      },
    ],
  },
];

describe("a name that looks like a taken one", () => {
  it.each(["\u3164", "\u1160", "\u115F", "\uFFA0", "\u200B", "\u00AD"])(
    "is rejected if the invisible letter %j is added, and so is a name of this letter only",
    async (filler) => {
      const { username, headers } = await signIn(server);
      for (const name of [username + filler, filler + username, filler.repeat(3)]) {
        const { status, body } = await create(name);
        expect([status, body]).toEqual(malformed);
        const renamed = await rename(headers, name);
        expect([renamed.status, renamed.body]).toEqual(malformed);
      }
    },
  );

  it("counts as taken with another form of sigma, and its owner can sign in with each form", async () => {
    const name = newName();
    const { userId } = await createTestUser(server, { username: name });
    const { headers } = await signIn(server);
    const forms = [
      name.toLowerCase(),
      name.toLowerCase().replaceAll("ς", "σ"),
      name.toLowerCase().replaceAll("σ", "ς"),
    ];
    for (const form of forms) {
      const { status, body } = await create(form);
      expect([status, body]).toEqual(taken);
      const renamed = await rename(headers, form);
      expect([renamed.status, renamed.body]).toEqual(taken);
      expect(await signInAs(form)).toBe(userId);
    }
  });

  it("may be chosen by the owner of the taken name, who then signs in with both forms", async () => {
    const name = newName();
    const { userId } = await createTestUser(server, { username: name });
    const body = { username: name, password: "correct horse battery" };
    const { headers } = await callRoute(server, "POST /auth/login", { body });
    const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const other = name.toLowerCase().replaceAll("ς", "σ");
    const renamed = await rename({ cookie }, other);
    expect([renamed.status, renamed.body]).toMatchObject([200, { username: other }]);
    expect([await signInAs(name), await signInAs(other)]).toEqual([userId, userId]);
    expect((await rename({ cookie }, `${other}ξ`)).status).toBe(200);
    expect([await signInAs(name), await signInAs(`${other}Ξ`)]).toEqual([null, userId]);
    expect((await create(name)).status).toBe(201);
  });

  it("is found by administrators who search for any form or part of it", async () => {
    const name = newName();
    const { userId } = await createTestUser(server, { username: name });
    for (const part of [name, name.toLowerCase(), name.slice(2, -2), name.slice(0, 8)]) {
      const q = encodeURIComponent(part);
      const { body } = await callRoute(server, `GET /admin/users?q=${q}`, {
        headers: admin.headers,
      });
      expect((body as { users: { id: number }[] }).users.map(({ id }) => id)).toContain(userId);
    }
  });
});

describe("names that an older release stored", () => {
  /** Returns the unique key that older releases stored with a name. These releases stored no folded name. */
  const keyOf = (name: string) => name.normalize("NFKC").toLowerCase();
  const store = async (name: string) => {
    const { userId } = await createTestUser(server);
    await storeAs(userId, name);
    return userId;
  };
  const storeAs = (userId: number, name: string) =>
    changeUser(server, userId, { username: name, usernameKey: keyOf(name) });

  it("are folded by the migration, and of two equal folds the older user keeps the name", async () => {
    await migrateTo("0017-sign-in-guards", "down");
    const name = newName();
    const other = keyOf(name).replaceAll("ς", "σ");
    const [first, second, street] = [
      await insertAsOlder(name),
      await insertAsOlder(other),
      await insertAsOlder(`straße${randomInt(1e6)}`),
    ];
    await migrateTo("0017-sign-in-guards", "up");
    const folds = await server.context.models.User.findAll({
      where: { id: [first.id, second.id, street.id] },
      attributes: ["id", "usernameFold"],
      order: ["id"],
      raw: true,
    });
    expect(folds).toEqual([
      { id: first.id, usernameFold: other },
      { id: second.id, usernameFold: null },
      { id: street.id, usernameFold: street.name.replace("ß", "ss") },
    ]);
    // Both users can still sign in with their own names. Any other spelling signs in the older account.
    expect(await signInAs(name)).toBe(first.id);
    expect(await signInAs(other)).toBe(second.id);
    expect(await signInAs(keyOf(name).replaceAll("σ", "ς"))).toBe(first.id);
    expect(await signInAs(street.name.toUpperCase())).toBe(street.id);
    expect((await create(street.name.replace("ß", "SS"))).status).toBe(409);
    // After the first user is deleted, the second account gets the folded name, so no new account can take it.
    await deleteUser(server, first.id);
    const { status, body } = await create(name);
    expect([status, body]).toEqual(taken);
    await inTransaction(server.context.sequelize, storeMissingFoldedNames);
    expect(await signInAs(name)).toBe(second.id);
  });

  it("stay taken until the older release renames the user, even if they were stored after the migration", async () => {
    const name = newName();
    const userId = await store(keyOf(name).replaceAll("ς", "σ"));
    expect(await signInAs(keyOf(name).replaceAll("ς", "σ"))).toBe(userId);
    const { status, body } = await create(name);
    expect([status, body]).toEqual(taken);
    await inTransaction(server.context.sequelize, storeMissingFoldedNames);
    expect(await signInAs(name)).toBe(userId);
    await storeAs(userId, `other-${userId}`);
    expect(await signInAs(name)).toBeNull();
    expect((await create(name)).status).toBe(201);
  });

  it("use the same key column as new names, and the query of the older release finds both kinds of names", async () => {
    const name = newName();
    const { body } = await create(name);
    const rows = await query(server, "select id from users where username_key = $1", keyOf(name));
    expect(rows).toEqual([{ id: (body as { id: number }).id }]);
  });

  async function insertAsOlder(name: string): Promise<{ id: number; name: string }> {
    const rows = await query(
      server,
      `insert into users (username, username_key, role, password_hash, pepper_id)
       select $1, $2, 'player', password_hash, pepper_id from users where id = $3 returning id`,
      name,
      keyOf(name),
      admin.userId,
    );
    return { id: (rows as { id: number }[])[0]?.id ?? 0, name };
  }

  it("are folded again without the dot of an i by migration 0129, which can be reverted", async () => {
    await migrateTo("0129-names-of-the-world", "down");
    const mark = randomInt(1e9);
    const names = [
      `İpek${mark}`,
      `ipek${mark}`,
      `İIlk${mark}`,
      `Iİlk${mark}`,
      `علی\u200Cرضا${mark}`,
    ];
    const ids: number[] = [];
    for (const name of names) ids.push((await insertAsOlder(name)).id);
    // The previous release folded these names differently: each to its lower case.
    const before = names.map((name) => name.toLowerCase());
    for (const [at, usernameFold] of before.entries()) {
      await changeUser(server, ids[at] ?? 0, { usernameFold });
    }
    await migrateTo("0129-names-of-the-world", "up");
    const folds = [null, `ipek${mark}`, `iilk${mark}`, null, `علیرضا${mark}`];
    expect(await foldsOf(ids)).toEqual(folds);
    // Each user can sign in with their own name, in lower and upper case.
    expect(await Promise.all(names.map(signInAs))).toEqual(ids);
    const upper = names.map((name) => name.toUpperCase());
    expect(await Promise.all(upper.map(signInAs))).toEqual(ids);
    // A third spelling signs in the account that has the folded name.
    expect(await signInAs(`ıpek${mark}`)).toBe(ids[1]);
    expect(await signInAs(`ıilk${mark}`)).toBe(ids[2]);
    await migrateTo("0129-names-of-the-world", "down");
    expect(await foldsOf(ids)).toEqual(before);
    await migrateTo("0129-names-of-the-world", "up");
  });

  it("are folded again if they have a dotted capital I and the older release stored its own fold", async () => {
    const name = `İrem${randomInt(1e9)}`;
    const userId = await store(name);
    await changeUser(server, userId, { usernameFold: name.toLowerCase() });
    expect(await foldsOf([userId])).toEqual([null]);
    await inTransaction(server.context.sequelize, storeMissingFoldedNames);
    expect(await foldsOf([userId])).toEqual([name.replace("İ", "i").toLowerCase()]);
  });

  async function foldsOf(ids: readonly number[]): Promise<(string | null)[]> {
    const users = await server.context.models.User.findAll({
      where: { id: [...ids] },
      attributes: ["id", "usernameFold"],
      order: ["id"],
    });
    return users.map(({ usernameFold }) => usernameFold);
  }

  /**
   * Reverts all migrations from the latest to the named one ("down"), or applies all of them
   * ("up").
   */
  async function migrateTo(name: string, direction: "down" | "up"): Promise<void> {
    if (direction === "up") return void (await migrate(server.database.url));
    const after = (await listMigrationNames()).filter((each) => each >= name);
    while (after.pop() !== undefined) await migrateDown(server.database.url);
  }
});
