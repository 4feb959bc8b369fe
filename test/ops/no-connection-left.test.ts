import { rmSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type LocalPostgres,
  startLocalPostgres,
} from "../../jobs/commands/own-database/postgres.ts";
import { release } from "../../migrations/release.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { newFolder } from "../imports/import-test-site.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { testEnvironment } from "../support/service/server.ts";

const folder = newFolder();
const most = 30;
let postgres: LocalPostgres;
let url: string;
let others: Client[] = [];

beforeAll(async () => {
  postgres = await startLocalPostgres({
    folder: path.join(folder, "db"),
    throwaway: true,
    settings: [`max_connections=${most}`, "superuser_reserved_connections=0"],
  });
  url = postgres.urlOf("postgres");
  await release(loadConfig(testEnvironment(url)), createLogger("test", "silent"));
});
afterAll(async () => {
  await leave();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** Opens connections until the server has none left. */
async function occupy(): Promise<void> {
  for (;;) {
    const client = new Client(url);
    try {
      await client.connect();
    } catch (error) {
      if ((error as { code?: unknown }).code === "53300") return;
      throw error;
    }
    others.push(client);
  }
}

async function leave(): Promise<void> {
  await Promise.all(others.map((client) => client.end()));
  others = [];
}

describe("a process that finds no free connection", () => {
  it.each([
    ["web", "api/server.ts", 8],
    ["ingest", "jobs/ingest.ts", 9],
    ["worker", "jobs/worker.ts", 15],
  ])(
    "%s waits, logs once how many connections it needs at most, and is ready once some are free",
    async (name, file, connections) => {
      const port = await takeFreePort();
      const started = new ChildProgram({
        name,
        file,
        readyAt: `http://127.0.0.1:${port}/internal/health?probe=ready`,
        environment: {
          ...testEnvironment(url),
          LOG_LEVEL: "info",
          PORT: "0",
          INTERNAL_PORT: String(port),
        },
      });
      await occupy();
      const ready = started.start();
      // Without this handler, a failure before the `await` below would be an unhandled rejection.
      ready.catch(() => undefined);
      const words = `waiting for free database connections: this process opens up to ${connections}`;
      await waitUntil("it waits or has ended", () => {
        return started.said.includes(words) || started.deaths.length > 0;
      });
      await leave();
      await ready;
      // The output may arrive after the process is ready, so wait for it.
      await waitUntil("it says so", () => started.said.includes(`"connections":${connections},`));
      expect(started.said.split(words)).toHaveLength(2);
      expect(await started.stop()).toBe(0);
    },
  );
});
