import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ http: { requestMs: 1_000, lookEveryMs: 100 } });
});
afterAll(() => server.stop());

async function open() {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

/** Sends raw bytes. @returns all that the server sends until it closes the connection */
async function send(bytes: string): Promise<string> {
  const socket = await open();
  socket.write(bytes);
  const answered = await text(socket);
  socket.destroy();
  return answered;
}

function parse(answered: string) {
  const [head = "", body = ""] = answered.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = lines.map((each) => {
    const place = each.indexOf(": ");
    return [each.slice(0, place).toLowerCase(), each.slice(place + 2)] as const;
  });
  return { line, headers: new Map(headers), body: JSON.parse(body) as unknown };
}

const status = "GET /api/v1/public/status HTTP/1.1\r\n";
const host = "Host: x\r\n";
const chunked = `POST /api/v1/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Returns the headers that each refusal of the app has. */
async function headersOfRefusals(): Promise<Record<string, string>> {
  const { headers } = await callRoute(server, "GET /nowhere");
  const own = /^(x-error-code|x-request-id|date|content-length|vary|connection|keep-alive)$/;
  return Object.fromEntries([...headers].filter(([name]) => !own.test(name)));
}

const malformed = ["400 Bad Request", "malformed_request", "Malformed request"] as const;
const withoutHost = ["400 Bad Request", "malformed_request", "Host is missing"] as const;
const tooSlow = ["408 Request Timeout", "request_timeout", "Request took too long"] as const;
const tooLarge = ["413 Payload Too Large", "body_too_large", "Request body is too large"] as const;
const unexpected = [
  "417 Expectation Failed",
  "expectation_failed",
  "Expectation not supported",
] as const;
const headTooLarge = [
  "431 Request Header Fields Too Large",
  "headers_too_large",
  "Request headers are too large",
] as const;

describe("the handling of unreadable requests", () => {
  it.each([
    ["a line that is not HTTP", "hello\r\n\r\n", malformed],
    ["a header without a name", `${status}: x\r\n\r\n`, malformed],
    ["a body with malformed chunks", `${chunked}zz\r\n`, malformed],
    ["a request without Host", `${status}Connection: close\r\n\r\n`, withoutHost],
    ["an endless chunk extension", `${chunked}1;${"x".repeat(20_000)}`, tooLarge],
    ["endless headers", `${status}${host}X: ${"x".repeat(900_000)}`, headTooLarge],
    [
      "a request with an unknown expectation",
      `${status}${host}Expect: miracles\r\nConnection: close\r\n\r\n`,
      unexpected,
    ],
    ["headers that do not arrive completely", status, tooSlow],
    ["a body that does not arrive completely", `${chunked}1\r\n{\r\n`, tooSlow],
  ])("answers in the usual error format to %s", async (_what, bytes, [line, code, error]) => {
    const { headers, ...answered } = parse(await send(bytes));
    expect(answered).toEqual({ line: `HTTP/1.1 ${line}`, body: { error } });
    expect(headers.get("x-error-code")).toBe(code);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.fromEntries(headers)).toMatchObject(await headersOfRefusals());
  });

  it("answers with problem+json if the request accepts it", async () => {
    const accept = "Accept: application/problem+json\r\nConnection: close\r\n";
    const { headers, body } = parse(
      await send(`${status}${host}${accept}Expect: miracles\r\n\r\n`),
    );
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(body).toEqual({
      type: "about:blank",
      title: "Expectation not supported",
      status: 417,
      code: "expectation_failed",
      instance: "/api/v1/public/status",
    });
  });

  it("writes no error into a response that is already being sent", async () => {
    const socket = await open();
    socket.write(`GET /api/v1/public/shard/stream HTTP/1.1\r\n${host}\r\n`);
    const answered = text(socket);
    await once(socket, "readable");
    socket.write("hello\r\n\r\n");
    const lines = (await answered).match(/^HTTP.*$/gm);
    socket.destroy();
    expect(lines).toEqual(["HTTP/1.1 200 OK"]);
  });

  it("serves a request that expects 100-continue", async () => {
    const answered = await send(
      `${status}${host}Expect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    expect(answered.match(/^HTTP.*$/gm)).toEqual(["HTTP/1.1 100 Continue", "HTTP/1.1 200 OK"]);
  });

  it("serves an HTTP/1.0 request without a Host header", async () => {
    const answered = await send("GET /api/v1/public/status HTTP/1.0\r\n\r\n");
    expect(answered.match(/^HTTP.*$/gm)).toEqual(["HTTP/1.1 200 OK"]);
  });
});
