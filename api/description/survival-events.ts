import { type FeedKind, feedKinds } from "../../shared/survival/feed/feed-text.ts";
import {
  visiblePersonFields,
  type FieldAudiences,
  visibleFeedFields,
} from "../../shared/survival/feed/feed.ts";
import type { SurvivalKind } from "../../shared/survival/kinds/kind.ts";
import { survivalFrameKinds, type SurvivalKindName } from "../../shared/survival/kinds/kinds.ts";
import { type Schema, toOpenApi } from "../http/json-schema.ts";
import { discriminatedUnion, schemaReference, toPascalCase } from "./stream-schemas.ts";

type Fields = Readonly<Record<string, Schema>>;

const fieldsOf = (schema: Schema): Fields => (schema["properties"] ?? {}) as Fields;
const requiredOf = (schema: Schema): readonly string[] =>
  (schema["required"] ?? []) as readonly string[];

const kindOf = (name: SurvivalKindName): SurvivalKind => survivalFrameKinds[name];

/** Keeps only the named fields of an object schema. */
function picked(schema: Schema, names: readonly string[]): Schema {
  if (schema["type"] === "array") {
    return { ...schema, items: picked(schema["items"] as Schema, names) };
  }
  const properties = Object.entries(fieldsOf(schema)).filter(([name]) => names.includes(name));
  const required = requiredOf(schema).filter((name) => names.includes(name));
  const { required: _all, ...rest } = schema;
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

/** Returns the stored payload's schema, without the fields that can contain secrets. */
function payloadStored(name: SurvivalKindName): Schema {
  const { payload, unstored = [] } = kindOf(name);
  const schema = toOpenApi(payload, { isPayload: true });
  const stored = Object.keys(fieldsOf(schema)).filter((field) => !unstored.includes(field));
  return picked(schema, stored);
}

/** Returns the payload's schema on the feed. A field that not every caller gets is optional. */
function payloadSeen(name: FeedKind): Schema {
  const stored = payloadStored(name);
  const shown = visibleFeedFields[name];
  const schema = picked(stored, Object.keys(shown));
  const fields = Object.entries(fieldsOf(schema)).map(([field, given]) => {
    const names = namesWithin(field, shown);
    return [field, names ? picked(given, names) : given] as const;
  });
  const isSure = (field: string) => shown[field] !== "staff" && shown[field] !== "presence";
  const { required: _all, ...rest } = schema;
  const required = requiredOf(schema).filter(isSure);
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields),
  };
}

const namesWithin = (field: string, shown: FieldAudiences): readonly string[] | undefined => {
  const audience = shown[field];
  return typeof audience === "string" ? visiblePersonFields[field] : audience;
};

const id: Schema = { type: "integer" };
const moment = (description: string): Schema => ({
  type: "string",
  format: "date-time",
  description,
});

const gameTime: Schema = {
  type: "integer",
  description: "Time of the event by the game server's clock, in epoch milliseconds.",
};

const whole = (properties: Fields): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

/** An object without fields. It has no `required` list, because that list must not be empty. */
const nothing: Schema = { type: "object", additionalProperties: false, properties: {} };

const feedEvent = (kind: FeedKind): Schema =>
  whole({
    id,
    kind: { type: "string", enum: [kind] },
    t: gameTime,
    text: { type: "string", example: "Anna was killed by Bert with ak47u." },
    payload: payloadSeen(kind),
  });

const storedEvent = (kind: Schema, payload: Schema): Schema =>
  whole({
    id,
    kind,
    t: gameTime,
    bootId: {
      type: "string",
      nullable: true,
      description: "Id of the game process that sent the event. Null if unknown.",
    },
    saveId: {
      type: "integer",
      nullable: true,
      description:
        "World in which the event happened, identified by the creation time of its save in epoch " +
        "milliseconds.",
    },
    payload,
    createdAt: moment("When the site stored the event."),
    hiddenAt: {
      ...moment("When staff hid the event in the public feed. Null if the event is not hidden."),
      nullable: true,
    },
  });

const named = <Kind extends string>(kinds: readonly Kind[], prefix: string) =>
  Object.fromEntries(kinds.map((kind) => [kind, `${prefix}${toPascalCase(kind)}`])) as Record<
    Kind,
    string
  >;

const happenings = (Object.keys(survivalFrameKinds) as SurvivalKindName[]).filter(
  (name) => kindOf(name).isEvent,
);

/** Returns the component schemas of the survival servers' events, including the payload of each kind. */
export function survivalEventSchemas(): Readonly<Record<string, Schema>> {
  const seen = named(feedKinds, "SurvivalFeed");
  const stored = named(happenings, "SurvivalStored");
  const other = {
    type: "string",
    not: { enum: happenings },
    description:
      "Kind of event that this release of the service does not know. The payload is left out.",
  };
  return {
    ...Object.fromEntries(feedKinds.map((kind) => [seen[kind], feedEvent(kind)])),
    ...Object.fromEntries(
      happenings.map((kind) => [
        stored[kind],
        storedEvent({ type: "string", enum: [kind] }, payloadStored(kind)),
      ]),
    ),
    SurvivalStoredOther: storedEvent(other, nothing),
    SurvivalFeedEvent: {
      description:
        "An event on a survival server as the public feed shows it. `kind` determines the payload.",
      ...discriminatedUnion("kind", seen),
    },
    SurvivalStoredEvent: {
      description:
        "An event on a survival server as the site stores it, for staff. `kind` determines the " +
        "payload.",
      anyOf: [...Object.values(stored), "SurvivalStoredOther"].map(schemaReference),
    },
  };
}
