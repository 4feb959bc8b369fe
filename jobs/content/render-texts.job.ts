import { defineJob } from "../job.ts";

export const renderTextsJob = defineJob({
  queue: "content.render-texts",
  run: async (_payload, context, { signal }) =>
    (await loadRendering()).renderStaleTexts(context, signal),
});

// Texts are rendered anew after a release alone, and what renders them takes megabytes.
const loadRendering = () => import("../../shared/content/render-stale.ts");
