import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { QueryResultRow } from "pg";

import { findFreePort } from "../../../jobs/commands/launch/ports.ts";
import {
  type LocalPostgres,
  startLocalPostgres,
} from "../../../jobs/commands/own-database/postgres.ts";
import { waitUntil } from "../clock/wait.ts";
import { installSchema } from "../database/database-server.ts";
import { queryOnce } from "../database/query-once.ts";
import { type Address, openAddress } from "./address.ts";
import { copyServer } from "./server-copy.ts";

/**
 * Settings of both servers. fsync can be off, because only processes crash and both servers have each confirmed
 * write.
 */
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_standby_names=*",
  "wal_keep_size=1GB",
  "wal_retrieve_retry_interval=200ms",
];

interface Member {
  readonly folder: string;
  readonly port: number;
  server: LocalPostgres;
}

/** Two PostgreSQL servers with synchronous replication, behind one address. */
export class DatabasePair {
  readonly #folder: string;
  readonly #address: Address;
  #primary: Member;
  #standby: Member;

  private constructor(folder: string, address: Address, primary: Member, standby: Member) {
    this.#folder = folder;
    this.#address = address;
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(): Promise<DatabasePair> {
    const folder = mkdtempSync(path.join(tmpdir(), "guildhall-pair-"));
    const address = await openAddress();
    const [first, second] = ["first", "second"].map((name) => path.join(folder, name));
    const primary = await startMember(first as string, await findFreePort());
    const standby = await makeStandby(primary, second as string, await findFreePort());
    address.pointTo(primary.port);
    return new DatabasePair(folder, address, primary, standby);
  }

  /** Creates a database with the schema and the queues. @returns its URL at the common address */
  async createDatabase(name: string): Promise<string> {
    await this.query("postgres", `create database ${name}`);
    const url = new URL(this.#primary.server.urlOf(name));
    await installSchema(url.href);
    url.port = String(this.#address.port);
    return url.href;
  }

  /** Runs a statement on a new connection to the present primary. */
  query<Row extends QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return queryOnce<Row>(this.#primary.server.urlOf(database), text, values);
  }

  /** Kills the primary, as a power failure does, and starts it again as the primary. */
  async crash(): Promise<void> {
    await end(this.#primary);
    this.#primary.server = await serve(this.#primary);
    await this.#untilInSync();
  }

  /** Kills the primary, as a power failure does. The standby becomes the primary. */
  async failOver(): Promise<void> {
    await end(this.#primary);
    await this.#takeOver();
    await this.#makeAnew();
  }

  /**
   * Cuts the primary off from its clients. The primary keeps running while the standby is promoted.
   */
  async cutOff(): Promise<void> {
    await this.#takeOver();
    await end(this.#standby);
    await this.#makeAnew();
  }

  /** Exchanges primary and standby without losing data, as an operator does. */
  async switchOver(): Promise<void> {
    this.#address.cut();
    await this.#primary.server.stop();
    const isWhole = (await this.#primary.server.ended) === "code 0";
    await this.#takeOver();
    if (!isWhole) return this.#makeAnew();
    writeFileSync(path.join(this.#standby.folder, "standby.signal"), "");
    this.#standby.server = await serve(this.#standby, this.#primary);
    await this.#untilInSync();
  }

  /** Stops the standby during `work`. Commits wait meanwhile. */
  async withoutStandby(work: () => Promise<void>): Promise<void> {
    await this.#standby.server.stop();
    try {
      await work();
    } finally {
      this.#standby.server = await serve(this.#standby, this.#primary);
      await this.#untilInSync();
    }
  }

  async stop(): Promise<void> {
    await this.#address.stop();
    await Promise.all([end(this.#primary), end(this.#standby)]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Cuts the old primary off, promotes the standby, and makes the address lead to the new primary.
   */
  async #takeOver(): Promise<void> {
    this.#address.cut();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.query("postgres", "select pg_promote(true, 60)");
    this.#address.pointTo(this.#primary.port);
  }

  /** Makes the old primary a copy of the new one, because the old one may have writes that the new one lacks. */
  async #makeAnew(): Promise<void> {
    const { folder, port } = this.#standby;
    this.#standby = await makeStandby(this.#primary, folder, port);
    await this.#untilInSync();
  }

  #untilInSync(): Promise<void> {
    return untilInSync(this.#primary);
  }
}

async function makeStandby(primary: Member, folder: string, port: number): Promise<Member> {
  await copyServer({ url: primary.server.urlOf("postgres"), folder: primary.folder }, folder);
  const server = await serve({ folder, port }, primary);
  await untilInSync(primary);
  return { folder, port, server };
}

async function startMember(folder: string, port: number): Promise<Member> {
  return { folder, port, server: await serve({ folder, port }) };
}

const serve = (
  { folder, port }: Pick<Member, "folder" | "port">,
  followed?: Member,
): Promise<LocalPostgres> => {
  const source = `host=127.0.0.1 port=${followed?.port} user=guildhall`;
  const following = followed ? [`primary_conninfo=${source}`] : [];
  return startLocalPostgres({ folder, port, settings: [...settings, ...following] });
};

const untilInSync = ({ server }: Member): Promise<void> =>
  waitUntil("the standby has what is answered", async () => {
    const inSync = await queryOnce(
      server.urlOf("postgres"),
      "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
    );
    return inSync.length > 0;
  });

/** Kills a server at once. */
async function end({ folder, server }: Member): Promise<void> {
  const lockFile = readFileSync(path.join(folder, "postmaster.pid"), "utf8");
  process.kill(Number(lockFile.split("\n")[0]), "SIGQUIT");
  await server.ended;
}
