import { pruneCommandsAndKeys } from "../../shared/platform/plugin/outcomes.ts";
import { defineJob } from "../job.ts";

export const pruneCommandsAndKeysJob = defineJob({
  queue: "ops.prune-plugins",
  run: (_nothing, context) => pruneCommandsAndKeys(context),
});
