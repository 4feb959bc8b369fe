import { isIPv6 } from "node:net";

import { WebSocket } from "ws";

import type { ConsoleFault, ConsoleSettings } from "./console-types.ts";

/** Maximum size of a message in bytes. Lists of bans and permissions are the longest messages. */
const longestMessage = 8 * 1024 * 1024;

/** Times in milliseconds. */
export interface SocketTiming {
  readonly handshakeMs: number;
  readonly pingMs: number;
  /** The connection is ended if nothing arrives for this long after a command. */
  readonly silentMs: number;
}

export interface ConsoleSocketOptions extends SocketTiming {
  readonly onMessage: (data: Buffer) => void;
}

/** The end of a connection to a console. */
export interface ConsoleCloseReason {
  readonly code: ConsoleFault;
  readonly reason: string;
}

const passwordForm = /^[!-~]+$/;

/** One connection to the console of a Rust server. */
export class ConsoleSocket {
  readonly #socket: WebSocket;
  readonly #options: ConsoleSocketOptions;
  readonly #opening = Promise.withResolvers<boolean>();
  readonly #ending = Promise.withResolvers<ConsoleCloseReason>();
  #end: ConsoleCloseReason | null = null;
  #askedAt: number | null = null;
  #timers: NodeJS.Timeout[] = [];

  constructor(settings: ConsoleSettings, options: ConsoleSocketOptions) {
    this.#options = options;
    this.#socket = openSocket(settings, options.handshakeMs);
    this.#socket.on("open", () => this.#begin());
    this.#socket.on("message", (data: Buffer) => {
      this.#askedAt = null;
      options.onMessage(data);
    });
    this.#socket.on("unexpected-response", (_request, response) => {
      const reason = `the address answered ${response.statusCode ?? 0}: it is not a console`;
      this.#fail({ code: "MALFORMED", reason });
    });
    this.#socket.on("error", (error) => this.#fail(judgeError(error)));
    this.#socket.on("close", (code) => this.#close(code));
  }

  /** Settles when the connection is open (true) or has failed (false); never rejects. */
  get opened(): Promise<boolean> {
    return this.#opening.promise;
  }

  /** Settles once, at the end of the connection; never rejects. */
  get ended(): Promise<ConsoleCloseReason> {
    return this.#ending.promise;
  }

  /** Sends a command. If no message arrives within `silentMs`, the connection ends. */
  send(text: string): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#askedAt ??= performance.now();
    // Ignore send errors: `ended` reports the reason when the connection ends.
    this.#socket.send(text, () => undefined);
    return true;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  get isPaused(): boolean {
    return this.#socket.isPaused;
  }

  terminate(reason: string): void {
    this.#fail({ code: "SHARD_DOWN", reason });
  }

  #begin(): void {
    const { pingMs, silentMs } = this.#options;
    const ping = setInterval(() => this.#socket.ping(() => undefined), pingMs);
    const watch = setInterval(() => this.#endIfSilent(silentMs), silentMs / 6);
    this.#timers = [ping, watch];
    this.#opening.resolve(true);
  }

  #endIfSilent(silentMs: number): void {
    // While this process has paused the socket, silence is no sign of a lost console.
    if (this.#socket.isPaused) this.#askedAt = null;
    if (this.#askedAt === null || performance.now() - this.#askedAt < silentMs) return;
    this.terminate(`no message for ${Math.round(silentMs / 1_000)} s`);
  }

  #fail(end: ConsoleCloseReason): void {
    this.#end ??= end;
    this.#socket.terminate();
  }

  #close(code: number): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#opening.resolve(false);
    this.#ending.resolve(this.#end ?? { code: "SHARD_DOWN", reason: `closed (${code})` });
  }
}

function openSocket(settings: ConsoleSettings, handshakeMs: number): WebSocket {
  const { host, port, password, isSecure } = settings;
  const address = isIPv6(host) ? `[${host}]` : host;
  return new WebSocket(`${isSecure ? "wss" : "ws"}://${address}:${port}/`, {
    perMessageDeflate: false,
    maxPayload: longestMessage,
    handshakeTimeout: handshakeMs,
    followRedirects: false,
    // Without this option, the library ends the connection at invalid UTF-8. Decoding replaces invalid bytes with
    // U+FFFD.
    skipUTF8Validation: true,
    finishRequest: (request) => {
      if (!passwordForm.test(password)) {
        request.destroy(new Error("the password has characters that cannot be sent"));
        return;
      }
      // The console compares the path with the password byte for byte, so set it without URL encoding.
      request.path = `/${password}`;
      request.end();
    },
  });
}

/** The first byte of a WebSocket frame that closes a connection. */
const closeFrame = 0x88;

/** Error codes for a TLS certificate that cannot be trusted. */
const certificateCodes = /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/;

/**
 * Returns the fault of a failed connection. A console that refuses the password, or has banned the site's
 * address, answers the HTTP request with a WebSocket close frame.
 */
function judgeError(error: Error & { code?: string; rawPacket?: Buffer }): ConsoleCloseReason {
  const { code = "", rawPacket, message } = error;
  if (certificateCodes.test(code)) {
    const reason = `the certificate is not valid for this host, or not publicly trusted: ${code}`;
    return { code: "SHARD_DOWN", reason };
  }
  if (!code.startsWith("HPE_")) return { code: "SHARD_DOWN", reason: code || message };
  if (rawPacket?.[0] === closeFrame) {
    const reason = "the console refused the password, or has banned the address of this service";
    return { code: "AUTH", reason };
  }
  return { code: "MALFORMED", reason: "the address does not answer like a console" };
}

const secondTryMs = 60_000;
const laterTryMs = 330_000;

/** Returns the wait after refused passwords. @param refusals number of refusals in a row */
export const computeRefusalDelayMs = (refusals: number): number =>
  refusals <= 1 ? secondTryMs : laterTryMs;
