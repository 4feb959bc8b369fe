import { computeTotals } from "../../shared/survival/rankings/compute-totals.ts";
import { defineJob } from "../job.ts";

export const computeTotalsJob = defineJob({
  queue: "survival.keep-standings",
  run: (_nothing, context) => computeTotals(context),
});
