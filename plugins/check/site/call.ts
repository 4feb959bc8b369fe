import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import {
  type JsonObject,
  parseDeepObject,
  parseObject,
} from "../../../shared/platform/bridge/json-text.ts";

export const basePath = "/api/v1/plugin";

export type Endpoint = "hello" | "events" | "wait" | "outcome" | "other";

/** The answer to a call. `drop` closes the connection without an answer. */
export type Answer =
  | {
      readonly status: number;
      readonly body?: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "drop";

/** The maximum size of a body that is read. It exceeds every size limit of the protocol. */
const mostBytes = 16 * 1024 * 1024;

export class Call {
  readonly endpoint: Endpoint;
  /** The id of the command whose outcome the call sends. */
  readonly commandId: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly httpVersion: string;
  /** The start of the call, from `performance.now()`. */
  readonly startedMs = performance.now();
  /** The position of the call among all calls. */
  readonly number: number;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #ended = Promise.withResolvers<void>();
  #text = "";
  #bytes = 0;
  #json: JsonObject | undefined;
  #answer: Answer | undefined;
  #endedMs: number | undefined;
  #isGone = false;

  constructor(request: IncomingMessage, response: ServerResponse, number: number) {
    this.#request = request;
    this.#response = response;
    this.number = number;
    this.method = request.method ?? "";
    this.url = URL.parse(request.url ?? "/", "http://site") ?? new URL("http://site/unreadable");
    this.headers = request.headers;
    this.httpVersion = request.httpVersion;
    [this.endpoint, this.commandId] = endpointOf(this.method, this.url.pathname);
    response.on("close", () => this.#close());
  }

  /** The connection that carries the call. */
  get connection(): Socket {
    return this.#request.socket;
  }

  get text(): string {
    return this.#text;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The JSON object in the body; undefined for any other body. */
  get json(): JsonObject | undefined {
    return this.#json;
  }

  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** The time when the answer was sent or the connection closed; undefined before that. */
  get endedMs(): number | undefined {
    return this.#endedMs;
  }

  /** True if the plugin closed the connection before the answer. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves when the call has ended, with or without an answer. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The request line, which findings show. */
  get line(): string {
    return `${this.method} ${this.url.pathname}${this.url.search}`;
  }

  /** The status of the answer; 0 without an answer. */
  get status(): number {
    return typeof this.#answer === "object" ? this.#answer.status : 0;
  }

  async readBody(): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length;
      if (this.#bytes > mostBytes) break;
      chunks.push(chunk);
    }
    this.#text = Buffer.concat(chunks).toString();
    // The payloads of events are three levels deeper than other bodies, so their depth is checked separately.
    const parse = this.endpoint === "events" ? parseDeepObject : parseObject;
    this.#json = parse(this.#text);
  }

  respond(answer: Answer): void {
    if (this.#answer !== undefined || this.#isGone) return;
    this.#answer = answer;
    if (answer === "drop") {
      this.#request.socket.destroy();
      return;
    }
    const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
    const length = answer.status === 204 ? {} : { "content-length": Buffer.byteLength(text) };
    const type = text === "" ? {} : { "content-type": "application/json" };
    this.#response.writeHead(answer.status, { ...type, ...length, ...answer.headers });
    this.#response.end(text);
  }

  #close(): void {
    this.#endedMs = performance.now();
    this.#isGone = this.#answer === undefined;
    this.#ended.resolve();
  }
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  "POST /hello": "hello",
  "POST /events": "events",
  "GET /commands": "wait",
};

function endpointOf(method: string, path: string): [endpoint: Endpoint, commandId: string] {
  if (!path.startsWith(`${basePath}/`)) return ["other", ""];
  const name = `${method} ${path.slice(basePath.length)}`;
  const [, commandId] = /^POST \/commands\/([^/]+)$/.exec(name) ?? [];
  if (commandId !== undefined) return ["outcome", commandId];
  return [endpoints[name] ?? "other", ""];
}

/** Creates a refusal in the format of the site's errors. */
export const refuse = (
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): Exclude<Answer, "drop"> => ({
  status,
  body: { error: `The check answers ${code}`, code, ...more },
  headers: { "x-error-code": code.toLowerCase() },
});

export const refuseWithRetryAfter = (
  status: 429 | 503,
  seconds: number,
): Exclude<Answer, "drop"> => {
  const { headers, ...refusal } = refuse(status, status === 429 ? "LIMIT" : "BUSY");
  return { ...refusal, headers: { ...headers, "retry-after": String(seconds) } };
};
