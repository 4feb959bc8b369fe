import type { ShardKind } from "../../shared/shard/kinds/kind.ts";
import { type ShardKindName, kindNames, kinds } from "../../shared/shard/kinds/kinds.ts";
import type { Schema } from "../http/json-schema.ts";
import { resetReasons } from "../stream/resume.ts";
import { byeReasons } from "../stream/subscriber.ts";
import { describePublicPayload, describeStoredPayload } from "./payloads.ts";

export const schemaReference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Converts the name of a kind to the name of its schema: `champ.start` becomes `ChampStart`. */
export const toPascalCase = (name: string): string =>
  name.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const eventOf = (name: ShardKindName, payload: Schema): Schema => ({
  type: "object",
  additionalProperties: false,
  required: ["id", "kind", "t", "bootId", "payload", "createdAt"],
  properties: {
    id: {
      type: "integer",
      description:
        "Id of the event. To resume the stream after this event, send the id as `Last-Event-ID`.",
    },
    kind: { type: "string", enum: [name] },
    t: {
      type: "integer",
      description: "Time of the event by the game server's clock, in epoch milliseconds.",
    },
    bootId: {
      type: "string",
      nullable: true,
      description: "Id of the game process that sent the event. Null if unknown.",
    },
    payload,
    createdAt: {
      type: "string",
      format: "date-time",
      description: "When the site stored the event.",
    },
  },
});

const later = "Ignore unknown kinds: newer releases and plugins add kinds.";

/** A union of schemas, with a field that distinguishes them. */
export const discriminatedUnion = (
  field: string,
  names: Readonly<Record<string, string>>,
): Schema => ({
  oneOf: Object.values(names).map(schemaReference),
  discriminator: {
    propertyName: field,
    mapping: Object.fromEntries(
      Object.entries(names).map(([value, name]) => [value, `#/components/schemas/${name}`]),
    ),
  },
});

const isPublic = (name: ShardKindName): boolean => (kinds[name] as ShardKind).feature !== null;

const named = (names: readonly ShardKindName[], prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `${prefix}${toPascalCase(name)}Event`]));

/**
 * The schema of a stream block with an event of this kind. It has the default type, which `onmessage` receives.
 */
const eventBlock = (event: string): Schema => ({
  type: "object",
  additionalProperties: false,
  required: ["event", "id", "data"],
  properties: {
    event: {
      type: "string",
      enum: ["message"],
      description: "Default type. Blocks of this type have no `event` line.",
    },
    id: { type: "integer" },
    data: schemaReference(event),
  },
});

/** The schema of a stream block with a named type, such as `hello` or `reset`. */
const namedBlock = (event: string, data: Schema, others: Schema = {}): Schema => ({
  type: "object",
  additionalProperties: false,
  required: [...Object.keys(others), "event", "data"],
  properties: { ...others, event: { type: "string", enum: [event] }, data },
});

const reportSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const whyReset =
  "Why the stream cannot send the events that the client missed. The client must fetch " +
  "the state again. `malformed` or `unknown`: the id in `Last-Event-ID` is malformed or " +
  "unknown. `too_many` or `too_old`: the client missed too many events, or the missed " +
  "events are too old. `notices`: the client may have missed only blocks without an id, " +
  "so it only needs to fetch what these report: the progress of jobs, and the runs and " +
  "steps of events.";

const whyBye =
  "Why the stream ends. `draining`: the process that serves the stream stops. `max_age`: " +
  "the stream has reached its maximum age of ten minutes. `revoked`: the session has " +
  "ended, or the client's IP address is banned. `unavailable`: the site cannot read " +
  "events now. `full`: too many streams are open. `closed`: the site mode no longer " +
  "admits the caller. `gone`: the survival server of the stream was deleted or is no " +
  "longer listed.";

/**
 * @openapi
 * components:
 *   schemas:
 *     JobProgressNotice:
 *       type: object
 *       required: [jobId, queue, phase, done, total, unit]
 *       properties:
 *         jobId: { type: string, format: uuid }
 *         queue: { type: string, example: imports.atlas }
 *         phase: { type: string, description: Part of the work that the job is doing now., example: spawners }
 *         done: { type: integer, description: 'Amount of work that is done, counted in `unit`.' }
 *         total: { type: integer, nullable: true, description: 'Total amount of work, counted in `unit`. Null while unknown.' }
 *         unit: { $ref: '#/components/schemas/ProgressUnit' }
 */
