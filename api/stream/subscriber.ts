import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Origin } from "../origin/origin.ts";
import type { Audience } from "./audience.ts";
import { encodeBlock } from "./sse.ts";

/** Why a stream is ended in words; each with the bounds of the wait before the next try. */
const byes = {
  draining: { minMs: 1_000, maxMs: 5_000 },
  max_age: { minMs: 1_000, maxMs: 5_000 },
  revoked: { minMs: 1_000, maxMs: 5_000 },
  unavailable: { minMs: 5_000, maxMs: 15_000 },
  full: { minMs: 60_000, maxMs: 120_000 },
  closed: { minMs: 120_000, maxMs: 120_000 },
} as const;

export type ByeReason = keyof typeof byes;
export const byeReasons = Object.keys(byes) as ByeReason[];

/** Waits differ, so that clients cut off together do not come back together. */
export const between = (minMs: number, maxMs: number): number =>
  Math.round(minMs + Math.random() * (maxMs - minMs));

/** The last block of a stream, after which a browser waits and connects again by itself. */
export function encodeBye(reason: ByeReason): Buffer {
  const { minMs, maxMs } = byes[reason];
  return encodeBlock({ event: "bye", retryMs: between(minMs, maxMs), data: { reason } });
}

export interface SubscriberOptions {
  readonly response: ServerResponse;
  readonly audience: Audience;
  readonly caller: Caller | null;
  readonly origin: Origin;
  /** Epoch milliseconds at which it is asked to connect anew. */
  readonly endsAt: number;
  /** Told once, when this side ends the stream. */
  readonly onEnd: (reason: ByeReason | "slow") => void;
}

/** Bytes a connection may leave unread before it counts as one that does not read. */
const maxUnreadBytes = 1024 * 1024;

/** One open event stream. Its audience, and with it its rung, stays what it was at the start. */
export class Subscriber {
  readonly audience: Audience;
  readonly caller: Caller | null;
  readonly origin: Origin;
  readonly endsAt: number;
  readonly #response: ServerResponse;
  /** The body is written to the socket itself: through the response a write costs a fifth more. */
  readonly #socket: Socket | null;
  readonly #onEnd: SubscriberOptions["onEnd"];
  #ended = false;
  /** When bytes were last written with none before them that waited to be read. */
  #waitingSince = performance.now();

  constructor({ response, audience, caller, origin, endsAt, onEnd }: SubscriberOptions) {
    this.#response = response;
    this.#socket = response.socket;
    this.audience = audience;
    this.caller = caller;
    this.origin = origin;
    this.endsAt = endsAt;
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return !this.#ended && this.#socket?.destroyed === false;
  }

  /** Milliseconds for which bytes have been waiting to be read. */
  measureStall(): number {
    return this.#socket?.writableLength ? performance.now() - this.#waitingSince : 0;
  }

  /** Writes without waiting. A client that does not read is cut off, and resumes by its last event id. */
  send(bytes: Buffer): void {
    const socket = this.#socket;
    if (!socket || !this.isOpen) return;
    if (socket.writableLength > maxUnreadBytes) this.cut();
    else this.#write(bytes, socket);
  }

  /** Writes and waits until more may be written or the connection is gone. */
  async deliver(bytes: Buffer): Promise<void> {
    const socket = this.#socket;
    if (!socket || !this.isOpen || this.#write(bytes, socket)) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off("drain", go);
        socket.off("close", go);
        resolve();
      };
      socket.on("drain", go);
      socket.on("close", go);
    });
  }

  /** Says why and ends; what it has not read yet still goes out. */
  bye(reason: ByeReason): void {
    if (!this.isOpen) return;
    this.#ended = true;
    this.#onEnd(reason);
    this.#noteWrite();
    this.#response.end(encodeBye(reason));
  }

  /** Drops the connection with whatever it has not read. */
  cut(): void {
    if (this.isOpen) this.#onEnd("slow");
    this.#ended = true;
    this.#response.destroy();
  }

  #write(bytes: Buffer, socket: Socket): boolean {
    this.#noteWrite();
    return socket.write(bytes);
  }

  #noteWrite(): void {
    if (!this.#socket?.writableLength) this.#waitingSince = performance.now();
  }
}
