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

export interface GroundOptions {
  /** Nothing waits for the disk: for what is thrown away and not measured. */
  readonly throwaway: boolean;
  readonly settings?: readonly string[];
}

const endingSignals = ["SIGINT", "SIGTERM"] as const;

/** A PostgreSQL of its own in a folder that is removed with it. */
export class Ground {
  readonly #folder: string;
  readonly #options: GroundOptions;
  #server: LocalPostgres;
  #template: Promise<string> | undefined;
  readonly #end = (): void => void this.stop().then(() => process.exit(1));

  private constructor(folder: string, options: GroundOptions, server: LocalPostgres) {
    this.#folder = folder;
    this.#options = options;
    this.#server = server;
  }

  static async start(options: GroundOptions): Promise<Ground> {
    const folder = mkdtempSync(path.join(tmpdir(), "guildhall-"));
    const ground = new Ground(folder, options, await startServer(folder, options));
    // The server has a group of its own, so that nothing else would end it with an interrupted run.
    for (const signal of endingSignals) process.once(signal, ground.#end);
    return ground;
  }

  /** Cuts every connection and comes back on the same port, as a database that is patched. */
  async restart(): Promise<void> {
    await this.whileAway(() => Promise.resolve());
  }

  /** The same, and it stays away for as long as `work` takes. */
  async whileAway(work: () => Promise<void>): Promise<void> {
    const { port } = this.#server;
    await this.#server.stop();
    try {
      await work();
    } finally {
      this.#server = await startServer(this.#folder, { ...this.#options, port });
    }
  }

  /** Ends at once, as by a loss of power, and recovers on the same port. */
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

  /** A new database with the schema and queues in it. @returns its URL */
  async createDatabase(name: string): Promise<string> {
    this.#template ??= this.#createTemplate();
    await this.query("postgres", `create database ${name} template ${await this.#template}`);
    return this.#server.urlOf(name);
  }

  async #createTemplate(): Promise<string> {
    await this.query("postgres", "create database template");
    const url = this.#server.urlOf("template");
    await installSchema(url);
    return "template";
  }

  /** One statement on a connection of its own, so that no earlier fault can have spoiled it. */
  query<Row extends QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return queryOnce<Row>(this.#server.urlOf(database), text, values);
  }
}

/** As a release does. */
export const installSchema = (url: string): Promise<void> =>
  release(loadConfig(testEnvironment(url)), createLogger("release", "silent"));

const startServer = (
  folder: string,
  { throwaway, settings = [], port }: GroundOptions & { readonly port?: number },
): Promise<LocalPostgres> =>
  startLocalPostgres({
    folder: path.join(folder, "db"),
    throwaway,
    settings,
    ...(port !== undefined && { port }),
  });
