import { runStep } from "../../shared/events/engine/work-step.ts";
import { defineJob } from "../job.ts";

export const runStepJob = defineJob({
  queue: "event.step",
  run: ({ stepId }, context, { signal }) => runStep(stepId, context, signal),
});
