import { globSync } from "node:fs";
import path from "node:path";

import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type Joi from "joi";
import { describe, expect, it } from "vitest";

import type { CallDocument } from "../../api/bridge/document/calls.ts";
import { type BridgeDocument, makeBridgeDocument } from "../../api/bridge/document/document.ts";
import { pluginRoutes } from "../../api/plugin/plugin.routes.ts";
import { projectFolder } from "../../jobs/commands/launch/script.ts";
import type { FileCall } from "../../shared/platform/bridge/calls/call.ts";
import type { AnyCall } from "../../shared/platform/bridge/calls/control.ts";
import { checkPayloadAgainstSchema } from "../../shared/platform/bridge/check-payload.ts";
import { frameDocs } from "../../shared/platform/bridge/frame-docs.ts";
import { readFrame } from "../../shared/platform/bridge/frame.ts";
import {
  codesOfPluginCalls,
  pluginCodeOf,
} from "../../shared/platform/errors/plugin-error-codes.ts";
import { shardCalls } from "../../shared/shard/calls/shard-calls.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { commonSurvivalCalls, survivalCalls } from "../../shared/survival/calls/survival-calls.ts";
import { messageStyleFields } from "../../shared/survival/chat/message-style.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { profileFields } from "../../shared/survival/npcs/profile-fields.ts";
import { undescribedFields } from "../support/bridge/described-fields.ts";
import { removeEachField } from "../support/bridge/without-fields.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const document: BridgeDocument = makeBridgeDocument();
const { uo, rust } = document.games;

type Accepts = (value: unknown) => boolean;

/** Compiles a JSON Schema into a predicate. */
function acceptorOf(schema: object): Accepts {
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}

/**
 * Returns a predicate that is true for valid values. It uses the validation options of `readAnswer` and request
 * bodies.
 */
const takes =
  (schema: Joi.Schema): Accepts =>
  (value) =>
    schema.validate(value, { convert: false, stripUnknown: true, presence: "required" }).error ===
    undefined;

/** Returns the fields without which only one of the two predicates accepts the example. */
const disagreements = (example: object, one: Accepts, other: Accepts): string[] =>
  removeEachField(example)
    .filter(({ value }) => one(value) !== other(value))
    .map(({ path: place }) => place);

const kindsOf = { uo: kinds, rust: survivalFrameKinds } as const;

const allKinds = [
  ...uo.kinds.map((kind) => ["uo", kind.name, kind] as const),
  ...rust.kinds.map((kind) => ["rust", kind.name, kind] as const),
];

describe("the event kinds of the bridge document", () => {
  it("are exactly the kinds of the catalogs in the code", () => {
    expect(uo.kinds.map(({ name }) => name)).toEqual(Object.keys(kinds));
    expect(rust.kinds.map(({ name }) => name)).toEqual(Object.keys(survivalFrameKinds));
  });

  it.each(allKinds)(
    "%s %s has a schema that accepts its example and requires the same fields as ingest",
    (game, name, { schema, example }) => {
      expect(ajv.validateSchema(schema)).toBe(true);
      const accepts = acceptorOf(schema);
      expect(accepts(example)).toBe(true);
      const declared: Readonly<Record<string, { payload: Joi.ObjectSchema }>> = kindsOf[game];
      const { payload } = declared[name] ?? {};
      const stores: Accepts = (value) => "payload" in checkPayloadAgainstSchema(payload, value);
      expect(disagreements(example, accepts, stores)).toEqual([]);
    },
  );

  it("cover every state family", () => {
    const all = [...uo.families, ...rust.families];
    expect(all.filter((family) => family.kinds.length === 0)).toEqual([]);
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["market", "governor", "server", "npcs"]),
    );
  });
});

type AnyMade = AnyCall<unknown> | FileCall;

const madeOf: Readonly<Record<"uo" | "rust", readonly AnyMade[]>> = {
  uo: shardCalls,
  rust: [...commonSurvivalCalls, ...Object.values(survivalCalls).flat()],
};

const allCalls = [
  ...uo.calls.map((call, at) => ["uo", call.call, call, madeOf.uo[at] as AnyMade] as const),
  ...rust.calls.map((call, at) => ["rust", call.call, call, madeOf.rust[at] as AnyMade] as const),
];

const isMade = (value: unknown): value is AnyMade =>
  typeof value === "object" && value !== null && "method" in value && "path" in value;

