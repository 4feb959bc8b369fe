import { isDeepStrictEqual } from "node:util";

import type Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkBody } from "../../api/http/checks.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** The part of a Joi description that is needed to build a body. */
interface Described {
  readonly type?: string;
  readonly flags?: { readonly unknown?: boolean; readonly presence?: string };
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema?: Described }[];
}

type Way = readonly string[];

/**
 * Returns the paths of all objects in a body whose fields are declared. The first one is the body
 * itself.
 */
function objectsIn({ type, keys, items = [], matches = [] }: Described, way: Way = []): Way[] {
  const [first] = matches.flatMap(({ schema }) => objectsIn(schema ?? {}, way));
  if (first) return [first];
  if (type === "array") return items.flatMap((item) => objectsIn(item, [...way, "0"]));
  if (type !== "object" || !keys) return [];
  const inner = Object.entries(keys).flatMap(([name, field]) => objectsIn(field, [...way, name]));
  return [way, ...inner];
}

/** Builds a body that contains one unknown field, in the object at this path. */
function bodyWith(way: Way, name = "nobodyAskedFor"): object {
  const [step, ...rest] = way;
  if (step === undefined) return JSON.parse(`{${JSON.stringify(name)}: {"x": 1}}`) as object;
  return step === "0" ? [bodyWith(rest, name)] : { [step]: bodyWith(rest, name) };
}

const describedOf = ({ body }: Route): Described => (body as Joi.Schema).describe();
const named = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

const writing = routes.filter(({ body }) => body !== undefined);
const refusing = writing.filter(({ unknownFields }) => unknownFields === "refused");
const levels = (of: readonly Route[]) =>
  of.flatMap((route) =>
    objectsIn(describedOf(route)).map(
      (way) => [named(route), way.join(".") || "the body", route, way] as const,
    ),
  );

/** Returns the faults that concern the unknown field. Faults about missing fields are left out. */
function unknownFaults(route: Route, body: object): string[] {
  try {
    checkBody(route.body as Joi.ObjectSchema, body, {
      refusesUnknown: route.unknownFields === "refused",
    });
    return [];
  } catch (error) {
    const { faults = [] } = error as { faults?: readonly { path: string }[] };
    return faults.filter(({ path }) => path.includes("nobodyAskedFor")).map(({ path }) => path);
  }
}

describe("an unknown field in a body", () => {
  it.each(levels(writing))(
    "is rejected or dropped as the route declares: %s in %s",
    (...[, , route, way]) => {
      const path = [...way, "nobodyAskedFor"].join(".");
      const isRefused = route.unknownFields === "refused";
      expect(unknownFaults(route, bodyWith(way))).toEqual(isRefused ? [path] : []);
    },
  );

  it("is rejected by exactly the routes whose contract requires it", () => {
    expect(refusing.map(named)).toEqual([
      "PUT /api/v1/admin/settings",
      "PUT /api/v1/admin/shard/visibility",
      "PUT /api/v1/admin/survival/visibility",
    ]);
  });

  it.each(writing.map((route) => [named(route), route] as const))(
    "is rejected at every level or at no level: %s",
    (_name, route) => {
      const isClosed = (described: Described): boolean =>
        described.flags?.unknown === false ||
        Object.values(described.keys ?? {}).some(isClosed) ||
        (described.items ?? []).some(isClosed) ||
        (described.matches ?? []).some(({ schema }) => schema !== undefined && isClosed(schema));
      expect(isClosed(describedOf(route))).toBe(false);
    },
  );
});

describe("a write that rejects unknown fields", () => {
  let server: TestServer;
  let admin: SignedIn;
  beforeAll(async () => {
    server = await startTestServer();
    admin = await signIn(server, { role: "admin" });
  });
  afterAll(() => server.stop());

  const standing = async () => {
    const { SurvivalVisibility, Setting } = server.context.models;
    return [
      await storedRows(SurvivalVisibility, ["override"]),
      await storedRows(Setting, ["name", "value"]),
    ];
  };

  /** Valid fields of a body, so that the unknown field is its only fault. */
  const sound: Readonly<Record<string, object>> = {
    "PUT /api/v1/admin/settings": { registration_enabled: true },
    "PUT /api/v1/admin/shard/visibility": { features: { guilds: { enabled: false } } },
    "PUT /api/v1/admin/survival/visibility": { roster: "staff", layers: { world: "staff" } },
  };

  it.each(levels(refusing))(
    "%s answers 400 to an unknown field in %s and changes nothing",
    async (...[name, , , way]) => {
      const before = await standing();
      // An item of a list also lacks required fields, and only its first fault is reported. So test such an item
      // with one name only.
      const fields = way.includes("0") ? ["nobodyAskedFor"] : ["nobodyAskedFor", "__proto__"];
      for (const field of fields) {
        const body = { ...sound[name], ...bodyWith(way, field) };
        const answered = await callRoute(server, name.replace("/api/v1", ""), {
          headers: admin.headers,
          body,
        });
        expect([answered.status, answered.body]).toEqual([
          400,
          expect.objectContaining({
            errors: expect.arrayContaining([
              expect.objectContaining({
                message: expect.stringContaining(`${field} is not allowed`),
              }),
            ]),
          }),
        ]);
      }
      expect(isDeepStrictEqual(await standing(), before)).toBe(true);
    },
  );
});
