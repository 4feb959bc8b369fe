import { randomBytes, randomUUID } from "node:crypto";

import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";

import { checkPassword } from "../../shared/auth/password-policy.ts";
import { checkUsername, usernameKey } from "../../shared/auth/usernames.ts";
import { readToken, signToken, type TokenKind } from "../../shared/crypto/jwt.ts";
import { hashPassword, isOutdated, verifyPassword } from "../../shared/crypto/passwords.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
  normalizeRecoveryCode,
  slotOf,
  verifyRecoveryCode,
} from "../../shared/crypto/recovery-codes.ts";
import { slowHash } from "../../shared/crypto/slow-hash.ts";
import { hashToken, newToken } from "../../shared/crypto/tokens.ts";
import { newTotpSecret, otpauthUrl, stepOfCode } from "../../shared/crypto/totp.ts";
import { AppError } from "../../shared/errors.ts";
import { codeOf } from "../support/second-factor.ts";

const keyring = (...ids: string[]): ReadonlyMap<string, Buffer> =>
  new Map(ids.map((id) => [id, Buffer.alloc(32, id)]));

const cheap = { BCRYPT_COST: 4, PASSWORD_PEPPERS: keyring() };

describe("an opaque token", () => {
  it("holds 256 random bits, is safe in a URL and never comes twice", () => {
    const tokens = Array.from({ length: 1000 }, () => newToken("rt_"));
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^rt_[\w-]{43}$/);
    expect(hashToken(tokens[0] ?? "")).toHaveLength(32);
  });
});

describe("a signed token", () => {
  const kinds: readonly TokenKind[] = ["session", "access", "challenge", "ssoChallenge"];
  const keys = keyring("a", "b");
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    userId: 7,
    tokenId: randomUUID(),
    issuedAt: now,
    expiresAt: now + 60,
    extra: { auth_time: now },
  };

  it("is read as its own kind and as no other", async () => {
    for (const signed of kinds) {
      const token = await signToken(signed, claims, keys);
      for (const read of kinds) {
        expect(await readToken(read, token, keys)).toEqual(read === signed ? claims : null);
      }
    }
  });

  it("is refused when any of its characters is another", async () => {
    const token = await signToken("session", claims, keys);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.stringMatching(/^[\w.-]$/),
        async (at, character) => {
          const other = token.slice(0, at) + character + token.slice(at + 1);
          // The last character of a signature carries bits that base64url leaves unused.
          fc.pre(other !== token && at < token.length - 1);
          expect(await readToken("session", other, keys)).toBeNull();
        },
      ),
    );
  });

  it("is refused whatever else is sent in its place", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        expect(await readToken("session", text, keys)).toBeNull();
      }),
    );
  });

  it("is refused when expired, and when its key is gone", async () => {
    const old = { ...claims, issuedAt: now - 120, expiresAt: now - 60 };
    expect(await readToken("session", await signToken("session", old, keys), keys)).toBeNull();
    const token = await signToken("session", claims, keys);
    expect(await readToken("session", token, keyring("b"))).toBeNull();
    expect(await readToken("session", token, keyring("b", "a"))).toEqual(claims);
  });
});

