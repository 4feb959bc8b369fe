import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

import { probeConsole } from "../../../shared/survival/webrcon/probe-console.ts";
import { takeFreePort } from "../../support/network/ports.ts";
import { ChildProgram } from "../../support/service/own-process.ts";
import { Consoles, createMemoryConsoleStore } from "./started-feed.ts";

const consoles = new Consoles();
const password = "emberfall-console";
let program: ChildProgram;
let port: number;
let simUrl: string;

beforeAll(async () => {
  const [own, control] = [await takeFreePort(), await takeFreePort()];
  port = own;
  simUrl = `http://127.0.0.1:${control}/sim`;
  program = new ChildProgram({
    name: "console",
    file: "test/simulator/console/main.ts",
    arguments: ["--port", String(port), "--sim-port", String(control), "--password", password],
    environment: {},
    readyAt: `${simUrl}/status`,
  });
  await program.start();
});
afterEach(() => consoles.stopAll());
afterAll(() => program.stop());

const post = async (path: string, body: object): Promise<number> => {
  const init = { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${simUrl}/${path}`, init)).status;
};

it("a console in its own process reports joins and chat while it writes 5,000 lines a second", async () => {
  const settings = { host: "127.0.0.1", port, password, isSecure: false };
  expect(await probeConsole(settings, 10_000, createMemoryConsoleStore())).toMatchObject({
    ok: true,
  });
  const { untilEvents, execute, feed } = consoles.feed({ port, password });
  await untilEvents("player.online");
  expect(await post("flood", { linesPerSecond: 5_000, seconds: 4 })).toBe(200);
  const steamId = "76561198000000001";
  expect(await post("join", { steamId, name: "Anna" })).toBe(200);
  const before = await untilEvents("player.joined");
  expect(before[0]?.payload.steamId).toBe(steamId);
  expect((await execute("POST /v1/announce", { message: "hello" })).status).toBe(200);
  await untilEvents("player.chat", 2);
  expect(feed.status.state).toBe("connected");
});

it("a console in its own process restarts with a wipe", async () => {
  const { untilEvents } = consoles.feed({ port, password });
  const [hello] = await untilEvents("server.hello");
  expect(await post("restart", { wipe: true })).toBe(200);
  const [wiped] = await untilEvents("world.wiped");
  expect(wiped?.payload.previousSaveId).toBe(hello?.saveId);
  expect(await post("unknown", {})).toBe(404);
});
