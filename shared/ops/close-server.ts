import type { Server } from "node:http";
import { Server as Listener, type Socket } from "node:net";

/**
 * Makes what ends a server: it stops listening and waits for the answers under way, until they are
 * sent. Their connections end with them, though clients would keep them for the next request.
 * @param farewellMs what clients may take to read an answer that has ended
 */
export function closerOf(server: Server, farewellMs = 4_000): () => Promise<void> {
  /** Open connections, with how many answers of each are under way. */
  const answering = new Map<Socket, number>();
  let isClosing = false;
  const count = (socket: Socket, change: 1 | -1): void => {
    const before = answering.get(socket);
    if (before !== undefined) answering.set(socket, before + change);
  };
  const endIfIdle = (socket: Socket): void => {
    if (answering.get(socket) === 0) socket.destroy();
  };
  server.on("connection", (socket: Socket) => {
    answering.set(socket, 0);
    socket.once("close", () => answering.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    count(socket, 1);
    response.on("close", () => {
      count(socket, -1);
      if (isClosing) endIfIdle(socket);
    });
  });
  return async () => {
    isClosing = true;
    // HTTP's own way to close cuts what is written and not sent yet: to it such a connection is idle.
    const closed = new Promise((resolve) => Listener.prototype.close.call(server, resolve));
    for (const socket of answering.keys()) endIfIdle(socket);
    const cutUnread = setInterval(() => server.closeIdleConnections(), farewellMs);
    await closed;
    clearInterval(cutUnread);
  };
}
