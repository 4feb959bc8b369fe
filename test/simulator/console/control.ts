import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { parseBody, readBody, sendJson } from "../control/http.ts";
import { readRequiredInteger, objectBody, readRequiredText } from "../control/input.ts";
import { type ControlAnswer, createOkAnswer, Refusal, refuseMissing } from "../control/refusal.ts";
import type { ConsoleSimulator } from "./console-simulator.ts";

type Body = Readonly<Record<string, unknown>>;
type Route = (body: Body, simulator: ConsoleSimulator) => ControlAnswer | Promise<ControlAnswer>;

const accepted = createOkAnswer({ ok: true });
const floodTickMs = 50;

/** The routes by which another process controls the simulated console. */
const routes: Readonly<Record<string, Route>> = {
  "GET /sim/status": (_body, { world, clients, dials, received }) =>
    createOkAnswer({
      clients,
      dials,
      received: received.length,
      players: [...world.players.keys()],
      bans: world.bans,
      savedAt: world.savedAt,
      uptimeSec: world.uptimeSec,
    }),
  "POST /sim/join": (body, simulator) => {
    simulator.join(
      readRequiredText(body, "steamId", 17, 17),
      readRequiredText(body, "name", 1, 256),
    );
    return accepted;
  },
  "POST /sim/leave": (body, simulator) => {
    simulator.leave(readRequiredText(body, "steamId", 17, 17));
    return accepted;
  },
  "POST /sim/chat": (body, simulator) => {
    simulator.chat(
      readRequiredText(body, "steamId", 17, 17),
      readRequiredText(body, "message", 1, 1_024),
    );
    return accepted;
  },
  "POST /sim/log": (body, simulator) => {
    simulator.log(readRequiredText(body, "line", 0, 100_000));
    return accepted;
  },
  "POST /sim/cut": (_body, simulator) => {
    simulator.cut();
    return accepted;
  },
  "POST /sim/flood": (body, simulator) => {
    const rate = readRequiredInteger(body, "linesPerSecond", 1, 1_000_000);
    void flood(simulator, rate, readRequiredInteger(body, "seconds", 1, 3_600));
    return accepted;
  },
  "POST /sim/restart": async (body, simulator) => {
    await simulator.close();
    simulator.world.restart({ wipe: body.wipe === true });
    await simulator.open();
    return accepted;
  },
  "POST /sim/generating": (body, { world }) => {
    world.isGenerating = body.isGenerating === true;
    return accepted;
  },
};

/** Writes lines that are no events, at a steady rate. */
async function flood(simulator: ConsoleSimulator, rate: number, seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds;) {
    const due = ((performance.now() - startedAt) / 1_000) * rate;
    for (; sent < Math.min(due, rate * seconds); sent += 1) {
      simulator.log(`[EAC] line ${sent}: nothing to see for players here`);
    }
    await sleep(floodTickMs);
  }
}

/** Serves the control routes of a console. @returns the listening server */
export async function serveControl(simulator: ConsoleSimulator, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? "/", "http://console");
      try {
        const route = routes[`${request.method} ${pathname}`];
        if (!route) throw refuseMissing();
        const body = parseBody(await readBody(request));
        sendJson(response, await route(body === undefined ? {} : objectBody(body), simulator));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        sendJson(response, error.answer);
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
