import { connect as connectPlainly, isIP, type Socket } from "node:net";
import { connect as connectSecurely, type ConnectionOptions } from "node:tls";

import type { Client } from "pg";

/** Who works for a client, as the server said when that connected. */
export interface Backend {
  readonly processID: number;
  readonly secretKey: number;
}

// Numbers of the protocol, where a connection that begins names its version.
const askForCancel = 80_877_102;
const askForTls = 80_877_103;
const yesToTls = "S".charCodeAt(0);

/** Whoever does not hear it by then will not; PgBouncer itself gives up after 10 s. */
const withinMs = 15_000;

/**
 * Asks the server, or the pooler before it, over a connection of its own to give up what it does for a
 * client now. Nobody answers that; the statement ends as it then does, or goes on.
 *
 * Whoever was asked ends the connection. PgBouncer passes the request on over another one, and forgets
 * what somebody asked who has gone by then; some of its versions end themselves.
 */
export function cancelStatement(client: Client, { processID, secretKey }: Backend): void {
  const request = packet(askForCancel, processID, secretKey);
  const socket = reach(client);
  giveUpAlone(socket);
  if (!client.ssl) {
    socket.write(request);
    return;
  }
  // The key is as good as the right to cancel whatever the connection does later.
  socket.write(packet(askForTls));
  socket.once("data", (answer) => {
    if (answer[0] !== yesToTls) {
      socket.destroy();
      return;
    }
    const secure = connectSecurely({ ...tlsOptionsOf(client), socket });
    giveUpAlone(secure);
    secure.write(request);
  });
}

function reach({ host, port }: Client): Socket {
  // That is the folder of a socket.
  if (host.startsWith("/")) return connectPlainly(`${host}/.s.PGSQL.${port}`);
  return connectPlainly({ host, port });
}

/** As the driver itself connects. */
function tlsOptionsOf({ host, ssl }: Client): ConnectionOptions {
  const given: unknown = ssl;
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { host, ...(typeof given === "object" ? given : {}), ...name };
}

/** Whatever becomes of it is nobody's matter, and no process waits for it at its end. */
function giveUpAlone(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.setTimeout(withinMs, () => socket.destroy());
  // Without a reader its end would not be noticed.
  socket.resume();
  socket.unref();
}

/** A message of this length first, in numbers of four bytes. */
function packet(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * (numbers.length + 1));
  bytes.writeInt32BE(bytes.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * (index + 1));
  return bytes;
}
