import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { listenAsDatabase } from "./listen-in-place.ts";

/** A proxy to a database that can drop all data, like a network that loses every packet. */
export interface MuteProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Drops the data of the present connections. They stay open. */
  mute(): void;
  /** Drops the data of present and new connections. */
  muteAll(): void;
  /** Passes the data of new connections. The connections that were muted stay silent. */
  unmute(): void;
  /** Returns the number of muted connections that their clients have not closed. */
  countSilent(): number;
  /** Returns the number of sockets that pass data. It is zero when all connections have ended. */
  countHeard(): number;
  stop(): Promise<void>;
}

/** Starts a proxy to the database of `databaseUrl`. */
export async function startMuteProxy(databaseUrl: string): Promise<MuteProxy> {
  const target = new URL(databaseUrl);
  const heard = new Set<Socket>();
  const open = new Set<Socket>();
  const clients = new Set<Socket>();
  let isMute = false;
  const pass = (from: Socket, to: Socket): void => {
    open.add(from);
    if (!isMute) heard.add(from);
    from.on("data", (bytes) => heard.has(from) && to.write(bytes));
    // Do not pass the end of a muted connection: a network that loses all packets would lose it too.
    from.on("end", () => heard.has(from) && to.end());
    from.on("error", () => undefined);
    from.on("close", () => {
      open.delete(from);
      if (heard.delete(from)) to.destroy();
    });
  };
  const allowHalfOpen = true;
  const server = createServer({ allowHalfOpen }, (near) => {
    const far = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen });
    clients.add(near);
    near.on("end", () => clients.delete(near));
    near.on("close", () => clients.delete(near));
    pass(near, far);
    pass(far, near);
  });
  const url = await listenAsDatabase(databaseUrl, server);
  const mute = () => heard.clear();
  return {
    url,
    mute,
    muteAll: () => {
      isMute = true;
      mute();
    },
    unmute: () => {
      isMute = false;
    },
    countSilent: () => [...clients].filter((client) => !heard.has(client)).length,
    countHeard: () => heard.size,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
