import { holdZones } from "../../shared/survival/zones/hold-zones.ts";
import { defineJob } from "../job.ts";

export const holdZonesJob = defineJob({
  queue: "survival.hold-zones",
  run: ({ serverId }, context) => holdZones(serverId, context),
});
