import { once } from "node:events";
import { connect, type Socket } from "node:net";

import type { CallOptions } from "../http/call.ts";
import { checkAnswer } from "../http/check-answer.ts";

export interface RacedRequest extends CallOptions {
  readonly url: string;
  /** The route, as in the API description: `POST /auth/login`. */
  readonly route: string;
}

export interface RacedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly cookies: readonly string[];
  readonly location: string | null;
}

/**
 * Sends requests as simultaneously as one machine can. First opens all connections and sends each
 * request without its last byte. Then sends all last bytes.
 */
export async function sendSimultaneously(
  requests: readonly RacedRequest[],
): Promise<RacedAnswer[]> {
  const racers = await Promise.all(requests.map(prepare));
  for (const { socket, message } of racers) socket.write(message.slice(0, -1));
  const answers = racers.map(({ socket, request }) => readAnswer(socket, request));
  for (const { socket, message } of racers) socket.write(message.slice(-1));
  return Promise.all(answers);
}

/** A request whose last byte was not sent yet. */
export interface LateRequest {
  readonly request: RacedRequest;
  /** Returns true if the server answered before the last byte. */
  hasAnswer(): boolean;
  finish(): Promise<RacedAnswer>;
}

/** Sends a request without its last byte. */
export async function sendAllButLastByte(request: RacedRequest): Promise<LateRequest> {
  const { socket, message } = await prepare(request);
  let isAnswered = false;
  socket.once("readable", () => (isAnswered = true));
  socket.write(message.slice(0, -1));
  const answer = readAnswer(socket, request);
  const finish = () => {
    if (socket.writable) socket.write(message.slice(-1));
    return answer;
  };
  return { request, hasAnswer: () => isAnswered, finish };
}

const prepare = async (request: RacedRequest) => ({
  request,
  socket: await open(request.url),
  message: messageOf(request),
});

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket.setNoDelay(true);
}

function messageOf({ url, route, body, headers }: RacedRequest): string {
  const [method, path] = route.split(" ");
  // The body is never empty, because its last byte completes the request.
  const text = JSON.stringify(body ?? {});
  const lines = {
    host: new URL(url).host,
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return [`${method} /api/v1${path} HTTP/1.1`, ...head, "", text].join("\r\n");
}

async function readAnswer(socket: Socket, { url, route }: RacedRequest): Promise<RacedAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const message = Buffer.concat(chunks).toString();
  const at = message.indexOf("\r\n\r\n");
  const [first = "", ...lines] = message.slice(0, at).split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  const status = Number(first.split(" ")[1]);
  const text = message.slice(at + 4);
  const [method = "", path] = route.split(" ");
  checkAnswer(`${url}/api/v1${path}`, method, { status, headers, text });
  const cookies = headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const body = text === "" ? null : (JSON.parse(text) as unknown);
  return { status, body, cookies, location: headers.get("location") };
}
