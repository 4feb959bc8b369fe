import type { IncomingMessage, ServerResponse } from "node:http";

import {
  type JsonObject,
  parseDeepObject,
  parseObject,
} from "../../../shared/platform/bridge/json-text.ts";

export const basePath = "/api/v1/plugin";

export type Endpoint = "hello" | "events" | "wait" | "outcome" | "other";

/** The answer to a call; `drop` closes the connection without one. */
export type Answer =
  | {
      readonly status: number;
      readonly body?: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "drop";

/** Above the limit of any call. */
const mostBytes = 16 * 1024 * 1024;

export class Call {
  readonly endpoint: Endpoint;
  /** The command's id in a call of an outcome. */
  readonly commandId: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly httpVersion: string;
  /** By the clock of `performance.now()`. */
  readonly startedMs = performance.now();
  /** Position among all calls. */
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

  get text(): string {
    return this.#text;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The object in the body; undefined for any other body. */
  get json(): JsonObject | undefined {
    return this.#json;
  }

  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** Time at which the answer was sent or the connection closed; undefined before. */
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

  /** The request line, for findings. */
  get line(): string {
    return `${this.method} ${this.url.pathname}${this.url.search}`;
  }

  /** The answered status; 0 without an answer. */
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
    // In a batch a payload is three levels deeper, so its depth is checked separately.
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

/** A refusal in the form of the service's errors. */
export const refuse = (
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): Exclude<Answer, "drop"> => ({
  status,
  body: { error: `The check answers ${code}`, code, ...more },
  headers: { "x-error-code": code.toLowerCase() },
});

export const refuseFor = (status: 429 | 503, seconds: number): Exclude<Answer, "drop"> => {
  const { headers, ...refusal } = refuse(status, status === 429 ? "LIMIT" : "BUSY");
  return { ...refusal, headers: { ...headers, "retry-after": String(seconds) } };
};
