import { defineJob } from "../job.ts";

export const renderTextsJob = defineJob({
  queue: "content.render-texts",
  run: async (_payload, context, { signal }) =>
    (await loadRendering()).renderStaleTexts(context, signal),
});

// The module is loaded on first use: only a new release renders texts again, and the renderer takes megabytes.
const loadRendering = () => import("../../shared/content/render-stale.ts");
