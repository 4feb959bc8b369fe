import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { testEnvironment } from "../support/service/server.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const program = `
  const { createLogger } = await import("./shared/platform/log.ts");
  const { redirectConsoleToLog } = await import("./shared/platform/log.ts");
  const { loadConfig } = await import("./shared/platform/config/config.ts");
  const { createConnectionPool } = await import("./shared/platform/db/connection/connection.ts");
  redirectConsoleToLog(createLogger("test", "debug"));
  const sequelize = createConnectionPool(loadConfig(process.env), "test");
  const transaction = await sequelize.transaction();
  const end = "select pg_terminate_backend(pg_backend_pid())";
  await sequelize.query(end, { transaction }).catch(() => undefined);
  await transaction.rollback().catch(() => undefined);
  (await import("node:module")).stripTypeScriptTypes("let expected: number;");
  process.emitWarning("it is old", "DeprecationWarning");
  console.error("a library says %d", 7);
  await sequelize.close();
`;

it("library output and unexpected warnings of Node.js become log lines", async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", program],
    { cwd: path.resolve(projectFolder), env: { ...process.env, ...testEnvironment(database.url) } },
  );
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(stderr).toBe("");
  expect(lines).toEqual([
    expect.objectContaining({
      level: "warn",
      from: "console",
      msg: expect.stringMatching(/^Rolling back transaction .* failed/),
    }),
    expect.objectContaining({ level: "error", from: "console", msg: "a library says 7" }),
    expect.objectContaining({
      level: "warn",
      msg: "Node.js gave a warning",
      err: expect.objectContaining({ message: "it is old" }),
    }),
  ]);
});
