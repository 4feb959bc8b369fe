import type Joi from "joi";

import { parseDuration } from "./values.ts";

/** One environment variable: what it takes, what it is for, and what production refuses. */
export interface Variable<T> {
  readonly schema: Joi.AnySchema<T>;
  readonly about: string;
  /** Says why a value is not fit for production beside the others, or nothing when it is. */
  refusedInProduction?(this: void, value: T, others: Values): string | undefined;
  /** It says something by being set empty, where any other variable counts as unset then. */
  readonly takesEmpty?: true;
}

/** What every variable was read as. */
type Values = Readonly<Record<string, unknown>>;

export const variable = <T>(
  schema: Joi.AnySchema<T>,
  about: string,
  refusedInProduction?: Variable<T>["refusedInProduction"],
): Variable<T> =>
  refusedInProduction ? { schema, about, refusedInProduction } : { schema, about };

/** Durations below this are for tests. */
export const atLeast =
  (least: string) =>
  (ms: number): string | undefined =>
    ms < (parseDuration(least) as number) ? `must be ${least} or more in production` : undefined;
