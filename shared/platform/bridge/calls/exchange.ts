import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

import { messageOf } from "../../errors/errors.ts";
import { BridgeError } from "../bridge-error.ts";

export interface ExchangeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** True for reads: they may use a kept-alive connection, and are sent again if it turns out to be dead. */
  readonly isRead: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export class ExchangeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  #text: string | undefined;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get contentType(): string {
    return this.headers["content-type"] ?? "";
  }

  get retryAfter(): string | undefined {
    return this.headers["retry-after"];
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString());
  }
}

export interface ExchangeBounds {
  readonly connectMs: number;
  readonly maxBytes: number;
}

/** Makes HTTP requests to one host, with limits of time and size. Follows no redirects. */
export class HttpExchanger {
  readonly #isSecure: boolean;
  readonly #bounds: ExchangeBounds;
  readonly #kept: HttpAgent;
  // Each command opens a new connection: a command is not retried, so it must not fail because a kept connection
  // is dead.
  readonly #single: HttpAgent;

  constructor(isSecure: boolean, bounds: ExchangeBounds) {
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    this.#isSecure = isSecure;
    this.#bounds = bounds;
    this.#kept = new Agent({ keepAlive: true, maxSockets: 8 });
    this.#single = new Agent({ keepAlive: false });
  }

  /**
   * @throws {BridgeError} SHARD_DOWN if the host cannot be reached, times out or disconnects;
   * TOO_LARGE; MALFORMED for an answer that is not HTTP; UNAVAILABLE otherwise
   * @throws the signal's reason if it aborts
   */
  async exchange(exchangeRequest: ExchangeRequest): Promise<ExchangeAnswer> {
    const deadline = AbortSignal.timeout(exchangeRequest.timeoutMs);
    try {
      return await this.#attempt(exchangeRequest, deadline).catch((error: unknown) => {
        if (error instanceof StaleConnection) return this.#attempt(exchangeRequest, deadline);
        throw error;
      });
    } catch (error) {
      exchangeRequest.signal?.throwIfAborted();
      throw deadline.aborted
        ? unreachableError(`no answer in ${exchangeRequest.timeoutMs} ms`)
        : toBridgeError(error);
    }
  }

  close(): void {
    this.#kept.destroy();
    this.#single.destroy();
  }

  async #attempt(exchangeRequest: ExchangeRequest, deadline: AbortSignal): Promise<ExchangeAnswer> {
    const { url, method, headers, signal } = exchangeRequest;
    const send = this.#isSecure ? httpsRequest : httpRequest;
    const request = send(url, {
      method,
      headers,
      agent: exchangeRequest.isRead ? this.#kept : this.#single,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const response = await awaitResponse(request, exchangeRequest.body, this.#bounds.connectMs);
    const bytes = await readBounded(response, this.#bounds.maxBytes);
    return new ExchangeAnswer(response.statusCode ?? 0, response.headers, bytes);
  }
}

/** The host closed a kept-alive connection before it received the request. */
class StaleConnection extends Error {}

/** Error codes of a write to a connection that the host reset or closed. */
const staleCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

function awaitResponse(
  request: ClientRequest,
  body: string | undefined,
  connectMs: number,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on("response", resolve);
  request.on("error", (error) => {
    const isStale = request.reusedSocket && staleCodes.has(codeOf(error));
    reject(isStale ? new StaleConnection() : error);
  });
  request.once("socket", (socket) => limitConnectTime(request, socket, connectMs));
  request.end(body);
  return promise;
}

function limitConnectTime(request: ClientRequest, socket: Socket, connectMs: number): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    request.destroy(unreachableError(`not connected in ${connectMs} ms`, true));
  }, connectMs);
  const connected = socket instanceof TLSSocket ? "secureConnect" : "connect";
  for (const event of [connected, "close"]) socket.once(event, () => clearTimeout(timer));
}

async function readBounded(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new BridgeError("TOO_LARGE", { reason: `more than ${maxBytes} bytes` });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const disconnectCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Error codes of a connection that was never established. */
const unconnectedCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_NODATA",
]);

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

const unreachableError = (reason: string, isUnsent = false): BridgeError =>
  new BridgeError("SHARD_DOWN", { reason, retryAfter: 10, isUnsent });

/** Converts the failure of a request to a BridgeError. */
function toBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  const code = codeOf(error);
  const reason = code || messageOf(error);
  if (unconnectedCodes.has(code)) return unreachableError(reason, true);
  if (disconnectCodes.has(code) || error instanceof StaleConnection) {
    return unreachableError(reason);
  }
  return new BridgeError(code.startsWith("HPE_") ? "MALFORMED" : "UNAVAILABLE", {
    reason,
    cause: error,
  });
}
