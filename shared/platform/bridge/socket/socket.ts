import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../../errors/errors.ts";
import { Backoff } from "../../time/backoff.ts";
import { readFrame } from "../frame.ts";
import type { Cursor, StreamFrame } from "../frames.ts";
import { refusalReason } from "../refusals.ts";
import { Acknowledger } from "./acknowledger.ts";
import { connectionUrl } from "./addresses.ts";
import { Connection, type Ending } from "./connection.ts";
import { FrameQueue } from "./frame-queue.ts";
import { Intake, type IntakeCounters, type StreamFault } from "./intake.ts";
import {
  type LinkState,
  socketBounds,
  type SocketOptions,
  type SocketSettings,
  type SocketStatus,
  socketTiming,
} from "./socket-options.ts";

/** Counts since this process took over the source, and what waits for the consumer now. */
export interface SocketStats extends IntakeCounters {
  readonly waiting: number;
  readonly lastAckAt: Date | null;
}

/**
 * The one socket to a sidecar: it connects, reconnects by itself and hands on the frames it
 * receives, each event once and in order.
 *
 *     for (;;) {
 *       const frames = await socket.nextBatch(1_000, signal);
 *       socket.committed(await store(frames));
 *     }
 *
 * What was handed on counts as delivered: a consumer that could not store a batch calls `restart`,
 * which begins again from the stored cursor.
 */
