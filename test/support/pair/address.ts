import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One address for whichever server serves now. */
export interface Address {
  readonly port: number;
  /** Who connects from now on reaches the server at this port. */
  pointTo(port: number): void;
  /** Ends every connection, and refuses those to come: nobody reaches the server that stood here. */
  cut(): void;
  stop(): Promise<void>;
}

export async function openAddress(): Promise<Address> {
  const open = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (target === undefined) {
      near.destroy();
      return;
    }
    const far = connect({ port: target, host: "127.0.0.1" });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    target = undefined;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (port) => {
      target = port;
    },
    cut,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
