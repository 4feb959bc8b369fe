import { prunePlugins } from "../../shared/platform/plugin/outcomes.ts";
import { defineJob } from "../job.ts";

export const prunePluginsJob = defineJob({
  queue: "ops.prune-plugins",
  run: (_nothing, context) => prunePlugins(context),
});
