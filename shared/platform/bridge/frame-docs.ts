import Joi from "joi";

import { count, field, flag, listOf, nullish, objectSchema } from "./payload-fields.ts";

interface FrameDocs {
  readonly from: "sidecar" | "site";
  readonly about: string;
  readonly schema: Joi.ObjectSchema;
  readonly example: object;
}

const frame = <P extends object>(docs: {
  readonly from: FrameDocs["from"];
  readonly about: string;
  readonly schema: Joi.ObjectSchema<P>;
  readonly example: NoInfer<P>;
}): FrameDocs => docs;

const typed = <const Type extends string>(type: Type) =>
  field(Joi.string<Type>().valid(type), "Type of the frame.");

/** A natural number that every JSON parser reads exactly. */
const whole = () => Joi.number().integer().min(0);
const uuid = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

const epoch = field(
  Joi.string()
    .pattern(new RegExp(uuid))
    .meta({ jsonSchema: { format: "uuid" } }),
  "UUID of the sidecar's buffer. It changes only when the sidecar creates a new buffer.",
);
const bootId = field(
  nullish(Joi.string().max(64)),
  "Id of the game process; each start of the game has a new one. Null if no game process runs, " +
    "or if the sidecar itself created the event.",
);
const seq = field(
  whole(),
  "Sequence number of the event. Within an epoch, the number increases by one from event to event.",
);

const text = (about: string) => field(nullish(Joi.string().allow("")), about);

const exampleEpoch = "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11";
const exampleBoot = "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20";
const exampleTime = 1_767_225_600_000;

/** CATALOGUE of the frames of the WebSocket. `readFrame` reads the sidecar's frames. */
export const frameDocs = {
  hello: frame({
    from: "sidecar",
    about: "The first frame of each connection: it describes the sidecar and its buffer.",
    schema: objectSchema({
      type: typed("hello"),
      protocol: field(whole(), "Version of the protocol: the same as `protocol` in the query."),
      epoch,
      bootId,
      head: field(whole(), "`seq` of the newest event that the buffer received."),
      oldest: field(
        whole(),
        "`seq` of the oldest event in the buffer. If the buffer is empty: `head` + 1.",
      ),
      pluginConnected: field(
        nullish(flag()),
        "Whether the plugin in the game process is connected to the sidecar. Null means false.",
      ),
      shard: field(
        nullish(
          objectSchema({
            name: text("Name of the game server."),
            version: text("Name and version of the game server's software."),
            expansion: text(
              "Expansion of the game, such as `EJ`. Null if the game has no expansion.",
            ),
          }),
        ),
        "The game server.",
      ),
      plugin: field(
        nullish(objectSchema({ version: text("Version of the plugin.") })),
        "The plugin in the game.",
      ),
      capabilities: field(nullish(listOf(Joi.string())), "Groups of calls that the plugin has."),
      t: field(nullish(whole()), "Current time by the sidecar's clock, in epoch milliseconds."),
    }),
    example: {
      type: "hello",
      protocol: 8,
      epoch: exampleEpoch,
      bootId: exampleBoot,
      head: 42,
      oldest: 1,
      pluginConnected: true,
      shard: { name: "Britannia", version: "ServUO 57.3", expansion: "EJ" },
      plugin: { version: "1.0.0" },
      capabilities: ["links", "towncrier"],
      t: exampleTime,
    },
  }),
  gap: frame({
    from: "sidecar",
    about:
      "Reports a range of events that the buffer no longer contains. May come at any time after " +
      "`hello`.",
    schema: objectSchema({
      type: typed("gap"),
      from: field(whole(), "`seq` of the first lost event."),
      to: field(whole(), "`seq` of the last lost event."),
      reason: text(
        "Reason for the loss, for administrators. The site stores the first 256 characters.",
      ),
    }),
    example: { type: "gap", from: 1, to: 12, reason: "buffer full" },
  }),
  event: frame({
    from: "sidecar",
    about: "An event of the game, or a state.",
    schema: objectSchema({
      type: typed("event"),
      seq,
      epoch,
      bootId,
      eventKey: field(
        nullish(Joi.string().allow("").max(256)),
        "Key of the event, composed of facts of the game. If a new buffer sends the event again, " +
          "it has the same key, and the site stores it only once. Null for none.",
      ),
      kind: field(
        Joi.string().pattern(/^[a-z][a-z0-9._-]{0,63}$/),
        "Kind of the event, such as `house.decay`.",
      ),
      t: field(
        Joi.number()
          .unsafe()
          .integer()
          .min(0)
          .max(2 ** 53),
        "Time of the event by the game's clock, in epoch milliseconds.",
      ),
      replay: field(
        nullish(flag()),
        "True for an event sent before `live`, false for an event sent after it. Null means false.",
      ),
      payload: field(
        Joi.object().unknown(),
        "Fields of the kind, with at most 32 levels of nested objects and lists.",
      ),
      saveId: field(
        nullish(whole()),
        "World in which the event happened, identified by the creation time of its save in epoch " +
          "milliseconds. Only for survival servers.",
      ),
    }),
    example: {
      type: "event",
      seq: 42,
      epoch: exampleEpoch,
      bootId: exampleBoot,
      eventKey: null,
      kind: "world.broadcast",
      t: exampleTime,
      replay: false,
      payload: { text: "The gates open at dusk.", access: "Player" },
    },
  }),
  live: frame({
    from: "sidecar",
    about:
      "The sidecar has sent all events that its buffer contained at `hello`. New events follow.",
    schema: objectSchema({
      type: typed("live"),
      head: field(whole(), "`seq` of the newest event that was sent."),
    }),
    example: { type: "live", head: 42 },
  }),
  plugin: frame({
    from: "sidecar",
    about: "The game process stopped or started while the connection stayed open.",
    schema: objectSchema({
      type: typed("plugin"),
      connected: field(flag(), "True if the game process started, false if it stopped."),
      bootId,
    }),
    example: { type: "plugin", connected: false, bootId: null },
  }),
  ack: frame({
    from: "site",
    about:
      "The site has stored all events up to `seq`. It sends this frame at most once a second. " +
      "Keep the events for seven days nevertheless, because a site that was restored from a " +
      "backup asks for them again.",
    schema: objectSchema({
      type: typed("ack"),
      epoch,
      seq: field(count(), "`seq` of the newest stored event."),
    }),
    example: { type: "ack", epoch: exampleEpoch, seq: 42 },
  }),
} as const satisfies Readonly<Record<string, FrameDocs>>;
