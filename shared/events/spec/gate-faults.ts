import type { Param } from "../../facts/param.ts";
import type { Variable } from "../../facts/trigger.ts";
import { findTrigger } from "../../facts/triggers.ts";
import type { PointedFault } from "../../platform/errors/pointer-faults.ts";
import type { Operator } from "../vocabulary.ts";
import { type FieldsByKind, kindFaults } from "./kind-faults.ts";
import type { Place } from "./place.ts";
import { type Known, valueFaults } from "./template-faults.ts";

const gateFields: FieldsByKind = {
  steps: { needs: [], takes: [] },
  manual: { needs: [], takes: [] },
  after: { needs: ["seconds"], takes: [] },
  trigger: { needs: ["trigger"], takes: ["count", "where", "timeoutSeconds", "onTimeout"] },
};

/** Variables that are known once a gate has opened, by name. */
export function variablesBehind(gate: Place): [string, Variable][] {
  const { variables = [] } = findTrigger(gate.at("trigger").text() ?? "") ?? {};
  return variables.map((variable) => [variable.name, variable]);
}

/** Faults of what a gate waits for. Its conditions may hold parameters of the run. */
export function gateFaults(gate: Place, params: Known): PointedFault[] {
  const faults = kindFaults(gate, gateFields);
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
  condition: Place,
  variables: readonly Variable[],
  params: Known,
): PointedFault[] {
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

interface Around {
  readonly op: Place;
  readonly params: Known;
}

type Comparison = (value: Place, variable: Variable, around: Around) => PointedFault[];

const asParam = ({ name, type, values }: Variable): Param => ({
  name,
  type,
  values,
  required: false,
});

const equal: Comparison = (value, variable, { params }) =>
  valueFaults(value, asParam(variable), params);

const ordered: Comparison = (value, variable, around) =>
  ["integer", "number", "duration", "datetime"].includes(variable.type)
    ? equal(value, variable, around)
    : [around.op.fault("type", `compares numbers and times, but ${variable.name} is neither`)];

const member: Comparison = (value, variable, around) => {
  if (!Array.isArray(value.value)) return [value.fault("type", "must be a list")];
  if (value.value.length > 50) return [value.fault("limit", "must hold at most 50 values")];
  return value.items().flatMap((item) => equal(item, variable, around));
};

const piece: Comparison = (value, variable, around) => {
  const { op, params } = around;
  if (variable.list) return equal(value, variable, around);
  const isText = ["string", "text", "enum", "serial"].includes(variable.type);
  if (!isText) return [op.fault("type", `searches text, but ${variable.name} is not text`)];
  return valueFaults(value, { name: variable.name, type: "text", required: true }, params);
};

const there: Comparison = (value) =>
  typeof value.value === "boolean" ? [] : [value.fault("type", "must be true or false")];

const comparisons: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
    eq: equal,
    ne: equal,
    gt: ordered,
    gte: ordered,
    lt: ordered,
    lte: ordered,
    in: member,
    contains: piece,
    exists: there,
  } satisfies Readonly<Record<Operator, Comparison>>),
);
