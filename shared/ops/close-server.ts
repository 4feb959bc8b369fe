import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Between two looks for connections whose answer has ended. */
const sweepMs = 50;

/**
 * Makes what ends a server: it stops listening and waits for the answers under way. Their
 * connections end with them, though clients would keep them for the next request.
 */
export function closerOf(server: Server): () => Promise<void> {
  // Those that have not sent a request yet; to Node they are never idle.
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of unused) socket.destroy();
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    await closed;
    clearInterval(sweep);
  };
}
