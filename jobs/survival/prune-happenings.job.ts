import { pruneHappenings } from "../../shared/survival/feed/prune-happenings.ts";
import { cleanTexts } from "../../shared/survival/texts/clean-texts.ts";
import { defineJob } from "../job.ts";

export const pruneHappeningsJob = defineJob({
  queue: "survival.prune-happenings",
  run: async (_nothing, context) => ({
    ...(await pruneHappenings(context)),
    cleaned: await cleanTexts(context.sequelize),
  }),
});
