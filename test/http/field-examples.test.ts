import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { fieldExamples } from "../../api/description/field-examples.ts";
import { describeApi } from "../../api/description/openapi.ts";
import { routes } from "../../api/routes.ts";

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === "object" && given !== null;

/** Keywords of a field's schema that show possible values or refer to another schema. */
const telling = ["example", "$ref", "enum", "oneOf", "anyOf", "allOf", "default"];
const tellingFormats: readonly unknown[] = ["date-time", "uuid", "email"];

/**
 * Returns true if a generated example of the field would be arbitrary, so the field needs an
 * example of its own.
 */
function lacksExample(schema: Readonly<Record<string, unknown>>, name: string): boolean {
  if (telling.some((word) => Object.hasOwn(schema, word))) return false;
  const { type, format, items } = schema;
  if (type === "object" || type === "boolean" || Object.hasOwn(fieldExamples, name)) return false;
  if (type === "array") return isObject(items) && lacksExample(items, name.replace(/s$/, ""));
  return !tellingFormats.includes(format);
}

interface Named {
  /** Names of fields that have an example in some schema of the description. */
  readonly known: Set<string>;
  readonly lacking: Set<string>;
}

function collectFields(schema: unknown, named: Named): void {
  if (!isObject(schema)) return;
  const { properties } = schema;
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(field)) continue;
    if (Object.hasOwn(field, "example")) named.known.add(name);
    else if (lacksExample(field, name)) named.lacking.add(name);
  }
  for (const [word, part] of Object.entries(schema)) {
    if (word !== "example" && word !== "examples") collectFields(part, named);
  }
}

function fieldsWithoutExample(): string[] {
  const named: Named = { known: new Set(), lacking: new Set() };
  for (const set of ["core", "additive"] as const) {
    const { components, paths } = describeApi(routes, set);
    collectFields(components["schemas"], named);
    collectFields(paths, named);
  }
  return [...named.lacking].filter((name) => !named.known.has(name)).toSorted();
}

/** Fields that had no example when this rule began. Remove names from the list, but add none. */
const older = readFileSync(
  path.join(import.meta.dirname, "../frozen/fields-without-example.txt"),
  "utf8",
)
  .trim()
  .split("\n");

it("a field whose name is new in the API has an example", () => {
  expect(fieldsWithoutExample().filter((name) => !older.includes(name))).toEqual([]);
});

it("a field that has an example is not listed among the fields that lack an example", () => {
  const lacking = fieldsWithoutExample();
  expect(older.filter((name) => !lacking.includes(name))).toEqual([]);
});
