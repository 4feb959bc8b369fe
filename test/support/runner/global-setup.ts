import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";

import { startLocalPostgres } from "../../../jobs/commands/own-database/postgres.ts";
import { release } from "../../../migrations/release.ts";
import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createLogger } from "../../../shared/platform/log.ts";
import { compileCache, sweepCompileCache } from "./compile-cache.ts";
import { makeRunFolder } from "./run-folder.ts";

/**
 * Starts a PostgreSQL server for the run, with a migrated database that test files copy.
 * @returns a function that stops the server
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = makeRunFolder();
  sweepCompileCache(compileCache);
  const server = await startLocalPostgres({
    folder: path.join(folder, "db"),
    throwaway: true,
    // Vacuuming takes a tenth of the server's time, and no test file runs long enough to need it.
    settings: ["autovacuum=off"],
  });
  const admin = new Client(server.urlOf("postgres"));
  await admin.connect();
  await admin.query("create database template");
  await admin.end();
  const config = loadConfig({
    ...process.env,
    NODE_ENV: "test",
    DATABASE_URL: server.urlOf("template"),
  });
  await release(config, createLogger("test", "silent"));
  const seed = (process.env["TEST_SEED"] ??= String(randomInt(1_000_000)));
  console.log(`tables are sampled with TEST_SEED=${seed}`);
  process.env["TEST_ANSWERS_FILE"] = path.join(folder, "answers");
  process.env["TEST_ROWS_FILE"] = path.join(folder, "rows");
  process.env["NODE_COMPILE_CACHE"] = compileCache;
  process.env["TEST_POSTGRES_URL"] = server.urlOf("postgres");
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
