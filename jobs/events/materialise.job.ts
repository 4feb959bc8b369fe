import { deleteOldGateEvents } from "../../shared/events/engine/gate-events.ts";
import { createAllScheduledRuns } from "../../shared/events/occurrences/create-scheduled-runs.ts";
import { defineJob } from "../job.ts";

export const createScheduledRunsJob = defineJob({
  queue: "event.materialise",
  run: async (_payload, context) => {
    await deleteOldGateEvents(context.sequelize);
    await createAllScheduledRuns(context);
  },
});
