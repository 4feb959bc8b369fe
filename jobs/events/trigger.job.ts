import { hearEvents } from "../../shared/events/engine/hear-events.ts";
import { defineJob } from "../job.ts";

export const hearEventsJob = defineJob({
  queue: "event.trigger",
  run: (_payload, context) => hearEvents(context),
});
