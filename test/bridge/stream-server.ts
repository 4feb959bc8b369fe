import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";

import { type WebSocket, WebSocketServer } from "ws";

import { pollUntil } from "./until.ts";

export const epoch = "0b0f4c0e-6a6b-4d9c-8f6e-1d2c3b4a5f60";
export const otherEpoch = "1b0f4c0e-6a6b-4d9c-8f6e-1d2c3b4a5f61";
export const bootId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/** A connection of a client that the server accepted. */
export class AcceptedConnection {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly socket: WebSocket;
  readonly received: Record<string, unknown>[] = [];
  pings = 0;
  closed = false;

  constructor(url: string, headers: IncomingHttpHeaders, socket: WebSocket) {
    this.url = new URL(url, "ws://sidecar");
    this.headers = headers;
    this.socket = socket;
    socket.on("message", (data: Buffer) =>
      this.received.push(JSON.parse(data.toString()) as never),
    );
    socket.on("ping", () => {
      this.pings += 1;
    });
    socket.on("close", () => {
      this.closed = true;
    });
    socket.on("error", () => undefined);
  }

  get after(): string | null {
    return this.url.searchParams.get("after");
  }

  send(...frames: (object | string | Buffer)[]): void {
    for (const frame of frames) {
      const isRaw = typeof frame === "string" || Buffer.isBuffer(frame);
      this.socket.send(isRaw ? frame : JSON.stringify(frame), { binary: false });
    }
  }
}

export interface StreamRefusal {
  readonly status: number;
  readonly body?: object;
}

/** Starts a WebSocket server that accepts or refuses clients. The test sends the frames. */
export async function startStreamServer(options: { autoPong?: boolean } = {}) {
  const visits: AcceptedConnection[] = [];
  const refusals: StreamRefusal[] = [];
  const http = createServer();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: true, ...options });
  let refused = 0;
  http.on("upgrade", (request, socket, head) => {
    socket.on("error", () => undefined);
    const refusal = refusals[0];
    if (refusal) {
      refused += 1;
      const body = JSON.stringify(refusal.body ?? {});
      const line = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? "?"}`;
      socket.end(`${line}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    server.handleUpgrade(request, socket, head, (client) => {
      visits.push(new AcceptedConnection(request.url ?? "", request.headers, client));
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/stream`,
    visits,
    get refused() {
      return refused;
    },
    /** Refuses all clients from now on. Null accepts clients again. */
    refuse(refusal: StreamRefusal | null): void {
      refusals.length = 0;
      if (refusal) refusals.push(refusal);
    },
    /** Waits for the nth client, counted from 1. */
    async visit(nth: number): Promise<AcceptedConnection> {
      await pollUntil(() => visits.length >= nth);
      return visits[nth - 1] as AcceptedConnection;
    },
    async close(): Promise<void> {
      for (const { socket } of visits) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

export const buildHelloFrame = (fields: object = {}): object => ({
  type: "hello",
  protocol: 8,
  epoch,
  bootId,
  head: 0,
  oldest: 1,
  pluginConnected: true,
  shard: { name: "Testonia", version: "1", expansion: "TOL" },
  plugin: { version: "2.0" },
  capabilities: ["clilocs"],
  t: 1_764_200_000_000,
  ...fields,
});

export const buildEventFrame = (seq: number, fields: object = {}): object => ({
  type: "event",
  seq,
  epoch,
  bootId,
  eventKey: null,
  kind: "chat.message",
  t: 1_764_200_000_000 + seq,
  replay: false,
  payload: { text: `line ${seq}` },
  ...fields,
});
