import { defineImportJob } from "./import-job.ts";

export const importAssetsJob = defineImportJob("assets", async (...given) =>
  (await loadImport()).importAssets(...given),
);

// Artwork is imported now and then.
const loadImport = () => import("../../shared/shard/assets/import.ts");
