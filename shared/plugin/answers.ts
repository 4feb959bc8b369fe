import Joi from "joi";

import type { TakenCommand } from "./commands.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { Welcome } from "./sessions.ts";

const uuid = Joi.string().guid();
const whole = Joi.number().integer();
const texts = Joi.object<Readonly<Record<string, string>>>().pattern(
  Joi.string(),
  Joi.string().allow(""),
);

/** What `code` a plugin reads in a refusal, and what belongs to some of them. */
interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly field?: string;
  readonly expected?: number;
  readonly min?: number;
  readonly max?: number;
}

/** CATALOG of what the calls of a plugin are answered, by the names of the API description. */
export const pluginAnswers = {
  PluginWelcome: Joi.object<Welcome>({
    cursor: Joi.object({
      epoch: uuid.required().description("The epoch of the hello."),
      seq: whole.required().description("The event."),
    })
      .allow(null)
      .required()
      .description("Newest stored event of this epoch; null if there is none."),
    resync: Joi.array()
      .items(Joi.string().example("market"))
      .required()
      .description("Families of states of which the plugin sends whole snapshots."),
    pollSeconds: whole.required().description("Seconds to wait for commands.").example(25),
    maxEvents: whole.required().description("Events of one call at most.").example(500),
    maxBytes: whole.required().description("Bytes of one call at most.").example(1_048_576),
    now: whole
      .required()
      .description("The site's clock, epoch milliseconds.")
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
    seq: whole.required().description("The highest event that is stored for good."),
  }).example({ seq: 42 }),
  PluginCommand: Joi.object<TakenCommand, true>({
    id: uuid.required().description("Id of the command, under which it is answered."),
    call: Joi.string()
      .required()
      .description("Method and path of the call, with `:name` for each parameter.")
      .example("POST /v1/broadcast"),
    params: texts.required().description("Parameters of the path."),
    query: texts.required().description("Parameters of the query."),
    body: Joi.object().unknown().allow(null).required().description("Body; null for none."),
    actor: Joi.object({
      userId: whole
        .allow(null)
        .required()
        .description("Id of the user of the site; null for the site itself."),
      username: Joi.string().required().description("Name of the user."),
      role: Joi.string().required().description("Role of the user, such as `admin`."),
    })
      .allow(null)
      .required()
      .description("Who acts; null for reads."),
    key: Joi.string()
      .allow(null)
      .required()
      .description("Idempotency key; a repeat of it has the outcome of the first."),
    timeoutMs: whole
      .required()
      .description("Milliseconds for which the caller waits.")
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
    error: Joi.string().required().description("The reason in words."),
    code: Joi.string()
      .required()
      .description("What the plugin does next depends on this code.")
      .example("SEQUENCE"),
    field: Joi.string().description("The field at fault; with `INVALID`."),
    expected: whole.description("The next event; with `SEQUENCE`."),
    min: whole.description("Oldest protocol of the site; with `PROTOCOL`."),
    max: whole.description("Newest protocol of the site; with `PROTOCOL`."),
  })
    .unknown()
    .example({ error: "The next event must be 42", code: "SEQUENCE", expected: 42 }),
} as const satisfies Readonly<Record<string, Joi.ObjectSchema>>;
