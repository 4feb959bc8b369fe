import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { descriptionFile } from "../../api/ops/docs.ts";
import { createTestUser, type TestUserOptions } from "../support/accounts/sign-in.ts";
import { buildProcess } from "../support/factories/ops.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";

const run = promisify(execFile);
const project = path.join(import.meta.dirname, "../..");
const own = path.join(project, "test/client-types");
const generator = path.join(own, "node_modules/openapi-typescript/bin/cli.js");
/** The lint rules for the API description. The generator of the client reads them too. */
const rules = path.join(project, "redocly.yaml");
const compiler = path.join(project, "node_modules/typescript/bin/tsc");

/**
 * Creates a folder that git ignores. It is inside the project, so that imports of packages resolve.
 */
function newFolder(): string {
  const data = path.join(project, ".data");
  mkdirSync(data, { recursive: true });
  return mkdtempSync(path.join(data, "generated-client-"));
}

const node = (...args: readonly string[]) => run(process.execPath, [...args]);

let server: TestServer;
let shard: LinkedShard;
let worker: TestWorker;
const folder = newFolder();
beforeAll(async () => {
  server = await startTestServer();
  shard = await startLinkedShard();
  worker = await startTestWorker(shard.server, ["imports"]);
  await generateTypes();
  await compile();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
  await worker?.stop();
  await shard?.stop();
});

async function generateTypes(): Promise<void> {
  const sets = JSON.parse(readFileSync(descriptionFile, "utf8")) as Record<string, object>;
  for (const [name, description] of Object.entries(sets)) {
    const file = path.join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(description));
    await node(generator, file, "--redocly", rules, "--output", path.join(folder, `${name}.ts`));
  }
}

function compile(): Promise<unknown> {
  for (const name of ["client", "administrator"]) {
    copyFileSync(path.join(own, `${name}.txt`), path.join(folder, `${name}.ts`));
  }
  const options = {
    include: ["*.ts"],
    compilerOptions: {
      target: "es2024",
      lib: ["es2024", "dom", "dom.iterable"],
      module: "nodenext",
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      skipLibCheck: true,
    },
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(options));
  return node(compiler, "--project", folder).catch((error: unknown) => {
    throw new Error((error as { stdout?: string }).stdout ?? String(error));
  });
}

const broadcast = { text: "The gates open", hue: 1_153, access: "Player" };

const vendor = {
  vendor: {
    serial: "0x0000A0F1",
    shopName: "Iron & Oak",
    location: { map: "Malas", x: 1, y: 2, z: 3 },
  },
  items: [30, 10, 20].map((price) => ({
    serial: `0x400A91${price}`,
    itemId: 3_922,
    amount: 1,
    price,
    name: "a dagger",
  })),
};

/**
 * Runs a client program and calls `meanwhile` after its first line of output.
 * @returns all lines
 */
async function runClient(
  name: string,
  on: TestServer,
  meanwhile: () => Promise<unknown>,
  options: TestUserOptions = {},
): Promise<unknown[]> {
  const { username, password } = await createTestUser(on, options);
  const client = node(path.join(folder, `${name}.js`), on.url, username, password);
  const told = new Promise((resolve) => client.child.stdout?.once("data", resolve)).then(meanwhile);
  const { stdout } = await client;
  await told;
  const lines = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe("types generated from the API description", () => {
  it("compile strictly, and a client with them can sign in, read pages and follow the stream", async () => {
    await ingestTestEvents(server.context, [{ kind: "vendor.upsert", payload: vendor }]);
    await buildSurvivalServer(server);
    const lines = await runClient("client", server, () =>
      ingestTestEvents(server.context, [{ kind: "world.broadcast", payload: broadcast }]),
    );
    expect(lines).toEqual([
      { hello: "anonymous" },
      {
        role: "player",
        status: "connected",
        market: ["a dagger 10", "a dagger 20", "a dagger 30"],
        refused: "role_required",
        codes: 0,
        players: 0,
        told: "The gates open",
      },
    ]);
  });

  it("let a client for administrators refresh its token, follow the full stream and run an import", async () => {
    await buildProcess(shard.server);
    const lines = await runClient(
      "administrator",
      shard.server,
      () =>
        ingestTestEvents(shard.server.context, [{ kind: "world.broadcast", payload: broadcast }]),
      { role: "admin" },
    );
    expect(lines).toEqual([
      { imported: true },
      {
        level: "admin",
        spent: "refresh_token_overtaken",
        imported: { state: "completed", address: "/api/v1/admin/jobs/{id}" },
        again: "unchanged",
        queues: ["imports.clilocs"],
        text: "The gates open",
        access: "Player",
      },
    ]);
  });
});
