import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The phases of a message at its receiver. */
export const phases = ["announced", "arrived", "answered"] as const;
type Phase = (typeof phases)[number];

/** The receiver's delay before it accepts a message, while a test waits for its arrival. */
const thinkingMs = 400;
/** The workers or the database may be away. */
const reachedWithinMs = 10_000;

/** Reports when a message reaches a phase, at a healthy receiver. */
export class DeliveryPhases {
  #awaited: { readonly phase: Phase; readonly reached: () => void } | undefined;

  /** Waits until the next announcement reaches the phase. */
  async until(phase: Phase, announce: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { phase, reached: resolve };
    await announce();
    if (phase !== "announced") await Promise.race([promise, sleep(reachedWithinMs)]);
    this.#awaited = undefined;
  }

  /** Handles an arrived message if a test waits for it. @returns true if a test waits */
  take(response: ServerResponse, take: () => void): boolean {
    if (!this.#awaited) return false;
    const { phase, reached } = this.#awaited;
    if (phase === "arrived") {
      reached();
      setTimeout(take, thinkingMs);
    } else {
      response.once("finish", reached);
      take();
    }
    return true;
  }
}
