import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { QueryResultRow } from "pg";

import {
  type LocalPostgres,
  startLocalPostgres,
} from "../../../jobs/commands/own-database/postgres.ts";
import { release } from "../../../migrations/release.ts";
import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createLogger } from "../../../shared/platform/log.ts";
import { testEnvironment } from "../service/server.ts";
import { queryOnce } from "./query-once.ts";

export interface DatabaseServerOptions {
  /** True if the server does not wait for the disk, because its data is neither kept nor measured. */
  readonly throwaway: boolean;
  readonly settings?: readonly string[];
}

const endingSignals = ["SIGINT", "SIGTERM"] as const;

/** A PostgreSQL server with a folder of its own. Stopping the server removes the folder. */
export class DatabaseServer {
  readonly #folder: string;
  readonly #options: DatabaseServerOptions;
  #server: LocalPostgres;
  #template: Promise<string> | undefined;
  readonly #end = (): void => void this.stop().then(() => process.exit(1));

  private constructor(folder: string, options: DatabaseServerOptions, server: LocalPostgres) {
    this.#folder = folder;
    this.#options = options;
    this.#server = server;
  }

  static async start(options: DatabaseServerOptions): Promise<DatabaseServer> {
    const folder = mkdtempSync(path.join(tmpdir(), "guildhall-"));
    const ground = new DatabaseServer(folder, options, await startServer(folder, options));
    // The server has a process group of its own. So if the run is interrupted, the run must end the
    // server.
    for (const signal of endingSignals) process.once(signal, ground.#end);
    return ground;
  }

  /** Restarts the server on the same port, as an update does. All connections end. */
  async restart(): Promise<void> {
    await this.whileAway(() => Promise.resolve());
  }

  /** Stops the server, runs `work` and starts the server again on the same port. */
  async whileAway(work: () => Promise<void>): Promise<void> {
    const { port } = this.#server;
    await this.#server.stop();
    try {
      await work();
    } finally {
      this.#server = await startServer(this.#folder, { ...this.#options, port });
    }
  }

  /** Kills the server, as a power failure does, and starts it again on the same port. */
  async crash(): Promise<void> {
    const { port, ended } = this.#server;
    const lockFile = readFileSync(path.join(this.#folder, "db/postmaster.pid"), "utf8");
    process.kill(Number(lockFile.split("\n")[0]), "SIGQUIT");
    await ended;
    this.#server = await startServer(this.#folder, { ...this.#options, port });
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
    for (const signal of endingSignals) process.off(signal, this.#end);
  }

  /** Creates a database with the schema and the queues. @returns its URL */
  async createDatabase(name: string): Promise<string> {
    this.#template ??= this.#createTemplate();
    await this.query("postgres", `create database "${name}" template ${await this.#template}`);
    return this.#server.urlOf(name);
  }

  async #createTemplate(): Promise<string> {
    await this.query("postgres", "create database template");
    const url = this.#server.urlOf("template");
    await installSchema(url);
    return "template";
  }

  /** Runs a statement on a new connection, so that earlier faults do not affect it. */
  query<Row extends QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return queryOnce<Row>(this.#server.urlOf(database), text, values);
  }
}

/** Creates the schema as a release does. */
export const installSchema = (url: string): Promise<void> =>
  release(loadConfig(testEnvironment(url)), createLogger("release", "silent"));

const startServer = (
  folder: string,
  { throwaway, settings = [], port }: DatabaseServerOptions & { readonly port?: number },
): Promise<LocalPostgres> =>
  startLocalPostgres({
    folder: path.join(folder, "db"),
    throwaway,
    settings,
    ...(port !== undefined && { port }),
  });
