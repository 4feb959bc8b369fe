import Joi from "joi";

import { pluginLimits } from "../../shared/platform/plugin/plugin-limits.ts";
import type { Hello } from "../../shared/platform/plugin/sessions.ts";
import { pluginGames } from "../../shared/platform/plugin/sources.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";

const uuid = Joi.string().guid().lowercase();
const word = (max: number) => Joi.string().min(1).max(max);
export const wholeNumberField = Joi.number().integer().min(0);

export const bootIdField = uuid
  .required()
  .description(
    "Id of the current game process. The plugin creates a new id each time the game process " +
      "starts.",
  );

export const helloBody = Joi.object<Hello>({
  protocol: wholeNumberField
    .required()
    .description("Version of the protocol that the plugin uses. The only version is 1.")
    .example(1),
  game: Joi.string()
    .valid(...pluginGames)
    .required()
    .description("`uo` for a shard, `rust` for a survival server."),
  plugin: Joi.object({
    name: nameTextField(100).required().description("Name of the plugin."),
    version: nameTextField(64).required().description("Version of the plugin."),
  })
    .required()
    .description("Name and version of the plugin, which administrators see."),
  server: Joi.object({
    name: nameTextField(200).required().description("Name of the game server."),
    version: nameTextField(64).required().description("Version of the game server."),
    expansion: nameTextField(64).allow(null).description("Expansion of the game; null for none."),
  })
    .required()
    .description("What the game server reports about itself."),
  bootId: bootIdField,
  epoch: uuid
    .required()
    .description(
      "Id of the plugin's event buffer. If the plugin starts with a new buffer, it creates a new " +
        "id.",
    ),
  oldest: wholeNumberField
    .required()
    .description(
      "`seq` of the oldest event that the plugin still has, or `head` + 1 if it has none.",
    )
    .example(1),
  head: wholeNumberField
    .required()
    .description("`seq` of the newest event that the plugin has recorded in this epoch.")
    .example(0),
  capabilities: Joi.array()
    .items(Joi.string().max(64).allow(""))
    .max(64)
    .required()
    .description(
      "Names of the groups of commands that the plugin supports, such as `towncrier`. The site " +
        "ignores unknown names.",
    ),
})
  .custom((hello: Hello, helpers) =>
    hello.oldest <= hello.head + 1
      ? hello
      : helpers.message({ custom: "oldest must not be larger than head + 1" }),
  )
  .example({
    protocol: 1,
    game: "uo",
    plugin: { name: "Guildhall for ServUO", version: "1.0.0" },
    server: { name: "Britannia", version: "57.3", expansion: "TOL" },
    bootId: "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20",
    epoch: "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11",
    oldest: 1,
    head: 41,
    capabilities: ["towncrier", "links"],
  });

/** Only the API description uses this schema: the text is stored as sent, and ingest checks the events. */
export const eventsBody = Joi.object({
  epoch: uuid.required().description("The epoch of the last hello."),
  bootId: bootIdField,
  gap: Joi.object({
    from: wholeNumberField.required().description("Sequence number of the first lost event."),
    to: wholeNumberField.required().description("Sequence number of the last lost event."),
    reason: Joi.string().max(256).description("Reason for the loss, for people."),
  }).description(
    "Range of events that the plugin has lost. The range must end directly before the first " +
      "event of the call.",
  ),
  events: Joi.array()
    .items(
      Joi.object({
        seq: wholeNumberField
          .required()
          .description(
            "Sequence number of the event. Within an epoch, the number increases by one from " +
              "event to event.",
          ),
        kind: word(64).required().description("Kind of the event."),
        t: wholeNumberField
          .required()
          .description("Time of the event by the game server's clock, in epoch milliseconds."),
        payload: Joi.object().unknown().required().description("Fields of the event's kind."),
        eventKey: Joi.string()
          .max(256)
          .example("sold:5a7d2b1e:0x40001A2B")
          .description(
            "Key of the event. The site stores only one event with the same key, even if the " +
              "plugin sends the event again in a new epoch.",
          ),
        bootId: Joi.string()
          .max(64)
          .allow(null)
          .description(
            "Id of the game process that recorded the event. Send the id if another game process " +
              "sends the call. Null if unknown.",
          ),
        saveId: wholeNumberField.description(
          "World in which the event happened, identified by the creation time of its save in " +
            "epoch milliseconds. Only for survival servers.",
        ),
      }),
    )
    .max(pluginLimits.events)
    .required()
    .description("Events, oldest first. It may be empty."),
}).example({
  epoch: "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11",
  bootId: "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20",
  events: [
    {
      seq: 42,
      kind: "world.broadcast",
      t: 1_767_225_600_000,
      payload: { text: "The gate opens", access: "Player" },
    },
  ],
});

/** The outcome of a command. Only the API description uses this schema: `parseCommandOutcome` checks it. */
export const outcomeBody = Joi.object({
  status: Joi.number()
    .integer()
    .min(200)
    .max(599)
    .required()
    .description("HTTP status of the answer to the command."),
  body: Joi.object().unknown().required().description("Body of the answer to the command."),
}).example({ status: 200, body: { ok: true } });
