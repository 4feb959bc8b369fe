import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { normalizeTypedCode } from "../../shared/platform/texts/typed-text.ts";
import {
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
} from "../support/accounts/second-factor.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
});
afterAll(() => server.stop());

/** The digits of each numbering system. Systems that write numbers as words are left out. */
const digits: ReadonlyMap<string, readonly string[]> = new Map(
  Intl.supportedValuesOf("numberingSystem")
    .map((system) => {
      const format = new Intl.NumberFormat("en", { numberingSystem: system });
      return [system, Array.from({ length: 10 }, (_, digit) => format.format(digit))] as const;
    })
    .filter(([, written]) => written.every((digit) => /^\p{Nd}$/u.test(digit))),
);

const writeInDigits = (system: string, text: string): string =>
  text.replaceAll(/\d/g, (digit) => digits.get(system)?.[Number(digit)] ?? "");

const bodyOf = async (user: EnrolledUser, factor: object) => {
  const { username, password } = user;
  const begun = await callRoute(server, "POST /auth/login", { body: { username, password } });
  const { challenge } = begun.body as { challenge: string };
  return { challenge, ...factor };
};

const complete = async (user: EnrolledUser, factor: object) =>
  (await callRoute(server, "POST /auth/login/totp", { body: await bodyOf(user, factor) })).status;

describe("a typed code", () => {
  it("is read in the digits of every script", () => {
    expect(digits.size).toBeGreaterThan(60);
    for (const [system, written] of digits) {
      expect([system, normalizeTypedCode(written.join(""))]).toEqual([system, "0123456789"]);
    }
  });

  it("is read with the right value for each decimal digit of Unicode", () => {
    const all = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((sign) => /\p{Nd}/u.test(sign));
    expect(normalizeTypedCode(all.join(""))).toBe("0123456789".repeat(all.length / 10));
  });

  it("is read the same with any spaces and dashes between its groups", () => {
    const gap = fc.constantFrom("", " ", "-", "\u2010", "\u2013", "\u2014", "\u2212", "\u3000");
    const more = fc.constantFrom("", "\u00A0", "\u202F", "\uFF0D", "\u200E", "\u200B", "\n", "\t");
    const system = fc.constantFrom(...digits.keys());
    fc.assert(
      fc.property(fc.stringMatching(/^\d{6}$/), system, gap, more, (code, of, one, other) => {
        const [first, second] = [code.slice(0, 3), code.slice(3)];
        const typed = `${other}${writeInDigits(of, first)}${one}${other}${writeInDigits(of, second)}${one}`;
        expect(normalizeTypedCode(typed)).toBe(code);
      }),
    );
  });

  it("keeps letters, signs and digits that are no decimal digits, so that a wrong code stays wrong", () => {
    for (const text of ["12345a", "+12345", "1.2345", "1e5", "½", "①", "一二三"]) {
      const read = normalizeTypedCode(text);
      expect(/^\d{6}$/.test(read)).toBe(false);
    }
  });
});

describe("the second factor", () => {
  it.each([
    [
      "Arabic-Indic digits in two halves",
      (code: string) => writeInDigits("arab", `${code.slice(0, 3)} ${code.slice(3)}`),
    ],
    ["Persian digits", (code: string) => writeInDigits("arabext", code)],
    ["Devanagari digits", (code: string) => writeInDigits("deva", code)],
    ["Bengali digits", (code: string) => writeInDigits("beng", code)],
    ["Thai digits", (code: string) => writeInDigits("thai", code)],
    ["Burmese digits", (code: string) => writeInDigits("mymr", code)],
    ["full-width digits", (code: string) => writeInDigits("fullwide", code)],
    ["a dash", (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ["a wide space", (code: string) => `${code.slice(0, 3)}\u3000${code.slice(3)} `],
  ])("accepts a code in %s", async (_what, typed) => {
    const user = await createEnrolledUser(server);
    expect(await complete(user, { code: typed(codeOf(user.secret)) })).toBe(200);
  });

  it("accepts a recovery code in full-width or Arabic-Indic digits, with any dashes", async () => {
    const user = await createEnrolledUser(server);
    const wide = (text: string) =>
      text.replaceAll(/[\dA-Z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
    const [one = "", two = "", three = ""] = user.recoveryCodes;
    expect(await complete(user, { recoveryCode: wide(one) })).toBe(200);
    expect(await complete(user, { recoveryCode: ` ${two.replaceAll("-", "\u2013 ")}` })).toBe(200);
    expect(await complete(user, { recoveryCode: writeInDigits("arab", three) })).toBe(200);
    expect(await complete(user, { recoveryCode: one })).toBe(401);
  });
});
