import { existsSync } from "node:fs";

import { localKeys } from "./local-keys.ts";
import type { Variable } from "./variable.ts";
import { type VariableName, variables } from "./variables.ts";

type ValueOf<V> = V extends Variable<infer T> ? T : never;

/** The environment, checked and frozen. Its fields bear the names of their variables. */
export type Config = { readonly [Name in VariableName]: ValueOf<(typeof variables)[Name]> };

/** Every fault of the environment at once, each with the name and what to do. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The environment is not right:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/**
 * Reads and checks the environment.
 * Outside production, keys that are not set are made at random and kept under `.data/`.
 * @throws {ConfigError} naming every fault at once
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = withoutEmpty(environment);
  const production = set["NODE_ENV"] === "production";
  const given = production ? set : { ...localKeys(set), ...set };
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
 * An empty variable counts as unset, because that is how hosts and `.env` files leave one out; but
 * for those that say something by being empty.
 */
export const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, text]) => text?.trim() || takesEmpty(name)),
  );

const takesEmpty = (name: string): boolean =>
  Object.hasOwn(variables, name) &&
  (variables[name as VariableName] as Variable<unknown>).takesEmpty === true;

/**
 * The origins that may call with cookies: the site's own, with its pages of queues and docs, and those
 * configured.
 */
export const allowedOrigins = ({
  PUBLIC_BASE_URL,
  ALLOWED_ORIGINS,
}: Pick<Config, "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS">): readonly string[] => [
  new URL(PUBLIC_BASE_URL).origin,
  ...ALLOWED_ORIGINS,
];

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
export const misconfigured = 78;

/** Reads the environment and `.env`; prints every fault and exits when it is wrong. */
export function readConfig(): Config {
  try {
    return loadConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(misconfigured);
  }
}

/**
 * What is set, and what `.env` of the current folder holds beside it. Every program that operators
 * run begins with this, so that all of them work on the same site.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (!isStartedHere && existsSync(".env")) process.loadEnvFile(".env");
  return withoutEmpty(process.env);
}

/** Who is started by another of our programs is given all of its environment. */
const isStartedHere = process.execArgv.some((argument) =>
  argument.endsWith("/end-with-starter.ts"),
);
