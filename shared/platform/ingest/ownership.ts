import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "pg";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import { createClient } from "../db/connection/client.ts";
import { tryTakeSessionLock } from "../db/lock.ts";
import { executeStatement, firstRow, rows } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import type { Logger } from "../log.ts";
import { ownerConnectionName } from "./owner-activity.ts";
import { heartbeatSql, terminateInactiveSql, lockFenceSql, raiseFenceSql } from "./sources.sql.ts";

export interface OwnershipOptions {
  readonly url: string;
  readonly source: string;
  readonly log: Logger;
  /** Aborts the wait for the ownership. */
  readonly signal: AbortSignal;
  /** Timeout of one statement in milliseconds. */
  readonly patienceMs?: number;
}

/** Seconds without activity after which an owner counts as dead, even if its connection is open. */
const inactiveSeconds = 6;
const heartbeatMs = 1_500;
const standbyMs = 1_000;
/**
 * The connection counts as dead if a statement takes longer than this. TCP reports a dead connection much later.
 */
const defaultStatementTimeoutMs = 10_000;

/** Thrown by a write after another process has taken over the source. */
export class OwnershipLostError extends Error {
  constructor(source: string) {
    super(`another process owns the source ${source}`);
    this.name = "OwnershipLostError";
  }
}

/**
 * The right of one process to write one source. It consists of an advisory lock on the process's only
 * connection and of the fence. Each new owner raises the fence and every write checks it, so an owner
 * that was paused stores nothing. Heartbeats detect a dead connection while there are no events.
 */
export class SourceOwnership {
  readonly source: string;
  readonly fence: number;
  /** Aborts when the connection is lost, because the lock is lost with it. */
  readonly lost: AbortSignal;
  readonly #client: Client;
  readonly #beating: NodeJS.Timeout;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(source: string, fence: number, client: Client) {
    const lost = new AbortController();
    this.source = source;
    this.fence = fence;
    this.lost = lost.signal;
    this.#client = client;
    client.once("error", (error) => lost.abort(error));
    client.once("end", () => lost.abort(new OwnershipLostError(source)));
    this.#beating = setInterval(
      () => void this.#beat().catch((error) => lost.abort(error)),
      heartbeatMs,
    );
  }

  /** Runs work on the owner's connection, one call at a time, so that statements never interleave. */
  run<T>(work: (connection: SqlClient) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => work(this.#client));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  runTransaction<T>(work: (connection: SqlClient) => Promise<T>): Promise<T> {
    return this.run(async (connection) => {
      await executeStatement(connection, "begin");
      try {
        const result = await work(connection);
        await executeStatement(connection, "commit");
        return result;
      } catch (error) {
        // Ignore errors of the rollback if the connection is lost. The error of `work` tells the reason.
        await executeStatement(connection, "rollback").catch(() => undefined);
        throw error;
      }
    });
  }

  /** Prevents another process from taking over until the transaction ends. @throws {OwnershipLostError} */
  async lockFence(connection: SqlClient): Promise<void> {
    const held = await firstRow(connection, lockFenceSql, [this.source, this.fence]);
    if (!held) throw new OwnershipLostError(this.source);
  }

  /** Restarts the heartbeat interval, because a stored batch has also written the heartbeat. */
  postponeHeartbeat(): void {
    this.#beating.refresh();
  }

  /** Releases the source, so that a standby takes over at once. */
  async release(): Promise<void> {
    clearInterval(this.#beating);
    await this.#turn;
    await this.#client.end();
  }

  async #beat(): Promise<void> {
    const beaten = await this.run((connection) =>
      executeStatement(connection, heartbeatSql, [this.source, this.fence]),
    );
    if (beaten === 0) throw new OwnershipLostError(this.source);
  }
}

/** Waits until this process owns the source. @throws the signal's reason if it aborts earlier */
export async function acquireSourceOwnership(options: OwnershipOptions): Promise<SourceOwnership> {
  const { source, log, signal } = options;
  const client = open(options);
  try {
    await client.connect();
    for (let waited = false; !(await tryTakeSessionLock("ingest", source, client)); waited = true) {
      if (!waited) log.info({ source }, "standing by: another process owns the source");
      await endInactiveOwner(source, client);
      await sleep(standbyMs, undefined, { signal });
    }
    return new SourceOwnership(source, await claimFence(source, client), client);
  } catch (error) {
    await client.end();
    throw error;
  }
}

function open({
  url,
  source,
  log,
  patienceMs = defaultStatementTimeoutMs,
}: OwnershipOptions): Client {
  const client = createClient({
    url,
    applicationName: ownerConnectionName + source,
    patience: { statementMs: patienceMs },
  });
  client.on("error", (error) =>
    log.warn({ err: error }, "the database connection of ingest was lost"),
  );
  return client;
}

async function claimFence(source: string, connection: SqlClient): Promise<number> {
  const raised = await firstRow<Pick<IngestSource, "fence">>(connection, raiseFenceSql, [
    source,
    `${hostname()}:${process.pid}`,
  ]);
  if (!raised) throw new Error(`there is no source ${source}`);
  return raised.fence;
}

/** Terminates an inactive owner's connection: a paused process would otherwise keep its lock. */
async function endInactiveOwner(source: string, connection: SqlClient): Promise<void> {
  await rows(connection, terminateInactiveSql, [
    source,
    ownerConnectionName + source,
    inactiveSeconds,
  ]);
}
