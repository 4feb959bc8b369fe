import { connect, createServer } from "node:net";

import { Frames, messageOf, readStartup } from "../http/wire.ts";
import { listenAsDatabase } from "./listen-in-place.ts";
import { PipedSockets } from "./piped-sockets.ts";

/** A connection and the statements that were sent on it. */
export interface RecordedConnection {
  /** The application name of the client. */
  readonly name: string;
  /** The SQL texts, in order. */
  readonly statements: readonly string[];
}

/** A proxy to a database. It records the statements of all clients. */
export interface RecordingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** All connections, including those that have ended. */
  readonly connections: readonly RecordedConnection[];
  /** Closes all open connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a proxy to the database of `databaseUrl`. */
export async function startRecordingProxy(databaseUrl: string): Promise<RecordingProxy> {
  const target = new URL(databaseUrl);
  const connections: RecordedConnection[] = [];
  const sockets = new PipedSockets();
  const server = createServer((near) => {
    sockets.join(near, connect(Number(target.port), target.hostname));
    near.on("data", recorderOf(connections));
  });
  const url = await listenAsDatabase(databaseUrl, server);
  return {
    url,
    connections,
    cut: () => sockets.cut(),
    stop: () => sockets.stop(server),
  };
}

/** Returns a function that records the messages of one client. */
function recorderOf(connections: RecordedConnection[]): (bytes: Buffer) => void {
  const frames = new Frames();
  let statements: string[] | undefined;
  return (bytes) => {
    frames.add(bytes);
    if (!statements) {
      const startup = frames.takeStartup();
      if (!startup) return;
      statements = [];
      connections.push({ name: readStartup(startup)["application_name"] ?? "", statements });
    }
    for (const { text } of frames.take().map(messageOf)) {
      if (text !== undefined) statements.push(text);
    }
  };
}
