import { connect as connectPlainly, isIP, type Socket } from "node:net";
import { connect as connectSecurely, type ConnectionOptions } from "node:tls";

import type { Client } from "pg";

export interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

// Request codes of the PostgreSQL protocol, sent instead of the version number in a startup message.
const cancelRequestCode = 80_877_102;
const sslRequestCode = 80_877_103;
const sslAccepted = "S".charCodeAt(0);

/** Timeout of a cancel request. PgBouncer itself gives up after 10 s. */
const cancelTimeoutMs = 15_000;

/**
 * Asks the server or pooler, over a separate connection, to cancel the client's current statement. There
 * is no reply. The receiver must close the connection: if the sender closes it, PgBouncer drops the
 * request, and some versions of PgBouncer crash.
 */
export function cancelStatement(client: Client, { processID, secretKey }: BackendKey): void {
  const request = packet(cancelRequestCode, processID, secretKey);
  const socket = connectToServer(client);
  detachSocket(socket);
  if (!client.ssl) {
    socket.write(request);
    return;
  }
  // The key allows canceling any later statement of the connection, so send it only over TLS.
  socket.write(packet(sslRequestCode));
  socket.once("data", (answer) => {
    if (answer[0] !== sslAccepted) {
      socket.destroy();
      return;
    }
    const secure = connectSecurely({ ...tlsOptionsOf(client), socket });
    detachSocket(secure);
    secure.write(request);
  });
}

function connectToServer({ host, port }: Client): Socket {
  // A host that begins with a slash is the folder of a Unix socket.
  if (host.startsWith("/")) return connectPlainly(`${host}/.s.PGSQL.${port}`);
  return connectPlainly({ host, port });
}

/** Returns the TLS options that the driver itself uses. */
function tlsOptionsOf({ host, ssl }: Client): ConnectionOptions {
  const given: unknown = ssl;
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { host, ...(typeof given === "object" ? given : {}), ...name };
}

/** Ignores a socket's errors, and lets the process end while the socket is open. */
function detachSocket(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.setTimeout(cancelTimeoutMs, () => socket.destroy());
  // The end of the connection is noticed only if the data is read.
  socket.resume();
  socket.unref();
}

/** Encodes a message of 4-byte integers, preceded by its length. */
function packet(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * (numbers.length + 1));
  bytes.writeInt32BE(bytes.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * (index + 1));
  return bytes;
}
