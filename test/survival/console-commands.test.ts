import { setImmediate as turn } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { ConsoleCommands } from "../../shared/platform/ingest/console-commands.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../shared/platform/ingest/ownership.ts";
import type { ConsoleCall, CommandFrameSource } from "../../shared/platform/ingest/source.ts";
import type { CommandOutcome } from "../../shared/platform/plugin/commands.ts";
import { sealRconPassword } from "../../shared/survival/server-link.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { timeoutMs, waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
let linked: SurvivalServer;
let owners: TestOwner[] = [];

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer");
  linked = await buildSurvivalServer(server, {
    enabled: true,
    kind: "webrcon",
    rconHost: "127.0.0.1",
  });
  const { SECRETS_KEYS } = server.config;
  await linked.update({ rconPasswordSealed: sealRconPassword(linked.id, "secret", SECRETS_KEYS) });
});
afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.stop()));
  owners = [];
});

const session = { bootId: "boot", capabilities: ["moderation"] };

/** A console feed. The test sets its answers. */
class TestConsole {
  readonly calls: ConsoleCall[] = [];
  readonly answers: PromiseWithResolvers<CommandOutcome>[] = [];
  /** The answer to each call; null if the test resolves `answers` itself. */
  outcome: CommandOutcome | null = { status: 200, body: {} };
  running = 0;
  mostAtOnce = 0;

  async execute(made: ConsoleCall): Promise<CommandOutcome> {
    this.calls.push(made);
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    try {
      const answer = Promise.withResolvers<CommandOutcome>();
      this.answers.push(answer);
      await turn();
      return this.outcome ?? (await answer.promise);
    } finally {
      this.running -= 1;
    }
  }
}

/** Stands for an ingest process that owns the server's source and is connected to its console. */
interface TestOwner {
  readonly owner: SourceOwnership;
  readonly console: TestConsole;
  readonly commands: ConsoleCommands;
  /** Ends the owner's database connection, as if its process was killed. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function startOwner(): Promise<TestOwner> {
  const { context, config } = server;
  const { log } = context;
  const signal = AbortSignal.timeout(timeoutMs);
  const source = sourceNameOf(linked.id);
  const owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source, log, signal });
  const held = new TestConsole();
  const commands = new ConsoleCommands(owner, context);
  const feed = held as unknown as CommandFrameSource;
  const started: TestOwner = {
    owner,
    console: held,
    commands,
    kill: async () => {
      const sql = "select pg_terminate_backend(backend_pid) from ingest_sources where source = $1";
      await query(server, sql, source);
      await waitUntil("the owner has lost its source", () => owner.lost.aborted);
    },
    stop: async () => {
      held.answers.forEach(({ resolve }) => resolve({ status: 200, body: {} }));
      await commands.end();
      await owner.release().catch(() => undefined);
    },
  };
  owners.push(started);
  commands.follow(feed, session);
  await waitUntil("the console is connected", async () =>
    (await connectedBoots()).includes("boot"),
  );
  return started;
}

const connectedBoots = async (): Promise<string[]> => {
  const sql = `select boot_id as "bootId" from plugin_sessions
    where source = $1 and wait_id is not null and alive_until > clock_timestamp()`;
  const found = await query<{ bootId: string }>(server, sql, sourceNameOf(linked.id));
  return found.map(({ bootId }) => bootId);
};

const storedStates = async () => {
  const sql = "select state, loss from plugin_commands where source = $1 order by number";
  return query<{ state: string; loss: string | null }>(server, sql, sourceNameOf(linked.id));
};

/** Waits until the owner has taken `number` commands and has sent the first one to its console. */
const untilTaken = ({ console: held }: TestOwner, number: number) =>
  waitUntil("the commands are taken and the first one is sent", async () => {
    const states = await storedStates();
    const taken = states.filter(({ state }) => state === "taken").length;
    return taken === number && held.answers.length === 1;
  });

const steamId = "76561198000000001";

const kick = (reason = "Language", headers: Readonly<Record<string, string>> = {}) =>
  callRoute(server, `POST /admin/survival/servers/${linked.id}/kick`, {
    headers: { ...admin.headers, ...headers },
    body: { steamId, reason },
  });

describe("a command to a console", () => {
  it("is executed by the owner of the source, and answered with the console's outcome", async () => {
    const { console: held } = await startOwner();
    const answer = await kick();
    expect([answer.status, answer.body]).toEqual([200, { steamId }]);
    expect(held.calls).toEqual([
      {
        call: "POST /v1/players/kick",
        params: {},
        query: {},
        body: { steamId, reason: "Language" },
      },
    ]);
    expect(await storedStates()).toEqual([{ state: "answered", loss: null }]);
  });

  it("is refused at once while no console is connected", async () => {
    const answer = await kick();
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "shard_unavailable"]);
    expect(await storedStates()).toEqual([]);
  });

