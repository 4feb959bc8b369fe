import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { type WebSocket, WebSocketServer } from "ws";

import type { BufferedEvent } from "../../simulator/stream/event.ts";
import { startSurvivalSimulator } from "../../simulator/survival/simulator.ts";
import { answerCalls } from "../parts/answering.ts";

/**
 * Simulated sidecars of many servers. Each sends the same simulated minute, with players of its
 * own.
 */

/** A frame that has no seq yet, and the second of the minute in which it is sent. */
interface Due {
  readonly second: number;
  readonly about: About;
}

interface About extends Pick<BufferedEvent, "kind" | "t" | "eventKey" | "payload"> {
  readonly saveId: number | null;
}

const secondsOfMinute = 60;
const eventsPerSecond = 2;

const epoch = randomUUID();
const clients = new Map<string, WebSocket>();
/** The events sent to each client, in order. A client that reconnects gets the events that it lacks. */
const sent = new Map<string, About[]>();
let time = Date.now();
const game = await startSurvivalSimulator({
  world: "full",
  seed: "bench",
  rate: 0,
  ticking: false,
  clock: () => time,
});
const { bootId } = game.game;
let rounds = 0;
let minute: readonly Due[] = takeSince(0, 0);

const server = createServer(answerControl);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on("upgrade", (request, socket, first) => {
  sockets.handleUpgrade(request, socket, first, (client) => greet(client, request));
});
server.listen(0, "127.0.0.1");

answerCalls({
  port: () => (server.address() as AddressInfo).port,
  connected: ({ side }: { side: string }) =>
    [...clients.keys()].filter((name) => name.startsWith(`/${side}/`)).length,
  prepare,
  send,
});

/** Answers the only HTTP call that the service makes after the hello. */
function answerControl(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(202, { "content-type": "application/json" }).end("{}");
}

function greet(socket: WebSocket, request: IncomingMessage): void {
  const { pathname: name, searchParams } = new URL(request.url ?? "/", "ws://sidecar");
  const log = sent.get(name) ?? [];
  sent.set(name, log);
  clients.set(name, socket);
  socket.on("close", () => {
    if (clients.get(name) === socket) clients.delete(name);
  });
  socket.on("error", () => undefined);
  const hello = { type: "hello", protocol: 13, epoch, bootId, head: log.length, oldest: 1 };
  const about = { pluginConnected: true, shard: {}, plugin: {}, capabilities: [], t: time };
  socket.send(JSON.stringify({ ...hello, ...about }));
  const after = Number(searchParams.get("after") ?? 0);
  for (let seq = after + 1; seq <= log.length; seq++) socket.send(frameOf(seq, name, log));
  socket.send(JSON.stringify({ type: "live", head: log.length }));
}

const frameOf = (seq: number, name: string, log: readonly About[]): string =>
  withOwnPlayers(
    JSON.stringify({ type: "event", seq, epoch, bootId, replay: false, ...log[seq - 1] }),
    Number(name.split("/").at(-1)),
  );

/** Gives each server its own Steam ids, because a player is on one server at a time. */
const withOwnPlayers = (frame: string, place: number): string =>
  frame.replaceAll(
    /"(7656119\d{10})"/g,
    (_, steamId: string) => `"${BigInt(steamId) + BigInt(place) * playersApart}"`,
  );

const playersApart = 10_000_000n;

/** Simulates a minute of a game: its status, positions, tallies and events. */
function prepare(): { readonly frames: number } {
  rounds += 1;
  const told: Due[] = [];
  for (let second = 0; second < secondsOfMinute; second++) {
    const from = game.buffer.log.length;
    time += 1_000;
    game.tick();
    game.happen(eventsPerSecond);
    // Copy the events now, because newer positions replace older ones in the buffer.
    told.push(...takeSince(from, second));
  }
  minute = told;
  return { frames: minute.length };
}

function takeSince(from: number, second: number): Due[] {
  return game.buffer.log.slice(from).map(({ kind, t, eventKey, payload, saveId = null }) => ({
    second,
    about: { kind, t, eventKey: eventKey && `${eventKey} ${rounds}`, payload, saveId },
  }));
}

/**
 * Sends each client of a side its minute of events, spread evenly over this many seconds.
 * @returns the seq of the last event
 */
async function send({ side, seconds }: { side: string; seconds: number }): Promise<number> {
  const names = [...sent.keys()].filter((name) => name.startsWith(`/${side}/`));
  const startedAt = performance.now();
  const msOfSecond = (seconds * 1_000) / secondsOfMinute;
  for (const [second, due] of Map.groupBy(minute, (one) => one.second)) {
    for (const [place, name] of names.entries()) {
      const dueAt = startedAt + (second + place / names.length) * msOfSecond;
      await sleep(Math.max(0, dueAt - performance.now()));
      sendTo(name, due);
    }
  }
  return sent.get(names[0] ?? "")?.length ?? 0;
}

function sendTo(name: string, due: readonly Due[]): void {
  const log = sent.get(name) ?? [];
  for (const { about } of due) {
    log.push(about);
    clients.get(name)?.send(frameOf(log.length, name, log));
  }
}
