import { defineImportJob } from "./import-job.ts";

export const importAtlasJob = defineImportJob("atlas", async (...given) =>
  (await loadImport()).refreshAtlas(...given),
);

// An atlas is imported now and then, and its parsers take megabytes.
const loadImport = () => import("../../shared/shard/atlas/import/refresh.ts");
