import { connect, createServer } from "node:net";

import { Frames, messageOf, readStartup } from "../http/wire.ts";
import { listenInPlaceOf } from "./listen-in-place.ts";
import { PipedSockets } from "./piped-sockets.ts";

/** A connection that somebody made, and what they said on it. */
export interface RecordedConnection {
  /** By which the database knows it. */
  readonly name: string;
  /** In SQL, from the first on. */
  readonly statements: readonly string[];
}

/** A way to a database on which is written down what its clients say. */
export interface RecordingProxy {
  /** The database's URL by this way. */
  readonly url: string;
  /** All so far, those that have ended among them. */
  readonly connections: readonly RecordedConnection[];
  /** Ends every connection that is open. */
  cut(): void;
  stop(): Promise<void>;
}

/** Stands between a test's processes and the database of `databaseUrl`. */
export async function startRecordingProxy(databaseUrl: string): Promise<RecordingProxy> {
  const target = new URL(databaseUrl);
  const connections: RecordedConnection[] = [];
  const sockets = new PipedSockets();
  const server = createServer((near) => {
    sockets.join(near, connect(Number(target.port), target.hostname));
    near.on("data", recorderOf(connections));
  });
  const url = await listenInPlaceOf(databaseUrl, server);
  return {
    url,
    connections,
    cut: () => sockets.cut(),
    stop: () => sockets.stop(server),
  };
}

/** Takes what one client says. */
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
