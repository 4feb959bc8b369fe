import Joi from "joi";

import { parseDuration, duration } from "./values.ts";

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

const highest = 1_000_000;

/** Beyond this multiple of the default, production refuses: it would no longer limit anybody. */
const laxest = 100;

/** How many of something anybody may do before being refused or slowed. */
export const tries = (usual: number, about: string): Variable<number> =>
  variable(Joi.number().integer().min(1).max(highest).default(usual), about, (value) =>
    value > usual * laxest ? `must be ${usual * laxest} or less in production` : undefined,
  );

/** How many times the number of one address those of a whole network may have together. */
export const times = (usual: number, about: string): Variable<number> =>
  variable(Joi.number().integer().min(1).max(1000).default(usual), about, (value) =>
    // With 1, one address uses up what the others of its network have.
    value < 2 ? "must be 2 or more in production" : undefined,
  );

/** How many of something may be, where a hundred is many. */
export const smallCount = (usual: number, about: string): Variable<number> =>
  variable(Joi.number().integer().min(1).max(100).default(usual), about);

/** A time over which something is counted, or for which somebody is shut out. */
export const span = (usual: string, about: string): Variable<number> =>
  variable(duration(usual, { least: "1s", most: "30d" }), about, atLeast("1m"));

/** How long an answer is held back. */
export const pause = (usual: string, about: string): Variable<number> =>
  variable(duration(usual, { least: "1ms", most: "1m" }), about, atLeast("100ms"));
