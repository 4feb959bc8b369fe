import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { logIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { takeFreePortPair } from "../support/network/ports.ts";
import { type Descendant, descendantsOf, isAlive, Launcher } from "./launcher.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listenAt = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });

describe("npm run demo", () => {
  let demo: Launcher;
  let api: { url: string };

  beforeAll(async () => {
    demo = new Launcher({ folder, arguments: ["--demo"] });
    await demo.ready();
    api = { url: new URL(demo.shown("Status")).origin };
  });

  afterAll(() => demo.end("SIGKILL"));

  it("serves the addresses that it prints", async () => {
    for (const label of ["Status", "API description", "Live events, as a page"]) {
      expect({ label, status: (await fetch(demo.shown(label))).status }).toEqual({
        label,
        status: 200,
      });
    }
    const health = await fetch(demo.shown("Health, this machine only"));
    expect(await health.json()).toMatchObject({ status: "ok", process: "web" });
  });

  it("is linked to a live shard and lets the page's origin read its event stream", async () => {
    await waitUntil("the shard's state has arrived", async () => {
      const { body } = await callRoute(api, "GET /public/shard/status");
      const { status, onlineCount } = body as { status: string; onlineCount: number };
      return status === "connected" && onlineCount > 0;
    });
    const origin = new URL(demo.shown("Live events, as a page")).origin;
    const stream = await openStream(`${api.url}/api/v1/public/shard/stream`, {
      headers: { origin },
    });
    expect(stream.headers["access-control-allow-origin"]).toBe(origin);
    await stream.waitFor(({ id, event }) => id !== undefined && event === undefined);
    stream.close();
  });

  it("imports the shard's names, spawns and pictures once it is ready", async () => {
    const line = "world     imported: clilocs, atlas, assets, item-art\n";
    await waitUntil("the world is imported", () => demo.said.includes(line));
    expect(demo.said.indexOf("Guildhall is ready")).toBeLessThan(demo.said.indexOf(line));
    const market = await callRoute(api, "GET /public/shard/market?q=dagger&limit=1");
    const { listings } = market.body as { listings: { displayName: string; itemId: number }[] };
    expect(listings).toMatchObject([{ displayName: expect.stringMatching(/dagger/i) }]);
    const atlas = (await callRoute(api, "GET /public/atlas?facet=Felucca")).body as {
      spawns: { entries: { art: string | null }[] }[];
    };
    const arts = atlas.spawns.flatMap(({ entries }) => entries.map(({ art }) => art));
    const body = arts.find((art) => art !== null);
    for (const key of [body, `item:${listings[0]?.itemId}`]) {
      const picture = await fetch(`${api.url}/api/v1/public/assets/${key}`);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    }
  });

  it("lets each of its accounts sign in with its role", async () => {
    for (const role of ["admin", "editor", "moderator", "player"]) {
      const [username = "", password = ""] = demo.shown(`Sign in as ${role}`).split(/\s+/);
      const cookie = await logIn(api, { username, password });
      const { body } = await callRoute(api, "GET /auth/me", { headers: { cookie } });
      expect(body).toMatchObject({ username, role });
    }
  });

  it("restarts a process that was killed", async () => {
    const killed = workerOf(demo);
    process.kill(killed.pid, "SIGKILL");
    await waitUntil("the worker is back", () => demo.said.includes("worker is back"));
    expect(demo.said).toContain("worker ended (SIGKILL) and is started again in 0.5 s");
    expect(workerOf(demo).pid).not.toBe(killed.pid);
  });

  it("restarts a killed PostgreSQL on the same port, and the service recovers", async () => {
    const [pid, , , port] = readPostmaster();
    process.kill(Number(pid), "SIGKILL");
    await waitUntil("the database is back", () => demo.said.includes("database is back"));
    expect(readPostmaster()[3]).toBe(port);
    await waitUntil("web is ready", async () => (await fetch(demo.shown("Status"))).ok);
  });

  it("rejects a second start on its folder and names the process that uses it", async () => {
    const second = new Launcher({ folder });
    expect(await second.ended()).toBe(1);
    expect(second.said.trim()).toBe(
      `${path.join(folder, "data")} is in use by process ${demo.pid}: ` +
        "end that process, or set DATA_FOLDER to another folder",
    );
  });

  it("stops in order and leaves no process behind", async () => {
    const all = descendantsOf(demo.pid);
    expect(programs.filter((name) => !all.some(({ command }) => command.includes(name)))).toEqual(
      [],
    );
    // The exit code is 0 only if each process stopped by itself. After 14.5 seconds, processes are
    // killed.
    expect(await demo.end("SIGTERM")).toBe(0);
    expect(all.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect(demo.said).toMatch(/stopping …\n(.*\n)*stopped\n$/);
  });
});

describe("npm start", () => {
  it("starts with its stored data after it was killed and its processes have ended", async () => {
    const first = new Launcher({ folder });
    await first.ready();
    // No password is printed, because the demo before this test has created the administrator.
    expect(first.said).not.toContain("Sign in as admin");
    const all = descendantsOf(first.pid);
    await first.end("SIGKILL");
    const servers = all.filter(({ command }) => command.includes("end-with-starter.ts"));
    expect(servers).toHaveLength(3);
    await waitUntil("the processes have ended too", () => !servers.some(({ pid }) => isAlive(pid)));

    const second = new Launcher({ folder, arguments: ["--verbose"] });
    await second.ready();
    expect(second.said).toMatch(/^web +INFO: listening/m);
    expect(first.said).not.toMatch(/^web +INFO:/m);
    const url = new URL(second.shown("Status")).origin;
    expect((await callRoute({ url }, "GET /public/status")).status).toBe(200);
    expect(await second.end("SIGINT")).toBe(0);
    expect(all.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it("exits and names the port and its variable if a port is taken", async () => {
    const free = await takeFreePortPair();
    const port = free + 1;
    const server = await listenAt(port);
    const environment = { INTERNAL_PORT: String(free) };
    const launcher = new Launcher({ folder, environment });
    expect(await launcher.ended()).toBe(1);
    server.close();
    expect(launcher.said.trim()).toBe(
      `Port ${port} is in use: end the program that uses it, ` +
        "or set INTERNAL_PORT (ingest is 1 above it) to another port",
    );
    expect(isAlive(Number(readPostmaster()[0]))).toBe(false);
  });

  it("reports every fault of the environment at once and starts nothing", async () => {
    const environment = { PORT: "none", SSE_MAX: "0" };
    const launcher = new Launcher({ folder, environment });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.said).toContain("PORT must be a number");
    expect(launcher.said).toContain("SSE_MAX must be greater than or equal to 1");
    expect(launcher.said).not.toContain("database");
  });

  it("rejects the option --demo in production with one message", async () => {
    const environment = { NODE_ENV: "production" };
    const demo = new Launcher({ folder, arguments: ["--demo"], environment });
    expect(await demo.ended()).toBe(1);
    expect(demo.said.trim()).toBe(
      "The demo is not for production: unset NODE_ENV, or use npm start",
    );
  });

  it("exits and names the port variable if a port would be above 65535", async () => {
    const demo = new Launcher({ folder, arguments: ["--demo"], environment: { PORT: "65500" } });
    const start = new Launcher({ folder, environment: { INTERNAL_PORT: "65534" } });
    expect([await demo.ended(), await start.ended()]).toEqual([1, 1]);
    expect(demo.said.trim()).toBe(
      "65580 is not a valid port: set PORT (the demo has a port 80 above it) to a lower one",
    );
    expect(start.said.trim()).toBe(
      "65536 is not a valid port: set INTERNAL_PORT (worker is 2 above it) to a lower one",
    );
  });

  it("explains why the given database cannot be used", async () => {
    const environment = { DATABASE_URL: "postgres://guildhall@127.0.0.1:1/guildhall" };
    const launcher = new Launcher({ folder, environment });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.said.trim()).toBe(
      "The database cannot be used: connect ECONNREFUSED 127.0.0.1:1: " +
        "start PostgreSQL, or correct host and port in DATABASE_URL",
    );
  });
});

function readPostmaster(): string[] {
  try {
    return readFileSync(path.join(folder, "data/db/postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function workerOf(launcher: Launcher): Descendant {
  const worker = descendantsOf(launcher.pid).find(({ command }) => command.includes("worker.ts"));
  if (!worker) throw new Error("no worker runs");
  return worker;
}

/** The programs of the demo, by a part of their command lines. */
const programs = [
  "bin/postgres",
  "simulator/main.ts",
  "serve-page.ts",
  "server.ts",
  "ingest.ts",
  "worker.ts",
];
