import type { IncomingMessage } from "node:http";

import { WebSocket } from "ws";

export interface ConnectionOptions {
  readonly token: string;
  /** Bytes of one message; a larger one ends the connection. */
  readonly maxPayload: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly deadMs: number;
  readonly onMessage: (data: Buffer) => void;
}

/** How a connection ended: refused at its handshake, ended by a frame too large to take, or lost. */
export type Ending =
  | { readonly how: "refused"; readonly status: number; readonly body: string }
  | { readonly how: "spoiled"; readonly reason: string }
  | { readonly how: "lost"; readonly reason: string };

const tooLargeCodes: ReadonlySet<string> = new Set([
  "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH",
  "WS_ERR_TOO_MANY_BUFFERED_PARTS",
]);

/** One socket to a sidecar, from its handshake to its end. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #handshakeMs: number;
  readonly #ending = Promise.withResolvers<Ending>();
  #keepAlive: KeepAlive | undefined;
  #reason: string | undefined;

  /** @throws when the address or the token cannot be sent at all */
  constructor(url: string, options: ConnectionOptions) {
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${options.token}` },
      // Compression costs both ends twenty-five times the work of reading plain frames.
      perMessageDeflate: false,
      maxPayload: options.maxPayload,
      handshakeTimeout: options.handshakeMs,
      // ws would end the connection over bad UTF-8; decoded, it becomes U+FFFD.
      skipUTF8Validation: true,
    });
    this.#socket = socket;
    this.#handshakeMs = options.handshakeMs;
    socket.on("open", () => {
      const onDead = (): void => this.cut(`no frame for ${options.deadMs / 1000} s`);
      this.#keepAlive = new KeepAlive(socket, { ...options, onDead });
    });
    socket.on("message", options.onMessage);
    socket.on("unexpected-response", (_request, response) => void this.#readRefusal(response));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", (code, reason) => this.#close(code, reason.toString()));
  }

  /** Settles once, when the socket is gone; never rejects. */
  get ended(): Promise<Ending> {
    return this.#ending.promise;
  }

  get isCut(): boolean {
    return this.#reason !== undefined;
  }

  get isPaused(): boolean {
    return this.#socket.isPaused;
  }

  send(text: string): void {
    // Errors of sending are ignored: a socket that is closing reports why when it ends.
    this.#socket.send(text, () => undefined);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#keepAlive?.hear();
    this.#socket.resume();
  }

  /** Ends it without waiting for the other side, which may be gone. */
  cut(reason: string): void {
    this.#reason ??= reason;
    this.#socket.terminate();
  }

  async #readRefusal(response: IncomingMessage): Promise<void> {
    const status = response.statusCode ?? 0;
    const body = await readBeginning(response, this.#handshakeMs);
    this.#ending.resolve({ how: "refused", status, body });
    this.#socket.terminate();
  }

  #fail(error: Error & { code?: string }): void {
    const reason = error.code ?? error.message;
    if (tooLargeCodes.has(reason)) this.#ending.resolve({ how: "spoiled", reason: "oversized" });
    this.cut(reason);
  }

  #close(code: number, reason: string): void {
    this.#keepAlive?.stop();
    const closed = reason === "" ? `closed (${code})` : `closed (${code} ${reason.slice(0, 100)})`;
    this.#ending.resolve({ how: "lost", reason: this.#reason ?? closed });
  }
}

/** The first few hundred characters of an answer; an answer that does not come in time is empty. */
async function readBeginning(response: IncomingMessage, timeMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), timeMs);
  let text = "";
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > 512) break;
    }
  } catch {
    // A body that breaks off is left as it is: the status alone says enough.
  } finally {
    clearTimeout(timer);
  }
  return text;
}

interface KeepAliveOptions {
  readonly pingMs: number;
  readonly deadMs: number;
  readonly onDead: () => void;
}

/** Pings a socket and finds it dead when no frame of any kind came for `deadMs`. */
class KeepAlive {
  readonly #socket: WebSocket;
  readonly #options: KeepAliveOptions;
  readonly #pings: NodeJS.Timeout;
  #deadline: NodeJS.Timeout | undefined;
  #judging: NodeJS.Immediate | undefined;
  #heardAtMs = performance.now();

  constructor(socket: WebSocket, options: KeepAliveOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#pings = setInterval(() => socket.ping(), options.pingMs);
    for (const event of ["message", "ping", "pong"]) socket.on(event, () => this.hear());
    this.#wait();
  }

  hear(): void {
    this.#heardAtMs = performance.now();
  }

  stop(): void {
    clearInterval(this.#pings);
    clearTimeout(this.#deadline);
    clearImmediate(this.#judging);
  }

  #measureLeft(): number {
    // A paused socket is silent because we do not read: that does not count.
    if (this.#socket.isPaused) this.hear();
    return this.#heardAtMs + this.#options.deadMs - performance.now();
  }

  #wait(): void {
    this.#deadline = setTimeout(() => {
      // After the frames that are waiting to be read: this process may have been held up.
      this.#judging = setImmediate(() => this.#judge());
    }, Math.ceil(this.#measureLeft()));
  }

  #judge(): void {
    if (this.#measureLeft() > 0) this.#wait();
    else this.#options.onDead();
  }
}
