import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import { signIn } from "../../support/accounts/sign-in.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { query } from "../../support/database/query.ts";
import { storedRows } from "../../support/database/stored-rows.ts";
import { callRoute, statusAndBodyOf } from "../../support/http/call.ts";
import { linkShardPlugin } from "../../support/plugin/linked-plugin.ts";
import { startTestServer } from "../../support/service/server.ts";
import { startTestIngest } from "../../support/shard/ingest.ts";

const file = path.join(projectFolder, "test/plugins/minimal/plugin.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("python3 is absent: the minimal plugin is not checked");

/** The seconds that a minute of the protocol lasts in this test, for the site and the plugin. */
const minute = "3";

const running: ChildProcess[] = [];
afterEach(async () => {
  const left = running
    .splice(0)
    .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
  await Promise.all(
    left.map((child) => {
      const ended = once(child, "exit");
      child.kill();
      return ended;
    }),
  );
});

function start(command: string, words: readonly string[], environment: object = {}): ChildProcess {
  const child = spawn(command, words, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  return child;
}

interface Report {
  readonly ok: boolean;
  readonly subject: string;
  readonly sentences: readonly { readonly id: string; readonly status: string }[];
}

/**
 * Runs `npm run plugin:check`, and starts the minimal plugin with the URL and key that it prints.
 */
async function checkMinimal(
  only: readonly string[] = [],
): Promise<{ code: unknown; report: Report }> {
  const words = only.flatMap((name) => ["--only", name]);
  const given = ["--port", "0", "--minute", minute, "--patience", "5", "--json", ...words];
  const check = start(process.execPath, ["plugins/check/plugin.ts", ...given]);
  const ended = once(check, "close");
  let [report, said] = ["", ""];
  check.stdout?.setEncoding("utf8").on("data", (text: string) => (report += text));
  check.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const isNew = !said.includes("guildhall.setup ");
    said += text;
    const [, url = "", key = ""] = /guildhall\.setup (\S+) (\S+)\n/.exec(said) ?? [];
    // The plugin's buffer is so small that it overflows while the site is down.
    const environment = { MINUTE: minute, BUFFER: "15", PERIOD: "0.1" };
    if (isNew && key !== "") start("python3", ["-B", file, url, key], environment);
  });
  const [code] = (await ended) as unknown[];
  return { code, report: JSON.parse(report) as Report };
}

describe.skipIf(!hasPython)("npm run plugin:check", () => {
  it("passes the minimal plugin", async () => {
    const { code, report } = await checkMinimal();
    const wrong = report.sentences.filter(
      ({ status }) => !["passed", "does not apply"].includes(status),
    );
    expect(wrong).toEqual([]);
    expect({ code, ok: report.ok, subject: report.subject }).toEqual({
      code: 0,
      ok: true,
      subject: "minimal 1.0 of Minimal (1)",
    });
  });

  it("exits with 2 if a check could not observe the behavior that it verifies", async () => {
    const { code, report } = await checkMinimal(["gap"]);
    const statuses = report.sentences.map(({ id, status }) => [id, status]);
    expect({ code, statuses }).toEqual({
      code: 2,
      statuses: [
        ["gap.rewind", "passed"],
        ["gap.overflow", "not seen"],
      ],
    });
  });
});

describe.skipIf(!hasPython)("the minimal plugin", () => {
  it("connects to the service, delivers events that are stored, and executes a broadcast", async () => {
    const server = await startTestServer();
    const ingest = await startTestIngest(server.context);
    try {
      const admin = await signIn(server, { role: "admin" });
      const { key } = await linkShardPlugin(server, admin);
      start("python3", ["-B", file, `${server.url}/api/v1/plugin`, key], { PERIOD: "0.5" });
      const kinds = async () =>
        (await storedRows(server.context.models.ShardEvent, ["kind"])).map(({ kind }) => kind);
      await waitUntil("its first events are stored", async () => (await kinds()).length > 1);
      await waitUntil("it waits for commands", async () => {
        const [row] = await query<{ id: string | null }>(
          server,
          "select wait_id as id from plugin_sessions",
        );
        return row?.id !== null;
      });
      const { headers } = admin;
      const said = await callRoute(server, "POST /admin/shard/broadcast", {
        headers,
        body: { text: "The gate opens" },
      });
      expect(statusAndBodyOf(said)).toEqual([200, { ok: true }]);
      await waitUntil("the broadcast is stored", async () =>
        (await kinds()).includes("world.broadcast"),
      );
      expect((await kinds()).slice(0, 2)).toEqual(["server.started", "server.heartbeat"]);
    } finally {
      await ingest.stop();
      await server.stop();
    }
  });
});

describe("the command line of the checks", () => {
  it.each(["plugin", "bridge"])("%s:check prints its options", async (name) => {
    const check = start(process.execPath, [`plugins/check/${name}.ts`, "--help"]);
    let usage = "";
    check.stdout?.setEncoding("utf8").on("data", (text: string) => (usage += text));
    const [code] = (await once(check, "close")) as unknown[];
    expect({ code, usage }).toEqual({
      code: 0,
      usage: expect.stringMatching(new RegExp(`^npm run ${name}:check -- [\\s\\S]+\\nchecks: `)),
    });
  });

  it("rejects the name of an unknown check", async () => {
    const check = start(process.execPath, ["plugins/check/plugin.ts", "--only", "manners"]);
    let complaint = "";
    check.stderr?.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    const [code] = (await once(check, "close")) as unknown[];
    expect({ code, complaint: complaint.split("\n")[0] }).toEqual({
      code: 64,
      complaint: "there is no check manners",
    });
  });
});
