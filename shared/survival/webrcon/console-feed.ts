import { setTimeout as sleep } from "node:timers/promises";

import type { StreamFrame } from "../../platform/bridge/frames.ts";
import type { FrameSource, FrameSourceOptions } from "../../platform/bridge/socket/feed.ts";
import type {
  LinkState,
  socketBounds,
  SocketStatus,
} from "../../platform/bridge/socket/socket-options.ts";
import type { SocketStats } from "../../platform/bridge/socket/socket.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import { Backoff } from "../../platform/time/backoff.ts";
import { capabilitiesOf } from "./console-answers.ts";
import { type ConsoleCallContext, executeCall } from "./console-calls.ts";
import { ConsoleConversation, conversationTiming } from "./console-conversation.ts";
import { ConsoleQuestions, ConsoleMessageQueue } from "./console-questions.ts";
import { type ConsoleCloseReason, ConsoleSocket, computeRefusalDelayMs } from "./console-socket.ts";
import type { ConsoleDial, ConsoleStore } from "./console-store.ts";
import {
  type ConsoleCall,
  type ConsoleSession,
  type ConsoleSettings,
  createRefusalOutcome,
} from "./console-types.ts";
import { ConsoleState, FrameBuffer } from "./frame-buffer.ts";
import { PermissionCalls } from "./permission-calls.ts";

export interface ConsoleFeedOptions extends FrameSourceOptions {
  /** Called when the console can execute commands, and with null when it no longer can. */
  readonly onSession: (session: ConsoleSession | null) => void;
  readonly store: ConsoleStore;
}

/** Times in milliseconds. */
export const consoleTiming = {
  ...conversationTiming,
  handshakeMs: 10_000,
  pingMs: 20_000,
  silentMs: 30_000,
  firstRetryMs: 1_000,
  lastRetryMs: 60_000,
  /** Newer consoles refuse a second connection from the same address within a second. */
  shortestRetryMs: 1_100,
  /** Returns the wait for a number of refused passwords in a row. */
  afterRefusalMs: computeRefusalDelayMs,
  /** Time between two commands that read the permissions for an inventory. */
  inventoryPaceMs: 1_000,
};

export type ConsoleTiming = Partial<typeof consoleTiming> & {
  readonly bounds?: Partial<typeof socketBounds>;
};

/** Makes frames from a Rust server's console, and executes calls of the site over it. */
export class ConsoleFeed implements FrameSource {
  readonly #settings: ConsoleSettings;
  readonly #options: ConsoleFeedOptions;
  readonly #timing: typeof consoleTiming;
  readonly #state: ConsoleState;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #status: SocketStatus = { state: "reconnecting", reason: null, pluginConnected: false };
  #calls: ConsoleCallContext | null = null;
  #hasCursor = true;

  /** @param timing other times and bounds, for tests */
  constructor(settings: ConsoleSettings, options: ConsoleFeedOptions, timing: ConsoleTiming = {}) {
    const { bounds, ...times } = timing;
    this.#settings = settings;
    this.#options = options;
    this.#timing = { ...consoleTiming, ...times };
    this.#state = new ConsoleState(new FrameBuffer(bounds));
    this.#running = this.#connectUntilStopped();
  }

  get status(): SocketStatus {
    return this.#status;
  }

