import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { listenInPlaceOf } from "./listen-in-place.ts";

/** A way to a database that can fall silent, as a network does that loses every packet. */
export interface MuteProxy {
  /** The database's URL by this way. */
  readonly url: string;
  /** Connections that are open now stay open, and neither side hears the other from now on. */
  mute(): void;
  /** The same, and those that are opened from now on are as silent. */
  muteAll(): void;
  /** What is opened from now on is heard again. */
  unmute(): void;
  /** How many connections wait on in silence: those that their clients gave up are not counted. */
  countSilent(): number;
  /** How many sides of connections still hear the other: none is left of those that ended. */
  countHeard(): number;
  stop(): Promise<void>;
}

/** Stands between a test's processes and the database of `databaseUrl`. */
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
    // A goodbye is a packet too.
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
  const url = await listenInPlaceOf(databaseUrl, server);
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
