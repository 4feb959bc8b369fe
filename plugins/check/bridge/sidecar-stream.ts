import type { IncomingMessage } from "node:http";

import { WebSocket } from "ws";

import type { Cursor } from "../../../shared/platform/bridge/frames.ts";
import { buildConnectionUrl } from "../../../shared/platform/bridge/socket/addresses.ts";
import { withTimeout } from "../wait/within.ts";

export interface StreamOptions {
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
  readonly cursor: Cursor | null;
}

export interface FrameReceiver {
  receive(text: string, isBinary: boolean): void;
  /** Called if a frame is larger than the limit. The connection is then closed. */
  receiveOversized(): void;
}

export type StreamOpenResult =
  | { readonly how: "open"; readonly stream: SidecarStream }
  | { readonly how: "refused"; readonly status: number; readonly text: string }
  | { readonly how: "lost"; readonly reason: string };

const openMs = 10_000;

/** The size of the largest frame that the site accepts. */
const maxPayload = 1024 * 1024;

/** Opens the stream. @returns the refusal or the error if that fails */
export async function openStream(
  opening: StreamOptions,
  hearer: FrameReceiver,
): Promise<StreamOpenResult> {
  const { wsUrl, protocol, cursor, token } = opening;
  const socket = new WebSocket(buildConnectionUrl(wsUrl, protocol, cursor), {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: openMs,
    maxPayload,
  });
  // Frames may arrive with the handshake, so add the listeners before the stream is open.
  const stream = new SidecarStream(socket, hearer);
  return new Promise((resolve) => {
    socket.on("open", () => resolve({ how: "open", stream }));
    const refuse = async (response: IncomingMessage): Promise<void> => {
      const text = await readText(response);
      resolve({ how: "refused", status: response.statusCode ?? 0, text });
      socket.terminate();
    };
    socket.on("unexpected-response", (_request, response) => void refuse(response));
    socket.on("error", ({ message }) => resolve({ how: "lost", reason: message }));
  });
}

export class SidecarStream {
  readonly #socket: WebSocket;
  readonly #closed = Promise.withResolvers<void>();
  #reason: string | null = null;

  constructor(socket: WebSocket, hearer: FrameReceiver) {
    this.#socket = socket;
    socket.on("message", (data: Buffer, isBinary) => hearer.receive(data.toString(), isBinary));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") hearer.receiveOversized();
    });
    socket.on("close", (code, reason) => {
      this.#reason = `closed with ${code} ${reason.toString()}`.trim();
      this.#closed.resolve();
    });
  }

  /** The reason for which the connection closed; null while it is open. */
  get closedBecause(): string | null {
    return this.#reason;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame), () => undefined);
  }

  /** Returns true if a pong arrives in time. */
  async ping(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#socket.once("pong", () => resolve(true));
    this.#socket.ping(undefined, undefined, () => undefined);
    return (await withTimeout(promise, ms)) ?? false;
  }

  async close(): Promise<void> {
    this.#socket.close(1000);
    await withTimeout(this.#closed.promise, 2_000);
    this.#socket.terminate();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > 4_096) break;
  }
  return text;
}
