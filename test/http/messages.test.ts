import type Joi from "joi";
import { describe, expect, it } from "vitest";

import { checkBody, checkParameters } from "../../api/http/checks.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { createImageRuleContext } from "../../shared/platform/net/image-address.ts";
import { testEnvironment } from "../support/service/server.ts";

/** Values that break a rule of nearly every field. */
const oddValues: readonly unknown[] = [
  "",
  " ",
  "x",
  ";",
  "\uFFFF",
  "x".repeat(5_000),
  "9999-12-31T23:59:59Z",
  "2026-02-30T10:00:00Z",
  -1,
  1.5,
  1e300,
  true,
  null,
  [],
  {},
];

const site = createImageRuleContext(loadConfig(testEnvironment("postgres://nowhere")));

interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
}

/** Returns a value for a schema in which each field, at any depth, has this value. */
function filledWith(schema: Described, value: unknown): unknown {
  if (schema.keys) {
    const fields = Object.entries(schema.keys);
    return Object.fromEntries(fields.map(([name, field]) => [name, filledWith(field, value)]));
  }
  const [item] = schema.items ?? [];
  return item ? [filledWith(item, value)] : value;
}

function messagesOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults?.map(({ message }) => message) ?? [error.message];
  }
}

/** Checks the odd values with the schemas of a route. @returns the messages of all refusals */
function refusalsOf({ params, query, body }: Route): string[] {
  const values = (schema: Joi.ObjectSchema) => {
    const described = schema.describe() as Described;
    return oddValues.map((value) => filledWith(described, value) as object);
  };
  const ofText = [params, query]
    .filter((schema) => schema !== undefined)
    .flatMap((schema) =>
      values(schema).flatMap((given) => messagesOf(() => checkParameters(schema, given))),
    );
  const ofBody = body
    ? values(body).flatMap((given) => messagesOf(() => checkBody(body, given, { site })))
    : [];
  return [...ofText, ...ofBody];
}

/**
 * Messages of Joi that do not state the violated rule, and templates whose placeholders are not
 * filled in.
 */
const tellsNothing =
  /iso format|failed custom validation|contains an invalid value|undefined|\[object O|\{\{|:\s*$|^\s*$/;

describe("a message about a rejected value", () => {
  const all = routes.map((route) => [`${route.method} ${route.path}`, refusalsOf(route)] as const);

  it("names the violated rule", () => {
    const odd = all.flatMap(([name, messages]) =>
      messages.filter((message) => tellsNothing.test(message)).map((message) => [name, message]),
    );
    expect(odd).toEqual([]);
  });

  it("is tested for nearly every route that takes input", () => {
    const taking = routes.filter(({ params, query, body }) => params ?? query ?? body);
    const met = all.filter(([, messages]) => messages.length > 0);
    expect(met.length).toBeGreaterThan(taking.length * 0.9);
  });
});
