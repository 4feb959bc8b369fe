import { StandingFaults } from "../../faults/standing.ts";

export const outcomeModes = ["ok", "late", "failed", "missing"] as const;
export type OutcomeMode = (typeof outcomeModes)[number];

/** What only a survival server has that can be wrong. */
export class SurvivalFaults extends StandingFaults {
  /** What becomes of the next configuration writes; late by `ms`. */
  outcomes: { mode: OutcomeMode; ms: number; left: number } = { mode: "ok", ms: 0, left: 0 };
  /** What the bridge plugin cannot do. */
  incapable: readonly string[] = [];
  /** Pages of the inventory that are left out. */
  tornInventories = 0;
  /** Map images whose bytes and hash do not agree. */
  badImages = 0;

  override clear(): void {
    super.clear();
    Object.assign(this, new SurvivalFaults());
  }

  takeOutcome(): { readonly mode: OutcomeMode; readonly ms: number } {
    if (this.outcomes.left <= 0) return { mode: "ok", ms: 0 };
    this.outcomes.left--;
    return this.outcomes;
  }
}
