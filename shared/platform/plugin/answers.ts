import Joi from "joi";

import type { DeliveredCommand } from "./commands.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { HelloAnswer } from "./sessions.ts";

const uuid = Joi.string().guid();
const whole = Joi.number().integer();
const texts = Joi.object<Readonly<Record<string, string>>>().pattern(
  Joi.string(),
  Joi.string().allow(""),
);

/** A refusal of a plugin's call. Each optional field belongs to one `code`. */
interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly field?: string;
  readonly expected?: number;
  readonly min?: number;
  readonly max?: number;
}

/** CATALOGUE of the answers to a plugin's calls, by their names in the API description. */
export const pluginAnswers = {
  PluginWelcome: Joi.object<HelloAnswer>({
    cursor: Joi.object({
      epoch: uuid.required().description("Epoch of the event."),
      seq: whole.required().description("Sequence number of the event."),
    })
      .allow(null)
      .required()
      .description(
        "Newest event of this epoch that the site has stored. Null if the site has stored no " +
          "event.",
      ),
    resync: Joi.array()
      .items(Joi.string().example("market"))
      .required()
      .description(
        "Kinds of state, such as `market`, of which the plugin must send a complete snapshot now.",
      ),
    pollSeconds: whole
      .required()
      .description("Value to send as `wait` of `GET /plugin/commands`, in seconds.")
      .example(25),
    maxEvents: whole.required().description("Maximum number of events in a call.").example(500),
    maxBytes: whole
      .required()
      .description("Maximum size of the body of a hello or of a call with events, in bytes.")
      .example(1_048_576),
    now: whole
      .required()
      .description("Current time by the site's clock, in epoch milliseconds.")
      .example(1_767_225_600_000),
  }).example({
    cursor: { epoch: "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11", seq: 41 },
    resync: ["market", "house"],
    pollSeconds: pluginLimits.waitSeconds,
    maxEvents: pluginLimits.events,
    maxBytes: pluginLimits.bytes,
    now: 1_767_225_600_000,
  }),
  PluginReceipt: Joi.object<{ seq: number }, true>({
    seq: whole.required().description("`seq` of the newest event that is stored durably."),
  }).example({ seq: 42 }),
  PluginCommand: Joi.object<DeliveredCommand, true>({
    id: uuid
      .required()
      .description("Id of the command. The plugin answers the command under this id."),
    call: Joi.string()
      .required()
      .description(
        "Method and path of the command in the bridge protocol, with `:name` in place of each " +
          "path parameter.",
      )
      .example("POST /v1/broadcast"),
    params: texts.required().description("Values of the path parameters, by name."),
    query: texts.required().description("Values of the query parameters, by name."),
    body: Joi.object()
      .unknown()
      .allow(null)
      .required()
      .description("Body of the command. Null if the command has no body."),
    actor: Joi.object({
      userId: whole.allow(null).required().description("Id of the user. Null for the site itself."),
      username: Joi.string().required().description("Username of the user."),
      role: Joi.string().required().description("Role of the user, such as `admin`."),
    })
      .allow(null)
      .required()
      .description("User who sent the command. Null for commands that only read data."),
    key: Joi.string()
      .allow(null)
      .required()
      .description(
        "Idempotency key: a repeated command with the same key has the outcome of the first " +
          "command. Null for commands that only read data.",
      ),
    timeoutMs: whole
      .required()
      .description(
        "For how many more milliseconds the caller of the command waits for the outcome.",
      )
      .example(10_000),
  }).example({
    id: "7c1f2a30-6f0a-4c43-9d0e-5b9d3c7e1a44",
    call: "POST /v1/broadcast",
    params: {},
    query: {},
    body: { text: "The gate opens" },
    actor: { userId: 7, username: "robin", role: "admin" },
    key: "3f1c9a52-0a51-4a0e-8d5f-7f3f4f0f6d11",
    timeoutMs: 10_000,
  }),
  PluginRefusal: Joi.object<Refusal>({
    error: Joi.string().required().description("Reason for the refusal, for people."),
    code: Joi.string()
      .required()
      .description(
        "Reason for the refusal, as a code. The plugin decides by this code what to do next.",
      )
      .example("SEQUENCE"),
    field: Joi.string().description(
      "Name of the invalid field. Present only if `code` is `INVALID`.",
    ),
    expected: whole.description(
      "`seq` of the event that the site expects next. Present only if `code` is `SEQUENCE`.",
    ),
    min: whole.description(
      "Lowest protocol version that the site supports. Present only if `code` is `PROTOCOL`.",
    ),
    max: whole.description(
      "Highest protocol version that the site supports. Present only if `code` is `PROTOCOL`.",
    ),
  })
    .unknown()
    .example({ error: "The next event must be 42", code: "SEQUENCE", expected: 42 }),
} as const satisfies Readonly<Record<string, Joi.ObjectSchema>>;
