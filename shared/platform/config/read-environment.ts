import { existsSync } from "node:fs";

import { withoutEmpty } from "./config.ts";

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
