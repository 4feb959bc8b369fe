import Joi from "joi";

import { parseDuration, durationSchema } from "./values.ts";

export interface Variable<T> {
  readonly schema: Joi.AnySchema<T>;
  readonly about: string;
  /** Returns the reason why production refuses the value, given all other values, or undefined. */
  refusedInProduction?(this: void, value: T, others: Values): string | undefined;
  /**
   * Set if an empty value has a meaning. For other variables, an empty value means that the variable is unset.
   */
  readonly takesEmpty?: true;
}

type Values = Readonly<Record<string, unknown>>;

export const defineVariable = <T>(
  schema: Joi.AnySchema<T>,
  about: string,
  refusedInProduction?: Variable<T>["refusedInProduction"],
): Variable<T> =>
  refusedInProduction ? { schema, about, refusedInProduction } : { schema, about };

/** Refuses durations below `least` in production. Shorter durations are for tests. */
export const requireAtLeast =
  (least: string) =>
  (ms: number): string | undefined =>
    ms < (parseDuration(least) as number) ? `must be ${least} or more in production` : undefined;

const highest = 1_000_000;

/** Production refuses more than this multiple of the default, because such a high limit would limit nobody. */
const largestFactor = 100;

/** The maximum number of attempts before a caller is refused or delayed. */
export const limitVariable = (usual: number, about: string): Variable<number> =>
  defineVariable(Joi.number().integer().min(1).max(highest).default(usual), about, (value) =>
    value > usual * largestFactor
      ? `must be ${usual * largestFactor} or less in production`
      : undefined,
  );

/** Defines a factor: the limit of a whole network is this multiple of the limit of one address. */
export const networkFactorVariable = (usual: number, about: string): Variable<number> =>
  defineVariable(Joi.number().integer().min(1).max(1000).default(usual), about, (value) =>
    // With 1, a single address could use up the limit of its whole network.
    value < 2 ? "must be 2 or more in production" : undefined,
  );

export const smallCountVariable = (usual: number, about: string): Variable<number> =>
  defineVariable(Joi.number().integer().min(1).max(100).default(usual), about);

/** The time over which attempts are counted, or for which a caller is blocked. */
export const windowVariable = (usual: string, about: string): Variable<number> =>
  defineVariable(durationSchema(usual, { least: "1s", most: "30d" }), about, requireAtLeast("1m"));

export const delayVariable = (usual: string, about: string): Variable<number> =>
  defineVariable(
    durationSchema(usual, { least: "1ms", most: "1m" }),
    about,
    requireAtLeast("100ms"),
  );
