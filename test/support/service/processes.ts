import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import type { TestDatabase } from "../database/database.ts";
import { registerCauseFinder } from "../http/failures.ts";
import { takeFreePort } from "../network/ports.ts";
import { buildCompileCacheEnv } from "../runner/compile-cache.ts";
import { ChildProgram } from "./own-process.ts";
import { testEnvironment } from "./server.ts";

/** An API process. It shares nothing but the database with the tests. */
export interface ApiProcess {
  readonly url: string;
  /** Stops the process, as a deployment does. @returns its exit code */
  stop(): Promise<number | null>;
  /** Kills the process, like a crash. */
  kill(): Promise<void>;
}

const host = "127.0.0.1";

/**
 * Starts an API process and waits until it is ready.
 * @param folder the folder of another release
 */
export async function startApiProcess(
  database: TestDatabase,
  environment: NodeJS.ProcessEnv = {},
  folder = projectFolder,
): Promise<ApiProcess> {
  const [port, internalPort] = [await takeFreePort(), await takeFreePort()];
  const url = `http://${host}:${port}`;
  const child = new ChildProgram({
    name: "web",
    file: toProjectPath(folder, "api/server.ts"),
    readyAt: `http://${host}:${internalPort}/internal/health?probe=ready`,
    environment: {
      ...testEnvironment(database.url),
      ...buildCompileCacheEnv(folder),
      LOG_LEVEL: "error",
      HOST: host,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      // Allow calls by pages from this URL.
      PUBLIC_BASE_URL: url,
      ...environment,
    },
  });
  await child.start();
  registerCauseFinder(url, () => child.said);
  return { url, stop: () => child.stop(), kill: () => child.kill() };
}

interface ProgramOptions {
  readonly database: TestDatabase;
  readonly arguments?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder of another release, if the program belongs to one. */
  readonly folder?: string;
}

/**
 * Starts a worker or an ingest process and waits until it is ready. Its output is kept to explain
 * failures.
 */
export async function startProgram(
  name: "worker" | "ingest",
  { database, environment, arguments: given = [], folder = projectFolder }: ProgramOptions,
): Promise<ChildProgram> {
  const port = await takeFreePort();
  const program = new ChildProgram({
    name,
    file: toProjectPath(folder, `jobs/${name}.ts`),
    arguments: given,
    readyAt: `http://${host}:${port}/internal/health?probe=ready`,
    environment: {
      ...testEnvironment(database.url),
      ...buildCompileCacheEnv(folder),
      LOG_LEVEL: "info",
      INTERNAL_PORT: String(port),
      ...environment,
    },
  });
  await program.start();
  return program;
}

/** Returns a path relative to the project's folder. */
export const toProjectPath = (folder: string, file: string): string =>
  path.relative(projectFolder, path.join(folder, file));
