import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import type { Context } from "../../shared/platform/context.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { toErrorBody, statusByErrorKind } from "./errors.ts";
import { computeCommonHeaders } from "./security-headers.ts";

/** How long to wait for a client to read the refusal before its connection is closed. */
const refusalReadMs = 1_000;

/** Answers unreadable requests in the app's refusal format. */
export function refuseUnreadableRequests(
  server: Server,
  context: Pick<Context, "config" | "log">,
): void {
  const headers = computeCommonHeaders(context.config);
  const isAnswering = trackAnswers(server);
  const refused = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Bytes after a refusal are discarded until the client disconnects.
    if (refused.has(socket)) return;
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    const refusal = refusalOf(error);
    const requestId = randomUUID();
    context.log.debug(
      { requestId, status: statusByErrorKind[refusal.kind], reason: error.code },
      "a request is not valid HTTP",
    );
    refused.add(socket);
    const answer = formatRefusal(refusal, [["X-Request-Id", requestId], ...headers]);
    // End the connection at once: the rest of a slow request could still arrive, and the app would execute it.
    if (refusal.kind === "tooSlow") endAtOnce(socket, answer);
    else endWhenRead(socket, answer);
  });
}

/** Tracks whether an answer is being written to a connection. A refusal would corrupt that answer. */
function trackAnswers(server: Server): (socket: Duplex) => boolean {
  const answers = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on("request", ({ socket }, response) => {
    const underWay = answers.get(socket) ?? new Set();
    answers.set(socket, underWay.add(response));
    // `on` suffices, because the event fires once; `once` would create a wrapper per request.
    response.on("close", () => underWay.delete(response));
  });
  return (socket) => [...(answers.get(socket) ?? [])].some(({ headersSent }) => headersSent);
}

function refusalOf({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("request_timeout", "Request took too long");
    case "HPE_HEADER_OVERFLOW":
      return new AppError("headers_too_large", "Request headers are too large");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new AppError("body_too_large", "Request body is too large");
    default:
      return new AppError("malformed_request", "Malformed request");
  }
}

function formatRefusal(refusal: AppError, headers: readonly (readonly [string, string])[]): string {
  const status = statusByErrorKind[refusal.kind];
  const body = JSON.stringify(toErrorBody(refusal));
  const all = [
    ...headers,
    ["X-Error-Code", refusal.errorCode],
    ["Cache-Control", "no-store"],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", Buffer.byteLength(body)],
    ["Date", new Date().toUTCString()],
    ["Connection", "close"],
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

function endAtOnce(socket: Duplex, answer: string): void {
  socket.write(answer);
  socket.destroy();
}

/** Sends the refusal and closes the connection after the client has: closing earlier could lose the refusal. */
function endWhenRead(socket: Duplex, answer: string): void {
  socket.end(answer);
  const cut = setTimeout(() => socket.destroy(), refusalReadMs);
  socket.once("end", () => socket.destroy());
  socket.once("close", () => clearTimeout(cut));
}
