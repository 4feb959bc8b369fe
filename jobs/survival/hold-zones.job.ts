import { maintainZones } from "../../shared/survival/zones/maintain-zones.ts";
import { defineJob } from "../job.ts";

export const holdZonesJob = defineJob({
  queue: "survival.hold-zones",
  run: ({ serverId }, context) => maintainZones(serverId, context),
});
