import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

import { PipedSockets } from "../network/piped-sockets.ts";

/** An address that leads to the present primary. */
export interface Address {
  readonly port: number;
  /** Makes new connections go to the server at this port. */
  pointTo(port: number): void;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  stop(): Promise<void>;
}

export async function openAddress(): Promise<Address> {
  const sockets = new PipedSockets();
  let target: number | undefined;
  const server = createServer((near) => {
    if (target !== undefined) {
      sockets.join(near, connect({ port: target, host: "127.0.0.1" }));
      return;
    }
    near.on("error", () => undefined);
    near.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (port) => {
      target = port;
    },
    cut: () => {
      target = undefined;
      sockets.cut();
    },
    stop: () => {
      target = undefined;
      return sockets.stop(server);
    },
  };
}
