import { runStep } from "../../shared/events/engine/run-step.ts";
import { defineJob } from "../job.ts";

export const runStepJob = defineJob({
  queue: "event.step",
  run: ({ stepId }, context, { signal }) => runStep(stepId, context, signal),
});
