import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "pg";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import { createClient } from "../db/connection/client.ts";
import { tryLockForSession } from "../db/lock.ts";
import { countChanged, firstRow, rows } from "../db/rows.ts";
import type { Sql } from "../db/sql.ts";
import type { Logger } from "../log.ts";
import { ownerConnectionName } from "./owner-activity.ts";
import { beat, endInactive, holdFence, raiseFence } from "./sources.sql.ts";

export interface OwnershipOptions {
  readonly url: string;
  readonly source: string;
  readonly log: Logger;
  /** Ends the waiting of a standby. */
  readonly signal: AbortSignal;
  /** Milliseconds one statement may take. */
  readonly patienceMs?: number;
}

/** An owner that does nothing for this long is taken for dead, though its connection stands. */
const inactiveSeconds = 6;
const beatMs = 1_500;
const standbyMs = 1_000;
/** A statement that takes longer means a dead connection; TCP would notice far later. */
const standardPatienceMs = 10_000;

/** Thrown by a write that came after another process has taken the source over. */
export class OwnershipLost extends Error {
  constructor(source: string) {
    super(`another process owns the source ${source}`);
    this.name = "OwnershipLost";
  }
}

/**
 * The right of one process to write one source. It rests on an advisory lock of its only
 * connection, and on the fence: a number that each new owner raises and every write checks, so an
 * owner that was paused, or only thinks it still owns, stores nothing. The beats also show an owner
 * without events that its connection is dead.
 */
export class Ownership {
  readonly source: string;
  readonly fence: number;
  /** Aborts when the connection, and with it the lock, is gone. */
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
    client.once("end", () => lost.abort(new OwnershipLost(source)));
    this.#beating = setInterval(
      () => void this.#beat().catch((error) => lost.abort(error)),
      beatMs,
    );
  }

  /** Runs work on the owner's connection; calls take turns, so statements never interleave. */
  use<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => work(this.#client));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** The same in one transaction. */
  useTransaction<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    return this.use(async (connection) => {
      await countChanged(connection, "begin");
      try {
        const result = await work(connection);
        await countChanged(connection, "commit");
        return result;
      } catch (error) {
        // Errors of the rollback are ignored: the connection is lost, and the work's error says why.
        await countChanged(connection, "rollback").catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Keeps the source from being taken over until the transaction on the connection ends.
   * @throws {OwnershipLost} when it has been already
   */
  async hold(connection: Sql): Promise<void> {
    const held = await firstRow(connection, holdFence, [this.source, this.fence]);
    if (!held) throw new OwnershipLost(this.source);
  }

  /** What was stored just now has written the beat with it: the next is due as long after that. */
  noteBeat(): void {
    this.#beating.refresh();
  }

  /** Gives the source up, so that a standby takes it at once. */
  async release(): Promise<void> {
    clearInterval(this.#beating);
    await this.#turn;
    await this.#client.end();
  }

  async #beat(): Promise<void> {
    const beaten = await this.use((connection) =>
      countChanged(connection, beat, [this.source, this.fence]),
    );
    if (beaten === 0) throw new OwnershipLost(this.source);
  }
}

/** Waits until this process owns the source. @throws the signal's reason when it aborts first */
export async function becomeOwner(options: OwnershipOptions): Promise<Ownership> {
  const { source, log, signal } = options;
  const client = open(options);
  try {
    await client.connect();
    for (let waited = false; !(await tryLockForSession("ingest", source, client)); waited = true) {
      if (!waited) log.info({ source }, "standing by: another process owns the source");
      await endInactiveOwner(source, client);
      await sleep(standbyMs, undefined, { signal });
    }
    return new Ownership(source, await becomeNewest(source, client), client);
  } catch (error) {
    await client.end();
    throw error;
  }
}

function open({ url, source, log, patienceMs = standardPatienceMs }: OwnershipOptions): Client {
  const client = createClient({
    url,
    applicationName: ownerConnectionName + source,
    patience: { statementMs: patienceMs },
  });
  client.on("error", (error) => log.warn({ err: error }, "ingest connection lost"));
  return client;
}

async function becomeNewest(source: string, connection: Sql): Promise<number> {
  const raised = await firstRow<Pick<IngestSource, "fence">>(connection, raiseFence, [
    source,
    `${hostname()}:${process.pid}`,
  ]);
  if (!raised) throw new Error(`there is no source ${source}`);
  return raised.fence;
}

/**
 * Cuts the connection of an owner that does nothing: a process that is paused keeps its lock for as
 * long as its connection stands.
 */
async function endInactiveOwner(source: string, connection: Sql): Promise<void> {
  await rows(connection, endInactive, [source, ownerConnectionName + source, inactiveSeconds]);
}
