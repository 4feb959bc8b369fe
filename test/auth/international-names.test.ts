import { randomInt } from "node:crypto";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkUsername, foldUsername } from "../../shared/auth/rules/usernames.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
  const { headers } = admin;
  const body = { registration_enabled: true };
  await callRoute(server, "PUT /admin/settings", { headers, body });
});
afterAll(() => server.stop());

const password = "correct horse battery";

async function register(username: string): Promise<[number, unknown]> {
  const { status, body } = await callRoute(server, "POST /auth/register", {
    body: { username, password },
  });
  return [status, body];
}

async function signInAs(username: string): Promise<unknown> {
  const { status, body } = await callRoute(server, "POST /auth/login", {
    body: { username, password },
  });
  return status === 200 ? (body as { user: { username: string } }).user.username : status;
}

const refused = (message: string) => [
  400,
  {
    error: "Validation failed",
    errors: [{ path: "username", message: `username must ${message}` }],
  },
];
const malformed = refused("be 3 to 32 letters, digits, '.', '_' or '-'");
const mixed = refused("be of one script, or of Latin and one other that is not Cyrillic or Greek");
const piled = refused("have at most 4 marks on a letter, and none twice in a row");
const taken = [409, { error: "Username is taken" }];

const names: readonly (readonly [script: string, name: string])[] = [
  ["Hindi", "अनुराधा"],
  ["Hindi with a conjunct", "प्रियंका"],
  ["Bengali", "সৌরভ"],
  ["Bengali with a joiner", "র\u200D্যাম"],
  ["Tamil", "தமிழ்செல்வன்"],
  ["Telugu", "శ్రీనివాస్"],
  ["Kannada", "ಕೃಷ್ಣಮೂರ್ತಿ"],
  ["Malayalam", "അനുരാധ"],
  ["Gujarati", "હાર્દિક"],
  ["Punjabi", "ਗੁਰਪ੍ਰੀਤ"],
  ["Sinhala with a joiner", "ශ\u0DCA\u200Dරීමාලි"],
  ["Thai", "สมชาย"],
  ["Thai with sara am", "น้ำฝน"],
  ["Lao", "ຄຳແພງ"],
  ["Khmer", "សុភ័ក្ត្រ"],
  ["Burmese", "ကျော်စွာ"],
  ["Burmese with four signs on a letter", "မြွှေးယု"],
  ["Tibetan", "རྡོ་རྗེ"],
  ["Arabic", "محمد"],
  ["vowelled Arabic", "مُحَمَّدٌ"],
  ["Arabic with digits", "مريم٣"],
  ["Persian with a non-joiner", "علی\u200Cرضا"],
  ["Urdu", "فاطمہ"],
  ["vowelled Hebrew", "שְׁמוּאֵל"],
  ["Hebrew with gershayim", "רמב״ם"],
  ["Amharic", "ተስፋዬ"],
  ["Yoruba", "Ọláídé"],
  ["Yoruba with two marks on a letter", "Adébáyọ̀"],
  ["Vietnamese", "Nguyễn"],
  ["Turkish", "İpek"],
  ["Catalan", "Gal·la"],
  ["Armenian with its ligature", "Սևակ"],
  ["Georgian", "თამარ"],
  ["Greek", "Ελένη"],
  ["Russian", "Иван"],
  ["Ukrainian", "Їжак"],
  ["Chinese", "王小明"],
  ["Japanese in three scripts", "田中さくらサクラ"],
  ["Korean", "김철수"],
  ["Latin and Chinese", "Tom王小明"],
  ["Latin and Thai", "Nicสมชาย"],
  ["Cherokee", "ᏣᎳᎩ"],
  ["N'Ko", "ߒߞߏߒ"],
  ["Fulah", "𞤀𞤣𞤤𞤢𞤥"],
];

describe("a user name", () => {
  it.each(names)("in %s is accepted as it is written", async (_script, name) => {
    const made = `${name}${randomInt(1000)}`;
    expect(await register(made)).toMatchObject([201, { username: made }]);
    // A keyboard may send decomposed letters, and a phone may add spaces.
    expect(await signInAs(`\u00A0${made.normalize("NFD")} `)).toBe(made);
    expect(await register(made.normalize("NFD"))).toEqual(taken);
  });

  it.each([
    ["Cyrillic а in Latin", "аdmiral", mixed],
    ["Latin a in Cyrillic", "Ивaн", mixed],
    ["Greek α in Latin", "αlpha", mixed],
    ["Cyrillic and Chinese", "Иван王", mixed],
    ["Arabic and Hebrew", "محمדוד", mixed],
    ["three scripts", "Tomสมชายमोहन", mixed],
    ["a historic script", "ᚱᚢᚾᚨᚱ", mixed],
    ["five combining marks on a letter", "a\u0302\u0303\u0304\u0305\u0306lice", piled],
    ["the same combining mark twice", "مُحَمَََد", piled],
    ["a combining mark without a letter", "\u0301lice", malformed],
    ["a joiner in Latin", "ad\u200Cmiral", malformed],
    ["two joiners in a row", "علی\u200C\u200Cرضا", malformed],
    ["a joiner at the end", "علی\u200C", malformed],
    ["a zero-width space", "ad\u200Bmiral", malformed],
    ["a control character for text direction", "ad\u202Emiral", malformed],
    ["invisible letters only", "\u3164\u3164\u3164", malformed],
    ["blank Braille", "\u2800\u2800\u2800", malformed],
    ["a space inside", "ad miral", malformed],
    ["a character tie (U+203F)", "ad\u203Fmiral", malformed],
    ["an emoji", "admiral😀", malformed],
  ])("with %s is rejected", async (_what, name, refusal) => {
    expect(await register(name)).toEqual(refusal);
    const body = { username: name, role: "player", password };
    const made = await callRoute(server, "POST /admin/users", { headers: admin.headers, body });
    expect([made.status, made.body]).toEqual(refusal);
  });

  it("has the same folded form in every Unicode form, and folding it again changes nothing", () => {
    const known = fc.constantFrom(...names.map(([, name]) => name));
    fc.assert(
      fc.property(known, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (name, form) => {
        expect(checkUsername(name)).toEqual([]);
        expect(foldUsername(` ${name.normalize(form)}\t`)).toBe(foldUsername(name));
        expect(foldUsername(foldUsername(name))).toBe(foldUsername(name));
      }),
    );
  });
});

