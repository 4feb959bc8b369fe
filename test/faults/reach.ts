import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** How far a message has come, as its receiver knows it. */
export const phases = ["announced", "arrived", "answered"] as const;
type Phase = (typeof phases)[number];

/** For so long a receiver thinks about what has just arrived, while somebody waits for that. */
const thinkingMs = 400;
/** The workers may be away, or the database. */
const reachedWithinMs = 10_000;

/** Tells when a message has come to a phase, at a receiver that is well. */
export class Reach {
  #awaited: { readonly phase: Phase; readonly reached: () => void } | undefined;

  /** Waits until the next announcement has come so far. */
  async until(phase: Phase, announce: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { phase, reached: resolve };
    await announce();
    if (phase !== "announced") await Promise.race([promise, sleep(reachedWithinMs)]);
    this.#awaited = undefined;
  }

  /** Takes what has arrived, if somebody waits for that. @returns whether somebody does */
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
