import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";

import { afterEach, describe, expect, it } from "vitest";

import { createServerCloser } from "../../shared/ops/close-server.ts";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Listening {
  readonly server: Server;
  readonly close: () => Promise<void>;
}

async function serve(answer: RequestListener, farewellMs?: number): Promise<Listening> {
  const server = createServer(answer);
  const close = createServerCloser(server, farewellMs);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, close };
}

/** Opens a keep-alive connection. */
async function open({ server }: Listening): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Resolves when the connection has closed, with or without an error. */
const gone = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on("error", () => undefined);
    socket.once("close", () => resolve()).resume();
  });

const request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";

describe("a closing server", () => {
  const size = 32 * 1024 * 1024;
  const answerLong: RequestListener = (_request, response) => {
    response.setHeader("Content-Length", size).end(Buffer.alloc(size));
  };

  it("sends a complete response to a slow client", async () => {
    const listening = await serve(answerLong, 120_000);
    const socket = await open(listening);
    socket.write(request);
    await once(socket, "readable");
    const closed = listening.close();
    const answer = await buffer(socket);
    await closed;
    expect(answer.length).toBeGreaterThan(size);
  });

  it("does not wait for a client that no longer reads its response", async () => {
    const listening = await serve(answerLong, 20);
    const socket = await open(listening);
    socket.write(request);
    await once(socket, "readable");
    await listening.close();
    expect((await buffer(socket)).length).toBeLessThan(size);
  });

  it("waits for pending responses, including pipelined ones", async () => {
    const waiting: (() => void)[] = [];
    const listening = await serve((_request, response) => {
      waiting.push(() => response.end("done"));
    });
    const socket = await open(listening);
    const asked = once(listening.server, "request");
    socket.write(request + request);
    await asked;
    const closed = listening.close();
    expect(waiting).toHaveLength(2);
    for (const end of waiting) end();
    const answers = await text(socket);
    await closed;
    expect(answers.match(/done/g)).toHaveLength(2);
  });

  it("does not wait for idle connections and incomplete requests", async () => {
    const listening = await serve((_request, response) => {
      response.end("done");
    });
    const silent = await open(listening);
    const half = await open(listening);
    half.write(request.slice(0, 20));
    const answered = await open(listening);
    answered.write(request);
    await once(answered, "data");
    answered.write(request.slice(0, 20));
    const ends = Promise.all([silent, half, answered].map(gone));
    await listening.close();
    expect(await ends).toHaveLength(3);
  });

  it("accepts no new connections", async () => {
    const listening = await serve((_request, response) => {
      response.end();
    });
    const { port } = listening.server.address() as AddressInfo;
    await listening.close();
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});
