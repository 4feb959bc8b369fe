import type { PushFault } from "../../../models/push/push-device.ts";
import { faultRules, type PushOutcome } from "./faults.ts";

export type PushAttemptOutcome = "delivered" | PushFault;

export const pushAttemptOutcomes: readonly PushAttemptOutcome[] = [
  "delivered",
  ...(Object.keys(faultRules) as PushFault[]),
];

/** The counters of this process since its start. */
export class PushCounts {
  /** Attempts. */
  sent = 0;
  readonly #attempts = new Map<PushAttemptOutcome, number>();
  /** Messages that failed and are retried. */
  retried = 0;
  /** Devices that their relay no longer knew. */
  removedDevices = 0;

  attemptsOf(outcome: PushAttemptOutcome): number {
    return this.#attempts.get(outcome) ?? 0;
  }

  record(outcomes: readonly PushOutcome[]): void {
    this.sent += outcomes.length;
    for (const { fault } of outcomes) {
      const outcome = fault ?? "delivered";
      this.#attempts.set(outcome, this.attemptsOf(outcome) + 1);
    }
  }
}
