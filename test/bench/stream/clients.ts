import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { quantile } from "../bench.ts";
import { answerCalls } from "../parts/answering.ts";
import { now } from "../parts/clock.ts";

/** Clients of event streams. They use bare sockets, which cost almost nothing. */

interface Client {
  readonly socket: Socket;
  /** The last event id that this client received. */
  lastId: number;
}

interface OpenRequest {
  readonly urls: readonly string[];
  /** The number of clients over all URLs. */
  readonly count: number;
}

let clients: Client[] = [];
/** The time of the first client to receive each id. */
const firsts = new Map<number, number>();
/** The delay of each other client after the first one, in microseconds. */
let spreads: number[] = [];
/** The microseconds from an event's `t` until a client received it. */
let latencies: number[] = [];
let isMeasuring = false;

answerCalls({ open, close, begin, untilAll, figures });

/** The number of connections opened at once. */
const atOnce = 100;

/** Opens streams and waits until each has sent data. */
async function open({ urls, count }: OpenRequest): Promise<void> {
  const asked = Array.from({ length: count }, (_, place) => urls[place % urls.length] as string);
  for (let from = 0; from < asked.length; from += atOnce) {
    clients.push(...(await Promise.all(asked.slice(from, from + atOnce).map(openOne))));
  }
}

function openOne(url: string): Promise<Client> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const client: Client = { socket, lastId: 0 };
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (first) => {
      if (!first.includes("HTTP/1.1 200")) return reject(new Error(first.toString("latin1")));
      socket.on("data", (chunk) => receive(client, chunk));
      return resolve(client);
    });
  });
}

function close(): void {
  for (const { socket } of clients) socket.destroy();
  clients = [];
  firsts.clear();
}

function begin(): void {
  spreads = [];
  latencies = [];
  isMeasuring = true;
}

/** Waits until every client has received this id or a later one. */
async function untilAll({ id }: { id: number }): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (clients.some(({ lastId }) => lastId < id)) {
    if (performance.now() > giveUpAt) throw new Error(`event ${id} did not reach every client`);
    await sleep(2);
  }
}

function figures(): Record<string, number> {
  isMeasuring = false;
  const [spread, latency] = [spreads, latencies];
  return {
    spreadP50: quantile(spread, 0.5) / 1e3,
    spreadP99: quantile(spread, 0.99) / 1e3,
    latencyP50: quantile(latency, 0.5) / 1e3,
    latencyP99: quantile(latency, 0.99) / 1e3,
  };
}

const idLine = Buffer.from("id: ");
const timeField = Buffer.from('"t":');

/**
 * Records the last event of a chunk. A chunk without an id continues an event that is already
 * recorded.
 */
function receive(client: Client, chunk: Buffer): void {
  const at = chunk.lastIndexOf(idLine);
  if (at === -1) return;
  const id = readNumber(chunk, at + idLine.length);
  const timeAt = chunk.indexOf(timeField, at);
  client.lastId = Math.max(client.lastId, id);
  if (!isMeasuring || timeAt === -1) return;
  const receivedAt = now();
  const first = firsts.get(id);
  if (first === undefined) firsts.set(id, receivedAt);
  else spreads.push(receivedAt - first);
  latencies.push(receivedAt - readNumber(chunk, timeAt + timeField.length));
}

function readNumber(chunk: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (chunk[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
