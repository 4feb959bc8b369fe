import type { Param } from "../../facts/param.ts";
import type { Values } from "../../facts/param.ts";
import type { PointedFault } from "../../platform/errors/pointer-faults.ts";
import type { Action } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import { hasTemplate } from "../params/template.ts";
import { Place } from "./place.ts";
import { type Known, valueFaults } from "./template-faults.ts";

/** Actions of the steps above, by the steps' keys. */
type Earlier = Map<string, string>;

/** Faults of what a step names: its action, and what it is given. */
export function stepFaults(step: Place, known: Known, earlier: Earlier): PointedFault[] {
  const actionId = step.at("actionId");
  const id = actionId.text();
  if (id === undefined) return [];
  const action = findAction(id);
  if (!action) return [actionId.fault("unknown", "must be the id of an action in the catalog")];
  const given = completed(step.at("params"), action);
  const faults = givenFaults(given, { action, known, earlier });
  const key = step.at("key").text();
  if (key !== undefined) earlier.set(key, id);
  return faults;
}

/** A step is checked with what follows from what it is given. */
function completed(given: Place, action: Action): Place {
  const params: Values = Object.fromEntries(
    given.fields().map(([name, place]) => [name, place.value]),
  );
  return given.fields().length === 0 ? given : new Place(action.complete(params), given.way);
}

interface Surroundings {
  readonly action: Action;
  readonly known: Known;
  readonly earlier: Earlier;
}

function givenFaults(given: Place, around: Surroundings): PointedFault[] {
  const { action } = around;
  const declared = action.params;
  const unknown = given
    .fields()
    .filter(([name]) => !declared.some((param) => param.name === name))
    .map(([, place]) => place.fault("unknown", `is not a parameter of ${action.id}`));
  const faults = declared.flatMap((param) => oneFaults(given.at(param.name), param, around));
  const together = faults.length === 0 ? togetherFaults(given, action) : [];
  return [...unknown, ...faults, ...together];
}

function oneFaults(place: Place, param: Param, { known, earlier }: Surroundings): PointedFault[] {
  if (place.value === undefined || place.value === null) {
    const isMissing = param.required && param.default === undefined;
    return isMissing ? [place.fault("required", "is required")] : [];
  }
  const faults = valueFaults(place, param, known);
  if (faults.length > 0 || param.stepOf === undefined) return faults;
  if (earlier.get(place.text() ?? "") === param.stepOf) return [];
  return [
    place.fault("unknown", `must be the key of an earlier step with the action ${param.stepOf}`),
  ];
}

/** What fits one by one and not together; values that are still to be filled in are left out. */
function togetherFaults(given: Place, action: Action): PointedFault[] {
  const fields = given.fields().filter(([, { value }]) => value !== undefined && value !== null);
  const literal: Values = Object.fromEntries(
    fields
      .filter(([, place]) => !hasTemplate(place.value))
      .map(([name, place]) => [name, place.value]),
  );
  return action
    .problemsOf(literal, new Set(fields.map(([name]) => name)))
    .map(({ param, ...problem }) => given.at(param).problem(problem));
}
