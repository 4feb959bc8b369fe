import { once } from "node:events";
import type { Server, Socket } from "node:net";

/** Pairs of sockets. Each socket passes its data to the other one, and they end together. */
export class PipedSockets {
  readonly #open = new Set<Socket>();

  join(near: Socket, far: Socket): void {
    this.#pass(near, far);
    this.#pass(far, near);
  }

  #pass(from: Socket, to: Socket): void {
    this.#open.add(from);
    from.setNoDelay(true);
    from.on("error", () => undefined);
    from.on("close", () => {
      this.#open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }

  /** Closes all connections that are open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Closes all connections that are open, and the server. */
  async stop(server: Server): Promise<void> {
    const closed = once(server, "close");
    server.close();
    this.cut();
    await closed;
  }
}
