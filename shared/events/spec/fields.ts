import Joi from "joi";

import { nameText } from "../../visible-text.ts";
import {
  advanceKinds,
  eventLimits,
  onFailures,
  onTimeouts,
  operators,
  paramTypes,
  scheduleKinds,
  scopePattern,
} from "../vocabulary.ts";
import { exampleSpec } from "./example.ts";

/** The key of a phase or a step. */
const key = () =>
  Joi.string()
    .pattern(/^[a-z][a-z0-9_-]{0,39}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must begin with a letter and have at most 40 lowercase letters, digits, " +
        "hyphens and underscores",
    })
    .required();

/** A whole object: what is not named in it is a fault. */
const closed = (fields: Readonly<Record<string, Joi.Schema>>): Joi.ObjectSchema =>
  Joi.object(fields).unknown(false);

const oneOf = (values: readonly string[]): Joi.StringSchema => Joi.string().valid(...values);

/**
 * What a value may be depends on the parameter or the variable that it is for, and is checked beside
 * the form; here stand the forms that the description lists.
 */
const scalars = [{ type: "string" }, { type: "number" }, { type: "boolean" }] as const;

const place = {
  type: "object",
  required: ["map", "x", "y"],
  additionalProperties: false,
  properties: {
    map: { type: "string", example: "Felucca" },
    x: { type: "integer" },
    y: { type: "integer" },
    z: { type: "integer" },
  },
} as const;

const [text, ...otherScalars] = scalars;

/** What a value of any type of parameter looks like; null stands for none. */
export const paramValue = Joi.any().meta({
  jsonSchema: {
    anyOf: [{ ...text, nullable: true }, ...otherScalars, place],
    example: "Barracoon",
  },
});

/** What a variable is compared with: a value, or for `in` a list of them. */
const comparedValue = Joi.any().meta({
  jsonSchema: {
    anyOf: [...scalars, { type: "array", items: { anyOf: scalars } }],
    example: "Barracoon",
  },
});

const wallTime = Joi.string().max(19);

/** Which fields a kind needs is checked beside the form, as for the gates. */
const schedule = closed({
  kind: oneOf(scheduleKinds).required(),
  at: wallTime
    .allow(null)
    .description(
      "For `once`: when the event takes place. For `recurring`: when the rule begins to apply. " +
        "Wall time in the time zone of the event, such as 2026-12-05T20:00.",
    ),
  rrule: Joi.string()
    .max(1_000)
    .allow(null)
    .description(
      "For `recurring`: recurrence rule (RFC 5545). `FREQ` must be DAILY, WEEKLY, MONTHLY or " +
        "YEARLY; COUNT, UNTIL and DTSTART are not allowed. The rule may yield at most 288 " +
        "occurrences a day. Stored in upper case without `RRULE:`.",
    ),
  until: wallTime.allow(null).description("Latest wall time of an occurrence. Null for no end."),
});

const param = closed({
  name: Joi.string()
    .pattern(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must begin with a letter and have at most 40 letters, digits, hyphens and " +
        "underscores",
    })
    .required(),
  type: oneOf(paramTypes).required(),
  required: Joi.boolean().default(false),
  default: paramValue.description("Value for runs that are started without one."),
  values: Joi.array()
    .items(Joi.string().max(256))
    .min(1)
    .max(50)
    .description("Allowed values; required for the type `enum`."),
  min: Joi.number().description("Smallest value of a number or a duration."),
  max: Joi.number().description("Largest value of a number or a duration."),
  maxLength: Joi.number()
    .integer()
    .min(1)
    .max(4_000)
    .description("Maximum number of characters. Default: 256 for `string`, 4,000 for `text`."),
  description: Joi.string()
    .allow("")
    .max(500)
    .description("Help text for the person who starts a run."),
});

const condition = closed({
  var: Joi.string().max(64).required().description("Name of a variable of the trigger."),
  op: oneOf(operators).required(),
  value: comparedValue
    .required()
    .description(
      "Value to compare the variable with: a list for `in`, true or false for `exists`. Text may " +
        "contain parameters of the run as `{{name}}`.",
    ),
});

const seconds = () => Joi.number().integer().min(1).max(eventLimits.maxAfterSeconds);

