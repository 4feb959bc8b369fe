import type { IncomingMessage } from "node:http";

import { WebSocket } from "ws";

export interface ConnectionOptions {
  readonly token: string;
  /** Maximum size of a message in bytes. A larger message ends the connection. */
  readonly maxPayload: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly deadMs: number;
  readonly onMessage: (data: Buffer) => void;
}

/** The end of a connection: refused at the handshake, ended by a frame that is too large, or lost. */
export type ConnectionEnd =
  | { readonly how: "refused"; readonly status: number; readonly body: string }
  | { readonly how: "spoiled"; readonly reason: string }
  | { readonly how: "lost"; readonly reason: string };

const tooLargeCodes: ReadonlySet<string> = new Set([
  "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH",
  "WS_ERR_TOO_MANY_BUFFERED_PARTS",
]);

export class Connection {
  readonly #socket: WebSocket;
  readonly #handshakeMs: number;
  readonly #ending = Promise.withResolvers<ConnectionEnd>();
  #keepAlive: KeepAlive | undefined;
  #reason: string | undefined;

  /** @throws if the address or the token cannot be sent */
  constructor(url: string, options: ConnectionOptions) {
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${options.token}` },
      // Compression would make frames 25 times as expensive to read for both sides.
      perMessageDeflate: false,
      maxPayload: options.maxPayload,
      handshakeTimeout: options.handshakeMs,
      // The library would close the connection at invalid UTF-8. Decoding replaces it with U+FFFD.
      skipUTF8Validation: true,
    });
    this.#socket = socket;
    this.#handshakeMs = options.handshakeMs;
    socket.on("open", () => {
      const onDead = (): void => this.terminate(`no frame for ${options.deadMs / 1000} s`);
      this.#keepAlive = new KeepAlive(socket, { ...options, onDead });
    });
    socket.on("message", options.onMessage);
    socket.on("unexpected-response", (_request, response) => void this.#readRefusal(response));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", (code, reason) => this.#close(code, reason.toString()));
  }

  /** Settles once, when the socket is closed; never rejects. */
  get ended(): Promise<ConnectionEnd> {
    return this.#ending.promise;
  }

  get isTerminated(): boolean {
    return this.#reason !== undefined;
  }

  get isPaused(): boolean {
    return this.#socket.isPaused;
  }

  send(text: string): void {
    // Ignore send errors, because the connection's end reports the reason.
    this.#socket.send(text, () => undefined);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#keepAlive?.recordActivity();
    this.#socket.resume();
  }

  /** Closes the socket without waiting for the other side, which may be gone. */
  terminate(reason: string): void {
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
    this.terminate(reason);
  }

  #close(code: number, reason: string): void {
    this.#keepAlive?.stop();
    const closed = reason === "" ? `closed (${code})` : `closed (${code} ${reason.slice(0, 100)})`;
    this.#ending.resolve({ how: "lost", reason: this.#reason ?? closed });
  }
}

/** Reads up to a few hundred characters of an answer within the time limit. */
async function readBeginning(response: IncomingMessage, timeMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), timeMs);
  let text = "";
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > 512) break;
    }
  } catch {
    // Ignore an incomplete body, because the status is enough.
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

/** Pings a socket. Reports it as dead if no frame of any kind arrives for `deadMs`. */
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
    for (const event of ["message", "ping", "pong"]) socket.on(event, () => this.recordActivity());
    this.#wait();
  }

  recordActivity(): void {
    this.#heardAtMs = performance.now();
  }

  stop(): void {
    clearInterval(this.#pings);
    clearTimeout(this.#deadline);
    clearImmediate(this.#judging);
  }

  #measureLeft(): number {
    // While this process has paused the socket, it receives nothing, so do not count that time as silence of the
    // other side.
    if (this.#socket.isPaused) this.recordActivity();
    return this.#heardAtMs + this.#options.deadMs - performance.now();
  }

  #wait(): void {
    this.#deadline = setTimeout(() => {
      // Read waiting frames before the check, because this process may have been blocked.
      this.#judging = setImmediate(() => this.#judge());
    }, Math.ceil(this.#measureLeft()));
  }

  #judge(): void {
    if (this.#measureLeft() > 0) this.#wait();
    else this.#options.onDead();
  }
}
