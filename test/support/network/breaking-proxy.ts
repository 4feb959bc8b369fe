import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { listenAsDatabase } from "./listen-in-place.ts";

/** A proxy to a database. It ends connections like a restarting server. */
export interface BreakingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** When a client sends this text, ends all connections and refuses new ones. */
  breakAt(text: string): void;
  /** When a client sends this text for the first time, ends that connection only. */
  endAt(text: string): void;
  /** Ends all connections now and refuses new ones. */
  break(): void;
  /** Ends all connections now, and ends each new connection right after accepting it. */
  breakGreeted(): void;
  mend(): void;
  /** Returns the number of connections that were ended or refused. */
  countBroken(): number;
  stop(): Promise<void>;
}

/** Builds the message with which a server ends a connection. It contains an SQLSTATE. */
function terminationMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

const shuttingDown = terminationMessage("57P03", "the database system is shutting down");
const terminated = terminationMessage(
  "57P01",
  "terminating connection due to administrator command",
);
/** The message that a server sends when a connection is accepted, and after each statement. */
const readyForQuery = Buffer.from("5a0000000549", "hex");

/** How the proxy treats connections at present. */
interface ProxyState {
  state: "whole" | "broken" | "breaks what is greeted";
  breaksAt: string | undefined;
  endsAt: string | undefined;
  broken: number;
  /** The sockets to the server, by the socket to the client. */
  readonly open: Map<Socket, Socket>;
}

function end(near: Socket, words: Buffer, damage: ProxyState): void {
  damage.broken++;
  near.end(words);
  damage.open.get(near)?.destroy();
  damage.open.delete(near);
}

function breakAll(state: ProxyState["state"], damage: ProxyState): void {
  damage.state = state;
  for (const near of damage.open.keys()) end(near, terminated, damage);
}

function relayConnection(near: Socket, target: URL, damage: ProxyState): void {
  const { open } = damage;
  near.on("error", () => undefined);
  if (damage.state === "broken") {
    near.once("data", () => end(near, shuttingDown, damage));
    return;
  }
  const breaksWhenGreeted = damage.state === "breaks what is greeted";
  const far = connect(Number(target.port), target.hostname);
  open.set(near, far);
  far.on("error", () => undefined);
  far.on("close", () => near.end());
  near.on("close", () => {
    open.delete(near);
    far.destroy();
  });
  near.on("data", (bytes) => {
    if (!open.has(near)) return;
    if (damage.endsAt !== undefined && bytes.includes(damage.endsAt)) {
      damage.endsAt = undefined;
      return end(near, terminated, damage);
    }
    const isTime = damage.breaksAt !== undefined && bytes.includes(damage.breaksAt);
    if (isTime) {
      damage.breaksAt = undefined;
      breakAll("broken", damage);
    } else {
      far.write(bytes);
    }
  });
  far.on("data", (bytes) => {
    if (!open.has(near)) return;
    const isGreeting = breaksWhenGreeted && bytes.includes(readyForQuery);
    if (isGreeting) return end(near, Buffer.concat([bytes, terminated]), damage);
    near.write(bytes);
  });
}

/** Starts a proxy to the database of `databaseUrl`. */
export async function startBreakingProxy(databaseUrl: string): Promise<BreakingProxy> {
  const target = new URL(databaseUrl);
  const damage: ProxyState = {
    state: "whole",
    breaksAt: undefined,
    endsAt: undefined,
    broken: 0,
    open: new Map(),
  };
  const server = createServer((near) => relayConnection(near, target, damage));
  const url = await listenAsDatabase(databaseUrl, server);
  return {
    url,
    breakAt: (text) => (damage.breaksAt = text),
    endAt: (text) => (damage.endsAt = text),
    break: () => breakAll("broken", damage),
    breakGreeted: () => breakAll("breaks what is greeted", damage),
    mend: () => (damage.state = "whole"),
    countBroken: () => damage.broken,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      breakAll("broken", damage);
      await closed;
    },
  };
}
