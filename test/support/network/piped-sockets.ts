import { once } from "node:events";
import type { Server, Socket } from "node:net";

/** Connections that are passed on: each side hears the other, and ends with it. */
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

  /** Ends every connection that is open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** The same, and `server` takes no more. */
  async stop(server: Server): Promise<void> {
    const closed = once(server, "close");
    server.close();
    this.cut();
    await closed;
  }
}
