import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { Client } from "pg";

import { listenAsDatabase } from "./listen-in-place.ts";

/** A proxy to a database. Through it, the server seems to have another version. */
export interface VersionProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** The version that the server seems to have. */
  readonly version: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy to the database of `databaseUrl`. It replaces the major version in messages of the
 * server.
 */
export async function startVersionProxy(databaseUrl: string, major: number): Promise<VersionProxy> {
  const own = await readVersion(databaseUrl);
  const version = own.version.replace(/^\d+/, String(major));
  const number = String(Number(own.number) - (Number(own.major) - major) * 10_000);
  // Replace texts by texts of the same length, because a message begins with its length.
  const pose = (bytes: Buffer): Buffer =>
    Buffer.from(
      bytes.toString("latin1").replaceAll(own.version, version).replaceAll(own.number, number),
      "latin1",
    );
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("error", () => undefined);
      from.on("end", () => to.end());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => near.write(pose(bytes)));
  });
  const url = await listenAsDatabase(databaseUrl, server);
  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { url, version, stop };
}

async function readVersion(url: string) {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ version: string; number: string }>(
    "select current_setting('server_version') as version, current_setting('server_version_num') as number",
  );
  await client.end();
  const { version = "", number = "" } = rows[0] ?? {};
  return { version, number, major: version.split(".")[0] };
}
