import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../../errors/errors.ts";
import { Backoff } from "../../time/backoff.ts";
import { readFrame } from "../frame.ts";
import type { Cursor, StreamFrame } from "../frames.ts";
import { describeRefusal } from "../refusals.ts";
import { Acknowledger } from "./acknowledger.ts";
import { buildConnectionUrl } from "./addresses.ts";
import { Connection, type ConnectionEnd } from "./connection.ts";
import { FrameQueue } from "./frame-queue.ts";
import { FrameIntake, type IntakeCounters, type StreamFault } from "./intake.ts";
import {
  type LinkState,
  socketBounds,
  type SocketOptions,
  type SocketSettings,
  type SocketStatus,
  socketTiming,
} from "./socket-options.ts";

/** Counts since this process took over the source, and the number of waiting frames. */
export interface SocketStats extends IntakeCounters {
  readonly waiting: number;
  readonly lastAckAt: Date | null;
}

/**
 * The WebSocket to a sidecar. It reconnects by itself and delivers each event once and in order.
 *
 *     for (;;) {
 *       const frames = await socket.nextBatch(1_000, signal);
 *       socket.committed(await store(frames));
 *     }
 *
 * A consumer that could not store a batch calls `restart`, which begins again at the stored cursor.
 */
export class BridgeSocket {
  readonly #options: SocketOptions;
  readonly #timing: typeof socketTiming;
  readonly #bounds: typeof socketBounds;
  readonly #queue: FrameQueue<StreamFrame>;
  readonly #intake: FrameIntake;
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
    this.#intake = new FrameIntake(this.#queue);
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
   * Connects with these settings after the stored cursor, or only disconnects if they are null. Frames
   * that the consumer is storing now are delivered again.
   */
  restart(settings: SocketSettings | null): void {
    this.#run.abort();
    // Drop waiting frames. The sidecar sends them again, after the frames that could not be stored.
    this.#queue.clear();
    const run = new AbortController();
    this.#run = run;
    // Wait until the last connection has ended, because a sidecar sends its stream to one client only.
    this.#running = this.#running.then(() => this.#start(settings, run.signal));
  }

  /** Ends the connection and all waits of the consumer permanently. */
  async stop(): Promise<void> {
    this.restart(null);
    this.#queue.close();
    await this.#running;
  }

  async nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    const frames = await this.#queue.take(max, signal);
    if (this.#connection?.isPaused && this.#queue.hasRoom) this.#connection.resume();
    return frames;
  }

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

  async #connectOnce(settings: SocketSettings, signal: AbortSignal): Promise<ConnectionOutcome> {
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

  #judge(ending: ConnectionEnd): ConnectionOutcome {
    return this.#fault ? { how: "faulted", ...this.#fault } : ending;
  }

  async #startingCursor(): Promise<Cursor | null> {
    const { position } = this.#intake;
    // Continue after the delivered frames. The stored cursor is older and would repeat them.
    if (position || this.#ignoresCursor) return position;
    const cursor = await this.#options.cursor();
    this.#intake.resume(cursor);
    return cursor;
  }

  #open({ wsUrl, token, protocol }: SocketSettings, cursor: Cursor | null): Connection {
    const connection = new Connection(buildConnectionUrl(wsUrl, protocol, cursor), {
      ...this.#timing,
      token,
      maxPayload: this.#bounds.payloadBytes,
      onMessage: (data) => this.#receive(data, connection),
    });
    return connection;
  }

  async #liveThrough(connection: Connection, signal: AbortSignal): Promise<ConnectionEnd> {
    const end = (): void => {
      this.#acks.flush();
      connection.terminate("stopped");
    };
    const helloDue = setTimeout(() => {
      if (!this.#intake.hello) connection.terminate("no hello");
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
    // Ignore frames that are still read after this process has ended the connection.
    if (connection.isTerminated) return;
    const frame = readFrame(data);
    this.#fault = this.#intake.accept(frame, data.length) ?? null;
    if (this.#fault) return connection.terminate(this.#fault.reason);
    if (frame.type === "hello") {
      this.#ignoresCursor = false;
      this.#acks.open(frame.epoch, (text) => connection.send(text));
      this.#show("connected", null, frame.pluginConnected);
    }
    if (frame.type === "plugin") this.#show("connected", null, frame.connected);
    if (this.#queue.isFull) connection.pause();
  }

  #settle(outcome: ConnectionOutcome): void {
    const reason = reasonOf(outcome);
    this.#options.log.warn({ how: outcome.how, reason }, "bridge connection ended");
    if (outcome.how === "spoiled") this.#intake.skipOversized(outcome.reason);
    if (outcome.how === "faulted" && outcome.code === "behind") this.#forgetPosition();
    const isError = isConfigurationFault(outcome) || this.#status.state === "error";
    this.#show(isError ? "error" : "reconnecting", reason);
  }

  /**
   * Makes the next connection start at the beginning of the buffer, because the sidecar has lost its newest
   * events.
   */
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

/** The end of a connection. `faulted`: this process ended it because of an invalid frame. */
type ConnectionOutcome = ConnectionEnd | ({ readonly how: "faulted" } & StreamFault);

/** True if the token or the protocol is wrong, which only an administrator can correct. */
const isConfigurationFault = (outcome: ConnectionOutcome): boolean =>
  outcome.how === "refused"
    ? outcome.status === 401 || outcome.status === 409
    : outcome.how === "faulted" && outcome.code === "protocol";

const reasonOf = (outcome: ConnectionOutcome): string =>
  outcome.how === "refused" ? describeRefusal(outcome.status, outcome.body) : outcome.reason;
