import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { Caller } from "../../shared/platform/access/caller.ts";
import type { RequestOrigin } from "../origin/origin.ts";
import type { Audience } from "./audience.ts";
import { encodeBlock } from "./sse.ts";

/** The reasons for ending a stream with a `bye`, and how long the client waits before it reconnects. */
const byes = {
  draining: { minMs: 1_000, maxMs: 5_000 },
  max_age: { minMs: 1_000, maxMs: 5_000 },
  revoked: { minMs: 1_000, maxMs: 5_000 },
  unavailable: { minMs: 5_000, maxMs: 15_000 },
  full: { minMs: 60_000, maxMs: 120_000 },
  closed: { minMs: 120_000, maxMs: 120_000 },
  gone: { minMs: 1_000, maxMs: 5_000 },
} as const;

export type ByeReason = keyof typeof byes;
export const byeReasons = Object.keys(byes) as ByeReason[];

/** A random wait, so that clients that were disconnected together do not reconnect together. */
export const randomDelayMs = (minMs: number, maxMs: number): number =>
  Math.round(minMs + Math.random() * (maxMs - minMs));

/** Encodes the last block of a stream. It makes a browser wait and then reconnect. */
export function encodeBye(reason: ByeReason): Buffer {
  const { minMs, maxMs } = byes[reason];
  return encodeBlock({ event: "bye", retryMs: randomDelayMs(minMs, maxMs), data: { reason } });
}

export interface SubscriberOptions {
  readonly response: ServerResponse;
  readonly audience: Audience;
  readonly caller: Caller | null;
  readonly origin: RequestOrigin;
  /** When the client must reconnect, on the `performance.now()` clock. */
  readonly endsAt: number;
  /** Called once when the server ends the stream. */
  readonly onEnd: (reason: ByeReason | "slow") => void;
}

/** Unread bytes above which a client is disconnected. */
const maxUnreadBytes = 1024 * 1024;

/** One open event stream. Its access level does not change while it is open. */
export class Subscriber {
  readonly audience: Audience;
  readonly caller: Caller | null;
  readonly origin: RequestOrigin;
  readonly endsAt: number;
  readonly #response: ServerResponse;
  /** Writes go to the socket directly, because writing through the response costs a fifth more. */
  readonly #socket: Socket | null;
  readonly #onEnd: SubscriberOptions["onEnd"];
  #ended = false;
  /** When bytes were last written to an empty buffer. Since then, bytes have waited for the client. */
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

  /** Returns for how many milliseconds bytes have waited for the client to read them. */
  measureStall(): number {
    return this.#socket?.writableLength ? performance.now() - this.#waitingSince : 0;
  }

  /** Writes without waiting. A client that does not read is disconnected, and resumes by its last event id. */
  send(bytes: Buffer): void {
    const socket = this.#socket;
    if (!socket || !this.isOpen) return;
    if (socket.writableLength > maxUnreadBytes) this.cut();
    else this.#write(bytes, socket);
  }

  /** Writes, then waits until the buffer is drained or the connection is closed. */
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

  /** Ends the stream with a reason. Buffered bytes are still sent. */
  bye(reason: ByeReason): void {
    if (!this.isOpen) return;
    this.#ended = true;
    this.#onEnd(reason);
    this.#noteWrite();
    this.#response.end(encodeBye(reason));
  }

  /** Closes the connection and drops buffered bytes. */
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
