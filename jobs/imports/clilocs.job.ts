import { defineImportJob } from "./import-job.ts";

export const importClilocsJob = defineImportJob("clilocs", async (...given) =>
  (await loadImport()).refreshClilocs(...given),
);

// Texts are imported now and then.
const loadImport = () => import("../../shared/shard/clilocs/refresh.ts");
