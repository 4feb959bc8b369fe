import { pruneNews } from "../../shared/events/engine/news.ts";
import { materialiseAll } from "../../shared/events/occurrences/materialise.ts";
import { defineJob } from "../job.ts";

export const materialiseRunsJob = defineJob({
  queue: "event.materialise",
  run: async (_payload, context) => {
    await pruneNews(context.sequelize);
    await materialiseAll(context);
  },
});
