import { defineImportJob } from "./import-job.ts";

export const importClilocsJob = defineImportJob("clilocs", async (...given) =>
  (await loadImport()).refreshClilocs(...given),
);

// The module is loaded on first use, because imports are rare.
const loadImport = () => import("../../shared/shard/clilocs/refresh.ts");
