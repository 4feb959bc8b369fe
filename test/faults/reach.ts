import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The phases of a message: its announcement is committed, it has arrived at its receiver, its
 * answer is sent.
 */
export const phases = ["announced", "arrived", "answered"] as const;
type Phase = (typeof phases)[number];

/**
 * The delay between the arrival and the acceptance of a message, in which a test that waits for the arrival can
 * act.
 */
const thinkingMs = 400;
/** The timeout of a phase. If the workers or the database are down, no message reaches the phase. */
const reachedWithinMs = 10_000;

/** Waits for phases of messages at the receiver that never misbehaves. */
export class DeliveryPhases {
  #awaited: { readonly phase: Phase; readonly reached: () => void } | undefined;

  /** Calls `announce` and waits until the message of the announcement reaches the phase. */
  async until(phase: Phase, announce: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { phase, reached: resolve };
    await announce();
    if (phase !== "announced") await Promise.race([promise, sleep(reachedWithinMs)]);
    this.#awaited = undefined;
  }

  /**
   * Accepts a message with `take` if a test waits for a phase.
   * @returns false if no test waits, so the caller must answer
   */
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
