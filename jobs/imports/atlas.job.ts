import { defineImportJob } from "./import-job.ts";

export const importAtlasJob = defineImportJob("atlas", async (...given) =>
  (await loadImport()).refreshAtlas(...given),
);

// The module is loaded on first use, because imports are rare and the parsers take megabytes.
const loadImport = () => import("../../shared/shard/atlas/import/refresh.ts");
