import { deleteOldGateEvents } from "../../shared/events/engine/news.ts";
import { createAllScheduledRuns } from "../../shared/events/occurrences/materialise.ts";
import { defineJob } from "../job.ts";

export const materialiseRunsJob = defineJob({
  queue: "event.materialise",
  run: async (_payload, context) => {
    await deleteOldGateEvents(context.sequelize);
    await createAllScheduledRuns(context);
  },
});
