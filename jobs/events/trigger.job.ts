import { countGateEvents } from "../../shared/events/engine/count-triggers.ts";
import { defineJob } from "../job.ts";

export const countTriggersJob = defineJob({
  queue: "event.trigger",
  run: (_payload, context) => countGateEvents(context),
});
