import { defineModels } from "../../models/index.ts";
import {
  type Config,
  ConfigError,
  loadConfig,
  readEnvironment,
} from "../../shared/platform/config/config.ts";
import { dataFolder } from "../../shared/platform/config/local-keys.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { requireServerVersion, UnsupportedServerError } from "../../shared/platform/db/server.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { BrokenBackupError } from "./backup/read-backup.ts";
import { DatabaseNotEmptyError } from "./backup/restore.ts";
import { isMissingRelation } from "./checks/check.ts";
import { LaunchError } from "./launch/launch-error.ts";
import type { ShellContext } from "./launch/shell-context.ts";
import { withOwnDatabase } from "./own-database/database.ts";

/** The arguments that every operator's command has. Each program adds its own. */
export interface ShellArguments {
  readonly command: string | undefined;
  readonly words: readonly string[];
  readonly help: boolean | undefined;
}

export interface ShellProgram<Given extends ShellArguments> {
  /** The application name of its database connections. */
  readonly name: string;
  readonly usage: string;
  /** Parses the arguments. Throws the same errors as `parseArgs`. */
  read(this: void, given: string[]): Given;
  readonly commands: Readonly<
    Record<string, (given: Given, context: ShellContext) => Promise<void>>
  >;
}

/** Runs an operator's command. Prints a failure as a message and sets the exit code to 1. */
export const runShellProgram = <Given extends ShellArguments>(
  program: ShellProgram<Given>,
): Promise<void> =>
  runAndExplainFailure(() => runCommand(program, process.argv.slice(2)), program.usage);

/** Runs an operator's command that has no arguments, like `runShellProgram`. */
export const runShellTask = (
  name: string,
  work: (context: ShellContext) => Promise<void>,
): Promise<void> => runAndExplainFailure(() => withShellContext(name, work));

/** Runs work. Prints a failure as a message and sets the exit code to 1. */
export async function runAndExplainFailure(work: () => Promise<void>, usage = ""): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${explain(error, usage)}\n`);
    process.exitCode = 1;
  }
}

export const printText = (text: string): void => void process.stdout.write(`${text}\n`);

/** @throws {LaunchError} if a required argument is missing */
export function requireArgument(value: string | undefined, what: string): string {
  if (value === undefined) throw new MissingArgument(`${what} is missing`);
  return value;
}

class MissingArgument extends LaunchError {}

async function runCommand<Given extends ShellArguments>(
  { name, usage, read, commands }: ShellProgram<Given>,
  rest: string[],
): Promise<void> {
  const given = read(rest);
  const asked = given.command ?? "";
  const command = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  if (given.help || !command) {
    process.stdout.write(usage);
    process.exitCode = given.help ? 0 : 1;
    return;
  }
  await withShellContext(name, (context) => command(given, context));
}

const withShellContext = (
  name: string,
  work: (context: ShellContext) => Promise<void>,
): Promise<void> => withDatabase((config) => useDatabase(config, name, work));

/** Runs work on the database of DATABASE_URL or, without it, on the one that `npm start` runs on this machine. */
export async function withDatabase(work: (config: Config) => Promise<void>): Promise<void> {
  const environment = readEnvironment();
  const workOn = (url: string) => work(loadConfig({ ...environment, DATABASE_URL: url }));
  const given = environment["DATABASE_URL"];
  await (given ? workOn(given) : withOwnDatabase(dataFolder(environment), workOn));
}

async function useDatabase(
  config: Config,
  name: string,
  work: (context: ShellContext) => Promise<void>,
): Promise<void> {
  const sequelize = createConnectionPool(config, name);
  try {
    await requireServerVersion(sequelize);
    await work({ config, sequelize, models: defineModels(sequelize) });
  } finally {
    await sequelize.close();
  }
}

/** Errors that are printed without a stack. */
const plainErrors = [
  LaunchError,
  ConfigError,
  UnsupportedServerError,
  BrokenBackupError,
  DatabaseNotEmptyError,
];

function explain(error: unknown, usage: string): string {
  if (error instanceof AppError) {
    return (error.faults ?? [error]).map(({ message }) => message).join("\n");
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (error instanceof MissingArgument || code?.startsWith("ERR_PARSE_ARGS")) {
    return `${message}\n\n${usage}`;
  }
  if (plainErrors.some((kind) => error instanceof kind)) return message;
  return isMissingRelation(error)
    ? "The database has no schema: run npm run migrate"
    : (stack ?? message);
}
