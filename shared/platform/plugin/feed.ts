import { setTimeout as sleep } from "node:timers/promises";

import { readBatchEvent } from "../bridge/frame.ts";
import type { Cursor, Frame, HelloFrame, StreamFrame } from "../bridge/frames.ts";
import {
  hasUnstorableCharacters,
  isObject,
  type JsonObject,
  parseDeepObject,
  toStorableText,
} from "../bridge/json-text.ts";
import type { FrameSource } from "../bridge/socket/feed.ts";
import { FrameQueue } from "../bridge/socket/frame-queue.ts";
import { FrameIntake } from "../bridge/socket/intake.ts";
import { socketBounds, type SocketStatus } from "../bridge/socket/socket-options.ts";
import type { SocketStats } from "../bridge/socket/socket.ts";
import {
  type InboxCall,
  hasUnreadCalls,
  type PluginState,
  readInboxCalls,
  readNewestInboxId,
  readPluginState,
} from "./inbox.ts";
import type { PluginServices } from "./services.ts";

export interface PluginFeedOptions extends Pick<PluginServices, "listener" | "log" | "sequelize"> {
  readonly source: string;
  /** Protocol version for which the link is configured. Hellos are read as this version defines them. */
  readonly protocol: number;
  readonly cursor: () => Promise<Cursor | null>;
  readonly onStatus: () => void;
  /** Called once after all waiting calls are stored. Set only if the plugin's link is off or was replaced. */
  readonly onDrained?: (() => void) | undefined;
}

/** Milliseconds between two reads of the inbox and the session without a notification. */
const pollMs = 2_000;
/** Milliseconds before a failed read is retried. */
const retryMs = 1_000;
/** Only a call larger than this can contain an event above the size limit. */
const largeBytes = 256 * 1024;

/**
 * Reads a plugin's inbox and delivers it as the frames of a sidecar, with the end of the replay and the
 * state of the game process.
 */
export class InboxReader implements FrameSource {
  readonly #options: PluginFeedOptions;
  readonly #queue: FrameQueue<StreamFrame>;
  readonly #intake: FrameIntake;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  readonly #unlisten: () => void;
  #status: SocketStatus = { state: "reconnecting", reason: null, pluginConnected: false };
  #lastAckAt: Date | null = null;
  /** Id of the last row that was read. */
  #readTo = 0;
  /** Id of the last inbox row when reading began. Events in rows up to this id count as replayed. */
  #waitedTo = 0;
  /** The hello that began the session of the events that are being read. */
  #hello: { readonly bootId: string; readonly head: number; isReplayed: boolean } | null = null;
  /** True if the last frame said that the game process runs. */
  #isThere = false;
  #isDrained = false;
  #wake = Promise.withResolvers<void>();
  #room = Promise.withResolvers<void>();

  constructor(options: PluginFeedOptions) {
    this.#options = options;
    const { waitingFrames: frames, waitingBytes: bytes } = socketBounds;
    this.#queue = new FrameQueue({ frames, bytes });
    this.#intake = new FrameIntake(this.#queue);
    const wake = () => this.#wake.resolve();
    const endings = [
      options.listener.on("plugin_inbox", ({ source }) => source === options.source && wake()),
      options.listener.onGap(wake),
    ];
    this.#unlisten = () => endings.forEach((end) => end());
    this.#running = this.#readUntilStopped();
  }

  get status(): SocketStatus {
    return this.#status;
  }

