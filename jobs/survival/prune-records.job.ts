import { cleanStoredTexts } from "../../shared/survival/feed/clean-texts.ts";
import { pruneEvents } from "../../shared/survival/feed/prune-events.ts";
import { pruneReports } from "../../shared/survival/reports/store-report.ts";
import { defineJob } from "../job.ts";

export const pruneSurvivalEventsJob = defineJob({
  queue: "survival.prune-happenings",
  run: async (_nothing, context) => ({
    ...(await pruneEvents(context)),
    reports: await pruneReports(context),
    cleaned: await cleanStoredTexts(context.sequelize),
  }),
});
