import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { readSection, Terminal } from "../support/runner/typed-commands.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-evening-"));
/** The commands read example files of the project. */
symlinkSync(path.join(projectFolder, "test"), path.join(folder, "test"));

let server: TestServer;
let terminal: Terminal;
let simulator: SurvivalSimulator;
let ingest: Awaited<ReturnType<typeof startSurvivalIngest>>;
let worker: ChildProgram;

beforeAll(async () => {
  server = await startTestServer();
  const { password } = await createTestUser(server, { username: "admin", role: "admin" });
  terminal = new Terminal(folder, (commands) =>
    commands.replaceAll("http://localhost:3000", server.url).replaceAll("…", password),
  );
  simulator = await startSurvivalSimulator({ world: "small" });
  await linkSurvivalServer(server, simulator, { slug: "emberfall" });
  ingest = await startSurvivalIngest(server.context);
  worker = await startProgram("worker", { database: server.database, arguments: ["events"] });
});
afterAll(async () => {
  await terminal?.close();
  await worker?.kill();
  await ingest.stop();
  await server.stop();
  await simulator.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Live {
  readonly layers: { readonly events?: readonly { readonly type: string }[] };
}

interface Ledger {
  readonly ledger: readonly {
    readonly what: string;
    readonly state: string;
    readonly runId: number | null;
  }[];
}

interface Seen {
  readonly run: { readonly id: number; readonly status: string };
  readonly steps: readonly { readonly actionId: string; readonly status: string }[];
}

const states = ({ steps }: Seen): string[] =>
  steps.map(({ actionId, status }) => `${actionId} ${status}`);

const done = (...actions: string[]): string[] =>
  actions.map((action) => `survival.${action} succeeded`);

/** Types a command again and again until its answer is as expected. */
async function typeUntil<Answer>(line: string, is: (answer: Answer) => boolean): Promise<Answer> {
  let text = "";
  await waitUntil(
    () => `${line}: ${text}`,
    async () => {
      text = await terminal.type(line);
      return is(JSON.parse(text) as Answer);
    },
  );
  return JSON.parse(text) as Answer;
}

const linesOf = (commands: string): string[] => commands.trim().split("\n");

describe("the documented event on the survival server of the demo", () => {
  it("runs with the documented commands alone, and has each effect in the game once", async () => {
    const [signIn = ""] = readSection("A champion evening");
    const blocks = readSection("A boss evening");
    expect(blocks).toHaveLength(3);
    const [make, kill, after] = blocks as [string, string, string];
    await terminal.type(linesOf(signIn).slice(0, 2).join("\n"));
    const [named = "", begun = ""] = make.split(/^(?=for action )/m);
    // The state is "pending" if another synchronization runs. The change is synchronized five
    // seconds later in any case.
    expect(await terminal.type(named)).toMatch(
      /"results":\[\{"serverId":1,"state":"(?:pushed|pending)"/,
    );
    await waitUntil("the game knows where the boss stands", () =>
      simulator.world.npcs.placements.has("throne"),
    );
    expect(await terminal.type(begun)).toContain('"recorded":true,"report":{"ok":true');

    const look = linesOf(make).at(-1) ?? "";
    const fight = done("announce", "zone.open", "participation.open", "npc.spawn");
    await typeUntil<Seen>(look, (seen) => fight.every((one) => states(seen).includes(one)));
    const [map = "", ...turn] = linesOf(kill);
    await typeUntil<Live>(map, ({ layers }) => {
      const types = (layers.events ?? []).map(({ type }) => type);
      return types.includes("boss") && types.includes("zone");
    });
    await terminal.type(turn.join("\n"));
    const killer = (await terminal.type("echo $player")).trim();

    const [lookAgain = "", ledgerLine = ""] = linesOf(after);
    const ended = await typeUntil<Seen>(lookAgain, ({ run }) => run.status === "completed");
    expect(states(ended)).toEqual([
      ...fight,
      ...done("participation.collect", "kit.entitle", "zone.close"),
    ]);
    const given = [...simulator.world.entitlements.values()].map(({ steamId, kit }) => [
      steamId,
      kit,
    ]);
    expect(given).toContainEqual([killer, "event"]);
    expect(simulator.world.leases.size).toBe(0);
    const { ledger } = JSON.parse(await terminal.type(ledgerLine)) as Ledger;
    const ofRun = ledger.filter(({ runId }) => runId === ended.run.id);
    expect(ofRun.map(({ what, state }) => `${what} ${state}`).toSorted()).toEqual([
      "announce confirmed",
      ...given.map(() => "kit confirmed"),
      "npc confirmed",
      "participation withdrawn",
      "zone withdrawn",
    ]);
  });
});