  get stats(): SocketStats {
    const waiting = this.#queue.length;
    return { ...this.#intake.counters, waiting, lastAckAt: this.#lastAckAt };
  }

  async nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    const frames = await this.#queue.take(max, signal);
    if (this.#queue.hasRoom) this.#room.resolve();
    return frames;
  }

  committed(cursor: Cursor | null): void {
    if (cursor) this.#lastAckAt = new Date();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#unlisten();
    this.#wake.resolve();
    this.#room.resolve();
    this.#queue.close();
    await this.#running;
  }

  async #readUntilStopped(): Promise<void> {
    const { signal } = this.#ending;
    let isOpen = false;
    while (!signal.aborted) {
      try {
        if (!isOpen) await this.#open();
        isOpen = true;
        await this.#look();
      } catch (error) {
        this.#options.log.warn({ err: error }, "the inbox of a plugin could not be read");
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #open(): Promise<void> {
    const { cursor, protocol, sequelize, source } = this.#options;
    this.#intake.resume(await cursor());
    this.#waitedTo = await readNewestInboxId(source, sequelize);
    this.#intake.open(protocol);
  }

  /** Reads new rows, or waits if there are none. */
  async #look(): Promise<void> {
    const { source, sequelize } = this.#options;
    this.#wake = Promise.withResolvers();
    const state = await readPluginState(source, sequelize);
    const batches = await readInboxCalls(source, this.#readTo, sequelize);
    for (const batch of batches) {
      await this.#waitForRoom();
      if (this.#ending.signal.aborted) return;
      this.#take(batch, state);
    }
    if (batches.length > 0) return;
    if (this.#options.onDrained) await this.#drain(this.#options.onDrained);
    else this.#follow(state);
    await Promise.race([
      this.#wake.promise,
      sleep(pollMs, undefined, { signal: this.#ending.signal }).catch(() => undefined),
    ]);
  }

  /** Calls `onDrained` once the inbox is empty, that is, once ingest has stored the frames of all its rows. */
  async #drain(onDrained: () => void): Promise<void> {
    const { source, sequelize } = this.#options;
    this.#show("disconnected", null);
    if (await hasUnreadCalls(source, sequelize)) return;
    if (!this.#isDrained) onDrained();
    this.#isDrained = true;
  }

  async #waitForRoom(): Promise<void> {
    while (this.#queue.isFull && !this.#ending.signal.aborted) {
      this.#room = Promise.withResolvers();
      if (!this.#queue.hasRoom) await this.#room.promise;
    }
  }

  #take(batch: InboxCall, state: PluginState): void {
    if (batch.kind === "hello") this.#takeHello(batch, state);
    else this.#takeEvents(batch);
    this.#readTo = batch.id;
    this.#tellLive();
    this.#queue.put({ type: "inbox", id: batch.id }, 0);
  }

  #takeHello(batch: InboxCall, { bootId, isAlive }: PluginState): void {
    const details = parseDeepObject(batch.content) ?? {};
    const head = Number(details["head"]);
    // A new owner of the source reads the last hello again, although the hello's game process may have ended.
    const isThere = batch.bootId !== bootId || isAlive;
    this.#hello = { bootId: batch.bootId, head, isReplayed: true };
    this.#isThere = isThere;
    this.#accept(this.#helloOf(batch, details, isThere), batch.bytes);
    this.#show(isThere ? "connected" : "reconnecting", null, isThere);
  }

  #helloOf(
    { bootId, epoch }: InboxCall,
    details: JsonObject,
    pluginConnected: boolean,
  ): HelloFrame {
    const { protocol } = this.#options;
    const { plugin, server, capabilities, oldest } = details;
    return {
      type: "hello",
      protocol,
      epoch,
      bootId,
      // Set no limit, because the order of all events, even after the hello's head, was checked on arrival.
      head: Number.MAX_SAFE_INTEGER,
      oldest: Number(oldest),
      pluginConnected,
      capabilities: capabilities as string[],
      t: null,
      details: { ...details, type: "hello", pluginConnected, shard: server, plugin },
    };
  }

  #takeEvents({ id, bootId, epoch, bytes, content }: InboxCall): void {
    const { gap, events } = parseDeepObject(content) ?? {};
    const head = id > this.#waitedTo ? (this.#hello?.head ?? 0) : Number.MAX_SAFE_INTEGER;
    const common = {
      epoch,
      bootId,
      head,
      mayHoldLarge: bytes > largeBytes,
      holdsUnstorable: hasUnstorableCharacters(content),
    };
    if (isObject(gap)) this.#accept(gapOf(gap), 0);
    if (!Array.isArray(events)) return;
    const each = Math.ceil(bytes / Math.max(1, events.length));
    for (const event of events as JsonObject[]) this.#accept(readBatchEvent(event, common), each);
  }

  /**
   * Passes a frame to the intake. If events before the frame are missing, the intake refuses the frame twice
   * and then skips the missing events, so try three times.
   */
  #accept(frame: Frame, bytes: number): void {
    for (let tries = 0; tries < 3; tries += 1) {
      const fault = this.#intake.accept(frame, bytes);
      if (!fault) return;
      this.#options.log.error({ fault }, "frames of a plugin were out of order");
    }
  }

  /** Reports once that the replay has ended: all events from before the hello or the start were read. */
  #tellLive(): void {
    const hello = this.#hello;
    if (this.#readTo < this.#waitedTo) return;
    if (!hello?.isReplayed || (this.#intake.position?.seq ?? -1) < hello.head) return;
    hello.isReplayed = false;
    this.#accept({ type: "live", head: hello.head }, 0);
  }

  /** Reports that the game process was lost or has returned. */
  #follow(state: PluginState): void {
    const isThere = this.#hello !== null && state.isAlive && state.bootId === this.#hello.bootId;
    if (this.#hello && isThere !== this.#isThere) {
      this.#isThere = isThere;
      const bootId = isThere ? this.#hello.bootId : null;
      this.#accept({ type: "plugin", connected: isThere, bootId }, 0);
    }
    if (!state.hasKey) return this.#show("disconnected", noKeyReason);
    if (state.refusal !== null) return this.#show("error", state.refusal);
    if (isThere) return this.#show("connected", null, true);
    const { heardAt } = state;
    this.#show(
      "reconnecting",
      heardAt
        ? `the plugin has not called since ${heardAt.toISOString()}`
        : "no plugin has called yet",
    );
  }

  #show(state: SocketStatus["state"], reason: string | null, pluginConnected = false): void {
    const shown = this.#status;
    const isSame = state === shown.state && reason === shown.reason;
    if (isSame && pluginConnected === shown.pluginConnected) return;
    this.#status = { state, reason, pluginConnected };
    this.#options.onStatus();
  }
}

const noKeyReason =
  "no valid plugin key exists: create one and enter its setup command on the game server";

const gapOf = ({ from, to, reason }: JsonObject): Frame => ({
  type: "gap",
  from: Number(from),
  to: Number(to),
  reason: typeof reason === "string" ? toStorableText(reason.slice(0, 256)) : "",
});
