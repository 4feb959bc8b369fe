import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The port of the calling client, which identifies the connection. */
  readonly port: number;
}

export interface StubAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** The body of the answer, sent unchanged instead of JSON. */
  readonly text?: string | Buffer;
  readonly headers?: Record<string, string>;
}

export type StubHandler = (call: ReceivedCall, response: ServerResponse) => StubAnswer | undefined;

const nothing: StubHandler = () => ({});

/** Starts an HTTP server whose answers a test sets. It records the calls it gets. */
export async function startCallServer() {
  const calls: ReceivedCall[] = [];
  let answering = nothing;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { method = "", url = "", headers, socket } = request;
    const call = { method, url, headers, text, port: socket.remotePort ?? 0 };
    calls.push(call);
    const answer = answering(call, response);
    if (!answer) return;
    const type = { "content-type": "application/json; charset=utf-8" };
    response.writeHead(answer.status ?? 200, { ...type, ...answer.headers });
    response.end(answer.text ?? JSON.stringify(answer.body ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`,
    calls,
    server,
    answer(next: StubAnswer | StubHandler): void {
      answering = typeof next === "function" ? next : () => next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
