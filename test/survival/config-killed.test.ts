import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { configHash } from "../../shared/survival/config/plugin-files.ts";
import { normalizeConfigText } from "../simulator/survival/world/config-text.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { endConfigWait } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";

let server: TestServer;
let admin: SignedIn;
let game: SurvivalGameSite;
let api: ApiProcess;
let before: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  game = await startSurvivalGame(server);
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});
beforeEach(async () => {
  before = configOf();
  api = await startApiProcess(server.database);
});
afterEach(async () => {
  game.simulator.faults.clear();
  await api.kill();
});

const configOf = (): string => game.simulator.world.plugins.get("Kits")?.config ?? "";

const at = (path: string) => `/admin/survival/config/${game.server.id}${path}`;

const written = () => game.simulator.deeds.of("config.written").map(({ ref }) => ref);

/**
 * Lets an API process send a write to the game and kills it before the game answers.
 * @returns the id of the write
 */
async function writeAndKill(text: string): Promise<string> {
  const earlier = written();
  game.simulator.faults.trigger("hang", { method: "PUT", path: "/v1/config/Kits", carryOut: true });
  const body = { text, baseHash: configHash(before) };
  const { headers } = admin;
  const answered = callRoute(api, `PUT ${at("/files/Kits")}`, { body, headers }).then(
    () => "answered",
    () => "cut off",
  );
  await waitUntil("the game has the write", () => written().length > earlier.length);
  await api.kill();
  expect(await answered).toBe("cut off");
  const [writeId = ""] = written().filter((ref) => !earlier.includes(ref));
  return writeId;
}

const viewOf = async (writeId: string): Promise<unknown> => {
  const { headers } = admin;
  const { body } = await callRoute(server, `GET ${at(`/writes/${writeId}`)}`, { headers });
  return (body as { write: unknown }).write;
};

const ledgerOf = async (ref: string): Promise<unknown> => {
  const { SurvivalLedgerEntry } = server.context.models;
  return (await storedRows(SurvivalLedgerEntry, ["state", "reason"], { ref }))[0];
};

const untilTold = (count: number) =>
  waitUntil("the plugin has told", () => {
    const told = game.simulator.buffer.log.filter(({ kind }) => kind === "config.outcome");
    return told.length >= count;
  });

const toldSoFar = () =>
  game.simulator.buffer.log.filter(({ kind }) => kind === "config.outcome").length;

const silent = () =>
  game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });

const passTime = (writeId: string) => endConfigWait(server, writeId);

describe("a configuration write whose API process is killed before the game answers", () => {
  it("settles as ok when the game reports its outcome", async () => {
    const told = toldSoFar();
    const writeId = await writeAndKill('{ "Use UI": 1, }');
    expect(await viewOf(writeId)).toMatchObject({ state: "reloading", outcome: null });
    await untilTold(told + 1);
    await game.hear();
    const afterHash = configHash(normalizeConfigText('{ "Use UI": 1, }'));
    expect(await viewOf(writeId)).toMatchObject({ state: "settled", outcome: "ok", afterHash });
    expect(await ledgerOf(writeId)).toEqual({ state: "confirmed", reason: null });
  });

  it("settles as rolled back if its plugin fails and the file is restored", async () => {
    const told = toldSoFar();
    const writeId = await writeAndKill('{ "FailOnLoad": 1 }');
    await untilTold(told + 1);
    await game.hear();
    expect(await viewOf(writeId)).toMatchObject({
      state: "settled",
      outcome: "rolled-back",
      beforeHash: configHash(before),
      afterHash: configHash(before),
    });
    expect(configOf()).toBe(before);
    expect(await ledgerOf(writeId)).toEqual({ state: "failed", reason: "rolled-back" });
  });

  it("settles as failed if its plugin fails and the file is not restored", async () => {
    silent();
    const text = '{ "Use UI": 2 }';
    const writeId = await writeAndKill(text);
    expect(await viewOf(writeId)).toMatchObject({ state: "reloading", outcome: null });
    const afterHash = configHash(text);
    const facts = { writeId, plugin: "Kits", ok: false, phase: "load", message: "it threw" };
    const hashes = { beforeHash: configHash(before), afterHash };
    game.simulator.emit("config.outcome", { ...facts, ...hashes, rolledBack: false });
    await game.hear();
    expect(await viewOf(writeId)).toMatchObject({
      state: "settled",
      outcome: "failed",
      message: "it threw",
      ...hashes,
      lateOutcome: null,
    });
    expect(await ledgerOf(writeId)).toEqual({ state: "failed", reason: "failed" });
    // A repeated event with another key changes nothing.
    game.simulator.emit("config.outcome", { ...facts, ok: true }, { eventKey: "another" });
    await game.hear();
    expect(await viewOf(writeId)).toMatchObject({ state: "settled", outcome: "failed" });
    expect(await ledgerOf(writeId)).toEqual({ state: "failed", reason: "failed" });
  });

  it("is lost if no outcome arrives, and a late outcome is stored separately", async () => {
    silent();
    const writeId = await writeAndKill('{ "Use UI": 3 }');
    expect(await viewOf(writeId)).toMatchObject({ state: "reloading", outcome: null });
    await passTime(writeId);
    expect(await viewOf(writeId)).toMatchObject({ state: "lost", outcome: null });
    expect(await viewOf(writeId)).toMatchObject({ lateOutcome: null });
    const facts = { writeId, plugin: "Kits", ok: true, phase: "load", message: "took its time" };
    game.simulator.emit("config.outcome", facts);
    await game.hear();
    expect(await viewOf(writeId)).toMatchObject({
      state: "lost",
      outcome: null,
      lateOutcome: { ok: true, message: "took its time", logTail: [] },
    });
    expect(await ledgerOf(writeId)).toEqual({ state: "lost", reason: "timeout" });
  });

  it("is not written twice if it is repeated with its idempotency key", async () => {
    const told = toldSoFar();
    game.simulator.faults.trigger("hang", {
      method: "PUT",
      path: "/v1/config/Kits",
      carryOut: true,
    });
    const earlier = written().length;
    const body = { text: '{ "Use UI": 4 }', baseHash: configHash(before) };
    const options = { body, headers: { ...admin.headers, "idempotency-key": "once-more" } };
    const answered = callRoute(api, `PUT ${at("/files/Kits")}`, options).catch(() => "cut off");
    await waitUntil("the game has the write", () => written().length > earlier);
    await api.kill();
    expect(await answered).toBe("cut off");
    game.simulator.faults.clear();
    await untilTold(told + 1);
    await game.hear();
    const again = await callRoute(server, `PUT ${at("/files/Kits")}`, options);
    expect([again.status, again.body]).toEqual([
      202,
      { writeId: written().at(-1), state: "settled", settleBy: expect.any(String) },
    ]);
    expect(written().length - earlier).toBe(1);
  });
});
