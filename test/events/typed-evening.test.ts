import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { demoShardScript } from "../../jobs/commands/machine/demo.ts";
import { createLaunchPlan } from "../../jobs/commands/machine/plan.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { readSection, Terminal } from "../support/runner/typed-commands.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSimulator } from "../support/shard/ingest.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-evening-"));
/** The commands read example files of the project. */
symlinkSync(path.join(projectFolder, "test"), path.join(folder, "test"));

let server: TestServer;
let api: ApiProcess;
let shard: ChildProgram;
let shardUrl: string;
let programs: readonly ChildProgram[] = [];
let terminal: Terminal;
beforeAll(async () => {
  server = await startTestServer();
  const { database, context } = server;
  const { password } = await createTestUser(server, { username: "admin", role: "admin" });
  await startDemoShard();
  [api, ...programs] = await Promise.all([
    startApiProcess(database),
    startProgram("ingest", { database }),
    startProgram("worker", { database, arguments: ["events"] }),
  ]);
  terminal = new Terminal(folder, (commands) =>
    commands.replaceAll("http://localhost:3000", api.url).replaceAll("…", password),
  );
  async function startDemoShard(): Promise<void> {
    const environment = { DATA_FOLDER: folder, PORT: "0", INTERNAL_PORT: "0" };
    const plan = await createLaunchPlan({ demo: true, verbose: false }, environment);
    const [port, token] = [await takeFreePort(), "evening-token"];
    shard = new ChildProgram(demoShardScript(plan, { port, token }, []));
    await shard.start();
    shardUrl = `http://127.0.0.1:${port}`;
    await linkSimulator(
      { baseUrl: shardUrl, wsUrl: `ws://127.0.0.1:${port}/v1/stream`, token },
      context,
    );
  }
});
afterAll(async () => {
  await terminal?.close();
  await Promise.all([api, shard, ...programs].map((one) => one?.kill()));
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Detail {
  readonly run: Readonly<Record<"status" | "health" | "scheduledFor" | "startedAt", string>> & {
    readonly id: number;
    readonly currentPhase: string | null;
  };
  readonly gates: readonly string[];
  readonly steps: readonly {
    readonly actionId: string;
    readonly status: string;
    readonly parked: boolean;
  }[];
}

/** Types a line again and again until its output is as expected. */
async function typeUntil(line: string, is: (seen: Detail) => boolean): Promise<Detail> {
  let text = "";
  await waitUntil(
    () => `${line}: ${text}`,
    async () => {
      text = await terminal.type(line);
      return is(JSON.parse(text) as Detail);
    },
  );
  return JSON.parse(text) as Detail;
}

const linesOf = (commands: string): string[] => commands.trim().split("\n");

describe("the documentation's weekly gathering", () => {
  it("can be written, published and verified with the commands of the page", async () => {
    const [signIn = ""] = readSection("A champion evening");
    await terminal.type(linesOf(signIn).slice(0, 2).join("\n"));
    const blocks = readSection("A weekly gathering");
    expect(blocks).toHaveLength(1);
    const written = await terminal.type(blocks.join("\n"));
    expect(written).toContain('"recorded":true,"report":{"ok":true');
    expect(written).toMatch(/"version":1,"versionId":\d+,"repinned":0\}/);
  });
});

describe("the documentation's champion evening on the demo", () => {
  it("can be written, started and completed with only the commands of the page", async () => {
    const blocks = readSection("A champion evening");
    expect(blocks).toHaveLength(4);
    const [write, schedule, fell, confirm] = blocks as [string, string, string, string];

    const written = await terminal.type(write);
    expect(written).toContain('"recorded":true,"report":{"ok":true');

    await terminal.type(schedule);
    const look = linesOf(schedule).at(-1) ?? "";
    const scheduled = JSON.parse(await terminal.type(look)) as Detail;
    expect([scheduled.run.status, scheduled.steps]).toEqual(["scheduled", []]);
    const fight = await typeUntil(look, ({ run, gates, steps }) => {
      const isSpawned = steps[2]?.status === "succeeded";
      return run.currentPhase === "fight" && isSpawned && gates.length === 1;
    });
    expect(fight.gates).toEqual([
      "waiting for 1 more of `champ.end` where id is 0x40006AB5 and outcome is defeated",
    ]);
    expect(fight.run.startedAt >= fight.run.scheduledFor).toBe(true);

    await terminal.type(fell);
    const asks = await typeUntil(look, ({ steps }) => steps[3]?.parked === true);
    expect([asks.run.status, asks.steps[3]?.actionId]).toEqual(["running", "core.confirm"]);

    await terminal.type(confirm);
    const [lookAgain = "", log = "", page = ""] = linesOf(confirm).slice(-3);
    const { run, steps } = await typeUntil(lookAgain, (seen) => seen.run.status === "completed");
    expect([run.health, steps.map(({ actionId, status }) => `${actionId} ${status}`)]).toEqual([
      "ok",
      [
        "shard.broadcast succeeded",
        "shard.towncrier.add succeeded",
        "shard.champion.start succeeded",
        "core.confirm succeeded",
        "shard.broadcast succeeded",
        "shard.towncrier.remove succeeded",
      ],
    ]);
    const lines = JSON.parse(await terminal.type(log)) as { log: { kind: string }[] };
    expect(lines.log.map(({ kind }) => kind)).toEqual(wholeLog);
    const shown = JSON.parse(await terminal.type(page)) as { runs: object[] };
    expect(shown.runs).toMatchObject([{ id: run.id, status: "completed" }]);
    await expectEffectsOnce();
  });
});

const step = ["step.started", "step.succeeded"];
const phases = [
  [...step, ...step],
  [...step, "trigger"],
  ["step.started", "parked", "step.confirmed", ...step, ...step],
];
const wholeLog = [
  "created",
  "started",
  ...phases.flatMap((lines) => ["phase", ...lines]),
  "completed",
];

/**
 * Requires each of the five steps that act in the game to have acted once. The shard counts effects by the key of
 * the step.
 */
async function expectEffectsOnce(): Promise<void> {
  const answered = await fetch(`${shardUrl}/sim/effects?prefix=evt:`);
  const { effects } = (await answered.json()) as { effects: { times: number }[] };
  expect(effects.map(({ times }) => times)).toEqual([1, 1, 1, 1, 1]);
}
