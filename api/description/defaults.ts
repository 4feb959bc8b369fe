import type { Config } from "../../shared/platform/config/config.ts";
import { durationInWords } from "../../shared/platform/config/values.ts";
import { type VariableName, variables } from "../../shared/platform/config/variables.ts";

type NumberName = {
  [Name in VariableName]: Config[Name] extends number ? Name : never;
}[VariableName];

/** The number a variable holds where nobody sets it, for descriptions that are the same anywhere. */
export const defaultNumber = (name: NumberName): number =>
  variables[name].schema.validate(undefined).value as number;

/** The same of a duration, in words. */
export const defaultTime = (name: NumberName): string => durationInWords(defaultNumber(name));
