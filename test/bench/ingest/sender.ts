import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

import { type WebSocket, WebSocketServer } from "ws";

import { type Simulator, startSimulator } from "../../simulator/simulator.ts";
import type { BufferedEvent } from "../../simulator/stream/event.ts";
import { answerCalls } from "../parts/answering.ts";
import { now } from "../parts/clock.ts";
import { simulateShardEvents } from "./happenings.ts";

/** A simulated sidecar. It sends prepared frames to the client that a call names. */

/** A frame in two halves, between which the sending time `t` is inserted. */
interface Template {
  readonly before: string;
  readonly after: string;
}

interface Client {
  readonly socket: WebSocket;
  readonly name: string;
}

interface PrepareOne extends Pick<BufferedEvent, "kind" | "payload"> {
  readonly to: string;
  readonly count: number;
}

const epoch = randomUUID();
const clients: Client[] = [];
let shard: Simulator | undefined;
let bootId = "";
/**
 * The last `seq` sent to each client, by the client's name. The service treats a skipped `seq` as a lost event,
 * so the numbers must be consecutive.
 */
const heads = new Map<string, number>();
/** The key in `heads` for frames that go to all clients. */
const everybody = "everybody";
let templates: Template[] = [];
let frames: string[] = [];

const server = createServer(answerControl);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on("upgrade", (request, socket, first) => {
  sockets.handleUpgrade(request, socket, first, (client) => greet(client, request));
});
server.listen(0, "127.0.0.1");

answerCalls({
  port: () => (server.address() as AddressInfo).port,
  start,
  prepare,
  prepareOne,
  send,
  pace,
});

/** Starts a simulated shard with a full-sized world. */
async function start({ seed }: { seed: string }): Promise<void> {
  shard = await startSimulator({ world: "full", seed });
  bootId = shard.game.bootId ?? "";
}

/** Answers the two calls that the service makes after the hello: there are no links, and no snapshots. */
function answerControl(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const isResync = request.url?.endsWith("/v1/resync") === true;
  response.writeHead(isResync ? 202 : 200, { "content-type": "application/json" });
  response.end(isResync ? '{"families":[]}' : '{"links":[]}');
}

function greet(socket: WebSocket, request: IncomingMessage): void {
  const name = new URL(request.url ?? "/", "ws://sender").pathname;
  const client = { socket, name };
  clients.push(client);
  socket.on("close", () => clients.splice(clients.indexOf(client), 1));
  socket.on("error", () => undefined);
  const head = heads.get(name) ?? heads.get(everybody) ?? 0;
  const hello = { type: "hello", protocol: 8, epoch, bootId, head, oldest: 1 };
  const about = { pluginConnected: true, shard: {}, plugin: {}, capabilities: [], t: Date.now() };
  socket.send(JSON.stringify({ ...hello, ...about }));
  socket.send(JSON.stringify({ type: "live", head }));
}

/** Simulates events and builds their frames. @param plain leaves out events that change a state */
function prepare({ count, plain }: { count: number; plain: boolean }): void {
  if (!shard) throw new Error("there is no shard yet");
  templates = simulateShardEvents(shard, count, plain).map((event) => templateOf(event, everybody));
  frames = templates.map(({ before, after }) => `${before}${Date.now()}${after}`);
}

/** Builds the frames of one repeated event for one client. */
function prepareOne({ to, count, ...event }: PrepareOne): void {
  templates = Array.from({ length: count }, () =>
    templateOf({ ...event, eventKey: randomUUID() }, to),
  );
}

type Happening = Pick<BufferedEvent, "eventKey" | "kind" | "payload">;

function templateOf({ eventKey, kind, payload }: Happening, to: string): Template {
  const seq = (heads.get(to) ?? 0) + 1;
  heads.set(to, seq);
  const place = { type: "event", seq, epoch, bootId, eventKey, kind };
  return {
    before: `${JSON.stringify(place).slice(0, -1)},"t":`,
    after: `,"replay":false,"payload":${JSON.stringify(payload)}}`,
  };
}

function clientOf(name: string): WebSocket {
  const found = clients.find((client) => client.name === name);
  if (!found) throw new Error(`nobody is connected as ${name}`);
  return found.socket;
}

const highWaterBytes = 1024 * 1024;

/** Sends the prepared frames as fast as the client accepts them. @returns the time of the first frame */
async function send({ to }: { to: string }): Promise<number> {
  const socket = clientOf(to);
  const startedAt = now();
  for (const frame of frames) {
    while (socket.bufferedAmount > highWaterBytes) await nextTurn();
    socket.send(frame);
  }
  return startedAt;
}

/** Sends the prepared frames at a rate, with the sending time as `t`. */
async function pace({ to, perSecond }: { to: string; perSecond: number }): Promise<void> {
  const socket = clientOf(to);
  const startedAt = now();
  for (let sent = 0; sent < templates.length;) {
    const due = Math.min(templates.length, Math.ceil(((now() - startedAt) / 1e6) * perSecond));
    for (; sent < due; sent++) {
      const { before, after } = templates[sent] as Template;
      socket.send(`${before}${now()}${after}`);
    }
    await sleep(1);
  }
}
