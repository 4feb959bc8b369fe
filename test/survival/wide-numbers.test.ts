import type Joi from "joi";
import { describe, expect, it } from "vitest";

import { checkPayloadAgainstSchema } from "../../shared/platform/bridge/check-payload.ts";
import { parseObject } from "../../shared/platform/bridge/json-text.ts";
import * as configCalls from "../../shared/survival/calls/config-calls.ts";
import * as npcCalls from "../../shared/survival/calls/npc-calls.ts";
import * as permissionCalls from "../../shared/survival/calls/permission-calls.ts";
import * as rewardCalls from "../../shared/survival/calls/reward-calls.ts";
import * as serverCalls from "../../shared/survival/calls/server-calls.ts";
import * as speechCalls from "../../shared/survival/calls/speech-calls.ts";
import * as zoneCalls from "../../shared/survival/calls/zone-calls.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { type SchemaDescription, samplesOf } from "../support/shard/payload-samples.ts";

type Path = readonly string[];

interface Field {
  readonly path: Path;
  readonly described: SchemaDescription;
}

/** Returns the innermost fields of a payload. In a path, `0` stands for each item of a list. */
function fieldsIn(described: SchemaDescription, path: Path = []): Field[] {
  const { keys, items, matches } = described;
  if (matches) return matches.flatMap(({ schema }) => fieldsIn(schema, path));
  if (items) return items.flatMap((item) => fieldsIn(item, [...path, "0"]));
  if (!keys) return [{ path, described }];
  return Object.entries(keys).flatMap(([name, field]) => fieldsIn(field, [...path, name]));
}

/** Returns the JSON text of a value in which one part is replaced by a JSON text. */
function jsonWith(value: unknown, [step, ...rest]: Path, json: string): string {
  if (step === undefined) return json;
  const parts = Object.entries(value as object).map(([key, inner]) => {
    const part = key === step ? jsonWith(inner, rest, json) : JSON.stringify(inner);
    return Array.isArray(value) ? part : `${JSON.stringify(key)}:${part}`;
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}

const calls = [
  configCalls,
  npcCalls,
  permissionCalls,
  rewardCalls,
  serverCalls,
  speechCalls,
  zoneCalls,
].flatMap((module) => Object.entries(module));

const answerOf = (call: unknown): Joi.ObjectSchema | undefined =>
  typeof call === "object" && call !== null && "answer" in call
    ? (call.answer as Joi.ObjectSchema)
    : undefined;

/** The schemas of all payloads and answers that a game sends. */
const sent: readonly (readonly [string, Joi.ObjectSchema])[] = [
  ...Object.entries(survivalFrameKinds).map(([kind, { payload }]) => [kind, payload] as const),
  ...calls.flatMap(([name, call]) => {
    const answer = answerOf(call);
    return answer ? [[name, answer] as const] : [];
  }),
];

const fields = sent.flatMap(([name, schema]) =>
  fieldsIn(schema.describe()).map((field) => ({ name, schema, ...field })),
);

const isInt64 = ({ described }: Field): boolean =>
  described.metas?.some(({ int64 }) => int64 === true) === true;

const wide = fields
  .filter(isInt64)
  .map(({ name, schema, path }) => [name, path.join("."), schema, path] as const);

/** Fields that are named like ids but are no 64-bit numbers of the game, each with the meaning of its value. */
const otherIds: Readonly<Record<string, string>> = {
  saveId: "milliseconds",
  previousSaveId: "milliseconds",
  participationId: "a number of the site",
  entitlementId: "a number of the site",
  runId: "a number of the site",
  leaseId: "a key of the site",
  writeId: "a key of the site",
  pushId: "a key of the site",
  inventoryId: "a key of the plugin",
  helperId: "the name of a plugin",
  subject: "the title of a report",
  "members.0.score": "a decimal number",
  "helpers.0.id": "the name of a plugin",
  "integrations.0.id": "the name of a plugin",
  "roles.0.roleId": "a 32-bit number",
  "members.0.roleId": "a 32-bit number",
};

describe("a field that contains a 64-bit number", () => {
  // A JavaScript number can hold only the second number exactly, so test both.
  it.each(wide)("%s: %s is accepted as an integer and as a string", (...[, , schema, path]) => {
    for (const digits of ["76561198000000001", "76561198000000000"]) {
      const [sample] = samplesOf(schema.describe());
      const [asInteger, asText] = [digits, JSON.stringify(digits)].map((json) =>
        checkPayloadAgainstSchema(schema, parseObject(jsonWith(sample, path, json))),
      );
      expect(asInteger).toEqual(asText);
      expect(JSON.stringify(asInteger)).toContain(JSON.stringify(digits));
    }
  });

  it.each(wide)("%s: %s is not accepted as a fraction or a boolean", (...[, , schema, path]) => {
    const [sample] = samplesOf(schema.describe());
    for (const json of ["0.5", "1e30", "true", "[]", "{}"]) {
      const checked = checkPayloadAgainstSchema(schema, parseObject(jsonWith(sample, path, json)));
      expect([json, checked]).toEqual([json, { reason: expect.stringContaining(path[0] ?? "") }]);
    }
  });

  it("is declared for each field that is named like an id, a score or a subject, except for listed fields", () => {
    const named = fields
      .filter((field) => !isInt64(field))
      .filter(({ path }) =>
        /(?:^i|I)ds?$|^(?:created|score|owner|auth|subject)$/.test(nameOf(path)),
      )
      .map(({ path }) => path.join("."))
      .filter((path) => !Object.hasOwn(otherIds, path));
    expect(named).toEqual([]);
    expect(wide.length).toBeGreaterThan(20);
  });
});

const nameOf = (path: Path): string => path.findLast((step) => step !== "0") ?? "";
