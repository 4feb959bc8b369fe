import { existsSync } from "node:fs";

import { loadLocalKeys } from "./local-keys.ts";
import type { Variable } from "./variable.ts";
import { type VariableName, variables } from "./variables.ts";

type ValueOf<V> = V extends Variable<infer T> ? T : never;

/** The environment, checked and frozen. Each field has the name of its variable. */
export type Config = { readonly [Name in VariableName]: ValueOf<(typeof variables)[Name]> };

/** All faults of the environment. Each line names a variable and the correction. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      `The environment variables are not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

/**
 * Reads and checks the environment. Outside production, missing keys are generated at random and stored
 * in `.data/`.
 * @throws {ConfigError} with all faults
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = removeEmptyVariables(environment);
  const production = set["NODE_ENV"] === "production";
  const given = production ? set : { ...loadLocalKeys(set), ...set };
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const names = Object.keys(variables) as VariableName[];
  const readings = names.map((name) => ({ name, ...read(name, given[name]) }));
  for (const { name, value } of readings) values[name] = value;
  for (const { name, fault } of readings) {
    const refused = fault ?? (production ? productionFault(name, values) : undefined);
    if (refused) faults.push(refused);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(values) as Config;
}

/**
 * Removes empty variables, because hosts and `.env` files write unset variables as empty. Variables with
 * `takesEmpty` stay.
 */
export const removeEmptyVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => text?.trim() || acceptsEmpty(name)),
  );

const acceptsEmpty = (name: string): boolean =>
  Object.hasOwn(variables, name) &&
  (variables[name as VariableName] as Variable<unknown>).takesEmpty === true;

type OriginVariables = Pick<Config, "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS">;

/** A cache in memory: every request from a browser needs the origins, and URLs are slow to parse. */
const knownOrigins = new WeakMap<OriginVariables, readonly string[]>();

/**
 * Origins that may send cookies: the site's own origin, for its queue and docs pages, and the configured origins.
 */
export function allowedOrigins(config: OriginVariables): readonly string[] {
  const known = knownOrigins.get(config);
  if (known) return known;
  const origins = [new URL(config.PUBLIC_BASE_URL).origin, ...config.ALLOWED_ORIGINS];
  knownOrigins.set(config, origins);
  return origins;
}

function read(name: VariableName, text: string | undefined): { value: unknown; fault?: string } {
  const declared: Variable<unknown> = variables[name];
  const { value, error } = declared.schema.label(name).validate(text, { convert: true });
  if (!error) return { value };
  const reason = error.details[0]?.context?.["error"];
  const detail = reason instanceof Error ? `${name} ${reason.message}` : error.message;
  return { value, fault: `${detail.replaceAll('"', "")} (${declared.about})` };
}

function productionFault(
  name: VariableName,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const declared: Variable<unknown> = variables[name];
  const reason = declared.refusedInProduction?.(values[name], values);
  return reason ? `${name}: ${reason} (${declared.about})` : undefined;
}

/** Exit code of a process whose arguments or environment are wrong. */
export const configExitCode = 78;

/** Reads the environment and `.env`. Prints every fault and exits if the environment is invalid. */
export function readConfigOrExit(): Config {
  try {
    return loadConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(configExitCode);
  }
}

/** Returns the environment and `.env` of the current folder. Every operator's program calls this first. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (!isStartedByScript && existsSync(".env")) process.loadEnvFile(".env");
  return removeEmptyVariables(process.env);
}

/** Do not read `.env` again if a script has started this process and passed the whole environment. */
const isStartedByScript = process.execArgv.some((argument) =>
  argument.endsWith("/end-with-starter.ts"),
);
