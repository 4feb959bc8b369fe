import type { PushFault } from "../../../models/push/push-device.ts";
import { faultRules, type Outcome } from "./faults.ts";

/** What came of one try to reach a device. */
export type AttemptOutcome = "delivered" | PushFault;

export const attemptOutcomes: readonly AttemptOutcome[] = [
  "delivered",
  ...(Object.keys(faultRules) as PushFault[]),
];

/** What this process has sent since it started. */
export class PushCounts {
  /** Tries that were made. */
  sent = 0;
  readonly #attempts = new Map<AttemptOutcome, number>();
  /** Messages that failed and are to be tried again. */
  retried = 0;
  /** Devices that their relay did not know any more. */
  removedDevices = 0;

  attemptsOf(outcome: AttemptOutcome): number {
    return this.#attempts.get(outcome) ?? 0;
  }

  note(outcomes: readonly Outcome[]): void {
    this.sent += outcomes.length;
    for (const { fault } of outcomes) {
      const outcome = fault ?? "delivered";
      this.#attempts.set(outcome, this.attemptsOf(outcome) + 1);
    }
  }
}