const namedBlocks = (): Readonly<Record<string, Schema>> => ({
  HelloBlock: namedBlock(
    "hello",
    reportSchema({
      level: schemaReference("Rung"),
      lastEventId: {
        type: "integer",
        description: "The stream starts with the first event after this id.",
      },
    }),
    {
      id: {
        type: "integer",
        description:
          "Same value as `lastEventId`. A client that reconnects before it has received an event " +
          "resumes after this id.",
      },
    },
  ),
  ResetBlock: namedBlock(
    "reset",
    reportSchema({
      reason: {
        type: "string",
        enum: resetReasons,
        description: whyReset,
      },
    }),
  ),
  ByeBlock: namedBlock(
    "bye",
    reportSchema({
      reason: {
        type: "string",
        enum: byeReasons,
        description: whyBye,
      },
    }),
    {
      retry: {
        type: "integer",
        description: "How many milliseconds the client waits before it reconnects.",
      },
    },
  ),
  JobProgressBlock: namedBlock("job.progress", schemaReference("JobProgressNotice")),
  EventRunBlock: namedBlock("event.run", schemaReference("Run")),
  EventStepBlock: namedBlock("event.step", schemaReference("Step")),
});

const survivalBlockNames = {
  message: "SurvivalEventBlock",
  server: "SurvivalServerBlock",
  online: "SurvivalOnlineBlock",
  wipes: "SurvivalWipesBlock",
  live: "SurvivalLiveBlock",
  hidden: "SurvivalHiddenBlock",
} as const;

/** The schemas of the stream blocks that contain an event or a state of a survival server. */
const survivalBlocks = (): Readonly<Record<string, Schema>> => ({
  SurvivalEventBlock: eventBlock("SurvivalFeedEvent"),
  SurvivalServerBlock: namedBlock("server", schemaReference("SurvivalServer")),
  SurvivalOnlineBlock: namedBlock("online", schemaReference("SurvivalPresence")),
  SurvivalWipesBlock: namedBlock("wipes", schemaReference("SurvivalWipes")),
  SurvivalLiveBlock: namedBlock("live", schemaReference("SurvivalLiveMap")),
  SurvivalHiddenBlock: namedBlock(
    "hidden",
    reportSchema({
      ids: {
        type: "array",
        items: { type: "integer" },
        description: "Ids of the recent chat messages that staff have hidden.",
      },
    }),
  ),
});

const eventsOf = (
  names: Readonly<Record<string, string>>,
  payloadOf: (name: ShardKindName) => Schema,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(names).map(([kind, name]) => [
      name,
      eventOf(kind as ShardKindName, payloadOf(kind as ShardKindName)),
    ]),
  );

/** Returns the component schemas of the event streams, including the payload of each kind. */
export function streamSchemas(): Readonly<Record<string, Schema>> {
  const seen = kindNames.filter(isPublic);
  const publicNames = named(seen, "Public");
  const allNames = named(kindNames, "Stored");
  const others = { hello: "HelloBlock", reset: "ResetBlock", bye: "ByeBlock" };
  const ofRuns = { "event.run": "EventRunBlock", "event.step": "EventStepBlock" };
  const notices = { "job.progress": "JobProgressBlock", ...ofRuns };
  return {
    ...eventsOf(publicNames, describePublicPayload),
    ...eventsOf(allNames, describeStoredPayload),
    PublicEvent: {
      description: `An event as the public stream sends it. \`kind\` determines the payload. ${later}`,
      ...discriminatedUnion("kind", publicNames),
    },
    ShardEvent: {
      description: `An event as the site stores it. \`kind\` determines the payload. ${later}`,
      ...discriminatedUnion("kind", allNames),
    },
    ...namedBlocks(),
    PublicEventBlock: eventBlock("PublicEvent"),
    StoredEventBlock: eventBlock("ShardEvent"),
    PublicStreamBlock: {
      description: "A block of the stream. `data` is one line of JSON.",
      ...discriminatedUnion("event", { message: "PublicEventBlock", ...others }),
    },
    AdminStreamBlock: {
      description: "A block of the stream. `data` is one line of JSON.",
      ...discriminatedUnion("event", {
        message: "StoredEventBlock",
        ...others,
        ...notices,
      }),
    },
    ...survivalBlocks(),
    SurvivalStreamBlock: {
      description: "A block of the stream. `data` is one line of JSON.",
      ...discriminatedUnion("event", { ...others, ...survivalBlockNames }),
    },
    EventRunsStreamBlock: {
      description: "A block of the stream. `data` is one line of JSON.",
      ...discriminatedUnion("event", { ...others, ...ofRuns }),
    },
  };
}
