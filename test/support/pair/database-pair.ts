import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { QueryResultRow } from "pg";

import { freePort } from "../../../jobs/commands/launch/ports.ts";
import {
  type LocalPostgres,
  startLocalPostgres,
} from "../../../jobs/commands/own-database/postgres.ts";
import { until } from "../clock/wait.ts";
import { installSchema } from "../database/ground.ts";
import { queryOnce } from "../database/query-once.ts";
import { type Address, openAddress } from "./address.ts";
import { copyServer } from "./server-copy.ts";

/** Only a machine that loses its power needs the disk; what is answered is on both servers. */
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

/** Two PostgreSQL servers behind one address: what the one answers, the other has. */
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
    const primary = await startMember(first as string, await freePort());
    const standby = await makeStandby(primary, second as string, await freePort());
    address.pointTo(primary.port);
    return new DatabasePair(folder, address, primary, standby);
  }

  /** A new database with the schema and queues in it. @returns its URL at the one address */
  async createDatabase(name: string): Promise<string> {
    await this.query("postgres", `create database ${name}`);
    const url = new URL(this.#primary.server.urlOf(name));
    await installSchema(url.href);
    url.port = String(this.#address.port);
    return url.href;
  }

  /** One statement on a connection of its own to the server that serves now. */
  query<Row extends QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return queryOnce<Row>(this.#primary.server.urlOf(database), text, values);
  }

  /** The primary ends as by a loss of power, and comes back at its place. */
  async crash(): Promise<void> {
    await end(this.#primary);
    this.#primary.server = await serve(this.#primary);
    await this.#untilInSync();
  }

  /** The primary ends as by a loss of power, and the standby takes its place. */
  async failOver(): Promise<void> {
    await end(this.#primary);
    await this.#takeOver();
    await this.#makeAnew();
  }

  /** The network parts the primary from everybody; it goes on by itself while the standby takes its place. */
  async cutOff(): Promise<void> {
    await this.#takeOver();
    await end(this.#standby);
    await this.#makeAnew();
  }

  /** Somebody has the two change places: the one that leaves hands over all it has, and stands by then. */
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

  /** Nobody stands by for as long as `work` takes: what is written waits to be answered. */
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

  /** Fences what served, and has the address lead to what stood by. */
  async #takeOver(): Promise<void> {
    this.#address.cut();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.query("postgres", "select pg_promote(true, 60)");
    this.#address.pointTo(this.#primary.port);
  }

  /** What served went on, or ended, with what nobody else has: it begins again as a copy. */
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
  until("the standby has what is answered", async () => {
    const inSync = await queryOnce(
      server.urlOf("postgres"),
      "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
    );
    return inSync.length > 0;
  });

/** Ends a server at once, without a word to anybody. */
async function end({ folder, server }: Member): Promise<void> {
  const lockFile = readFileSync(path.join(folder, "postmaster.pid"), "utf8");
  process.kill(Number(lockFile.split("\n")[0]), "SIGQUIT");
  await server.ended;
}
