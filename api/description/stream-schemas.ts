import type { Kind } from "../../shared/shard/kinds/kind.ts";
import { type KindName, kindNames, kinds } from "../../shared/shard/kinds/kinds.ts";
import type { Schema } from "../http/json-schema.ts";
import { resetReasons } from "../stream/resume.ts";
import { byeReasons } from "../stream/subscriber.ts";
import { payloadSeen, payloadStored } from "./payloads.ts";

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** `champ.start` → `ChampStart`. */
export const wordOf = (name: string): string =>
  name.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const eventOf = (name: KindName, payload: Schema): Schema => ({
  type: "object",
  additionalProperties: false,
  required: ["id", "kind", "t", "bootId", "payload", "createdAt"],
  properties: {
    id: { type: "integer", description: "What `Last-Event-ID` names." },
    kind: { type: "string", enum: [name] },
    t: { type: "integer", description: "When it happened in the game: epoch milliseconds." },
    bootId: { type: "string", nullable: true, description: "Of the game process; null: unknown." },
    payload,
    createdAt: { type: "string", format: "date-time", description: "When it was stored." },
  },
});

const later =
  "A client passes over a kind it does not know: newer releases and plugins bring more.";

/** One of several schemas, told apart by a field that each holds one value of. */
export const discriminated = (field: string, names: Readonly<Record<string, string>>): Schema => ({
  oneOf: Object.values(names).map(ref),
  discriminator: {
    propertyName: field,
    mapping: Object.fromEntries(
      Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`]),
    ),
  },
});

const isPublic = (name: KindName): boolean => (kinds[name] as Kind).feature !== null;

const named = (names: readonly KindName[], prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `${prefix}${wordOf(name)}Event`]));

/** A block that carries an event: its type is the default one, which `onmessage` hears. */
const eventBlock = (event: string): Schema => ({
  type: "object",
  additionalProperties: false,
  required: ["event", "id", "data"],
  properties: {
    event: { type: "string", enum: ["message"], description: "The default: it is not written." },
    id: { type: "integer" },
    data: ref(event),
  },
});

/** A block that says something of the stream itself. */
const namedBlock = (event: string, data: Schema, others: Schema = {}): Schema => ({
  type: "object",
  additionalProperties: false,
  required: [...Object.keys(others), "event", "data"],
  properties: { ...others, event: { type: "string", enum: [event] }, data },
});

const told = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const namedBlocks = (): Readonly<Record<string, Schema>> => ({
  HelloBlock: namedBlock(
    "hello",
    told({
      level: ref("Rung"),
      lastEventId: { type: "integer", description: "Where the stream begins." },
    }),
    { id: { type: "integer", description: "The same: a client cut off now resumes from here." } },
  ),
  ResetBlock: namedBlock(
    "reset",
    told({
      reason: {
        type: "string",
        enum: resetReasons,
        description:
          "Why missed events cannot be sent: read state anew. `notices`: none of the events with ids " +
          "is missing, read anew what is told without (runs and steps of events).",
      },
    }),
  ),
  ByeBlock: namedBlock(
    "bye",
    told({
      reason: {
        type: "string",
        enum: byeReasons,
        description: "Why the stream ends.",
      },
    }),
    { retry: { type: "integer", description: "Milliseconds to wait before the next try." } },
  ),
  JobProgressBlock: namedBlock("job.progress", ref("JobProgressNotice")),
  EventRunBlock: namedBlock("event.run", ref("EventRun")),
  EventStepBlock: namedBlock("event.step", ref("EventStep")),
});

const eventsOf = (
  names: Readonly<Record<string, string>>,
  payloadOf: (name: KindName) => Schema,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(names).map(([kind, name]) => [
      name,
      eventOf(kind as KindName, payloadOf(kind as KindName)),
    ]),
  );

/** Component schemas of what the event streams carry, each kind's payload among them. */
export function streamSchemas(): Readonly<Record<string, Schema>> {
  const seen = kindNames.filter(isPublic);
  const publicNames = named(seen, "Public");
  const allNames = named(kindNames, "Stored");
  const others = { hello: "HelloBlock", reset: "ResetBlock", bye: "ByeBlock" };
  const ofRuns = { "event.run": "EventRunBlock", "event.step": "EventStepBlock" };
  const notices = { "job.progress": "JobProgressBlock", ...ofRuns };
  return {
    ...eventsOf(publicNames, payloadSeen),
    ...eventsOf(allNames, payloadStored),
    PublicEvent: {
      description: `An event as the public stream carries it, told apart by \`kind\`. ${later}`,
      ...discriminated("kind", publicNames),
    },
    StoredEvent: {
      description: `An event as it is stored, told apart by \`kind\`. ${later}`,
      ...discriminated("kind", allNames),
    },
    ...namedBlocks(),
    PublicEventBlock: eventBlock("PublicEvent"),
    StoredEventBlock: eventBlock("StoredEvent"),
    PublicStreamBlock: {
      description: "One block of the stream; `data` is JSON in one line.",
      ...discriminated("event", { message: "PublicEventBlock", ...others }),
    },
    AdminStreamBlock: {
      description: "One block of the stream; `data` is JSON in one line.",
      ...discriminated("event", {
        message: "StoredEventBlock",
        ...others,
        ...notices,
      }),
    },
    EventRunsStreamBlock: {
      description: "One block of the stream; `data` is JSON in one line.",
      ...discriminated("event", { ...others, ...ofRuns }),
    },
  };
}
