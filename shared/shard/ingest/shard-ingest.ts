import { createControl } from "../../bridge/control.ts";
import type { Cursor, StreamFrame } from "../../bridge/frames.ts";
import { BridgeSocket, type SocketStats } from "../../bridge/socket.ts";
import type { Context } from "../../context.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import { readShardlink, type Shardlink, type UsableLink, usableLink } from "../shardlink.ts";
import { FollowUp } from "./follow-up.ts";
import { reportLink } from "./report.ts";
import { restBeforeRetry, storeSafely } from "./store-safely.ts";

/** Frames of one batch at most; the next batch is whatever arrived while this one was stored. */
const batchFrames = 1_000;
const reportMs = 2_000;

/** What the socket counts, and the links to users who are none of ours, as last reported. */
export interface IngestCounts extends SocketStats {
  readonly unknownLinks: number;
}

/** Takes in the shard's live events for as long as this process owns the source. */
export class ShardIngest {
  readonly #context: Context;
  readonly #owner: Ownership;
  readonly #socket: BridgeSocket;
  readonly #followUp: FollowUp;
  #duplicates = 0;
  #unknownLinks = 0;
  #settings: Promise<void> = Promise.resolve();
  #ending = new AbortController().signal;

  constructor(context: Context, owner: Ownership) {
    this.#context = context;
    this.#owner = owner;
    this.#followUp = new FollowUp(owner, context.log);
    this.#socket = new BridgeSocket({
      cursor: () => this.#readCursor(),
      log: context.log,
      onStatus: () => void this.#report(),
    });
  }

  get stats(): IngestCounts {
    return { ...this.#socket.stats, unknownLinks: this.#unknownLinks };
  }

  /** Runs until the signal aborts or the source is lost. @throws the reason of the loss */
  async run(signal: AbortSignal): Promise<void> {
    this.#ending = AbortSignal.any([signal, this.#owner.lost]);
    const unlisten = this.#context.listener.on("shardlink_config", () => this.#reload());
    const unlistenGap = this.#context.listener.onGap(() => this.#reload());
    const reporting = setInterval(() => void this.#report(), reportMs);
    try {
      await this.#reload();
      await this.#takeIn(this.#ending);
    } finally {
      clearInterval(reporting);
      unlisten();
      unlistenGap();
      // A reload that is under way would connect a socket that was stopped.
      await this.#settings.catch(() => undefined);
      await this.#socket.stop();
      this.#followUp.stop();
    }
    this.#owner.lost.throwIfAborted();
  }

  async #takeIn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const frames = await this.#socket.nextBatch(batchFrames, signal).catch(() => []);
      if (frames.length > 0 && !(await this.#store(frames))) await restBeforeRetry(signal);
    }
  }

  /** @returns false when the batch has to be taken in again from the stored cursor */
  async #store(frames: readonly StreamFrame[]): Promise<boolean> {
    const { log } = this.#context;
    try {
      this.#socket.committed(await storeSafely(frames, this.#owner, log));
      this.#followUp.after(frames);
      return true;
    } catch (error) {
      log.error({ err: error, frames: frames.length }, "a batch was not stored");
      if (!this.#ending.aborted) await this.#reload();
      return false;
    }
  }

  async #readCursor(): Promise<Cursor | null> {
    const { rows } = await this.#owner.use((sql) =>
      sql.query<{ epoch: string | null; seq: number | null }>(
        "select epoch, seq from ingest_sources where source = $1",
        [this.#owner.source],
      ),
    );
    const { epoch, seq } = rows[0] ?? {};
    return epoch && typeof seq === "number" ? { epoch, seq } : null;
  }

  /** Connects anew, at once, with the configuration that is stored now. */
  #reload(): Promise<void> {
    const connect = () => this.#connect();
    this.#settings = this.#settings.then(connect, connect);
    return this.#settings;
  }

  async #connect(): Promise<void> {
    const link = await this.#readLink();
    if (this.#ending.aborted) return;
    this.#followUp.use(link && createControl(link));
    this.#socket.restart(link);
    await this.#report();
  }

  async #readLink(): Promise<UsableLink | null> {
    const { config, log } = this.#context;
    const stored = await this.#readStored();
    try {
      return stored && usableLink(stored, config.SECRETS_KEYS);
    } catch (error) {
      log.error({ err: error }, "the link to the shard cannot be used");
      return null;
    }
  }

  /** A database that does not answer says nothing of the link, and a change of it is told once. */
  async #readStored(): Promise<Shardlink | null> {
    const { sequelize, log } = this.#context;
    while (!this.#ending.aborted) {
      try {
        return await readShardlink(sequelize);
      } catch (error) {
        log.warn({ err: error }, "the link to the shard could not be read");
      }
      await restBeforeRetry(this.#ending);
    }
    return null;
  }

  async #report(): Promise<void> {
    const { status, stats } = this.#socket;
    const duplicates = stats.duplicates - this.#duplicates;
    this.#duplicates = stats.duplicates;
    const report = { status, stats, duplicates };
    try {
      this.#unknownLinks = await reportLink(this.#owner, report);
    } catch (error) {
      this.#context.log.warn({ err: error }, "the state of the link was not written");
    }
  }
}
