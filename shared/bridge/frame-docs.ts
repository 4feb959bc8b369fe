import Joi from "joi";

import { count, field, flag, listOf, maybe, shape } from "./payload-fields.ts";

/** One frame of the socket, for people who write a sidecar. */
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

/** Numbers that every reader of JSON reads alike. */
const whole = () => Joi.number().integer().min(0);
const uuid = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

const epoch = field(
  Joi.string()
    .pattern(new RegExp(uuid))
    .meta({ jsonSchema: { format: "uuid" } }),
  "UUID of the sidecar's buffer. It changes only when the buffer is created again.",
);
const bootId = field(
  maybe(Joi.string().max(64)),
  "Id of the game process, other for each start. Null for what the sidecar noticed itself.",
);
const seq = field(whole(), "Number of the event. It rises by one within an epoch, for ever.");

const text = (about: string) => field(maybe(Joi.string().allow("")), about);

const exampleEpoch = "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11";
const exampleBoot = "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20";
const exampleTime = 1_767_225_600_000;

/** CATALOGUE of the frames of the socket. `readFrame` reads those of the sidecar. */
export const frameDocs = {
  hello: frame({
    from: "sidecar",
    about: "The first frame of each connection.",
    schema: shape({
      type: typed("hello"),
      protocol: field(whole(), "Version of the protocol, the same as in the query."),
      epoch,
      bootId,
      head: field(whole(), "Newest event of the buffer."),
      oldest: field(whole(), "Oldest event of the buffer; `head` + 1 if it is empty."),
      pluginConnected: field(maybe(flag()), "Whether the game process runs."),
      shard: field(
        maybe(
          shape({
            name: text("Name of the game server."),
            version: text("Name and version of the game server's program."),
            expansion: text("Expansion of the game. Null for none."),
          }),
        ),
        "The game server.",
      ),
      plugin: field(maybe(shape({ version: text("Version of the plugin.") })), "The plugin."),
      capabilities: field(maybe(listOf(Joi.string())), "Families of calls that the plugin has."),
      t: field(maybe(whole()), "Time of the sidecar's clock, in epoch milliseconds."),
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
      "A range of events that the buffer no longer holds. It may come at any time after hello.",
    schema: shape({
      type: typed("gap"),
      from: field(whole(), "First event that is lost."),
      to: field(whole(), "Last event that is lost."),
      reason: text("Why, in words. The site keeps 256 characters."),
    }),
    example: { type: "gap", from: 1, to: 12, reason: "buffer full" },
  }),
  event: frame({
    from: "sidecar",
    about: "Something that happened, or a state.",
    schema: shape({
      type: typed("event"),
      seq,
      epoch,
      bootId,
      eventKey: field(
        maybe(Joi.string().allow("").max(256)),
        "Names the event by facts of the game, so that a new buffer sends it with the same key.",
      ),
      kind: field(Joi.string().pattern(/^[a-z][a-z0-9._-]{0,63}$/), "Kind of the event."),
      t: field(
        Joi.number()
          .unsafe()
          .integer()
          .min(0)
          .max(2 ** 53),
        "Time of the event by the game's clock, in epoch milliseconds.",
      ),
      replay: field(maybe(flag()), "Whether the event was in the buffer before the connection."),
      payload: field(Joi.object().unknown(), "What the kind declares. At most 32 levels."),
      saveId: field(maybe(whole()), "World of the event; survival servers alone."),
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
    about: "Everything that the buffer held at the hello was sent. New events follow.",
    schema: shape({
      type: typed("live"),
      head: field(whole(), "Newest event that was sent."),
    }),
    example: { type: "live", head: 42 },
  }),
  plugin: frame({
    from: "sidecar",
    about: "The game process went away or came back while the sidecar stayed.",
    schema: shape({
      type: typed("plugin"),
      connected: field(flag(), "Whether the game process is there."),
      bootId,
    }),
    example: { type: "plugin", connected: false, bootId: null },
  }),
  ack: frame({
    from: "site",
    about:
      "Events up to this one are stored. At most one a second. Keep them for seven days all the " +
      "same: a site that is restored from a backup asks for them again.",
    schema: shape({ type: typed("ack"), epoch, seq: field(count(), "Newest stored event.") }),
    example: { type: "ack", epoch: exampleEpoch, seq: 42 },
  }),
} as const satisfies Readonly<Record<string, FrameDocs>>;
