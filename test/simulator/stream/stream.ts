import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import type { ActiveFaults } from "../faults/standing.ts";
import type { ReceivedLog } from "../received.ts";
import type { EventBuffer } from "./buffer.ts";
import { Connection } from "./connection.ts";
import type { ResumeCursor } from "./connection.ts";
import type { MalformedSamples } from "./forms.ts";

export interface StreamOptions {
  /** The path of the stream, without the query. */
  readonly path: string;
  readonly buffer: EventBuffer;
  readonly token: string;
  readonly protocol: number;
  readonly standing: ActiveFaults;
  readonly received: ReceivedLog;
  readonly clock: () => number;
  /** Returns the fields of the frame `hello` that do not describe the buffer. */
  readonly hello: () => object;
  readonly dialect: MalformedSamples;
  /** Called after the replay of a client. */
  readonly onLive?: () => void;
  /** The milliseconds of silence after which a client is disconnected. */
  readonly clientTimeoutMs: number;
}

interface Refusal {
  readonly status: number;
  readonly body: object;
}

const elsewhere: Refusal = { status: 404, body: { code: "NOT_FOUND" } };

/** The sidecar's stream. It has at most one client and refuses others before the upgrade. */
export class SidecarEventStream {
  readonly #options: StreamOptions;
  // Our code answers pings, so that a fault can suppress the answers.
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: 64 * 1024,
  });
  #connection: Connection | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    options.buffer.onAppend(() => this.#connection?.wake());
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Accepts a client or refuses it with an HTTP answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = URL.parse(request.url ?? "/", "http://sidecar");
    if (url?.pathname !== this.#options.path) return refuse(socket, elsewhere);
    const query = url.searchParams;
    const refusal = this.#refusal(request, query);
    this.#record(query, refusal?.status ?? 101);
    if (refusal) return refuse(socket, refusal);
    const resume = { epoch: query.get("epoch"), after: wholeNumber(query.get("after")) };
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#admit(client, resume));
  }

  /** Sends a frame that is no event. Does nothing if no client is connected. */
  notice(frame: object): void {
    this.#connection?.notice(frame);
  }

  /** Ends the connection without a closing frame. */
  cut(): void {
    this.#connection?.socket.terminate();
    this.#connection = undefined;
  }

  #refusal(request: IncomingMessage, query: URLSearchParams): Refusal | undefined {
    const { token, protocol, standing } = this.#options;
    const asked = standing.takeRefusal();
    const client = wholeNumber(query.get("protocol"));
    if (asked === 401 || request.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { code: "UNAUTHORIZED" } };
    }
    if (asked === 409 || client !== protocol) {
      const server = asked === 409 ? protocol + 1 : protocol;
      return { status: 409, body: { code: "PROTOCOL", server, client } };
    }
    if (isOdd(query)) return { status: 400, body: { code: "INVALID", field: "after" } };
    if (asked === 423 || this.#connection) return { status: 423, body: { code: "LOCKED" } };
    return undefined;
  }

  #record(query: URLSearchParams, status: number): void {
    this.#options.received.connections.push({
      protocol: wholeNumber(query.get("protocol")),
      epoch: query.get("epoch"),
      after: wholeNumber(query.get("after")),
      at: this.#options.clock(),
      status,
    });
  }

  #admit(client: WebSocket, resume: ResumeCursor): void {
    const { buffer, protocol, standing, dialect, onLive = () => {} } = this.#options;
    const overlap = standing.takeOverlap();
    const connection = new Connection(client, buffer, { ...resume, overlap, dialect, onLive });
    this.#connection = connection;
    this.#listen(connection);
    const { epoch, head, oldest } = buffer;
    connection.begin({ type: "hello", protocol, epoch, head, oldest, ...this.#options.hello() });
  }

  #listen(connection: Connection): void {
    const { socket } = connection;
    const timer = setTimeout(() => socket.terminate(), this.#options.clientTimeoutMs);
    socket.on("message", (data) => {
      timer.refresh();
      this.#hear(data);
    });
    socket.on("ping", (data) => {
      timer.refresh();
      if (!connection.muted) socket.pong(data);
    });
    socket.on("pong", () => timer.refresh());
    // After a protocol error `ws` emits `error`. Terminating the socket makes it emit `close`.
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clearTimeout(timer);
      if (this.#connection === connection) this.#connection = undefined;
    });
  }

  #hear(data: RawData): void {
    const text = (data as Buffer).toString("utf8");
    const ack = readAck(text);
    if (ack === undefined) {
      this.#options.received.oddFrames.push(text.slice(0, 1_000));
      return;
    }
    this.#options.received.acks.push({ ...ack, at: this.#options.clock() });
    this.#options.buffer.ack(ack.epoch, ack.seq);
  }
}

function readAck(text: string): { epoch: string; seq: number } | undefined {
  const frame = parse(text) as { type?: unknown; epoch?: unknown; seq?: unknown } | null;
  if (frame?.type !== "ack" || typeof frame.epoch !== "string") return undefined;
  if (!Number.isSafeInteger(frame.seq)) return undefined;
  return { epoch: frame.epoch, seq: frame.seq as number };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;

/** Returns true for an invalid query. A valid query has both `epoch` and a numeric `after`, or neither. */
const isOdd = (query: URLSearchParams): boolean =>
  query.has("epoch") !== query.has("after") ||
  (query.has("after") && wholeNumber(query.get("after")) === null);

function refuse(socket: Duplex, { status, body }: Refusal): void {
  const text = JSON.stringify(body);
  socket.on("error", () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
