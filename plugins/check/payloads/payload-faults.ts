import type Joi from "joi";

import { findShardKind } from "../../../shared/shard/kinds/kinds.ts";
import { snapshotFamilies } from "../../../shared/shard/kinds/live-states.ts";
import { stateFamilies } from "../../../shared/survival/kinds/kind.ts";
import { findSurvivalKind } from "../../../shared/survival/kinds/kinds.ts";

export const games = ["uo", "rust"] as const;

/** The game of a program: a shard (`uo`) or a survival server (`rust`). */
export type Game = (typeof games)[number];

export const familiesOf = (game: Game): readonly string[] =>
  game === "uo" ? snapshotFamilies : stateFamilies;

export interface PayloadFault {
  /** The path of the faulty value, such as `$.items[3].price`. */
  readonly path: string;
  readonly message: string;
  readonly value: unknown;
}

/** Returns the schema of a kind's payload; undefined for an unknown kind. */
export const schemaOf = (game: Game, kind: string): Joi.ObjectSchema | undefined =>
  (game === "uo" ? findShardKind(kind) : findSurvivalKind(kind))?.payload;

/** Returns all faults because of which the site would reject a payload. */
export function findPayloadFaults(schema: Joi.ObjectSchema, payload: unknown): PayloadFault[] {
  // The options are those of `checkPayloadAgainstSchema`, which ingest calls, but all faults are listed.
  const { error } = schema.validate(payload, {
    allowUnknown: true,
    convert: false,
    presence: "required",
    abortEarly: false,
    errors: { label: "path", wrap: { label: false } },
  });
  return faultsOf(error);
}

export const faultsOf = (error: Joi.ValidationError | undefined): PayloadFault[] =>
  (error?.details ?? []).map(({ path, message, context }) => ({
    path: jsonPath(path),
    message,
    value: context?.value as unknown,
  }));

const jsonPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>((way, step) => way + stepOf(step), "$");

function stepOf(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