  get stats(): SocketStats {
    return this.#state.buffer.stats;
  }

  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    return this.#state.buffer.take(max, signal);
  }

  committed(): void {
    this.#state.buffer.commit();
  }

  /** Delivers the frames after the stored cursor again, after a batch could not be stored. */
  async rewind(): Promise<void> {
    this.#state.buffer.rewind(await this.#options.cursor());
  }

  /** Executes a call of the site. The outcome has the form of a sidecar's answer. */
  async execute(call: ConsoleCall): Promise<CommandOutcome> {
    const calls = this.#calls;
    if (!calls) return createRefusalOutcome("SHARD_DOWN", "the game's console is not connected");
    return executeCall(call, calls);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#state.buffer.close();
    await this.#running;
  }

  async #connectUntilStopped(): Promise<void> {
    const { signal } = this.#ending;
    const { firstRetryMs, lastRetryMs, shortestRetryMs, afterRefusalMs } = this.#timing;
    const backoff = new Backoff(firstRetryMs, lastRetryMs);
    let refusals = 0;
    await this.#readStored();
    while (!signal.aborted) {
      const dial = await this.#reserveDial();
      if (!dial) return;
      const { end, hasStream } = await this.#connectOnce(signal, dial);
      if (signal.aborted) return;
      this.#settle(end);
      if (hasStream) backoff.reset();
      refusals = end.code === "AUTH" ? refusals + 1 : 0;
      const waitMs = refusals > 0 ? afterRefusalMs(refusals) : shortestRetryMs + backoff.next();
      await this.#pause(waitMs);
    }
  }

  /**
   * Reads the stored state. If the cursor cannot be read, assumes that a cursor is stored, so the first
   * connection begins with a gap.
   */
  async #readStored(): Promise<void> {
    const { cursor, log, store } = this.#options;
    try {
      this.#hasCursor = (await cursor()) !== null;
      const { game, starts } = await store.read();
      this.#state.game.restore(game);
      this.#state.players.restore(starts);
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "the stored state of the console cannot be read");
    }
  }

  /** Waits until the limit of refused dials allows a dial. @returns null if the feed was stopped */
  async #reserveDial(): Promise<ConsoleDial | null> {
    const { log, store } = this.#options;
    while (!this.#ending.signal.aborted) {
      let waitMs = this.#timing.firstRetryMs;
      try {
        const dial = await store.reserveDial();
        if (dial.waitMs === 0) return dial;
        waitMs = dial.waitMs;
      } catch (error) {
        log.warn({ reason: messageOf(error) }, "the dials of the console cannot be counted");
      }
      await this.#pause(waitMs);
    }
    return null;
  }

  /** Ignores database errors: the dial then counts as refused, which only delays later dials. */
  async #freeDial(dial: ConsoleDial): Promise<void> {
    try {
      await dial.free();
    } catch (error) {
      this.#options.log.warn({ reason: messageOf(error) }, "a dial of the console stays counted");
    }
  }

  #settle({ code, reason }: ConsoleCloseReason): void {
    this.#options.log.warn({ fault: code, reason }, "console connection ended");
    // Tests of the link and the doctor command report the state `error` as a refused password.
    this.#show(code === "AUTH" ? "error" : "reconnecting", reason);
  }

  async #connectOnce(signal: AbortSignal, dial: ConsoleDial) {
    let hasStream = false;
    const { socket, questions, conversation, turns } = this.#open(() => {
      hasStream = true;
      this.#show("connected", null);
    });
    const ending = new AbortController();
    const stop = (): void => socket.terminate("stopped");
    signal.addEventListener("abort", stop, { once: true });
    const permissions = new PermissionCalls({
      questions,
      state: this.#state,
      log: this.#options.log,
      paceMs: this.#timing.inventoryPaceMs,
      signal: ending.signal,
    });
    this.#opened = { questions, conversation, state: this.#state, permissions };
    const isOpen = await socket.opened;
    const isRefused = !isOpen && (await socket.ended).code === "AUTH";
    const freeing = isRefused ? null : this.#freeDial(dial);
    const talking = isOpen ? conversation.run(ending.signal) : null;
    const end = await socket.ended;
    signal.removeEventListener("abort", stop);
    ending.abort();
    questions.close();
    turns.stop();
    this.#endSession();
    this.#state.game.markBreak();
    await Promise.all([talking, freeing]);
    return { end, hasStream };
  }

  /** The parts of the open connection. Calls can use them only after the game has answered. */
  #opened: ConsoleCallContext | null = null;

  #open(onStream: () => void) {
    const socket = new ConsoleSocket(this.#settings, {
      ...this.#timing,
      onMessage: (data) => turns.push(data),
    });
    const questions = new ConsoleQuestions((text) => socket.send(text));
    const conversation = new ConsoleConversation(questions, this.#state, {
      timing: this.#timing,
      hasCursor: this.#hasCursor,
      onStream,
      onReady: (facts) => this.#beginSession(capabilitiesOf(facts)),
    });
    const turns = new ConsoleMessageQueue(
      questions,
      (message) => conversation.hear(message),
      socket,
    );
    return { socket, questions, conversation, turns };
  }

  #beginSession(capabilities: readonly string[]): void {
    const { bootId } = this.#state.game;
    if (bootId === null) return;
    this.#calls = this.#opened;
    this.#options.onSession({ bootId, capabilities });
  }

  #endSession(): void {
    this.#opened = null;
    if (!this.#calls) return;
    this.#calls = null;
    this.#options.onSession(null);
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#ending;
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  #show(state: LinkState, reason: string | null): void {
    const pluginConnected = state === "connected";
    const shown = this.#status;
    if (state === shown.state && reason === shown.reason) return;
    this.#status = { state, reason, pluginConnected };
    this.#options.onStatus();
  }
}
