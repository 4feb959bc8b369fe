import { ActiveFaults } from "../../faults/standing.ts";

export const outcomeModes = ["ok", "late", "failed", "missing"] as const;
export type OutcomeMode = (typeof outcomeModes)[number];

/** The active faults, including those that only a survival server has. */
export class SurvivalFaults extends ActiveFaults {
  /** The fault of the outcomes of the next configuration writes. `ms` is the delay of late outcomes. */
  outcomes: { mode: OutcomeMode; ms: number; left: number } = { mode: "ok", ms: 0, left: 0 };
  /** The capabilities that the bridge plugin lacks. */
  incapable: readonly string[] = [];
  /** The number of inventories that are sent without their last page. */
  tornInventories = 0;
  /** The number of map pictures that are sent with a wrong hash. */
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
