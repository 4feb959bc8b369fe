import { countTriggers } from "../../shared/events/engine/hear-events.ts";
import { defineJob } from "../job.ts";

export const countTriggersJob = defineJob({
  queue: "event.trigger",
  run: (_payload, context) => countTriggers(context),
});