describe("a stored password", () => {
  it("is matched by itself alone, whatever its length and characters", async () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, text, async (password, other) => {
        fc.pre(password.isWellFormed() && other.isWellFormed());
        const stored = await hashPassword(password, cheap);
        expect(await verifyPassword(password, stored, cheap)).toBe(true);
        expect(await verifyPassword(other, stored, cheap)).toBe(other === password);
        expect(await verifyPassword(`${password} `, stored, cheap)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it("differs after its 72nd byte", async () => {
    const stored = await hashPassword("x".repeat(100), cheap);
    expect(await verifyPassword("x".repeat(72), stored, cheap)).toBe(false);
    expect(await verifyPassword(`${"x".repeat(99)}y`, stored, cheap)).toBe(false);
  });

  it("is never matched where nobody or nothing is stored", async () => {
    const nothing = { passwordHash: null, pepperId: null };
    for (const stored of [null, nothing]) {
      expect(await verifyPassword("", stored, cheap)).toBe(false);
      expect(await verifyPassword("abcdefghijklmnopqrstuu", stored, cheap)).toBe(false);
    }
  });

  it("needs the pepper it was made with, by its id", async () => {
    const peppered = { ...cheap, PASSWORD_PEPPERS: keyring("one") };
    const stored = await hashPassword("the password", peppered);
    expect(stored.pepperId).toBe("one");
    const rotated = { ...cheap, PASSWORD_PEPPERS: keyring("two", "one") };
    expect(await verifyPassword("the password", stored, rotated)).toBe(true);
    expect(isOutdated(stored, rotated)).toBe(true);
    const another = { ...cheap, PASSWORD_PEPPERS: new Map([["one", randomBytes(32)]]) };
    expect(await verifyPassword("the password", stored, another)).toBe(false);
    expect(await verifyPassword("the password", stored, cheap)).toBe(false);
    const unpeppered = await hashPassword("the password", cheap);
    expect(await verifyPassword("the password", unpeppered, rotated)).toBe(true);
  });

  it("is outdated at another cost", async () => {
    const stored = await hashPassword("the password", cheap);
    expect(isOutdated(stored, cheap)).toBe(false);
    expect(isOutdated(stored, { ...cheap, BCRYPT_COST: 5 })).toBe(true);
  });
});

describe("slow hashing", () => {
  it("takes only as many in its queue as can be served soon", async () => {
    const hashes = Array.from({ length: 60 }, () => slowHash("text", 8));
    const settled = await Promise.allSettled(hashes);
    const refusals = settled.filter((result) => result.status === "rejected");
    expect(refusals.length).toBeGreaterThan(0);
    expect(settled.length - refusals.length).toBeGreaterThanOrEqual(33);
    for (const { reason } of refusals) {
      expect(reason).toBeInstanceOf(AppError);
      expect(reason).toMatchObject({ kind: "unavailable", retryAfter: 2 });
    }
    expect(await slowHash("text", 4)).toMatch(/^\$2b\$04\$/);
  });
});

describe("a recovery code", () => {
  it("is found by its slot, which no other of the set has", () => {
    const codes = newRecoveryCodes(10);
    expect(new Set(codes.map((code) => code.slice(0, 2))).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-Z]{2}-[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  });

  it("is read the same however people write it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("o", "O", "i", "l", " ", "-", "")), (noise) => {
        const [code = ""] = newRecoveryCodes(1);
        const plain = code.replaceAll("-", "");
        const typed = Array.from(plain, (character, index) => {
          const gap = noise[index] === " " || noise[index] === "-" ? noise[index] : "";
          if (character === "0" && noise[index] === "o") return `o${gap}`;
          if (character === "1") return noise[index] === "i" ? "I" : `l${gap}`;
          return (index % 2 === 0 ? character.toLowerCase() : character) + gap;
        });
        expect(normalizeRecoveryCode(typed.join(""))).toBe(plain);
        expect(slotOf(plain)).toBe(code.slice(0, 2));
      }),
    );
  });

  it("is none when it is shorter, longer or has another letter", () => {
    for (const text of ["", "7K-2M4QX", "7K-2M4QX-9TRVAA", "7K-2M4QX-9TRVU", "7K-2M4QX-9TRV!"]) {
      expect(normalizeRecoveryCode(text)).toBeNull();
    }
  });

  it("is matched by itself alone", async () => {
    const [code = "", other = ""] = newRecoveryCodes(2);
    const hash = await hashRecoveryCode(code, 4);
    const plain = (text: string) => text.replaceAll("-", "");
    expect(await verifyRecoveryCode(plain(code), hash, 4)).toBe(true);
    expect(await verifyRecoveryCode(plain(other), hash, 4)).toBe(false);
    expect(await verifyRecoveryCode(plain(code), null, 4)).toBe(false);
  });
});

describe("a code of the authenticator app", () => {
  it("belongs to a step of now or its neighbours", () => {
    const secret = newTotpSecret();
    const step = Math.floor(Date.now() / 30_000);
    expect([step, step + 1]).toContain(stepOfCode(secret, codeOf(secret)));
    expect(stepOfCode(secret, codeOf(secret, -3))).toBeNull();
    expect(stepOfCode(secret, codeOf(secret, 3))).toBeNull();
  });

  it("is wrong when it is anything but six digits, and never an error", () => {
    const secret = newTotpSecret();
    for (const text of ["", "12345", "1234567", "12345a", "１２３４５６", "-12345", "1e5   "]) {
      expect(stepOfCode(secret, text)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!/^\d{6}$/.test(text));
        expect(stepOfCode(secret, text)).toBeNull();
      }),
    );
  });

  it("is set up by a URL whose label no name can break out of", () => {
    const url = new URL(otpauthUrl("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "a:b&secret=x#/?"));
    expect(url.protocol).toBe("otpauth:");
    expect(url.searchParams.getAll("secret")).toEqual(["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"]);
    expect(url.searchParams.get("issuer")).toBe("Guildhall");
  });
});

describe("a user name", () => {
  it("that may be borne has one key in every case and form", () => {
    const letters = fc.stringMatching(/^[A-Za-zÄÖÜäöüßéÅ0-9._-]{3,32}$/);
    fc.assert(
      fc.property(letters, (name) => {
        expect(checkUsername(name)).toEqual([]);
        const key = usernameKey(name);
        expect(usernameKey(name.normalize("NFD"))).toBe(key);
        expect(usernameKey(name.toLowerCase())).toBe(key);
        expect(usernameKey(key)).toBe(key);
      }),
    );
  });

  it("has no look-alike in a wide or spaced form", () => {
    expect(usernameKey("Ａｄｍｉｎ")).toBe("admin");
    for (const name of ["ad min", "admin\u200B", "admin\u202E", "adm/in", "a\tdmin"]) {
      expect(checkUsername(name)).toHaveLength(1);
    }
  });
});

describe("a password somebody chooses", () => {
  const ok = (password: string) => checkPassword(password, { username: "some-user" }).length === 0;

  it("is fine from eight characters on, whatever they are", () => {
    const unit = fc.constantFrom("a", "é", "😀", " ", "\u0001", "字");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 9, maxLength: 500 }), (characters) => {
        const password = `~${characters.join("")}`;
        expect(ok(password)).toBe(true);
        expect(ok(Array.from(password).slice(0, 7).join(""))).toBe(false);
      }),
    );
  });

  it("is none of the 3,000 commonest, in any case, nor the name it guards", () => {
    for (const common of ["password", "12345678", "Football", "13101988", "PASSWORD123"]) {
      expect(ok(common)).toBe(false);
    }
    expect(ok("Some-User")).toBe(false);
    expect(ok("some-user.")).toBe(true);
  });
});
