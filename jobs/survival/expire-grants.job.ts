import { expireGrants } from "../../shared/survival/permissions/grants/changes.ts";
import { defineJob } from "../job.ts";

export const expireGrantsJob = defineJob({
  queue: "survival.expire-grants",
  run: (_nothing, context) => expireGrants(context),
});
