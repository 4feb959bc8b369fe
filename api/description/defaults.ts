import type { Config } from "../../shared/platform/config/config.ts";
import { durationInWords } from "../../shared/platform/config/values.ts";
import { type VariableName, variables } from "../../shared/platform/config/variables.ts";

type NumberName = {
  [Name in VariableName]: Config[Name] extends number ? Name : never;
}[VariableName];

/** Returns a variable's default number. Descriptions use it to be the same on every installation. */
export const defaultNumber = (name: NumberName): number =>
  variables[name].schema.validate(undefined).value as number;

/** Returns a variable's default duration in words. */
export const defaultTime = (name: NumberName): string => durationInWords(defaultNumber(name));
