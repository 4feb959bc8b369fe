import { ConfigError, type Config, loadConfig } from "../../../shared/platform/config/config.ts";
import { variables } from "../../../shared/platform/config/variables.ts";
import { faultResult, type DoctorResult, okResult } from "./check.ts";

export interface EnvironmentCheckResult {
  readonly finding: DoctorResult;
  /** The configuration; absent if the environment is invalid. */
  readonly config?: Config;
}

/** Checks every variable, and finds misspelled names. */
export function checkEnvironment(environment: NodeJS.ProcessEnv): EnvironmentCheckResult {
  try {
    const config = loadConfig(environment);
    const [misspelt] = findMisspelledVariables(environment);
    if (!misspelt) return { config, finding: okResult(`NODE_ENV is ${config.NODE_ENV}`) };
    const { given, meant } = misspelt;
    const finding = faultResult(
      `${given} is not a variable of this service`,
      `rename it to ${meant}`,
    );
    return { config, finding };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      finding: faultResult(
        error.message,
        "correct the named variables; .env.example describes each",
      ),
    };
  }
}

interface MisspelledVariable {
  readonly given: string;
  readonly meant: string;
}

/** Minimum length of a name to compare. Shorter names could match by accident. */
const shortest = 7;

/** Finds unknown variables that differ by one typing error from a known variable that is not set. */
export function findMisspelledVariables(environment: NodeJS.ProcessEnv): MisspelledVariable[] {
  const names = Object.keys(variables).filter((name) => name.length >= shortest);
  return Object.keys(environment)
    .filter((given) => !Object.hasOwn(variables, given))
    .flatMap((given) => {
      const intended = names.find((name) => !environment[name] && isOneSlipAway(given, name));
      return intended === undefined ? [] : [{ given, meant: intended }];
    });
}

/** Returns true if one letter is missing, added or changed, or two neighbors are swapped. */
function isOneSlipAway(given: string, intended: string): boolean {
  const [short, long] = given.length < intended.length ? [given, intended] : [intended, given];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return swapped && short.slice(at + 2) === long.slice(at + 2);
}