const namesIn = (text: string): string[] =>
  [...text.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

describe("the calls of the bridge document", () => {
  it.each(["shard", "survival"] as const)(
    "are, for a %s game, exactly the calls that the code defines",
    async (room) => {
      const files = globSync(`shared/${room}/calls/*.ts`, { cwd: projectFolder });
      const modules = (await Promise.all(
        files.map((file) => import(path.join(projectFolder, file)) as Promise<object>),
      )) as readonly object[];
      const exported = modules.flatMap((one) => Object.values(one)).filter(isMade);
      const listed = room === "shard" ? madeOf.uo : madeOf.rust;
      expect(new Set(listed)).toEqual(new Set(exported));
      expect(listed.length).toBe(new Set(exported).size);
    },
  );

  it.each(allCalls)(
    "%s %s describes each parameter and field",
    (_game, name, { params, query, about, codes }, { docs, ...made }) => {
      expect(about).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(params)).toEqual(namesIn(name.split(" ")[1] ?? ""));
      expect(Object.keys(docs?.example.query ?? {})).toEqual(Object.keys(query));
      const schemas = [docs?.body, "file" in made ? made.file : made.answer];
      const bare = schemas.flatMap((schema) => (schema ? undescribedFields(schema) : []));
      expect(bare).toEqual([]);
      expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length);
    },
  );

  it.each(allCalls)(
    "%s %s has an example answer that both its schema and the service accept",
    (_game, _name, { answer, example }, made) => {
      expect(ajv.validateSchema(answer)).toBe(true);
      const sent: unknown = JSON.parse(JSON.stringify(example.answer));
      const accepts = acceptorOf(answer);
      const reads = takes("file" in made ? made.file : made.answer);
      expect([accepts(sent), reads(sent)]).toEqual([true, true]);
      expect(disagreements(example.answer, accepts, reads)).toEqual([]);
    },
  );

  it.each(allCalls.filter(([, , { body }]) => body !== null))(
    "%s %s has a body schema that agrees with the schema in the code",
    (_game, _name, { body, example }, { docs }) => {
      expect(ajv.validateSchema(body ?? {})).toBe(true);
      const accepts = acceptorOf(body ?? {});
      const declared = takes(docs?.body as Joi.ObjectSchema);
      expect([accepts(example.body), declared(example.body)]).toEqual([true, true]);
      expect(disagreements(example.body ?? {}, accepts, declared)).toEqual([]);
    },
  );

  it("have a body in the code if and only if their examples have a body", () => {
    const odd = allCalls.filter(
      ([, , { body, example }]) => (body === null) !== (example.body === null),
    );
    expect(odd.map(([, name]) => name)).toEqual([]);
  });

  it("describe NPC profiles and the message style with the fields that the site stores", () => {
    const bodyOf = (name: string) =>
      rust.calls.find(({ call }: CallDocument) => call === name)?.body as unknown as {
        properties: Record<string, { items?: { properties: object } }>;
      };
    const { profiles } = bodyOf("PUT /v1/npc/profiles").properties;
    expect(Object.keys(profiles?.items?.properties ?? {}).toSorted()).toEqual(
      ["key", ...Object.keys(profileFields)].toSorted(),
    );
    const { keys = {} } = messageStyleFields.describe() as { keys?: object };
    expect(Object.keys(bodyOf("PUT /v1/voice").properties)).toEqual(Object.keys(keys));
  });
});

describe("the frames of the bridge document", () => {
  it.each(Object.entries(frameDocs).filter(([, { from }]) => from === "sidecar"))(
    "%s has a schema that agrees with the frame reader",
    (type, { example }) => {
      const { schema } = document.frames.find((frame) => frame.type === type) ?? { schema: {} };
      expect(ajv.validateSchema(schema)).toBe(true);
      const accepts = acceptorOf(schema);
      const reads: Accepts = (value) => readFrame(JSON.stringify(value)).type === type;
      expect([accepts(example), reads(example)]).toEqual([true, true]);
      const ownFields = disagreements(example, accepts, reads).filter(
        // Leave these fields out: the site shows any data about the game server, and each event kind has its own
        // check of the payload.
        (place) => !/^(?:shard|plugin|payload)\./.test(place),
      );
      expect(ownFields).toEqual([]);
    },
  );

  it("have a description of each field", () => {
    const bare = Object.values(frameDocs).flatMap(({ schema }) => undescribedFields(schema));
    expect(bare).toEqual([]);
  });
});

describe("the plugin calls of the bridge document", () => {
  const { calls, codes } = document.plugin;

  it("are exactly the plugin routes, with the error codes of each", () => {
    expect(calls.map(({ call }) => call)).toEqual([
      "POST /hello",
      "POST /events",
      "GET /commands",
      "POST /commands/:id",
    ]);
    const known = codes.map(({ code }) => code);
    for (const list of Object.values(codesOfPluginCalls)) {
      expect(known).toEqual(expect.arrayContaining([...list]));
    }
    expect(codes.every(({ statuses }) => statuses.length > 0)).toBe(true);
    expect(pluginCodeOf({ errorCode: "internal_error", kind: "internal" })).toBe("FAILED");
  });

  it.each(calls)("$call has schemas that accept its examples", (made) => {
    const parts = [
      [made.request, made.example.request],
      [made.answer, made.example.answer],
    ] as const;
    for (const [schema, example] of parts) {
      expect(schema === null).toBe(example === null);
      if (schema === null) continue;
      expect(ajv.validateSchema(schema)).toBe(true);
      expect(acceptorOf(schema)(example)).toBe(true);
    }
  });

  it("have a description of each request field", () => {
    const bare = pluginRoutes.flatMap(({ body, query, params }) =>
      [body, query, params].flatMap((schema) => (schema ? undescribedFields(schema) : [])),
    );
    expect(bare).toEqual([]);
  });
});
