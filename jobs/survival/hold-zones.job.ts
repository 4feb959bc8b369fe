import { maintainZones } from "../../shared/survival/zones/maintain-zones.ts";
import { defineJob } from "../job.ts";

export const maintainZonesJob = defineJob({
  queue: "survival.hold-zones",
  run: ({ serverId }, context) => maintainZones(serverId, context),
});
