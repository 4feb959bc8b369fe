import type { Server } from "node:http";
import { Server as Listener, type Socket } from "node:net";

/**
 * Returns a function that stops a server: it waits until all responses are sent and ends idle connections.
 * @param readTimeoutMs how long a client may take to read a finished response
 */
export function createServerCloser(server: Server, readTimeoutMs = 4_000): () => Promise<void> {
  /** The open connections and the number of pending responses of each. */
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
    // http.Server.close would also end connections whose responses are written but not sent.
    const closed = new Promise((resolve) => Listener.prototype.close.call(server, resolve));
    for (const socket of answering.keys()) endIfIdle(socket);
    const cutUnread = setInterval(() => server.closeIdleConnections(), readTimeoutMs);
    await closed;
    clearInterval(cutUnread);
  };
}
