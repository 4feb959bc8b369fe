import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Makes a server listen on a free port. @returns the URL of the database with this port */
export async function listenAsDatabase(databaseUrl: string, server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}