export class BridgeSocket {
  readonly #options: SocketOptions;
  readonly #timing: typeof socketTiming;
  readonly #bounds: typeof socketBounds;
  readonly #queue: FrameQueue<StreamFrame>;
  readonly #intake: Intake;
  readonly #acks: Acknowledger;
  #status: SocketStatus = { state: "disconnected", reason: null, pluginConnected: false };
  #connection: Connection | null = null;
  #fault: StreamFault | null = null;
  #ignoresCursor = false;
  #run = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#timing = { ...socketTiming, ...options.timing };
    this.#bounds = { ...socketBounds, ...options.bounds };
    const { waitingFrames: frames, waitingBytes: bytes } = this.#bounds;
    this.#queue = new FrameQueue({ frames, bytes });
    this.#intake = new Intake(this.#queue);
    this.#acks = new Acknowledger(this.#timing.ackMs);
  }

  get status(): SocketStatus {
    return this.#status;
  }

  get stats(): SocketStats {
    const { lastAckAt } = this.#acks;
    return { ...this.#intake.counters, waiting: this.#queue.length, lastAckAt };
  }

  /**
   * Connects at once with these settings, after the stored cursor; null stays disconnected.
   * What the consumer is still storing at this moment comes again.
   */
  restart(settings: SocketSettings | null): void {
    this.#run.abort();
    // Waiting frames are dropped at once: they come again, after those that the consumer did not store.
    this.#queue.clear();
    const run = new AbortController();
    this.#run = run;
    // The last connection must end first: a sidecar gives its stream to one client alone.
    this.#running = this.#running.then(() => this.#start(settings, run.signal));
  }

  /** Ends the connection and every wait of the consumer, for good. */
  async stop(): Promise<void> {
    this.restart(null);
    this.#queue.close();
    await this.#running;
  }

  /**
   * The frames that arrived since the last call, oldest first; waits while there is none.
   * @throws the signal's reason when it aborts, an Error once the socket was stopped
   */
  async nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    const frames = await this.#queue.take(max, signal);
    if (this.#connection?.isPaused && this.#queue.hasRoom) this.#connection.resume();
    return frames;
  }

  /** Says how far the consumer has stored; the sidecar may in time forget what lies before. */
  committed(cursor: Cursor | null): void {
    if (cursor) this.#acks.commit(cursor);
  }

  async #start(settings: SocketSettings | null, signal: AbortSignal): Promise<void> {
    this.#intake.resume(null);
    this.#ignoresCursor = false;
    if (signal.aborted) return;
    this.#show(settings ? "reconnecting" : "disconnected", null);
    if (settings) await this.#connectUntil(settings, signal);
  }

  async #connectUntil(settings: SocketSettings, signal: AbortSignal): Promise<void> {
    const { firstRetryMs, lastRetryMs, refusedRetryMs } = this.#timing;
    const backoff = new Backoff(firstRetryMs, lastRetryMs, this.#options.random);
    while (!signal.aborted) {
      const outcome = await this.#connectOnce(settings, signal);
      if (signal.aborted) return;
      this.#settle(outcome);
      if (this.#intake.hasProgress) backoff.reset();
      const waitMs = isConfigurationFault(outcome) ? refusedRetryMs : backoff.next();
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Opens one connection and waits for its end. */
  async #connectOnce(settings: SocketSettings, signal: AbortSignal): Promise<Outcome> {
    this.#intake.open(settings.protocol);
    this.#fault = null;
    try {
      const cursor = await this.#startingCursor();
      signal.throwIfAborted();
      return this.#judge(await this.#liveThrough(this.#open(settings, cursor), signal));
    } catch (error) {
      return { how: "lost", reason: messageOf(error) };
    }
  }

  #judge(ending: Ending): Outcome {
    return this.#fault ? { how: "faulted", ...this.#fault } : ending;
  }

  async #startingCursor(): Promise<Cursor | null> {
    const { position } = this.#intake;
    // Frames that were handed on count as delivered: asking from the stored cursor would repeat them.
    if (position || this.#ignoresCursor) return position;
    const cursor = await this.#options.cursor();
    this.#intake.resume(cursor);
    return cursor;
  }

  #open({ wsUrl, token, protocol }: SocketSettings, cursor: Cursor | null): Connection {
    const connection = new Connection(connectionUrl(wsUrl, protocol, cursor), {
      ...this.#timing,
      token,
      maxPayload: this.#bounds.payloadBytes,
      onMessage: (data) => this.#receive(data, connection),
    });
    return connection;
  }

  async #liveThrough(connection: Connection, signal: AbortSignal): Promise<Ending> {
    const end = (): void => {
      this.#acks.flush();
      connection.cut("stopped");
    };
    const helloDue = setTimeout(() => {
      if (!this.#intake.hello) connection.cut("no hello");
    }, this.#timing.handshakeMs + this.#timing.helloMs);
    this.#connection = connection;
    signal.addEventListener("abort", end, { once: true });
    const ending = await connection.ended;
    signal.removeEventListener("abort", end);
    clearTimeout(helloDue);
    this.#connection = null;
    this.#acks.close();
    return ending;
  }

  #receive(data: Buffer, connection: Connection): void {
    // Frames that had already arrived are still read after the connection was ended.
    if (connection.isCut) return;
    const frame = readFrame(data);
    this.#fault = this.#intake.accept(frame, data.length) ?? null;
    if (this.#fault) return connection.cut(this.#fault.reason);
    if (frame.type === "hello") {
      this.#ignoresCursor = false;
      this.#acks.open(frame.epoch, (text) => connection.send(text));
      this.#show("connected", null, frame.pluginConnected);
    }
    if (frame.type === "plugin") this.#show("connected", null, frame.connected);
    if (this.#queue.isFull) connection.pause();
  }

  #settle(outcome: Outcome): void {
    const reason = reasonOf(outcome);
    this.#options.log.warn({ how: outcome.how, reason }, "bridge connection ended");
    if (outcome.how === "spoiled") this.#intake.spoil(outcome.reason);
    if (outcome.how === "faulted" && outcome.code === "behind") this.#forgetPosition();
    const isError = isConfigurationFault(outcome) || this.#status.state === "error";
    this.#show(isError ? "error" : "reconnecting", reason);
  }

  /** The buffer lost its end: the next connection takes it from its beginning. */
  #forgetPosition(): void {
    this.#intake.resume(null);
    this.#acks.reset();
    this.#ignoresCursor = true;
  }

  #show(state: LinkState, reason: string | null, pluginConnected = false): void {
    const shown = this.#status;
    const isSame = state === shown.state && reason === shown.reason;
    if (isSame && pluginConnected === shown.pluginConnected) return;
    this.#status = { state, reason, pluginConnected };
    this.#options.onStatus?.(this.#status);
  }
}

/** How a connection ended: by itself, or ended by us because of a frame. */
type Outcome = Ending | ({ readonly how: "faulted" } & StreamFault);

/** Whether only an administrator can mend it: the token or the protocol is wrong. */
const isConfigurationFault = (outcome: Outcome): boolean =>
  outcome.how === "refused"
    ? outcome.status === 401 || outcome.status === 409
    : outcome.how === "faulted" && outcome.code === "protocol";

/** The sentence an operator is shown. */
const reasonOf = (outcome: Outcome): string =>
  outcome.how === "refused" ? refusalReason(outcome.status, outcome.body) : outcome.reason;
