import { defineImportJob } from "./import-job.ts";

export const importAssetsJob = defineImportJob("assets", async (...given) =>
  (await loadImport()).importAssets(...given),
);

// The module is loaded on first use, because imports are rare.
const loadImport = () => import("../../shared/shard/assets/import.ts");
