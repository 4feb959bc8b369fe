import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly request: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** The sidecar's listening port. It can be closed, with all connections, and opened again. */
export class Listener {
  readonly #server: Server;
  readonly #host: string;
  readonly #sockets = new Set<Duplex>();
  #port: number;

  constructor({ host, port, request, upgrade }: ListenerOptions) {
    this.#host = host;
    this.#port = port;
    this.#server = createServer(request);
    this.#server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node.js does not track upgraded sockets. Track them here, because a stopped sidecar must
      // not send any more.
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      upgrade(incoming, socket, head);
    });
  }

  get port(): number {
    return this.#port;
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, this.#host, () => {
        this.#server.off("error", reject);
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
