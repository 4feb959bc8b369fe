import type Joi from "joi";
import { describe, expect, it } from "vitest";

import { checkBody } from "../../api/http/checks.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { specField } from "../../shared/events/spec/fields.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { isVisible } from "../../shared/platform/texts/visible-text.ts";

interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema?: Described }[];
}

type Way = readonly string[];

/** Returns the paths of all texts in a body. */
function textsIn({ type, keys = {}, items = [], matches = [] }: Described, way: Way = []): Way[] {
  if (type === "string") return [way];
  if (type === "array") return items.flatMap((item) => textsIn(item, [...way, "0"]));
  if (type === "alternatives") return matches.flatMap(({ schema }) => textsIn(schema ?? {}, way));
  return Object.entries(keys).flatMap(([name, field]) => textsIn(field, [...way, name]));
}

function bodyWith([step, ...rest]: Way, value: unknown): unknown {
  if (step === undefined) return value;
  return step === "0" ? [bodyWith(rest, value)] : { [step]: bodyWith(rest, value) };
}

/**
 * Invisible characters: fillers, blank Braille, zero-width characters, spaces and direction marks.
 */
const unseen = [
  "\u3164",
  "\u2800",
  "\u200B",
  "\u115F\u1160",
  "\uFFA0",
  "\u00AD",
  "\u2060",
  "\uFEFF",
  "\u202E",
  "\u{E0020}",
  "\u00A0",
  "\u3000\t",
  "\u{1D159}",
  "\u{13441}",
];

/** Fields with texts that are not names, by the kind of text. */
const others: Readonly<Record<string, readonly string[]>> = {
  "proofs, secrets and codes": [
    "challenge",
    "clientSecret",
    "code",
    "codeVerifier",
    "code_verifier",
    "currentPassword",
    "newPassword",
    "password",
    "recoveryCode",
    "refreshToken",
    "token",
  ],
  "names that rules beyond the schema check": ["username"],
  "what something is looked for by": ["account", "map", "q", "region", "label", "presetKey", "at"],
  "ids, addresses and paths": [
    "actionId",
    "auth",
    "baseHash",
    "bootId",
    "capabilities",
    "clientId",
    "concurrencyKey",
    "connect",
    "email",
    "endpoint",
    "eventKey",
    "issuer",
    "kind",
    "p256dh",
    "path",
    "permissions",
    "streams",
    "url",
    "value",
    "wipeCron",
    "wipeTimezone",
  ],
  "texts of several words, which may be empty": [
    "body",
    "description",
    "lines",
    "note",
    "reason",
    "summary",
    "text",
    "status_message",
  ],
};
const isOther = (way: Way): boolean =>
  Object.values(others)
    .flat()
    .includes(way.findLast((step) => step !== "0") ?? "");

function faultsOf(route: Route, body: unknown): readonly string[] {
  try {
    const refusesUnknown = route.unknownFields === "refused";
    checkBody(route.body as Joi.ObjectSchema, body, { refusesUnknown });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (error.faults ?? []).map(({ path }) => path);
  }
}

const texts = routes.flatMap((route) =>
  // Texts in a form that a game sends are converted to plain text instead of refused.
  route.body === undefined || route.bodyAs === "form"
    ? []
    : textsIn(route.body.describe() as Described).map(
        (way) =>
          [`${route.method.toUpperCase()} ${route.path}`, way.join("."), route, way] as const,
      ),
);

const called = texts.filter(([, , , way]) => !isOther(way));

const valueAt = (value: unknown, way: Way): unknown =>
  way.reduce<unknown>((inner, step) => Object(inner)[step], value);

/** Returns true if the route converts this text to NFC. */
function isComposed(route: Route, way: Way): boolean {
  const letters = "Twenty letters, the last of them with a ring: a";
  const { value } = (route.body as Joi.ObjectSchema).validate(bodyWith(way, `${letters}\u030A`), {
    convert: false,
    abortEarly: false,
  });
  return valueAt(value, way) === `${letters}\u030A`.normalize("NFC");
}

/** Leave out user names: they are shorter, and they have another limit of combining marks. */
const composed = texts.filter(
  ([, , route, way]) => way.at(-1) !== "username" && isComposed(route, way),
);

describe("a name or title", () => {
  it.each(called)("is rejected if it is invisible: %s, %s", (_route, path, route, way) => {
    for (const text of unseen) {
      expect(faultsOf(route, bodyWith(way, text))).toContain(path);
      expect(faultsOf(route, bodyWith(way, text.repeat(3)))).toContain(path);
    }
  });

  it("is rejected as the title of an event phase if it has no visible character", () => {
    for (const title of unseen) {
      const { error } = specField.validate({ phases: [{ key: "a", title }] }, { convert: false });
      expect(error?.message).toMatch(/title" (must not be blank|is not allowed to be empty)/);
    }
  });

  it("is visible if it has a letter, digit or symbol of any script", () => {
    for (const text of ["a", "न", "ก", "字", "٣", "!", "€", "😀", "👨‍👩‍👧", "\u3164x", "می‌روم"]) {
      expect(isVisible(text)).toBe(true);
    }
    for (const text of ["", "\u0301", "\uE000", "\u0000", ...unseen]) {
      expect(isVisible(text)).toBe(false);
    }
  });
});

describe("a text that is normalized to NFC", () => {
  it.each(composed)(
    "is rejected with 31 combining marks on a letter: %s, %s",
    (_route, path, route, way) => {
      const piled = `A letter with marks: a${"\u0323\u0301".repeat(15)}`;
      expect(faultsOf(route, bodyWith(way, piled))).not.toContain(path);
      expect(faultsOf(route, bodyWith(way, `${piled}\u0301`))).toContain(path);
    },
  );
});
