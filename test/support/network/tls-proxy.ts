import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

import { makeCertificate } from "./certificate.ts";
import { listenAsDatabase } from "./listen-in-place.ts";

/** A proxy to a database. It accepts connections with TLS only. */
export interface TlsProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The SSLRequest message, with which a client asks for TLS. */
const request = Buffer.from("0000000804d2162f", "hex");

/** Starts a proxy to the database of `databaseUrl`. It refuses connections without TLS. */
export async function startTlsProxy(databaseUrl: string): Promise<TlsProxy> {
  const target = new URL(databaseUrl);
  const certificate = makeCertificate(["localhost"]);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    open.add(near);
    near.on("error", () => undefined);
    near.on("close", () => open.delete(near));
    near.once("data", (bytes) => {
      if (!bytes.equals(request)) {
        near.destroy();
        return;
      }
      near.write("S");
      const secure = new TLSSocket(near, { isServer: true, ...certificate });
      const far = connect(Number(target.port), target.hostname);
      for (const side of [secure, far]) side.on("error", () => undefined);
      secure.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
      secure.pipe(far).pipe(secure);
    });
  });
  const url = new URL(await listenAsDatabase(databaseUrl, server));
  url.searchParams.set("sslmode", "no-verify");
  return {
    url: url.href,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
