import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { Call } from "./call.ts";

/** The port that the plugin calls. While the site is away, connections are reset and counted. */
export class PluginListener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #attempts: number[] | null = null;
  #count = 0;

  /** @param onCall receives each call as soon as its headers have arrived */
  constructor(onCall: (call: Call) => void) {
    this.#server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 });
    this.#server.on("request", (request, response) => {
      this.#count += 1;
      onCall(new Call(request, response, this.#count));
    });
    this.#server.on("connection", (socket) => this.#admit(socket));
  }

  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Resets all open and new connections until `comeBack` is called. */
  goAway(): void {
    this.#attempts = [];
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Accepts connections again.
   * @returns the times of the connection attempts since `goAway`, from `performance.now()`
   */
  comeBack(): number[] {
    const attempts = this.#attempts ?? [];
    this.#attempts = null;
    return attempts;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #admit(socket: Socket): void {
    if (this.#attempts) {
      this.#attempts.push(performance.now());
      socket.on("error", () => undefined);
      socket.resetAndDestroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }
}