const gate = closed({
  kind: oneOf(advanceKinds)
    .required()
    .description(
      "What ends the phase. `steps`: the end of its last step. `after`: the time in `seconds`. " +
        "`trigger`: events of the trigger. `manual`: a person who advances the run. With `after` " +
        "and `trigger`, the phase never ends before its last step has ended. A person can " +
        "advance the run at any time.",
    ),
  seconds: seconds()
    .allow(null)
    .description("For `after`: seconds from the start of the phase. Pauses do not count."),
  trigger: Joi.string()
    .max(64)
    .allow(null)
    .description("For `trigger`: id of a trigger of the catalog."),
  count: Joi.number()
    .integer()
    .min(1)
    .max(eventLimits.maxAdvanceCount)
    .allow(null)
    .description("For `trigger`: number of matching events that ends the phase. Default: 1."),
  where: Joi.array()
    .items(condition)
    .max(10)
    .allow(null)
    .description(
      "For `trigger`: conditions on the variables of an event. An event counts only if it meets " +
        "all of them. If it lacks the variable, only `exists` with the value false is met.",
    ),
  timeoutSeconds: seconds()
    .allow(null)
    .description(
      "For `trigger`: timeout in seconds from the start of the phase. Pauses do not count. Null " +
        "for no timeout.",
    ),
  onTimeout: Joi.string()
    .valid(...onTimeouts)
    .allow(null)
    .description("For `trigger`: what happens to the run at the timeout. Default: `pause`."),
});

const step = closed({
  key: key().description("Unique among all steps of the event."),
  actionId: Joi.string().max(64).required().description("Id of an action of the catalog."),
  params: Joi.object()
    .unknown(true)
    .default({})
    .description(
      "Parameters of the action. In text, `{{name}}` is replaced by a parameter of the run, or " +
        "by a variable of the event that ended an earlier phase.",
    ),
  offsetSeconds: Joi.number()
    .integer()
    .min(0)
    .max(eventLimits.maxAfterSeconds)
    .default(0)
    .description(
      "Seconds from the start of the phase until the step is due. A step never starts before the " +
        "previous step has ended.",
    ),
  onFailure: oneOf(onFailures).description(
    "What happens to the run if the step fails and is not retried. The default depends on the " +
      "risk of the action: see `onFailureByRisk` in the catalog.",
  ),
  confirm: Joi.boolean()
    .default(false)
    .description("Whether a person must confirm the step before it runs its action."),
  maxAttempts: Joi.number()
    .integer()
    .min(1)
    .max(20)
    .default(5)
    .description("Maximum number of attempts; the step fails after the last one."),
  budgetMs: Joi.number()
    .integer()
    .min(1_000)
    .max(600_000)
    .default(eventLimits.defaultBudgetMs)
    .description("Time limit of one attempt, in milliseconds."),
});

const phase = closed({
  key: key().description("Unique among the phases of the event."),
  title: nameText(200).required(),
  steps: Joi.array()
    .items(step)
    .max(eventLimits.maxStepsPerPhase)
    .default([])
    .description("Steps of the phase, which run one after the other."),
  advance: gate.default({ kind: "steps" }).description("Gate: the condition that ends the phase."),
});

export const scopeField = (): Joi.StringSchema =>
  Joi.string().pattern(scopePattern, "scope").example("survival:3");

/** The form of a spec; what its names refer to is checked beside it. */
export const specField = closed({
  listed: Joi.boolean()
    .default(false)
    .description(
      "Whether the event is announced: it appears on public pages and in calendars, and push " +
        "messages and webhooks report the start and the completion of its runs.",
    ),
  scope: scopeField()
    .default("shard")
    .description(
      "Where the event takes place. Gates count only events from there; with the scope `site`, " +
        "they count events of the site and of all game servers. Starts, phases and completions " +
        "of other runs count in every scope.",
    ),
  schedule: schedule.default({ kind: "manual" }),
  params: Joi.array()
    .items(param)
    .max(20)
    .default([])
    .description("Parameters. Each run has its own values for them."),
  phases: Joi.array()
    .items(phase)
    .min(1)
    .max(eventLimits.maxPhases)
    .required()
    .description(`Run one after the other. At most ${eventLimits.maxSteps} steps in all phases.`),
}).example(exampleSpec);
