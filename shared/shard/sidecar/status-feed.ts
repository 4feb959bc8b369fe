import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Cursor, EventFrame, StreamFrame } from "../../platform/bridge/frames.ts";
import type { FrameSource, FrameSourceOptions } from "../../platform/bridge/socket/feed.ts";
import { FrameQueue } from "../../platform/bridge/socket/frame-queue.ts";
import {
  type LinkState,
  socketBounds,
  type SocketStatus,
} from "../../platform/bridge/socket/socket-options.ts";
import type { SocketStats } from "../../platform/bridge/socket/socket.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import { requestStatus, type StatusAddress, type StatusPacket } from "./request-status.ts";

/** Milliseconds between two requests, and the timeout of a request. */
const defaultTiming = { everyMs: 15_000, withinMs: 5_000 };
/**
 * After this many failed requests in a row the shard counts as unreachable. Fewer failures may be a save, which
 * freezes the game.
 */
const maxFailures = 3;
/** Start times that differ by at most this many seconds belong to the same game process. */
const sameBootSec = 60;

/**
 * Polls a shard's status packet and emits events: a heartbeat for each answer, and the number of online
 * players when it changes. Each feed has its own epoch.
 */
export class StatusFeed implements FrameSource {
  readonly #address: StatusAddress;
  readonly #options: FrameSourceOptions;
  readonly #timing: typeof defaultTiming;
  readonly #queue = new FrameQueue<StreamFrame>({
    frames: socketBounds.waitingFrames,
    bytes: socketBounds.waitingBytes,
  });
  readonly #epoch = randomUUID();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #status: SocketStatus = { state: "reconnecting", reason: null, pluginConnected: false };
  #seq = 0;
  #silences = 0;
  #boot: { readonly id: string; readonly beganSec: number } | null = null;
  #online: number | null = null;
  #lastAckAt: Date | null = null;

  /** @param timing other intervals, for tests */
  constructor(address: StatusAddress, options: FrameSourceOptions, timing = defaultTiming) {
    this.#address = address;
    this.#options = options;
    this.#timing = timing;
    this.#running = this.#askUntilStopped();
  }

  get status(): SocketStatus {
    return this.#status;
  }

  get stats(): SocketStats {
    return {
      received: this.#seq,
      duplicates: 0,
      rejected: 0,
      gaps: 0,
      ignored: 0,
      waiting: this.#queue.length,
      lastAckAt: this.#lastAckAt,
    };
  }

  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    return this.#queue.take(max, signal);
  }

  committed(cursor: Cursor | null): void {
    if (cursor) this.#lastAckAt = new Date();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#queue.close();
    await this.#running;
  }

  async #askUntilStopped(): Promise<void> {
    const { signal } = this.#ending;
    const { everyMs, withinMs } = this.#timing;
    while (!signal.aborted) {
      try {
        this.#take(await requestStatus(this.#address, withinMs, signal));
      } catch (error) {
        if (!signal.aborted) this.#miss(messageOf(error));
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #take(packet: StatusPacket): void {
    this.#silences = 0;
    this.#followBoot(packet);
    this.#emit("server.heartbeat", {
      online: packet.clients,
      items: packet.items,
      mobiles: packet.mobiles,
      memBytes: packet.memory,
      uptimeMs: packet.ageSec * 1_000,
    });
    if (packet.clients !== this.#online) {
      this.#online = packet.clients;
      this.#emit("presence.online", { count: packet.clients });
    }
    this.#show("connected", null);
  }

  /** Detects a new game process by the age in the packet, because the packet contains no process id. */
  #followBoot({ ageSec }: StatusPacket): void {
    const beganSec = Math.round(Date.now() / 1_000) - ageSec;
    const isSame = this.#boot && Math.abs(this.#boot.beganSec - beganSec) <= sameBootSec;
    if (isSame && this.#status.pluginConnected) return;
    const isFirst = this.#boot === null;
    if (!isSame) this.#boot = { id: randomUUID(), beganSec };
    this.#online = null;
    const bootId = this.#boot?.id ?? null;
    if (isFirst) this.#greet(bootId);
    else this.#queue.put({ type: "plugin", connected: true, bootId }, 0);
  }

  #greet(bootId: string | null): void {
    const hello = {
      type: "hello",
      protocol: 0,
      epoch: this.#epoch,
      bootId,
      head: this.#seq,
      oldest: this.#seq + 1,
      pluginConnected: true,
      capabilities: [],
      t: null,
    } as const;
    this.#queue.put({ ...hello, details: { ...hello } }, 0);
    this.#queue.put({ type: "live", head: this.#seq }, 0);
  }

  #miss(reason: string): void {
    this.#silences += 1;
    if (this.#silences < maxFailures && this.#status.pluginConnected) return;
    if (this.#status.pluginConnected) {
      this.#queue.put({ type: "plugin", connected: false, bootId: null }, 0);
    }
    this.#show("reconnecting", reason);
  }

  #emit(kind: string, payload: EventFrame["payload"]): void {
    this.#seq += 1;
    const event = { type: "event", epoch: this.#epoch, seq: this.#seq, kind, payload } as const;
    const bootId = this.#boot?.id ?? null;
    this.#queue.put({ ...event, bootId, eventKey: null, t: Date.now(), replay: false }, 0);
  }

  #show(state: LinkState, reason: string | null): void {
    const pluginConnected = state === "connected";
    const shown = this.#status;
    if (state === shown.state && reason === shown.reason) return;
    this.#status = { state, reason, pluginConnected };
    this.#options.onStatus();
  }
}
