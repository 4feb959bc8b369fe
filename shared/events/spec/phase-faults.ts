import type { Param, ParamValues } from "../../facts/param.ts";
import type { TriggerVariable } from "../../facts/trigger.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { PointerFault } from "../../platform/errors/pointer-faults.ts";
import type { Action } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import { hasTemplate } from "../params.ts";
import type { Operator } from "../vocabulary.ts";
import { type TemplateNames, findValueFaults } from "./param-faults.ts";
import { SpecValue, type FieldsByKind, findKindFaults } from "./spec-value.ts";

/** The action ids of earlier steps, by the keys of the steps. */
type EarlierActions = Map<string, string>;

/** Returns the faults of a step's action and parameters. */
export function findStepFaults(
  step: SpecValue,
  known: TemplateNames,
  earlier: EarlierActions,
): PointerFault[] {
  const actionId = step.at("actionId");
  const id = actionId.text();
  if (id === undefined) return [];
  const action = findAction(id);
  if (!action) return [actionId.fault("unknown", "must be the id of an action in the catalog")];
  const given = completeParams(step.at("params"), action);
  const faults = givenFaults(given, { action, known, earlier });
  const key = step.at("key").text();
  if (key !== undefined) earlier.set(key, id);
  return faults;
}

/** Returns the given parameters and those that follow from them. */
function completeParams(given: SpecValue, action: Action): SpecValue {
  const params: ParamValues = Object.fromEntries(
    given.fields().map(([name, place]) => [name, place.value]),
  );
  return given.fields().length === 0
    ? given
    : new SpecValue(action.deriveParams(params), given.way);
}

interface StepScope {
  readonly action: Action;
  readonly known: TemplateNames;
  readonly earlier: EarlierActions;
}

function givenFaults(given: SpecValue, around: StepScope): PointerFault[] {
  const { action } = around;
  const declared = action.params;
  const unknown = given
    .fields()
    .filter(([name]) => !declared.some((param) => param.name === name))
    .map(([, place]) => place.fault("unknown", `is not a parameter of ${action.id}`));
  const faults = declared.flatMap((param) => oneFaults(given.at(param.name), param, around));
  const together = faults.length === 0 ? findCombinationFaults(given, action) : [];
  return [...unknown, ...faults, ...together];
}

function oneFaults(place: SpecValue, param: Param, { known, earlier }: StepScope): PointerFault[] {
  if (place.value === undefined || place.value === null) {
    const isMissing = param.required && param.default === undefined;
    return isMissing ? [place.fault("required", "is required")] : [];
  }
  const faults = findValueFaults(place, param, known);
  if (faults.length > 0 || param.stepOf === undefined) return faults;
  if (earlier.get(place.text() ?? "") === param.stepOf) return [];
  return [
    place.fault("unknown", `must be the key of an earlier step with the action ${param.stepOf}`),
  ];
}

/** Returns the faults of parameters that are valid alone but not together; ignores those with templates. */
function findCombinationFaults(given: SpecValue, action: Action): PointerFault[] {
  const fields = given.fields().filter(([, { value }]) => value !== undefined && value !== null);
  const literal: ParamValues = Object.fromEntries(
    fields
      .filter(([, place]) => !hasTemplate(place.value))
      .map(([name, place]) => [name, place.value]),
  );
  return action
    .checkCombination(literal, new Set(fields.map(([name]) => name)))
    .map(({ param, ...problem }) => given.at(param).problem(problem));
}

const gateFields: FieldsByKind = {
  steps: { needs: [], takes: [] },
  manual: { needs: [], takes: [] },
  after: { needs: ["seconds"], takes: [] },
  trigger: { needs: ["trigger"], takes: ["count", "where", "timeoutSeconds", "onTimeout"] },
};

/** Returns the variables that are known after a gate has opened, by name. */
export function listGateVariables(gate: SpecValue): [string, TriggerVariable][] {
  const { variables = [] } = findTrigger(gate.at("trigger").text() ?? "") ?? {};
  return variables.map((variable) => [variable.name, variable]);
}

/** Returns the faults of a gate. Its conditions may contain parameters of the run. */
export function findGateFaults(gate: SpecValue, params: TemplateNames): PointerFault[] {
  const faults = findKindFaults(gate, gateFields);
  const place = gate.at("trigger");
  const id = place.text();
  if (id === undefined || gate.at("kind").value !== "trigger") return faults;
  const trigger = findTrigger(id);
  if (!trigger) return [place.fault("unknown", "must be the id of a trigger in the catalog")];
  return gate
    .at("where")
    .items()
    .flatMap((condition) => conditionFaults(condition, trigger.variables, params));
}

function conditionFaults(
  condition: SpecValue,
  variables: readonly TriggerVariable[],
  params: TemplateNames,
): PointerFault[] {
  const place = condition.at("var");
  const name = place.text();
  if (name === undefined) return [];
  const variable = variables.find((one) => one.name === name);
  if (!variable) return [place.fault("unknown", "must be the name of a variable of the trigger")];
  const value = condition.at("value");
  const op = condition.at("op");
  if (variable.list && !["contains", "exists"].includes(op.text() ?? "")) {
    return [op.fault("type", `must be contains or exists, because ${variable.name} is a list`)];
  }
  const compare = comparisons.get(condition.at("op").text() ?? "");
  return compare?.(value, variable, { op, params }) ?? [];
}

interface ConditionScope {
  readonly op: SpecValue;
  readonly params: TemplateNames;
}

type Comparison = (
  value: SpecValue,
  variable: TriggerVariable,
  around: ConditionScope,
) => PointerFault[];

const asParam = ({ name, type, values }: TriggerVariable): Param => ({
  name,
  type,
  values,
  required: false,
});

const equal: Comparison = (value, variable, { params }) =>
  findValueFaults(value, asParam(variable), params);

const ordered: Comparison = (value, variable, around) =>
  ["integer", "number", "duration", "datetime"].includes(variable.type)
    ? equal(value, variable, around)
    : [around.op.fault("type", `compares numbers and times, but ${variable.name} is neither`)];

const isMember: Comparison = (value, variable, around) => {
  if (!Array.isArray(value.value)) return [value.fault("type", "must be a list")];
  if (value.value.length > 50) return [value.fault("limit", "must have at most 50 values")];
  return value.items().flatMap((item) => equal(item, variable, around));
};

const isContained: Comparison = (value, variable, around) => {
  const { op, params } = around;
  if (variable.list) return equal(value, variable, around);
  const isText = ["string", "text", "enum", "serial"].includes(variable.type);
  if (!isText) return [op.fault("type", `searches text, but ${variable.name} is not text`)];
  return findValueFaults(value, { name: variable.name, type: "text", required: true }, params);
};

const operandExists: Comparison = (value) =>
  typeof value.value === "boolean" ? [] : [value.fault("type", "must be true or false")];

const comparisons: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
    eq: equal,
    ne: equal,
    gt: ordered,
    gte: ordered,
    lt: ordered,
    lte: ordered,
    in: isMember,
    contains: isContained,
    exists: operandExists,
  } satisfies Readonly<Record<Operator, Comparison>>),
);
