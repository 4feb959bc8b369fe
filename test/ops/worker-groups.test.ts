import { execFile } from "node:child_process";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { startProgram } from "../support/service/processes.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Starts a worker that refuses its arguments. @returns its exit code and its error output */
const refusalOf = (...groups: readonly string[]) =>
  new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const file = path.join(projectFolder, "jobs/worker.ts");
    execFile(process.execPath, [file, ...groups], (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });

describe("a worker", () => {
  it("rejects unknown queue groups, names the known groups and exits with 78", async () => {
    expect(await refusalOf("imports", "harvest", "crops")).toEqual({
      code: 78,
      stderr:
        "No such queue group: harvest, crops. There are upkeep, mail, imports, push, events.\n",
    });
  });

  it("logs the queue groups that it serves", async () => {
    const worker = await startProgram("worker", { database, arguments: ["events", "imports"] });
    await waitUntil("it works", () => worker.said.includes('"msg":"working"'));
    await worker.stop();
    const lines = worker.said
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { msg: string; groups?: string[] });
    const groupsIn = (words: string) => lines.find(({ msg }) => msg === words)?.groups;
    expect(groupsIn("working")).toEqual(["events", "imports"]);
  });
});
