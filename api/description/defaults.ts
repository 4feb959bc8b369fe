import type { Config } from "../../shared/platform/config/config.ts";
import { formatDurationInWords } from "../../shared/platform/config/values.ts";
import { type VariableName, variables } from "../../shared/platform/config/variables.ts";

type NumberName = {
  [Name in VariableName]: Config[Name] extends number ? Name : never;
}[VariableName];

/** Returns a number's default, not its configured value, so that all sites have the same description. */
export const readDefaultNumber = (name: NumberName): number =>
  variables[name].schema.validate(undefined).value as number;

/** Returns the default of a duration in the configuration, in words. */
export const formatDefaultDuration = (name: NumberName): string =>
  formatDurationInWords(readDefaultNumber(name));
