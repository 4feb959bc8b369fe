import { fetchNewMap } from "../../shared/survival/map/fetch-map.ts";
import { defineJob } from "../job.ts";

export const fetchMapImageJob = defineJob({
  queue: "survival.fetch-map",
  run: (payload, context, { signal }) => fetchNewMap(payload, signal, context),
});
