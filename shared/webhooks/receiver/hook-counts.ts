import type { WebhookFault } from "../../../models/webhooks/webhook.ts";
import { attemptOutcomes } from "../../push/relay/push-counts.ts";

/** What came of one try to post to a webhook. */
type HookAttemptOutcome = "delivered" | WebhookFault;

export const hookAttemptOutcomes: readonly HookAttemptOutcome[] = [
  ...attemptOutcomes,
  "unreadable",
];

/** What this process has posted since it started. */
export class HookCounts {
  readonly #attempts = new Map<HookAttemptOutcome, number>();
  /** Messages that were not taken and are to be sent again. */
  retried = 0;
  /** Webhooks that the site switched off. */
  switchedOff = 0;

  attemptsOf(outcome: HookAttemptOutcome): number {
    return this.#attempts.get(outcome) ?? 0;
  }

  note(fault: WebhookFault | null): void {
    const outcome = fault ?? "delivered";
    this.#attempts.set(outcome, this.attemptsOf(outcome) + 1);
  }
}