  it("is refused after the console has disconnected", async () => {
    const { commands, console: held } = await startOwner();
    commands.follow(held as unknown as CommandFrameSource, null);
    await waitUntil("the session has ended", async () => (await connectedBoots()).length === 0);
    expect((await kick()).status).toBe(503);
    expect(held.calls).toEqual([]);
  });

  it("is not executed at the same time as another command, even if thirty arrive at once", async () => {
    const { console: held } = await startOwner();
    const reasons = Array.from({ length: 30 }, (_, index) => `Reason ${index}`);
    const answers = await Promise.all(reasons.map((reason) => kick(reason)));
    expect(answers.map(({ status }) => status)).toEqual(reasons.map(() => 200));
    expect(held.mostAtOnce).toBe(1);
    const executed = held.calls.map(({ body }) => (body as { reason: string }).reason);
    expect(executed.toSorted()).toEqual(reasons.toSorted());
  });

  it("is refused if the console refuses it, and then its idempotency key can be used again", async () => {
    const { console: held } = await startOwner();
    const headers = { "idempotency-key": "one-kick" };
    held.outcome = { status: 404, body: { code: "NOT_FOUND" } };
    expect((await kick("Language", headers)).status).toBe(404);
    held.outcome = { status: 200, body: {} };
    expect((await kick("Language", headers)).status).toBe(200);
    expect((await kick("Language", headers)).status).toBe(200);
    expect(held.calls.length).toBe(2);
    expect((await kick("Another", headers)).headers.get("x-error-code")).toBe(
      "idempotency_conflict",
    );
  });

  it("is marked as lost and answered 503 if the console does not answer", async () => {
    const { console: held } = await startOwner();
    held.outcome = null;
    const kicking = kick();
    await waitUntil("the call is executed", () => held.answers.length === 1);
    const body = { code: "SHARD_DOWN", mayHaveRun: true };
    held.answers[0]?.resolve({ status: 503, body });
    const answer = await kicking;
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ error: expect.stringContaining("Nobody knows") });
    expect(await storedStates()).toEqual([{ state: "lost", loss: "overdue" }]);
  });
});

describe("the owner of a console", () => {
  it("marks, when it ends, the command in progress as lost and the waiting commands as not sent", async () => {
    const first = await startOwner();
    first.console.outcome = null;
    const kicking = [kick("First"), kick("Second")];
    await untilTaken(first, 2);
    first.commands.follow(first.console as unknown as CommandFrameSource, null);
    await first.commands.end();
    const answers = await Promise.all(kicking);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(await storedStates()).toEqual([
      { state: "lost", loss: "disconnected" },
      { state: "lost", loss: "unsent" },
    ]);
    expect(answers.map(({ text }) => /Nobody knows|was not executed/.exec(text)?.[0])).toEqual(
      expect.arrayContaining(["Nobody knows", "was not executed"]),
    );
    expect(first.console.calls.length).toBe(1);
  });

  it("leaves no command to the next owner when it is killed after taking commands", async () => {
    const first = await startOwner();
    first.console.outcome = null;
    const headers = { "idempotency-key": "a-kick-of-the-killed" };
    const kicking = [kick("First", headers), kick("Second"), kick("Third")];
    await untilTaken(first, 3);
    await first.kill();
    const second = await startOwner();
    const answers = await Promise.all(kicking);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(second.console.calls).toEqual([]);
    // The former owner receives its answer, but must not execute the other commands that it took.
    first.console.answers.forEach(({ resolve }) => resolve({ status: 200, body: {} }));
    await first.commands.end();
    expect(first.console.calls.length).toBe(1);
    expect(new Set((await storedStates()).map(({ state }) => state))).toEqual(new Set(["lost"]));
    // The outcome of the first kick is unknown, so the caller may use its key again.
    expect((await kick("First", headers)).status).toBe(200);
    expect(second.console.calls.length).toBe(1);
  });

  it("executes each command that waited during the change of the owner at most once", async () => {
    const first = await startOwner();
    await first.kill();
    const kicking = Array.from({ length: 5 }, (_, index) => kick(`Reason ${index}`));
    const second = await startOwner();
    const answers = await Promise.all(kicking);
    const done = answers.filter(({ status }) => status === 200).length;
    expect(second.console.calls.length).toBe(done);
    expect(first.console.calls).toEqual([]);
    expect((await kick("Last")).status).toBe(200);
  });

  it("takes no commands after the kind of the link has changed", async () => {
    const first = await startOwner();
    const path = `PUT /admin/survival/servers/${linked.id}`;
    const options = { headers: admin.headers, body: { kind: "plugin", enabled: true } };
    expect((await callRoute(server, path, options)).status).toBe(200);
    expect((await kick()).status).toBe(503);
    expect(first.console.calls).toEqual([]);
  });
});
