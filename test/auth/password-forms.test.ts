import { createHmac } from "node:crypto";

import bcrypt from "bcrypt";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { checkPassword } from "../../shared/auth/rules/password-policy.ts";
import { isHashQueueBusy } from "../../shared/platform/crypto/slow-hash.ts";
import {
  countPasswordCharacters,
  normalizePassword,
} from "../../shared/platform/texts/typed-text.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { changeUser, disableUser, userOf } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const cost = 5;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { ...unlimited, BCRYPT_COST: `${cost}` } });
});
afterAll(() => server.stop());

const compare = vi.spyOn(bcrypt, "compare");
const hash = vi.spyOn(bcrypt, "hash");

/** Hashes a password as older releases did: without normalization. */
const hashAsSent = (password: string) =>
  bcrypt.hash(createHmac("sha384", "guildhall password").update(password).digest("base64"), cost);

async function userFromBefore(password: string): Promise<TestUser> {
  const user = await createTestUser(server);
  await changeUser(server, user.userId, { passwordHash: await hashAsSent(password) });
  return { ...user, password };
}

const statusOf = async ({ username }: TestUser, password: string) =>
  (await callRoute(server, "POST /auth/login", { body: { username, password } })).status;

const hashOf = async ({ userId }: TestUser) => (await userOf(server, userId)).passwordHash;

const same: readonly (readonly [what: string, one: string, other: string])[] = [
  ["composed and decomposed Latin", "crème brûlée", "crème brûlée".normalize("NFD")],
  ["composed and decomposed Vietnamese", "mật khẩu của tôi", "mật khẩu của tôi".normalize("NFD")],
  ["composed and decomposed Korean", "비밀번호비밀번호", "비밀번호비밀번호".normalize("NFD")],
  ["two orders of combining marks", "passe\u0323\u0301word", "passe\u0301\u0323word"],
  ["the ideographic space of Japanese", "correct horse battery", "correct\u3000horse\u3000battery"],
  ["a no-break space", "correct horse battery", "correct\u00A0horse\u202Fbattery"],
  ["the Kelvin sign", "273.15 K of it", "273.15 \u212A of it"],
];

/** Pairs of texts that are two different passwords, because the normalization keeps them apart. */
const different: readonly (readonly [what: string, one: string, other: string])[] = [
  ["full-width letters", "correct horse", "ｃｏｒｒｅｃｔ horse"],
  ["half-width kana", "パスワードです123", "ﾊﾟｽﾜｰﾄﾞです123"],
  ["a ligature", "officeoffice", "oﬃceoffice"],
  ["another case", "correct horse", "Correct horse"],
  ["space around it", "correct horse", "correct horse "],
  ["a joiner", "نمی\u200Cخواهمش", "نمیخواهمش"],
  ["a zero-width space", "correct horse", "correct\u200B horse"],
];

describe("a password", () => {
  it.each(same)(
    "is accepted in both Unicode forms of %s, whichever form was set",
    async (_what, one, other) => {
      for (const [set, sent] of [
        [one, other],
        [other, one],
      ] as const) {
        const user = await createTestUser(server, { password: set });
        expect([await statusOf(user, sent), await statusOf(user, set)]).toEqual([200, 200]);
      }
    },
  );

  it.each(different)("does not match the same password with %s", async (_what, one, other) => {
    const user = await createTestUser(server, { password: one });
    expect([await statusOf(user, other), await statusOf(user, one)]).toEqual([401, 200]);
  });

  it("stays the same if it is normalized a second time, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const form = normalizePassword(text);
        expect(normalizePassword(form)).toBe(form);
        expect(normalizePassword(text.normalize("NFD"))).toBe(form);
        expect(form).not.toMatch(/(?! )\p{Zs}/u);
      }),
    );
  });
});

