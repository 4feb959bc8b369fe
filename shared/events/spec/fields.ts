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
        "{{#label}} must be lower-case letters, digits, hyphens and low lines, at most 40, and begin with a letter",
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

const wallTime = Joi.string()
  .max(19)
  .description("A wall time in the event's time zone, such as 2026-12-05T20:00.");

/** Which fields a kind needs is checked beside the form, as for the gates. */
const schedule = closed({
  kind: oneOf(scheduleKinds).required(),
  at: wallTime.allow(null),
  rrule: Joi.string()
    .max(1_000)
    .allow(null)
    .description(
      "RFC 5545, without COUNT, UNTIL and DTSTART. Published without `RRULE:` before it, and in capital letters.",
    ),
  until: wallTime.allow(null).description("The last wall time that may be."),
});

const param = closed({
  name: Joi.string()
    .pattern(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must be letters, digits, hyphens and low lines, at most 40, and begin with a letter",
    })
    .required(),
  type: oneOf(paramTypes).required(),
  required: Joi.boolean().default(false),
  default: paramValue,
  values: Joi.array().items(Joi.string().max(256)).min(1).max(50),
  min: Joi.number(),
  max: Joi.number(),
  maxLength: Joi.number().integer().min(1).max(4_000),
  description: Joi.string().allow("").max(500),
});

const condition = closed({
  var: Joi.string().max(64).required(),
  op: oneOf(operators).required(),
  value: comparedValue.required(),
});

const seconds = () => Joi.number().integer().min(1).max(eventLimits.maxAfterSeconds);

const gate = closed({
  kind: oneOf(advanceKinds).required(),
  seconds: seconds().allow(null),
  trigger: Joi.string().max(64).allow(null),
  count: Joi.number().integer().min(1).max(eventLimits.maxAdvanceCount).allow(null),
  where: Joi.array().items(condition).max(10).allow(null),
  timeoutSeconds: seconds().allow(null),
  onTimeout: Joi.string()
    .valid(...onTimeouts)
    .allow(null),
});

const step = closed({
  key: key(),
  actionId: Joi.string().max(64).required(),
  params: Joi.object().unknown(true).default({}),
  offsetSeconds: Joi.number().integer().min(0).max(eventLimits.maxAfterSeconds).default(0),
  onFailure: oneOf(onFailures).description("By the action's risk, when left out."),
  confirm: Joi.boolean().default(false),
  maxAttempts: Joi.number().integer().min(1).max(20).default(5),
  budgetMs: Joi.number()
    .integer()
    .min(1_000)
    .max(600_000)
    .default(eventLimits.defaultBudgetMs)
    .description("One attempt's time."),
});

const phase = closed({
  key: key(),
  title: nameText(200).required(),
  steps: Joi.array().items(step).max(eventLimits.maxStepsPerPhase).default([]),
  advance: gate.default({ kind: "steps" }),
});

export const scopeField = (): Joi.StringSchema =>
  Joi.string().pattern(scopePattern, "scope").example("survival:3");

/** The form of a spec; what its names refer to is checked beside it. */
export const specField = closed({
  listed: Joi.boolean().default(false).description("Announced to everyone."),
  scope: scopeField().default("shard"),
  schedule: schedule.default({ kind: "manual" }),
  params: Joi.array().items(param).max(20).default([]),
  phases: Joi.array().items(phase).min(1).max(eventLimits.maxPhases).required(),
}).example(exampleSpec);
