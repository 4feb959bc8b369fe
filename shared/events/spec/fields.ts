import Joi from "joi";

import { paramTypes } from "../../facts/param.ts";
import { nameTextField } from "../../platform/texts/visible-text.ts";
import {
  gateKinds,
  eventLimits,
  failureReactions,
  timeoutReactions,
  operators,
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

/** An object that allows only these fields. */
const closed = (fields: Readonly<Record<string, Joi.Schema>>): Joi.ObjectSchema =>
  Joi.object(fields).unknown(false);

const oneOf = (values: readonly string[]): Joi.StringSchema => Joi.string().valid(...values);

/** Types for the API description. `findSpecFaults` checks the values. */
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

/** A value of any parameter type; null means no value. */
export const paramValue = Joi.any().meta({
  jsonSchema: {
    anyOf: [{ ...text, nullable: true }, ...otherScalars, place],
    example: "Barracoon",
  },
});

/** The operand of a condition: a value, or a list for `in`. */
const comparedValue = Joi.any().meta({
  jsonSchema: {
    anyOf: [...scalars, { type: "array", items: { anyOf: scalars } }],
    example: "Barracoon",
  },
});

const wallTime = Joi.string().max(19);

/** `findKindFaults` checks which fields each kind requires. */
const schedule = closed({
  kind: oneOf(scheduleKinds).required(),
  at: wallTime
    .allow(null)
    .description(
      "Time by the clock in the time zone of the event, such as 2026-12-05T20:00. For `once`: " +
        "when the event takes place. For `recurring`: from when `rrule` applies.",
    ),
  rrule: Joi.string()
    .max(1_000)
    .allow(null)
    .description(
      "For `recurring`: recurrence rule (RFC 5545). `FREQ` must be DAILY, WEEKLY, MONTHLY or " +
        "YEARLY; COUNT, UNTIL and DTSTART are not allowed. The rule may yield at most 288 " +
        "occurrences a day. The service stores the rule in upper case, without `RRULE:`.",
    ),
  until: wallTime
    .allow(null)
    .description(
      "Latest time of an occurrence, by the clock in the time zone of the event. Null for no end.",
    ),
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
  default: paramValue.description(
    "Value that the parameter has if a run is started without a value for it.",
  ),
  values: Joi.array()
    .items(Joi.string().max(256))
    .min(1)
    .max(50)
    .description("Allowed values of the parameter. Required for the type `enum`."),
  min: Joi.number().description("Smallest allowed value of a number, or of a duration in seconds."),
  max: Joi.number().description("Largest allowed value of a number, or of a duration in seconds."),
  maxLength: Joi.number()
    .integer()
    .min(1)
    .max(4_000)
    .description(
      "Maximum number of characters of a text. Default: 256 for `string`, 4,000 for `text`.",
    ),
  description: Joi.string()
    .allow("")
    .max(500)
    .description("Help text for the person who starts a run of the event."),
});

const condition = closed({
  var: Joi.string().max(64).required().description("Name of a variable that the trigger has."),
  op: oneOf(operators).required(),
  value: comparedValue
    .required()
    .description(
      "Value with which the variable is compared: a list for `in`, true or false for `exists`. " +
        "In a text, `{{name}}` stands for the parameter `name` of the run.",
    ),
});

const seconds = () => Joi.number().integer().min(1).max(eventLimits.maxAfterSeconds);

const gate = closed({
  kind: oneOf(gateKinds)
    .required()
    .description(
      "What ends the phase. `steps`: the phase ends with its last step. `after`: the phase ends " +
        "after the time in `seconds`. `trigger`: trigger events end the phase. `manual`: a " +
        "person ends the phase. With `after` and `trigger`, the phase never ends before its last " +
        "step has ended. With every kind, a person can advance the run at any time.",
    ),
  seconds: seconds()
    .allow(null)
    .description(
      "For `after`: how many seconds after its start the phase ends. Pauses do not count.",
    ),
  trigger: Joi.string()
    .max(64)
    .allow(null)
    .description("For `trigger`: id of the trigger, as in the catalog."),
  count: Joi.number()
    .integer()
    .min(1)
    .max(eventLimits.maxAdvanceCount)
    .allow(null)
    .description(
      "For `trigger`: number of matching trigger events after which the phase ends. Default: 1.",
    ),
  where: Joi.array()
    .items(condition)
    .max(10)
    .allow(null)
    .description(
      "For `trigger`: conditions on the variables of a trigger event. A trigger event counts " +
        "only if it meets all conditions. A trigger event without the variable of a condition " +
        "meets the condition only if `op` is `exists` and `value` is false.",
    ),
  timeoutSeconds: seconds()
    .allow(null)
    .description(
      "For `trigger`: timeout of the gate in seconds, counted from the start of the phase. " +
        "Pauses do not count. Null for no timeout.",
    ),
  onTimeout: Joi.string()
    .valid(...timeoutReactions)
    .allow(null)
    .description(
      "For `trigger`: what happens to the run when the gate times out: it advances to the next " +
        "phase (`advance`) or pauses (`pause`). Default: `pause`.",
    ),
});

const step = closed({
  key: key().description("Key of the step, unique among all steps of the event."),
  actionId: Joi.string().max(64).required().description("Id of an action, as in the catalog."),
  params: Joi.object()
    .unknown(true)
    .default({})
    .description(
      "Values of the action's parameters. In texts, `{{name}}` stands for a parameter of the " +
        "run, or for a variable of the trigger event that ended an earlier phase.",
    ),
  offsetSeconds: Joi.number()
    .integer()
    .min(0)
    .max(eventLimits.maxAfterSeconds)
    .default(0)
    .description(
      "How many seconds after the start of the phase the step is due. A step never starts before " +
        "the previous step has ended.",
    ),
  onFailure: oneOf(failureReactions).description(
    "What happens to the run if the step fails and is not retried. The default depends on the " +
      "risk of the step's action: see `onFailureByRisk` in the catalog.",
  ),
  confirm: Joi.boolean()
    .default(false)
    .description("Whether a person must confirm the step before it runs its action."),
  maxAttempts: Joi.number()
    .integer()
    .min(1)
    .max(20)
    .default(5)
    .description("Maximum number of attempts. If the last attempt fails, the step fails."),
  budgetMs: Joi.number()
    .integer()
    .min(1_000)
    .max(600_000)
    .default(eventLimits.defaultBudgetMs)
    .description("Time limit of one attempt of the step, in milliseconds."),
});

const phase = closed({
  key: key().description("Key of the phase, unique among the phases of the event."),
  title: nameTextField(200).required(),
  steps: Joi.array()
    .items(step)
    .max(eventLimits.maxStepsPerPhase)
    .default([])
    .description("Steps of the phase, which run one after the other."),
  advance: gate
    .default({ kind: "steps" })
    .description("Gate of the phase: the condition that ends it."),
});

export const scopeField = (): Joi.StringSchema =>
  Joi.string().pattern(scopePattern, "scope").example("survival:3");

/** The fields of a spec. `findSpecFaults` also checks its references. */
export const specField = closed({
  listed: Joi.boolean()
    .default(false)
    .description(
      "Whether the event is announced. An announced event appears on public pages and in " +
        "calendars, and push messages and webhooks report the start and the completion of its " +
        "runs.",
    ),
  scope: scopeField()
    .default("shard")
    .description(
      "Where the event takes place. Gates count only trigger events from this place. With the " +
        "scope `site`, gates count trigger events of the site and of all game servers. Triggers " +
        "about the starts, phases and completions of other runs count in every scope.",
    ),
  schedule: schedule.default({ kind: "manual" }),
  params: Joi.array()
    .items(param)
    .max(20)
    .default([])
    .description("Parameters of the event. Each run has its own values for the parameters."),
  phases: Joi.array()
    .items(phase)
    .min(1)
    .max(eventLimits.maxPhases)
    .required()
    .description(
      "Phases of the event, which run one after the other. All phases together have at most " +
        `${eventLimits.maxSteps} steps.`,
    ),
}).example(exampleSpec);
