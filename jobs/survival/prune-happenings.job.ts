import { cleanTexts } from "../../shared/survival/feed/clean-texts.ts";
import { pruneHappenings } from "../../shared/survival/feed/prune-happenings.ts";
import { defineJob } from "../job.ts";

export const pruneHappeningsJob = defineJob({
  queue: "survival.prune-happenings",
  run: async (_nothing, context) => ({
    ...(await pruneHappenings(context)),
    cleaned: await cleanTexts(context.sequelize),
  }),
});