describe("the length of a password", () => {
  const lengthFaults = (password: string) =>
    checkPassword(password, { username: "robin" }).map(({ message }) => message);
  const syllable = "\uAC01".normalize("NFD");

  it("is counted in characters of the normalized form that is hashed", async () => {
    expect(countPasswordCharacters(syllable.repeat(7))).toBe(7);
    expect(lengthFaults(syllable.repeat(7))).toEqual(["password must be 8 characters or more"]);
    expect(lengthFaults(syllable.repeat(8))).toEqual([]);
    expect(lengthFaults(syllable.repeat(1024))).toEqual([]);
    const longest = "password must be 1024 characters or fewer";
    expect(lengthFaults(syllable.repeat(1025))).toEqual([longest]);
    // NFC replaces this letter by three characters.
    expect(lengthFaults("\uFB2C".repeat(342))).toEqual([longest]);
    expect(lengthFaults("\uFB2C".repeat(341))).toEqual([]);
  });

  it("has the same limit at sign-in as for a new password", async () => {
    const user = await createTestUser(server, { password: syllable.repeat(1024) });
    expect(await statusOf(user, syllable.repeat(1024))).toBe(200);
    expect(await statusOf(user, syllable.repeat(1025))).toBe(400);
  });

  it("is checked for 120,000 combining marks without normalizing them", () => {
    const composing = vi.spyOn(String.prototype, "normalize");
    try {
      expect(countPasswordCharacters("\u0301".repeat(60_000) + "\u0323".repeat(60_000))).toBe(
        120_000,
      );
      expect(composing).not.toHaveBeenCalled();
    } finally {
      composing.mockRestore();
    }
  });
});

describe("a hash of an unnormalized password, from an older release", () => {
  it.each(same)("matches the same password with %s, and is rehashed", async (_what, _one, sent) => {
    const user = await userFromBefore(sent);
    const before = await hashOf(user);
    expect(await statusOf(user, sent)).toBe(200);
    const after = await hashOf(user);
    expect(after).not.toBe(before);
    // The new hash is of the normalized password, so it matches both texts and is not replaced
    // again.
    expect(await statusOf(user, sent.normalize("NFC"))).toBe(200);
    expect(await statusOf(user, sent)).toBe(200);
    expect(await hashOf(user)).toBe(after);
  });

  it("is kept after a wrong password, and after a correct password whose text is already normalized", async () => {
    const decomposed = await userFromBefore("crème brûlée".normalize("NFD"));
    const composed = await userFromBefore("crème brûlée");
    const before = [await hashOf(decomposed), await hashOf(composed)];
    expect(await statusOf(decomposed, "crème brûlé".normalize("NFD"))).toBe(401);
    expect(await statusOf(composed, "crème brûlée".normalize("NFD"))).toBe(200);
    expect([await hashOf(decomposed), await hashOf(composed)]).toEqual(before);
  });

  it("is accepted and kept when it confirms a request of the caller", async () => {
    const sent = "crème brûlée".normalize("NFD");
    const user = await signIn(server);
    const { userId, headers } = user;
    const passwordHash = await hashAsSent(sent);
    await changeUser(server, userId, { passwordHash });
    const route = "POST /auth/me/account/totp/setup";
    const confirm = async (password: string) =>
      (await callRoute(server, route, { headers, body: { password } })).status;
    expect([await confirm(`${sent} `), await confirm(sent)]).toEqual([403, 200]);
    expect(await hashOf(user)).toBe(passwordHash);
    const body = { currentPassword: sent, newPassword: "another crème brûlée" };
    const changed = await callRoute(server, "PATCH /auth/me/account/password", { headers, body });
    expect(changed.status).toBe(200);
  });
});

describe("the bcrypt work of a sign-in", () => {
  const workOf = async (user: TestUser, password: string) => {
    compare.mockClear();
    hash.mockClear();
    const status = await statusOf(user, password);
    const rounds = compare.mock.calls.map(([, stored]) => 2 ** bcrypt.getRounds(stored));
    const compared = rounds.reduce((sum, each) => sum + each, 0) / 2 ** cost;
    return [status, compared, hash.mock.calls.length];
  };
  const sent = "crème brûlée".normalize("NFD");

  it("is one comparison for a normalized password and two for any other password, whatever the outcome", async () => {
    const user = await userFromBefore(sent.normalize());
    const disabled = await createTestUser(server, { password: sent });
    await disableUser(server, disabled.userId);
    const nobody = { ...user, username: "nobody-here" };
    const without = await createTestUser(server, { password: null });
    for (const failing of [nobody, disabled, without]) {
      expect(await workOf(failing, "plain enough")).toEqual([401, 1, 0]);
      expect(await workOf(failing, sent)).toEqual([401, 2, 0]);
    }
    expect(await workOf(user, `${sent} `)).toEqual([401, 2, 0]);
    expect(await workOf(user, sent.normalize())).toEqual([200, 1, 0]);
    expect(await workOf(user, sent)).toEqual([200, 2, 0]);
  });

  it("includes one more hash if an old one is replaced", async () => {
    const user = await userFromBefore(sent);
    expect(isHashQueueBusy()).toBe(false);
    expect(await workOf(user, sent)).toEqual([200, 2, 1]);
    expect(await workOf(user, sent)).toEqual([200, 2, 0]);
  });
});
