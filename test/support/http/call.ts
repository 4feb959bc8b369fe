import type { Readable } from "node:stream";

import supertest, { type Response } from "supertest";

import type { TestServer } from "../service/server.ts";
import { checkAnswer, type Leniency } from "./check-answer.ts";

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly bytes: Buffer;
  readonly headers: Headers;
  /** The values of all `Set-Cookie` headers. */
  readonly setCookies: readonly string[];
}

export interface CallOptions extends Leniency {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface UrlRequestOptions extends CallOptions {
  readonly method?: string;
}

/**
 * Sends a request. The route is written as in the API description, for example `POST /auth/login`.
 */
export async function callRoute(
  server: Pick<TestServer, "url">,
  route: string,
  options: CallOptions = {},
): Promise<ApiAnswer> {
  const [method = "GET", path = "/"] = route.split(" ");
  return requestUrl(`${server.url}/api/v1${path}`, { method, ...options });
}

/** Sends a request to any URL of the service. @throws if the answer differs from its description */
export async function requestUrl(url: string, options: UrlRequestOptions = {}): Promise<ApiAnswer> {
  const { method = "GET", body, headers } = options;
  const { origin, pathname, search } = new URL(url);
  const service = supertest(origin);
  const verb = method.toLowerCase() as "get";
  const sent = service[verb](pathname + search)
    .set({ ...(body !== undefined && { "content-type": "application/json" }), ...headers })
    .buffer(true)
    .parse(readBytes);
  const response = await (body === undefined ? sent : sent.send(textOf(body)));
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0);
  const answer = { status: response.status, headers: headersOf(response.headers), bytes };
  checkAnswer(url, method, { ...answer, text: bytes.toString() }, options);
  return answered(answer);
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));

function answered({ status, headers, bytes }: Pick<ApiAnswer, "status" | "headers" | "bytes">) {
  const text = bytes.toString();
  const isJson = /json/.test(headers.get("content-type") ?? "");
  const body = isJson && text !== "" ? (JSON.parse(text) as unknown) : text;
  return { status, body, text, bytes, headers, setCookies: headers.getSetCookie() };
}

/** Reads the body of an answer as bytes, whatever its content type is. */
function readBytes(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  // The type says that the body was already read, but this stream is still unread.
  const stream = response as unknown as Readable;
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.once("end", () => done(null, Buffer.concat(chunks)));
}

export function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

/** Returns the status and the body, which are what most tests check. */
export const statusAndBodyOf = ({ status, body }: Pick<ApiAnswer, "status" | "body">) => [
  status,
  body,
];

/** Returns the seconds of the Retry-After header. */
export const retryAfter = ({ headers }: Pick<ApiAnswer, "headers">): number =>
  Number(headers.get("retry-after"));

/** Returns the outcome of a request whose body has one invalid field. */
export const wrongField = (path: string, message: string) => [
  400,
  { error: "Validation failed", errors: [{ path, message }] },
];

/** @returns `name=value` of a cookie, or undefined if the answer does not set the cookie, or clears it */
export function cookieOf({ setCookies }: ApiAnswer, name: string): string | undefined {
  const line = setCookies.find((cookie) => cookie.startsWith(`${name}=`));
  const pair = line?.split(";")[0];
  return pair === `${name}=` ? undefined : pair;
}
