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
    id: { type: "integer", description: "Id for `Last-Event-ID`." },
    kind: { type: "string", enum: [name] },
    t: { type: "integer", description: "Time in the game, in epoch milliseconds." },
    bootId: {
      type: "string",
      nullable: true,
      description: "Id of the game process. Null if unknown.",
    },
    payload,
    createdAt: { type: "string", format: "date-time", description: "When the site stored it." },
  },
});

const later = "Ignore kinds that you do not know: newer releases and plugins add more.";

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
    event: {
      type: "string",
      enum: ["message"],
      description: "Default type: the block has no `event` line.",
    },
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
      lastEventId: { type: "integer", description: "Id after which the stream starts." },
    }),
    {
      id: {
        type: "integer",
        description: "Same as `lastEventId`: a client that reconnects resumes here.",
      },
    },
  ),
  ResetBlock: namedBlock(
    "reset",
    told({
      reason: {
        type: "string",
        enum: resetReasons,
        description:
          "Why missed events cannot be sent: fetch the state again. `malformed` and `unknown`: the " +
          "id in `Last-Event-ID`. `too_many` and `too_old`: the events. `notices`: only blocks " +
          "without an id may be missing (progress of jobs, runs and steps of events); fetch only " +
          "those.",
      },
    }),
  ),
  ByeBlock: namedBlock(
    "bye",
    told({
      reason: {
        type: "string",
        enum: byeReasons,
        description:
          "Why the stream ends. `draining`: the process stops. `max_age`: streams last at most ten " +
          "minutes. `revoked`: the session has ended. `unavailable`: the site cannot send events " +
          "now. `full`: too many streams are open. `closed`: the site is closed to the caller.",
      },
    }),
    { retry: { type: "integer", description: "Milliseconds to wait before reconnecting." } },
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
      description: `An event as the public stream sends it; \`kind\` says which. ${later}`,
      ...discriminated("kind", publicNames),
    },
    StoredEvent: {
      description: `An event as it is stored; \`kind\` says which. ${later}`,
      ...discriminated("kind", allNames),
    },
    ...namedBlocks(),
    PublicEventBlock: eventBlock("PublicEvent"),
    StoredEventBlock: eventBlock("StoredEvent"),
    PublicStreamBlock: {
      description: "One block of the stream. `data` is JSON on one line.",
      ...discriminated("event", { message: "PublicEventBlock", ...others }),
    },
    AdminStreamBlock: {
      description: "One block of the stream. `data` is JSON on one line.",
      ...discriminated("event", {
        message: "StoredEventBlock",
        ...others,
        ...notices,
      }),
    },
    EventRunsStreamBlock: {
      description: "One block of the stream. `data` is JSON on one line.",
      ...discriminated("event", { ...others, ...ofRuns }),
    },
  };
}
