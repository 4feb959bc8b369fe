import { workStep } from "../../shared/events/engine/work-step.ts";
import { defineJob } from "../job.ts";

export const workStepJob = defineJob({
  queue: "event.step",
  run: ({ stepId }, context, { signal }) => workStep(stepId, context, signal),
});