describe("the four letters i of Turkish", () => {
  const forms = (rest: string) => ["İ", "I", "ı", "i", "i\u0307"].map((letter) => letter + rest);

  it("are treated as one letter in registration and sign-in", async () => {
    for (const [at, name] of forms("lke").entries()) {
      const mark = `${at}${randomInt(1e6)}`;
      expect((await register(name + mark))[0]).toBe(201);
      for (const form of forms(`LKE${mark}`)) {
        expect(await signInAs(form)).toBe((name + mark).normalize());
        expect(await register(form)).toEqual(taken);
      }
    }
  });

  it("fold to one letter at any position and with any marks", () => {
    const letter = fc.constantFrom("İ", "I", "ı", "i", "i\u0307", "i\u0323\u0307", "Ị");
    const plain = (text: string) =>
      text.replaceAll(/[İIı]|i\u0307/gu, "i").replaceAll(/i\u0323\u0307|Ị/gu, "ị");
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), (letters) => {
        const text = letters.join("k");
        expect(foldUsername(text)).toBe(foldUsername(plain(text)));
        expect(foldUsername(text)).not.toContain("\u0307");
      }),
    );
  });
});

describe("a name that looks like another user's", () => {
  it.each([
    ["in Cyrillic letters only", "сассоро", "caccopo"],
    ["with similar Latin letters", "rnarshal", "marshal"],
    ["with other capitals", "BiIIy-the-staff", "billy-the-staff"],
    ["with digits for letters", "b0b-the-staff", "bob-the-staff"],
  ])("%s is rejected if the other user is staff", async (_how, look, name) => {
    await createTestUser(server, { username: name, role: "moderator" });
    expect(await register(look)).toEqual(taken);
    const { headers } = await signIn(server);
    const renamed = await callRoute(server, "PATCH /auth/me/account/username", {
      headers,
      body: { username: look },
    });
    expect([renamed.status, renamed.body]).toEqual(taken);
  });

  it("is accepted if the other user is a player", async () => {
    await createTestUser(server, { username: "harnish" });
    expect((await register("hamish"))[0]).toBe(201);
  });

  it.each([
    "Admin",
    "adrnin",

    "Moderator",
    "rnoderator",
    "Guildhall",
    "GuiIdhaIl",
    "system",
  ])("is rejected if it is reserved for the site: %s", async (name) => {
    expect(await register(name)).toEqual(taken);
  });

  it("may be given to staff if it is reserved, and its owner may change its case", async () => {
    const body = { username: "Moderator", role: "moderator", password };
    const { headers } = admin;
    expect((await callRoute(server, "POST /admin/users", { headers, body })).status).toBe(201);
    const signedIn = await callRoute(server, "POST /auth/login", { body });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const renamed = await callRoute(server, "PATCH /auth/me/account/username", {
      headers: { cookie },
      body: { username: " MODERATOR " },
    });
    expect([renamed.status, renamed.body]).toMatchObject([200, { username: "MODERATOR" }]);
  });
});

describe("space around a name or an e-mail address", () => {
  it("is removed in registration, sign-in, new users and the user search", async () => {
    const name = `spaced${randomInt(1e6)}`;
    const body = { username: ` ${name}\u3000`, password, email: ` ${name}@example.org ` };
    const made = await callRoute(server, "POST /auth/register", { body });
    expect([made.status, made.body]).toMatchObject([
      201,
      { username: name, email: `${name}@example.org` },
    ]);
    expect(await signInAs(`\t${name}\n`)).toBe(name);
    const other = { username: `  ${name}-2 `, role: "player", email: `${name}@example.com  ` };
    const { headers } = admin;
    const added = await callRoute(server, "POST /admin/users", { headers, body: other });
    expect([added.status, added.body]).toMatchObject([
      201,
      { username: `${name}-2`, email: `${name}@example.com` },
    ]);
    const found = await callRoute(server, `GET /admin/users?q=%20${name}-2%20`, { headers });
    expect(found.body).toMatchObject({ total: 1 });
  });
});
